"""Datagrams on the simulated asyncio loop: they arrive complete, in any order, or not at all.

Source: CPython documentation of 3.15, "Event Loop" (create_datagram_endpoint), "Transports and Protocols".
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from impl.bridges.asyncio.run import Network, simulate
from impl.bridges.simulation import OutsideSimulation
from impl.net import NetworkConditions

from .helpers import sim_loop

# `Any` in this file: addresses, and the records of a protocol.


class Mail(asyncio.DatagramProtocol):
    """A protocol that records datagrams, and optionally answers them."""

    def __init__(self, answers: bool = False) -> None:
        self.log: list[Any] = []
        self.answers = answers
        self.lost = sim_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self.log.append((data, addr))
        if self.answers:
            self.transport.sendto(data.upper(), addr)

    def error_received(self, exc: Exception) -> None:
        self.log.append(exc)

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set_result(exc)


async def _endpoint(*args: Any, answers: bool = False, **kwargs: Any) -> tuple[Any, Mail]:
    return await sim_loop().create_datagram_endpoint(lambda: Mail(answers), *args, **kwargs)


async def _exchange(host: str) -> list[bytes]:
    """Send ten datagrams to a server that answers each; return the answers in order of arrival."""
    there, server = await _endpoint((host, 53), answers=True)
    assert there.get_extra_info("sockname")[1] == 53
    here, client = await _endpoint(remote_addr=(host, 53))
    for number in range(10):
        here.sendto(b"number %d" % number)
    with pytest.raises(ValueError, match="Invalid address"):
        here.sendto(b"elsewhere", ("10.9.8.7", 53))
    await asyncio.sleep(1)
    assert {source for _, source in client.log} == {here.get_extra_info("peername")}
    assert [data.upper() for data, _ in server.log] != []
    for transport, protocol in ((here, client), (there, server)):
        transport.close()
        assert transport.is_closing()
        transport.sendto(b"late")
        assert await protocol.lost is None
    return [data for data, _ in client.log]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "server"])
def test_datagrams_are_exchanged_in_any_order(host: str) -> None:
    runs = [simulate(lambda: _exchange(host), seed=seed) for seed in range(5)]
    expected = sorted(b"NUMBER %d" % number for number in range(10))
    assert [sorted(run.outcome()) for run in runs] == [expected] * 5
    assert len({tuple(run.outcome()) for run in runs}) == 5  # they overtake each other, differently each time
    assert [simulate(lambda: _exchange(host), seed=seed).digest for seed in range(5)] == [
        run.digest for run in runs
    ]


async def test_a_datagram_without_a_receiver_is_lost_and_one_too_long_is_an_error() -> None:
    here, client = await _endpoint(("localhost", 0))
    here.sendto(b"lost", ("127.0.0.1", 9))
    here.sendto(bytes(65508), ("127.0.0.1", 9))
    await asyncio.sleep(1)
    with pytest.raises(TypeError):
        here.sendto("text", ("127.0.0.1", 9))
    with pytest.raises(OSError, match="Address already in use"):
        await _endpoint(here.get_extra_info("sockname"))
    with pytest.raises(OSError, match="Cannot assign"):
        await _endpoint(("10.9.8.7", 9))
    _, server = await _endpoint(("localhost", 9))
    for _ in range(20):
        here.sendto(bytes(100), ("127.0.0.1", 9))
    await asyncio.sleep(1)
    assert len(server.log) == 20
    assert [type(what) for what in client.log] == [OSError]
    here.abort()
    await client.lost


def test_the_calls_on_datagram_sockets() -> None:
    async def main() -> list[bytes]:
        loop = sim_loop()
        with socket.socket(type=socket.SOCK_DGRAM) as far, socket.socket(type=socket.SOCK_DGRAM) as near:
            for sock in (far, near):
                sock.setblocking(False)
            far.bind(("server", 53))
            with pytest.raises(BlockingIOError):
                far.recvfrom(1)
            await loop.sock_sendto(near, b"question", ("server", 53))
            data, whence = await loop.sock_recvfrom(far, 100)
            await loop.sock_connect(near, far.getsockname())
            far.sendto(b"an answer, cut", whence)
            got = [data, await loop.sock_recv(near, 9)]
            stranger = socket.socket(type=socket.SOCK_DGRAM)
            stranger.sendto(b"of a stranger", whence)
            await asyncio.sleep(1)
            near.send(b"again")
            far.sendto(b"heard", whence)
            buffer = bytearray(5)
            size, source = await loop.sock_recvfrom_into(near, buffer)
            assert (size, source) == (5, far.getsockname())
            return [*got, bytes(buffer)]

    assert simulate(main).outcome() == [b"question", b"an answer", b"heard"]


def test_more_than_the_buffer_holds_is_lost() -> None:
    async def main() -> int:
        loop = sim_loop()
        far, near = socket.socket(type=socket.SOCK_DGRAM), socket.socket(type=socket.SOCK_DGRAM)
        far.setblocking(False)
        far.bind(("server", 53))
        for _ in range(20):
            await loop.sock_sendto(near, bytes(100), ("server", 53))
        await asyncio.sleep(1)
        count = 0
        while True:
            try:
                far.recvfrom(100)
            except BlockingIOError:
                return count
            count += 1

    assert simulate(main, network=Network(NetworkConditions(buffer_bytes=1000))).outcome() == 10


def test_a_blocking_datagram_socket_is_refused() -> None:
    async def main() -> None:
        sock = socket.socket(type=socket.SOCK_DGRAM)
        sock.bind(("localhost", 53))
        sock.recvfrom(1)

    with pytest.raises(OutsideSimulation):
        simulate(main).outcome()
