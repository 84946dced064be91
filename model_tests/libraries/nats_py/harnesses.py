"""Harnesses of nats_py, and a NATS server: subjects without wildcards, and its answer to a PING may take a while."""

import asyncio
import json

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from ..fakes.patience import end
from ..fakes.server import FakeServer
from ..harness import harness_of

HOST, PORT = "broker", 4222
URL = f"nats://{HOST}:{PORT}"
INFO = {"server_id": "FAKE", "version": "2.11.0", "proto": 1, "headers": True, "max_payload": 1 << 20}


class NATS(FakeServer):
    """A server that passes messages on."""

    host, port = HOST, PORT

    def __init__(self, delay: float = 0.01) -> None:
        super().__init__(delay)
        self._subscriptions: dict[tuple[asyncio.StreamWriter, bytes], bytes] = {}

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"INFO " + json.dumps(INFO).encode() + b"\r\n")
        while (line := await reader.readline()).endswith(b"\n"):
            await self._command(line.split(), reader, writer)
            await writer.drain()

    async def _command(self, command: list[bytes], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        match command:
            case [b"PING"]:
                await asyncio.sleep(self._delay)
                writer.write(b"PONG\r\n")
            case [b"SUB", subject, *_, sid]:
                self._subscriptions[writer, sid] = subject
            case [b"UNSUB", sid, *_]:
                self._subscriptions.pop((writer, sid), None)
            case [b"PUB", subject, *reply, size]:
                payload = await reader.readexactly(int(size) + 2)
                for (to, sid), wanted in self._subscriptions.items():
                    if wanted == subject:
                        to.write(b" ".join([b"MSG", subject, sid, *reply, size]) + b"\r\n" + payload)
            case [b"CONNECT" | b"PONG", *_]:
                pass
            case _:
                raise ValueError(f"no such command: {command}")


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


@harness_of(
    "nats-py",
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
async def nats_closing() -> list[str]:
    """After a flush() or a drain() that is cancelled, its caller stops, and the client goes on."""
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


PUBLISHED = 3


async def publish(client: Client) -> None:
    for number in range(PUBLISHED):
        await client.publish("news", b"%d" % number)
        await asyncio.sleep(0.01)


async def read(subscription: Subscription, got: list[bytes]) -> None:
    while True:
        message = await subscription.next_msg(timeout=None)
        got.append(message.data)


@harness_of(
    "nats-py",
    cancel="read",
    slow=True,
    finds={
        "AssertionError: got only *": "nats_next",
        "Leaked: the program has left behind: transport*": "nats_connect",
    },
    allowed={"FlushTimeoutError*": "the timeout of flush() expires, and it says so"},
)
async def nats_messages() -> list[bytes]:
    """A message that arrives goes to a call of next_msg() that is not cancelled, or to a later one."""
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
    assert sorted(got) == [b"%d" % number for number in range(PUBLISHED)], f"got only {got}"
    return sorted(got)
