"""nats-py: after a flush() or a drain() that is cancelled, its caller stops, and the client goes on."""

from __future__ import annotations

import asyncio

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg

from ..fakes.nats import NATS, URL
from ..harness import Harness

MESSAGES = 2


async def flush(client: Client) -> str:
    await client.flush()
    return "flushed"


async def drain(client: Client) -> str:
    await client.drain()
    return "drained"


async def ignore(_: Exception) -> None:
    """Errors of the connection are not what this is about."""


async def main() -> list[str]:
    got: list[bytes] = []

    async def keep(message: Msg) -> None:
        await asyncio.sleep(0.01)
        got.append(message.data)

    async with NATS() as _, await nats.connect(URL, error_cb=ignore, allow_reconnect=False) as client:
        await client.subscribe("news", cb=keep)
        flushing = asyncio.create_task(flush(client))
        for number in range(MESSAGES):
            await client.publish("news", b"%d" % number)
        await asyncio.wait([flushing])
        await client.flush()
        draining = asyncio.create_task(drain(client))
        await asyncio.wait([draining])
        if not draining.cancelled():
            draining.result()
            assert client.is_closed, "a client that was drained is not closed"
            assert draining.cancelling() == 0, "drain() returns although it was cancelled"
            assert got == [b"%d" % number for number in range(MESSAGES)], f"got only {got}"
    return [task.result() for task in (flushing, draining) if not task.cancelled()]


HARNESS = Harness(
    "nats-py",
    main,
    cancel="flush,drain",
    slow=True,
    finds={
        "FlushTimeoutError*": "nats_flush",
        "AssertionError: drain() returns*": "nats_drain",
        # The tasks that drain the subscriptions.
        "Leaked: the program has left behind: task Task-1[0-9]": "nats_drain",
        "Leaked: *_GatheringFuture exception was never retrieved*": "nats_drain",
        "Leaked: *transport at *": "nats_close",
    },
    allowed={"AssertionError: got only *": "the timeout of drain() expires, and it drops what is left"},
)
