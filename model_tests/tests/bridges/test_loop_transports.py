"""Transports, TLS and datagrams of the simulated asyncio loop.

Source: CPython documentation of 3.15, "Event Loop" (create_datagram_endpoint), "Transports and Protocols", "Streams".
"""

import asyncio
import socket
import ssl
from typing import Any

import pytest

from impl.bridges.asyncio.run import Network, simulate
from impl.bridges.simulation import OutsideSimulation
from impl.net import NetworkConditions

from ..net.tls import client_context, server_context
from .helpers import SMALL, Recorder, hang_up, pair, sim_loop

# `Any` in this file: the records of a protocol.


# --- transports ----------------------------------------------------------------------------------------------


def test_a_protocol_is_called_in_order() -> None:
    async def main() -> tuple[list[Any], list[Any]]:
        near, far, server = await pair()
        near.transport.write(b"to ")
        near.transport.writelines([b"the ", b"server"])
        far.transport.write(b"to the client")
        await asyncio.sleep(1)
        near.transport.write_eof()
        with pytest.raises(RuntimeError, match="after write_eof"):
            near.transport.write(b"more")
        await asyncio.gather(near.lost, far.lost)
        server.close()
        await server.wait_closed()
        return near.log, far.log

    near, far = simulate(main, network=SMALL).outcome()
    assert near == ["made", b"to the client", "eof", "lost"]
    assert far == ["made", b"to the server", "eof", "lost"]


def test_a_fast_writer_is_paused_and_resumed_and_all_arrives_after_close() -> None:
    async def main() -> None:
        near, far, _ = await pair()
        near.transport.set_write_buffer_limits(high=5000, low=100)
        assert near.transport.get_write_buffer_limits() == (100, 5000)
        far.transport.pause_reading()
        assert not far.transport.is_reading()
        near.transport.write(bytes(20_000))
        assert near.log == ["made", "pause"]
        await asyncio.sleep(1)
        assert near.transport.get_write_buffer_size() == 19_000
        near.transport.close()
        assert near.transport.is_closing()
        far.transport.resume_reading()
        await asyncio.gather(near.lost, far.lost)
        assert near.log == ["made", "pause", "resume", "lost"]
        assert far.log == ["made", bytes(20_000), "eof", "lost"]

    simulate(main, network=SMALL).outcome()


def test_abort_drops_unsent_bytes_and_resets_only_a_peer_with_unread_bytes() -> None:
    async def main() -> None:
        near, far, _ = await pair()
        near.transport.write(bytes(20_000))
        near.transport.abort()
        await asyncio.gather(near.lost, far.lost)
        assert far.log == ["made", bytes(1000), "eof", "lost"]

    simulate(main, network=SMALL).outcome()

    async def unread() -> None:
        near, far, _ = await pair()
        near.transport.pause_reading()
        far.transport.write(b"unread")
        await asyncio.sleep(1)
        near.transport.abort()
        await asyncio.gather(near.lost, far.lost)
        assert far.log == ["made", "ConnectionResetError"]

    simulate(unread, network=SMALL).outcome()


class Buffered(asyncio.BufferedProtocol):
    """A protocol that receives into its own buffer of 7 bytes."""

    def __init__(self) -> None:
        self.buffer = bytearray(7)
        self.got = b""
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def get_buffer(self, sizehint: int) -> bytearray:
        return self.buffer

    def buffer_updated(self, nbytes: int) -> None:
        self.got += self.buffer[:nbytes]


async def test_a_buffered_protocol_gets_all_bytes() -> None:
    near, far, _ = await pair(server=Buffered)
    near.transport.write(bytes(range(100)))
    await asyncio.sleep(1)
    got: bytes = far.got
    assert got == bytes(range(100))


async def test_a_protocol_that_fails_is_reported_and_loses_its_connection() -> None:
    class Broken(Recorder):
        def data_received(self, data: bytes) -> None:
            raise LookupError("no")

    told: list[Any] = []
    sim_loop().set_exception_handler(lambda loop, context: told.append(context))
    near, far, _ = await pair(server=Broken)
    near.transport.write(b"data")
    await asyncio.gather(near.lost, far.lost)
    assert [type(context["exception"]) for context in told] == [LookupError]
    assert far.log == ["made", "LookupError"]


# --- TLS -----------------------------------------------------------------------------------------------------


def test_a_connection_becomes_tls() -> None:
    async def main() -> bytes:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readline()
            writer.write(b"go ahead\n")
            await writer.start_tls(server_context("server"))
            writer.write(b"secret " + await reader.readline())
            await writer.drain()
            writer.close()

        await asyncio.start_server(serve, "server", 7)
        reader, writer = await asyncio.open_connection("server", 7)
        writer.write(b"STARTTLS\n")
        await reader.readline()
        await writer.start_tls(client_context(), server_hostname="server")
        assert writer.get_extra_info("ssl_object").version() == "TLSv1.3"
        writer.write(b"line\n")
        answer = await reader.read()
        writer.close()
        return answer

    for seed in range(3):
        assert simulate(main, seed=seed, order="any", network=SMALL).outcome() == b"secret line\n"


def _greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"hello\n")
    writer.close()


async def test_tls_fails_as_it_does() -> None:
    sim_loop().set_exception_handler(lambda loop, context: None)
    await asyncio.start_server(hang_up, "wrong", 7, ssl=server_context("server"))
    with pytest.raises(ssl.SSLCertVerificationError):
        await asyncio.open_connection("wrong", 7, ssl=client_context())
    plain = await asyncio.start_server(_greet, "plain", 7)
    with pytest.raises(ssl.SSLError):
        await asyncio.open_connection("plain", 7, ssl=client_context())
    plain.close()
    silent = await sim_loop().create_server(asyncio.Protocol, "silent", 7)
    begun = sim_loop().time()
    with pytest.raises(ConnectionAbortedError, match="handshake is taking longer than 60"):
        await asyncio.open_connection("silent", 7, ssl=client_context())
    assert 60 < sim_loop().time() - begun < 61
    silent.close()


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
    assert [simulate(lambda: _exchange(host), seed=seed).digest for seed in range(5)] == [run.digest for run in runs]


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
