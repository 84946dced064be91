"""Harnesses of aiormq, and an AMQP 0.9.1 broker.

It opens and closes connections and channels, and takes a while to declare a queue.
"""

import asyncio

import aiormq
import pamqp.frame
from aiormq.abc import AbstractChannel
from aiormq.exceptions import AMQPError
from pamqp import commands

from ..fakes.server import FakeServer
from ..harness import harness_of

HOST, PORT = "broker", 5672
URL = f"amqp://guest:guest@{HOST}:{PORT}/?heartbeat=0"


class AMQP(FakeServer):
    """A server without messages."""

    host, port = HOST, PORT

    def __init__(self, delay: float = 0.05) -> None:
        super().__init__(delay)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        start = commands.Connection.Start(
            server_properties={"capabilities": {"publisher_confirms": True}}, mechanisms="PLAIN"
        )
        await reader.readexactly(8)
        writer.write(pamqp.frame.marshal(start, 0))
        while True:
            head = await reader.readexactly(7)
            rest = await reader.readexactly(int.from_bytes(head[3:], "big") + 1)
            _, channel, frame = pamqp.frame.unmarshal(head + rest)
            if isinstance(frame, commands.Queue.Declare):
                await asyncio.sleep(self._delay)
            answer = _answer(frame)
            if answer is not None:
                writer.write(pamqp.frame.marshal(answer, channel))
                await writer.drain()


def _answer(frame: object) -> object:
    match frame:
        case commands.Connection.StartOk():
            return commands.Connection.Tune(channel_max=100, frame_max=131072, heartbeat=0)
        case commands.Connection.Open():
            return commands.Connection.OpenOk()
        case commands.Connection.Close():
            return commands.Connection.CloseOk()
        case commands.Channel.Open():
            return commands.Channel.OpenOk()
        case commands.Channel.Close():
            return commands.Channel.CloseOk()
        case commands.Confirm.Select():
            return commands.Confirm.SelectOk()
        case commands.Queue.Declare():
            return commands.Queue.DeclareOk(queue="jobs", message_count=0, consumer_count=0)
    return None


async def declare(channel: AbstractChannel) -> str:
    try:
        await channel.queue_declare("jobs")
    except (AMQPError, ConnectionError, RuntimeError):
        return "refused"
    except Exception as error:
        if type(error) is Exception:
            raise AssertionError("a call raises a bare Exception") from None
        raise
    return "declared"


async def stop(connection: aiormq.Connection) -> None:
    await connection.close()


@harness_of(
    "aiormq",
    cancel="declare,stop",
    slow=True,
    allowed={
        "AssertionError: a call raises CancelledError*": "as the README says, the default close() cancels "
        "what is pending",
        # A call gets this from a close without a reason.
        "AssertionError: a call raises a bare Exception": "as the README says, what is pending fails; it names no type",
    },
)
async def aiormq_closing() -> str:
    """While a connection is closed each call ends; only a task that was cancelled sees CancelledError."""
    async with AMQP() as _:
        connection = await aiormq.connect(URL)
        channel = await connection.channel()
        call = asyncio.create_task(declare(channel))
        await asyncio.sleep(0.02)
        try:
            await asyncio.wait([asyncio.create_task(stop(connection))])
            await connection.close()
            await asyncio.wait([call])
        finally:
            await connection.close()
        if not call.cancelled():
            return call.result()
        assert call.cancelling(), "a call raises CancelledError, and its task was not cancelled"
        return "cancelled"
