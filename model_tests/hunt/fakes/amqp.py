"""An AMQP 0.9.1 broker: it opens and closes connections and channels, and takes a while to declare a queue."""

from __future__ import annotations

import asyncio

import pamqp.frame
from pamqp import commands

HOST, PORT = "broker", 5672
URL = f"amqp://guest:guest@{HOST}:{PORT}/?heartbeat=0"


class AMQP:
    """A server without messages; `async with` starts and stops it."""

    def __init__(self, delay: float = 0.05) -> None:
        self._delay = delay
        self._writers: list[asyncio.StreamWriter] = []
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> AMQP:
        self._server = await asyncio.start_server(self._serve, HOST, PORT)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.close()
        await asyncio.sleep(0.1)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        start = commands.Connection.Start(
            server_properties={"capabilities": {"publisher_confirms": True}}, mechanisms="PLAIN"
        )
        try:
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
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


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
