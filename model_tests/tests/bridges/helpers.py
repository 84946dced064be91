"""Helpers of the tests of the bridges: protocols that record their calls, and connected pairs."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import trio

from impl.bridges.asyncio.loop import SimEventLoop
from impl.bridges.asyncio.run import Network
from impl.bridges.simulation import OutsideSimulation, simulation
from impl.bridges.trio.run import Network as TrioNetwork
from impl.net import NetworkConditions

# --- asyncio's protocols on the simulated loop --------------------------------------------------------------


# Any in this file: the notes of a protocol.

SMALL = Network(NetworkConditions(latency_ms_max=5, segments_max=3, buffer_bytes=1000))


def sim_loop() -> SimEventLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SimEventLoop)
    return loop


class Recorder(asyncio.Protocol):
    """A protocol that records its calls."""

    def __init__(self) -> None:
        self.log: list[Any] = []
        self.lost: asyncio.Future[None] = sim_loop().create_future()
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.log.append("made")

    def data_received(self, data: bytes) -> None:
        if self.log and isinstance(self.log[-1], bytes):
            self.log[-1] += data
        else:
            self.log.append(data)

    def eof_received(self) -> bool:
        self.log.append("eof")
        return False

    def pause_writing(self) -> None:
        self.log.append("pause")

    def resume_writing(self) -> None:
        self.log.append("resume")

    def connection_lost(self, exc: Exception | None) -> None:
        self.log.append(type(exc).__name__ if exc else "lost")
        self.lost.set_result(None)


def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


async def pair(client: Any = Recorder, server: Any = Recorder) -> tuple[Any, Any, Any]:
    """Return two connected protocols, and the server."""
    made: list[Any] = []

    def factory() -> Any:
        made.append(server())
        return made[-1]

    listening = await sim_loop().create_server(factory, "server", 7)
    _, near = await sim_loop().create_connection(client, "server", 7)
    while not made or made[0].transport is None:
        await asyncio.sleep(0.001)
    return near, made[0], listening


# --- trio's streams on the simulated network ----------------------------------------------------------------


TRIO_CALM = TrioNetwork(NetworkConditions())
TRIO_SMALL = TrioNetwork(NetworkConditions(latency_ms_max=3, segments_max=3, buffer_bytes=64), ("server",))


async def trio_pair() -> tuple[trio.SocketStream, trio.SocketStream]:
    """The two ends of a connection."""
    (listener,) = await trio.open_tcp_listeners(0, host="server")
    near = await trio.open_tcp_stream("server", listener.socket.getsockname()[1])
    far = await listener.accept()
    await listener.aclose()
    return near, far


@contextmanager
def refused(match: str) -> Iterator[None]:
    """The body is refused, and the run goes on as if it had not been."""
    with pytest.raises(OutsideSimulation, match=match):
        yield
    here = simulation()
    assert here is not None
    here.refused = None
