"""nats-py: after a flush() or a drain() that is cancelled, its caller stops, and the client goes on."""

from __future__ import annotations

import asyncio

from nats.aio.client import Client
from nats.aio.msg import Msg

from ..fakes.nats import NATS, URL
from ..fakes.patience import end
from ..harness import Harness

MESSAGES = 2


async def flush(client: Client) -> str:
    await client.flush()
    return "flushed"


async def drain(client: Client) -> str:
    await client.drain()
    return "drained"


async def ignore(_: Exception) -> None:
    """Errors of the connection do not matter here."""


def left() -> list[str]:
    """Return the names of the functions of the client that still run as tasks."""
    names = [getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks()]
    return sorted(name for name in names if name.startswith(("Client.", "Subscription.")))


async def main() -> list[str]:
    got: list[bytes] = []
    receives = asyncio.Event()

    async def keep(message: Msg) -> None:
        receives.set()
        await asyncio.sleep(0.01)
        got.append(message.data)

    async with NATS() as _, Client() as client:
        await client.connect(URL, error_cb=ignore, allow_reconnect=False)
        await client.subscribe("news", cb=keep)
        flushing = asyncio.create_task(flush(client))
        for number in range(MESSAGES):
            await client.publish("news", b"%d" % number)
        await asyncio.wait([flushing])
        await end(asyncio.create_task(receives.wait()), "the client receives nothing")
        draining = asyncio.create_task(drain(client))
        await asyncio.wait([draining])
        if not draining.cancelled():
            draining.result()
            assert client.is_closed, "a client that was drained is not closed"
            assert draining.cancelling() == 0, "drain() returns although it was cancelled"
            assert got == [b"%d" % number for number in range(MESSAGES)], f"got only {got}"
    assert not left(), f"the client is closed, and tasks wait: {', '.join(left())}"
    return [task.result() for task in (flushing, draining) if not task.cancelled()]


HARNESS = Harness(
    "nats-py",
    main,
    cancel="flush,drain",
    slow=True,
    finds={
        "AssertionError: the client receives nothing": "nats_flush",
        "AssertionError: drain() returns*": "nats_drain",
        "AssertionError: the client is closed, and tasks wait: Subscription._wait_for_msgs": "nats_close",
        "AssertionError: the client is closed, and tasks wait: Subscription._drain": "nats_drain",
        "Leaked: the program has left behind: exception _GatheringFuture exception was never*": "nats_drain",
        # The only connection of the client.
        "Leaked: the program has left behind: transport at 10.0.0.1:49152": "nats_close",
    },
    allowed={
        "AssertionError: got only *": "the timeout of drain() expires, and it drops what is left",
        "FlushTimeoutError*": "the timeout of the flush in drain() expires, also after nats_flush",
    },
)
