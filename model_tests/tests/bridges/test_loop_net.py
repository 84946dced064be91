"""The simulated asyncio loop's network: names, connecting, servers, sockets.

Source: CPython documentation of 3.15, "Event Loop" (opening network connections, working with socket objects);
the module socket.
"""

import asyncio
import errno
import fcntl
import io
import os
import socket
import struct

import pytest

from impl.bridges.asyncio.run import Network, simulate
from impl.net import NetworkConditions
from impl.net.simulated.faults import Fault

from .helpers import SMALL, Recorder, hang_up, pair, refused, sim_loop

# `Any` in this file: addresses, results of programs.

# --- names ---------------------------------------------------------------------------------------------------


def test_names_addresses_and_ports() -> None:
    async def main() -> None:
        loop = sim_loop()
        kind = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        stream = {"type": socket.SOCK_STREAM}
        assert await loop.getaddrinfo("localhost", 80, **stream) == [(*kind, ("127.0.0.1", 80))]
        assert await loop.getaddrinfo(b"10.9.8.7", "http", **stream) == [(*kind, ("10.9.8.7", 80))]
        assert await loop.getaddrinfo(None, 8, **stream) == [(*kind, ("127.0.0.1", 8))]
        passive = await loop.getaddrinfo(None, "8", flags=socket.AI_PASSIVE, **stream)
        assert passive == [(*kind, ("0.0.0.0", 8))]
        both = await loop.getaddrinfo("known", 80)
        assert [info[1] for info in both] == [socket.SOCK_STREAM, socket.SOCK_DGRAM]
        assert await loop.getnameinfo(both[0][4]) == ("known", "http")
        numeric = socket.NI_NUMERICHOST | socket.NI_NUMERICSERV
        assert await loop.getnameinfo(both[0][4], numeric) == (both[0][4][0], "80")
        for host, port, family in (("unknown", 80, 0), ("known", 80, socket.AF_INET6), ("known", "no", 0)):
            with pytest.raises(socket.gaierror):
                await loop.getaddrinfo(host, port, family=family)

    simulate(main, network=Network(hosts=("known",))).outcome()


@pytest.mark.parametrize("host", [None, "0.0.0.0", "127.0.0.1", "localhost", "named"])
def test_a_server_is_found_at_the_host_it_was_given(host: str | None) -> None:
    async def main() -> list[str]:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.close()

        found = []
        async with await asyncio.start_server(serve, host, 7) as server:
            assert server.sockets[0].getsockname()[1] == 7
            for name in ("localhost", "127.0.0.1", "known", "named"):
                try:
                    _, writer = await asyncio.open_connection(name, 7)
                except OSError:
                    continue
                found.append(name)
                assert writer.get_extra_info("peername")[1] == 7
                writer.close()
        return found

    everywhere = ["localhost", "127.0.0.1", "known"]
    expected = {None: everywhere, "0.0.0.0": everywhere, "named": ["named"]}
    found = simulate(main, network=Network(hosts=("known",))).outcome()
    assert found == expected.get(host, everywhere[:2])


async def test_a_port_is_given_once_and_free_ones_are_found() -> None:
    first = await asyncio.start_server(hang_up, "localhost", 0)
    port = first.sockets[0].getsockname()[1]
    assert port >= 49152
    with pytest.raises(OSError, match="error while attempting to bind on address"):
        await asyncio.start_server(hang_up, "localhost", port)
    first.close()
    await asyncio.start_server(hang_up, "localhost", port)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        assert unused.getsockname()[1] not in (0, port)


# --- connecting ----------------------------------------------------------------------------------------------


def test_what_fails_to_connect_raises_the_errors_of_the_system() -> None:
    conditions = NetworkConditions(scripted={"reset": Fault.RESET, "away": Fault.NO_SUCH_HOST, "silent": Fault.SILENT})

    async def main() -> None:
        await sim_loop().create_server(asyncio.Protocol, "reset", 7)
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("localhost", 7)
        with pytest.raises(ExceptionGroup):
            await sim_loop().create_connection(Recorder, "localhost", 7, all_errors=True)
        with pytest.raises(ConnectionRefusedError):
            await sim_loop().create_connection(Recorder, "localhost", 7, happy_eyeballs_delay=0.25)
        with pytest.raises(socket.gaierror):
            await asyncio.open_connection("away", 7)
        with pytest.raises(OSError, match="No route to host"):
            await asyncio.open_connection("10.9.8.7", 7)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.open_connection("silent", 7), 60)
        reader, writer = await asyncio.open_connection("reset", 7)
        writer.write(b"data")
        with pytest.raises(ConnectionResetError):
            await reader.read()

    simulate(main, network=Network(conditions, hosts=("away", "silent"))).outcome()


