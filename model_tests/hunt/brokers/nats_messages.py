"""nats-py: a message that arrives goes to a call of next_msg() that is not cancelled, or to a later one."""

from __future__ import annotations

import asyncio

import nats
from nats.aio.client import Client
from nats.aio.subscription import Subscription

from ..fakes.nats import NATS, URL
from ..harness import Harness

MESSAGES = 3


async def publish(client: Client) -> None:
    for number in range(MESSAGES):
        await client.publish("news", b"%d" % number)
        await asyncio.sleep(0.01)


async def read(subscription: Subscription, got: list[bytes]) -> None:
    while True:
        message = await subscription.next_msg(timeout=None)
        got.append(message.data)


async def ignore(_: Exception) -> None:
    """Errors of the connection do not matter here."""


async def main() -> list[bytes]:
    got: list[bytes] = []
    async with NATS() as _, await nats.connect(URL, error_cb=ignore, allow_reconnect=False) as client:
        subscription = await client.subscribe("news")
        await client.flush()
        readers = [asyncio.create_task(read(subscription, got)) for _ in range(2)]
        try:
            await publish(client)
            await client.flush()
            await asyncio.sleep(0.1)
        finally:
            for reader in readers:
                reader.cancel()
        await asyncio.wait(readers)
        while subscription.pending_msgs:
            got.append((await subscription.next_msg()).data)
    assert sorted(got) == [b"%d" % number for number in range(MESSAGES)], f"got only {got}"
    return sorted(got)


HARNESS = Harness(
    "nats-py",
    main,
    cancel="read",
    slow=True,
    finds={
        "AssertionError: got only *": "nats_next",
        "Leaked: the program has left behind: transport*": "nats_connect",
    },
    allowed={"FlushTimeoutError*": "the timeout of flush() expires, and it says so"},
)
