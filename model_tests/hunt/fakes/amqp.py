"""An AMQP 0.9.1 broker: it opens and closes connections and channels, and takes a while to declare a queue."""

from __future__ import annotations

import asyncio

import pamqp.frame
from pamqp import commands

from .served import Served

HOST, PORT = "broker", 5672
URL = f"amqp://guest:guest@{HOST}:{PORT}/?heartbeat=0"


class AMQP(Served):
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