def test_a_connect_that_is_cancelled_leaves_no_connection() -> None:
    async def main() -> None:
        await asyncio.start_server(hang_up, "server", 7)
        for turns in range(60):
            task = asyncio.create_task(sim_loop().create_connection(Recorder, "server", 7))
            await asyncio.sleep(turns / 1000)
            if task.cancel():
                with pytest.raises(asyncio.CancelledError):
                    await task
            else:
                task.result()[0].close()
        await asyncio.sleep(1)
        assert [end for end in sim_loop().net.connections if end.remote[1] == 7] == []

    for seed in range(5):
        simulate(main, seed=seed, order="any").outcome()


# --- servers -------------------------------------------------------------------------------------------------


async def test_a_server_begins_ends_and_waits() -> None:
    log: list[str] = []
    server = await sim_loop().create_server(Recorder, "server", 7, start_serving=False)
    assert not server.is_serving()
    forever = asyncio.create_task(server.serve_forever())
    await asyncio.sleep(0.1)
    assert server.is_serving()
    with pytest.raises(RuntimeError, match="already"):
        await server.serve_forever()
    _, near = await sim_loop().create_connection(Recorder, "server", 7)
    closed = asyncio.create_task(server.wait_closed())
    await asyncio.sleep(1)
    forever.cancel()
    await asyncio.sleep(1)
    log.append(f"{closed.done()} {forever.done()}")  # one connection is still open
    near.transport.close()
    await asyncio.wait([closed, forever])
    assert forever.cancelled()
    assert server.sockets == ()
    with pytest.raises(RuntimeError, match="closed"):
        await server.serve_forever()
    assert log == ["False False"]


@pytest.mark.parametrize("how", ["close_clients", "abort_clients"])
async def test_a_server_closes_its_clients(how: str) -> None:
    near, far, server = await pair()
    server.close()
    getattr(server, how)()
    await server.wait_closed()
    await near.lost
    assert far.log == ["made", "lost"]


# --- sockets -------------------------------------------------------------------------------------------------


def test_the_calls_on_sockets() -> None:
    async def main() -> None:
        loop = sim_loop()
        with socket.socket() as listener, socket.socket() as near:
            for sock in (listener, near):
                sock.setblocking(False)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(("server", 7))
            listener.listen(5)
            assert listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) == 1
            with pytest.raises(BlockingIOError):
                listener.accept()
            accepted = asyncio.create_task(loop.sock_accept(listener))
            with pytest.raises(OSError, match="not connected"):
                near.recv(1)
            await loop.sock_connect(near, ("server", 7))
            far, address = await accepted
            assert address == near.getsockname() == far.getpeername()
            assert (far.family, far.type) == (socket.AF_INET, socket.SOCK_STREAM)
            sending = asyncio.create_task(loop.sock_sendall(near, bytes(5000)))
            buffer = bytearray(100)
            assert await loop.sock_recv_into(far, buffer) == 100
            got = 100
            while got < 5000:
                got += len(await loop.sock_recv(far, 300))
            await sending
            near.shutdown(socket.SHUT_WR)
            assert await loop.sock_recv(far, 1) == b""
            assert await loop.sock_sendfile(far, io.BytesIO(b"a file")) == 6
            assert await loop.sock_recv(near, 100) == b"a file"
            waiting = asyncio.create_task(loop.sock_recv(near, 1))
            await asyncio.sleep(1)
            waiting.cancel()
            far.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            far.close()
            far.close()
            assert far.fileno() == -1
            await asyncio.sleep(1)
            with pytest.raises(ConnectionResetError):
                near.recv(1)

    simulate(main, network=SMALL).outcome()


