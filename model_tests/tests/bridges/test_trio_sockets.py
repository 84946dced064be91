"""trio's sockets on the simulated network behave like trio's own."""

import socket
import struct
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import trio
import trio.testing

from impl.bridges.trio.run import run_trio, simulate_trio
from impl.net import SimulatedNet

from .helpers import TRIO_CALM, TRIO_SMALL, trio_pair


@pytest.fixture
def runs() -> Callable[[Callable[[], Awaitable[None]]], None]:
    return run_trio


async def test_names_and_addresses() -> None:
    near, far = await trio_pair()
    assert near.socket.getsockname() == far.socket.getpeername()
    assert near.socket.getpeername() == far.socket.getsockname()
    assert near.socket.family == socket.AF_INET
    assert near.socket.type == socket.SOCK_STREAM
    host, port = near.socket.getpeername()
    assert await trio.socket.getnameinfo((host, port), 0) == ("server", str(port))
    infos = await trio.socket.getaddrinfo("SERVER", "http", type=socket.SOCK_STREAM)
    assert [info[4] for info in infos] == [(host, 80)]
    again = await trio.open_tcp_listeners(port, host="server")
    with pytest.raises(OSError, match="in use"):
        await trio.open_tcp_listeners(port, host="server")
    for stream in (near, far, *again):
        await stream.aclose()


def test_every_address() -> None:
    """Without a host a listener listens everywhere; there is no IPv6."""

    async def main() -> None:
        (listener,) = await trio.open_tcp_listeners(80)
        for host in ("localhost", "127.0.0.1", "server"):
            async with await trio.open_tcp_stream(host, 80), await listener.accept():
                pass
        with pytest.raises(OSError, match="AF_INET only"):
            trio.socket.socket(trio.socket.AF_INET6)

    run_trio(main, network=TRIO_SMALL)


def test_half_close_and_the_end_of_the_data() -> None:
    async def main() -> None:
        near, far = await trio_pair()
        await near.send_all(b"all")
        await near.send_eof()
        with pytest.raises(trio.ClosedResourceError, match="after sending EOF"):
            await near.send_all(b"more")
        assert near.socket.did_shutdown_SHUT_WR
        buffer = bytearray(10)
        assert await far.socket.recv_into(buffer) == 3
        assert await far.socket.recv_into(buffer, 1) == 0
        assert await far.socket.recvfrom(10) == (b"", None)
        await far.send_all(b"still")
        assert await near.receive_some(2) == b"st"
        assert await near.receive_some() == b"ill"
        far.socket.shutdown(trio.socket.SHUT_RD)
        await trio.aclose_forcefully(far)
        assert await near.receive_some() == b""

    run_trio(main, network=TRIO_CALM)


async def test_a_reset_breaks_the_stream() -> None:
    near, far = await trio_pair()
    far.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    await far.aclose()
    with pytest.raises(trio.BrokenResourceError) as caught:
        await near.receive_some()
    assert isinstance(caught.value.__cause__, ConnectionResetError)


async def test_what_was_looked_at_is_still_there() -> None:
    near, far = await trio_pair()
    assert not far.socket.is_readable()
    await near.send_all(b"abc")
    await trio.sleep(1)
    assert far.socket.is_readable()
    assert far.socket.is_readable()
    got = b""
    while len(got) < 3:
        got += await far.receive_some(2)
    assert got == b"abc"
    assert not far.socket.is_readable()
    await near.aclose()
    await trio.sleep(1)
    assert far.socket.is_readable()
    assert await far.receive_some() == b""


def test_writing_waits_for_room() -> None:
    async def main() -> int:
        near, far = await trio_pair()
        sent = 0
        with trio.move_on_after(5):
            while True:
                sent += await near.socket.send(b"x" * 50)
        assert sent == 64
        with trio.move_on_after(5) as scope:
            await near.wait_send_all_might_not_block()
        assert scope.cancelled_caught
        assert len(await far.receive_some()) == 64
        await near.wait_send_all_might_not_block()
        return await near.socket.send(b"x" * 50)

    assert run_trio(main, network=TRIO_SMALL) == 50


async def test_closing_wakes_the_waiters() -> None:
    # `Any`: any method of a socket, and its arguments.
    async def closed(waiting: Callable[..., Awaitable[Any]], *args: Any) -> None:
        with pytest.raises(trio.ClosedResourceError):
            await waiting(*args)

    (listener,) = await trio.open_tcp_listeners(80, host="server")
    near, far = await trio_pair()
    dialling = trio.socket.socket()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(closed, listener.accept)
        nursery.start_soon(closed, near.receive_some)
        nursery.start_soon(closed, far.send_all, bytes(10**6))
        nursery.start_soon(closed, dialling.connect, ("10.9.9.9", 80))
        await trio.testing.wait_all_tasks_blocked()
        for thing in (listener.socket, near.socket, far.socket, dialling):
            thing.close()
            thing.close()
            assert thing.fileno() == -1
    with pytest.raises(trio.ClosedResourceError):
        await listener.accept()
    with pytest.raises(trio.ClosedResourceError):
        await near.receive_some()


def test_a_server_whose_listener_is_closed_ends() -> None:
    async def main() -> None:
        listeners = await trio.open_tcp_listeners(80, host="server")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.serve_listeners, trio.aclose_forcefully, listeners)
            await trio.sleep(1)
            await listeners[0].aclose()

    with pytest.raises(ExceptionGroup) as caught:
        run_trio(main)
    assert caught.group_contains(trio.ClosedResourceError)


async def test_one_task_at_a_time() -> None:
    near, _far = await trio_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(near.receive_some)
        await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(trio.BusyResourceError):
            await near.socket.recv(1)
        nursery.cancel_scope.cancel()


def test_sockets_lie_in_sets_in_the_order_of_their_making() -> None:
    async def main() -> list[int]:
        sockets = [trio.socket.socket() for _ in range(50)]
        return [sockets.index(each) for each in set(sockets)]

    assert run_trio(main) == list(range(50))


def test_a_socket_that_is_closed_when_it_is_connected() -> None:
    """The answer has arrived, but its task has not resumed: under `any` the task that closes may run first."""

    async def main() -> str:
        (listener,) = await trio.open_tcp_listeners(80, host="server")
        fresh = trio.socket.socket()
        told = "connected"

        async def connect() -> None:
            nonlocal told
            try:
                await fresh.connect(("10.0.0.3", 80))
            except OSError as error:
                told = str(error.strerror)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(connect)
            await trio.sleep(0.002)  # there and back
            fresh.close()
        await listener.aclose()
        return told

    seen = set()
    for seed in range(10):
        nets: list[SimulatedNet] = []
        run = simulate_trio(
            main,
            seed=seed,
            order="any",
            network=TRIO_CALM,
            # mypy infers no type of a lambda with a default.
            prepare=lambda net, kernel, nets=nets: nets.append(net),  # type: ignore[misc]
        )
        seen.add(run.outcome().split(":")[0])
        assert nets[0].connections == ()
    assert seen == {"connected", "Bad file descriptor"}


async def test_misuse_has_the_errno_of_the_system() -> None:
    fresh = trio.socket.socket()
    for wrong in (fresh.recv(1), fresh.send(b"x"), fresh.accept()):
        with pytest.raises(OSError, match=r"not connected|Invalid argument"):
            await wrong
    near, _far = await trio_pair()
    with pytest.raises(OSError, match="already connected"):
        await near.socket.connect(("server", 80))
    with pytest.raises(OSError, match="flags"):
        await near.socket.recv(1, socket.MSG_OOB)
    fresh.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        await fresh.bind(("server", 80))
