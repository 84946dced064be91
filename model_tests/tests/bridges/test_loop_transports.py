"""Transports and TLS of the simulated asyncio loop.

Source: CPython documentation of 3.15, "Transports and Protocols", "Streams".
"""

from __future__ import annotations

import asyncio
import ssl
from typing import Any

import pytest

from impl.bridges.asyncio.run import simulate

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