def test_readers_and_writers_of_simulated_sockets() -> None:
    """A reader is called while data is available, one byte at a time, and never without data."""

    async def main() -> list[bytes]:
        loop = sim_loop()
        listener, near = socket.create_server(("localhost", 7)), socket.socket()
        for sock in (listener, near):
            sock.setblocking(False)
        accepted: list[socket.socket] = []
        loop.add_reader(listener, lambda: accepted.append(listener.accept()[0]))
        await loop.sock_connect(near, ("localhost", 7))
        await asyncio.sleep(1)
        (far,) = accepted
        got: list[bytes] = []
        far.setblocking(False)
        loop.add_reader(far, lambda: got.append(far.recv(1)))
        writable = loop.create_future()
        loop.add_writer(near.fileno(), writable.cancel)
        with pytest.raises(asyncio.CancelledError):
            await writable
        assert loop.remove_writer(near)
        near.send(b"three")
        await asyncio.sleep(1)
        assert loop.remove_reader(far.fileno())
        assert not loop.remove_reader(far)
        near.send(b"unheard")
        await asyncio.sleep(1)
        assert loop.remove_reader(listener)
        while True:  # until the buffer is full
            try:
                near.send(bytes(1000))
            except BlockingIOError:
                break
        loop.add_writer(near, got.append, b" room")
        await asyncio.sleep(1)
        assert len(got) == 5
        loop.remove_writer(near)
        return got

    assert b"".join(simulate(main, network=SMALL).outcome()) == b"three"


async def test_transports_of_sockets_that_are_there() -> None:
    loop = sim_loop()
    listener, near = socket.socket(), socket.socket()
    listener.bind(("localhost", 7))
    listener.listen()
    near.setblocking(False)
    await loop.sock_connect(near, ("localhost", 7))
    far, _ = await loop.sock_accept(listener)
    transport, _ = await loop.create_connection(Recorder, sock=near)
    _, received = await loop.connect_accepted_socket(Recorder, far)
    assert transport.get_extra_info("socket").fileno() == near.fileno()
    assert await loop.sendfile(transport, io.BytesIO(b"0123456789"), 2, 5) == 5
    transport.close()
    await received.lost
    assert received.log == ["made", b"23456", "eof", "lost"]


def test_a_connect_that_does_not_wait() -> None:
    """Clients that drive a socket themselves (tornado's) begin to connect, and wait until it can be written."""

    async def begun(place: tuple[str, int]) -> socket.socket:
        loop = sim_loop()
        sock = socket.socket()
        sock.setblocking(False)
        with pytest.raises(BlockingIOError):
            sock.connect(place)
        with pytest.raises(OSError, match="already in progress"):
            sock.connect(place)
        writable = loop.create_future()
        loop.add_writer(sock, writable.cancel)
        await asyncio.wait([writable])
        loop.remove_writer(sock)
        return sock

    async def main() -> None:
        listener = socket.create_server(("server", 7))
        sock = await begun(("server", 7))
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0
        assert sock.getpeername() == listener.getsockname()
        assert sock.connect_ex(("server", 7)) == errno.EISCONN
        closed = await begun(("server", 8))
        assert closed.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == errno.ECONNREFUSED
        given_up = socket.socket()
        given_up.setblocking(False)
        assert given_up.connect_ex(("server", 7)) == errno.EINPROGRESS
        sim_loop().add_writer(given_up, lambda: None)
        assert sim_loop().remove_writer(given_up)
        given_up.close()
        await asyncio.sleep(1)
        with refused("blocking socket"):
            socket.socket().connect(("server", 7))

    simulate(main, network=SMALL).outcome()


def test_the_flags_of_a_socket() -> None:
    async def main() -> None:
        sock = socket.socket()
        assert fcntl.fcntl(sock, fcntl.F_GETFD) == fcntl.FD_CLOEXEC
        assert fcntl.fcntl(sock, fcntl.F_SETFD, 0) == 0
        flags = fcntl.fcntl(sock.fileno(), fcntl.F_GETFL)
        assert not flags & os.O_NONBLOCK
        fcntl.fcntl(sock, fcntl.F_SETFL, flags | os.O_NONBLOCK)
        assert sock.gettimeout() == 0
        with refused("fcntl"):
            fcntl.fcntl(sock, fcntl.F_DUPFD)

    simulate(main, network=SMALL).outcome()
    with open(os.devnull, encoding="utf-8") as real:
        assert fcntl.fcntl(real, fcntl.F_GETFD) & fcntl.FD_CLOEXEC
