"""What both worlds of the ladder do, the simulated and the real: what the standard library does."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from selectors import EVENT_READ, EVENT_WRITE

import pytest

from impl.ladder.http import address_of, request
from impl.ladder.measure import a_world
from impl.ladder.real import RealWorld
from impl.ladder.simulated import SimulatedWorld
from impl.ladder.world import World

from .ladder_world import (
    BODY,
    PAGE,
    REFUSED,
    RESET,
    SILENT,
    SITE,
    SLOW,
    UNKNOWN,
    asked,
    code_of,
    connecting,
    ready,
    rest,
    selector_of,
)
from .net.real_world import no_descriptor_more


@pytest.fixture(params=["simulated", "real"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """Both worlds, with the same site; nothing is left open."""
    with no_descriptor_more():
        made = SimulatedWorld(SITE) if request.param == "simulated" else RealWorld(SITE)
        yield a_world(made)
        made.close()


# --- sockets that block -----------------------------------------------------------------------------------


def test_a_response_comes_whole_and_then_its_end(world: World) -> None:
    with asked(world, PAGE) as sock:
        assert rest(sock).endswith(b"\r\n\r\n" + BODY)
        assert [sock.recv(10), sock.recv(10)] == [b"", b""]


def test_bytes_can_be_taken_one_by_one(world: World) -> None:
    with asked(world, PAGE) as sock:
        first = b"".join(sock.recv(1) for _ in range(8))
        assert first.startswith(b"HTTP/1.")
        assert rest(sock).endswith(BODY[-1000:])


def test_a_call_that_blocks_takes_time(world: World) -> None:
    with asked(world, SLOW) as sock:
        before = world.time()
        sock.recv(1)
        assert world.time() - before >= 0.029


def test_patience_ends(world: World) -> None:
    with asked(world, SILENT) as sock:
        sock.settimeout(0.05)
        before = world.time()
        with pytest.raises(TimeoutError, match="timed out"):
            sock.recv(1)
        assert 0.0499 <= world.time() - before < 2


@pytest.mark.parametrize("blocking", [True, False])
def test_a_name_that_does_not_exist_is_told_by_connect(world: World, blocking: bool) -> None:
    with world.socket.socket() as sock:
        sock.setblocking(blocking)
        with pytest.raises(socket.gaierror):
            sock.connect(address_of(UNKNOWN))
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0


def test_a_port_at_which_nobody_listens(world: World) -> None:
    with world.socket.socket() as sock:
        assert code_of(lambda: sock.connect(address_of(REFUSED))) == errno.ECONNREFUSED


def test_a_socket_whose_connect_has_failed_can_connect_elsewhere(world: World) -> None:
    with world.socket.socket() as sock:
        assert code_of(lambda: sock.connect(address_of(REFUSED))) == errno.ECONNREFUSED
        sock.connect(address_of(PAGE))
        sock.send(request(PAGE))
        assert rest(sock).endswith(BODY)
    assert world.meter.concurrency == 1


def test_a_reset_is_an_error_and_not_the_end(world: World) -> None:
    with asked(world, RESET) as sock, pytest.raises(ConnectionResetError):
        rest(sock)


def test_a_closed_socket(world: World) -> None:
    sock = asked(world, PAGE)
    sock.close()
    sock.close()
    assert sock.fileno() == -1
    for call in (
        lambda: sock.recv(1),
        lambda: sock.send(b"x"),
        lambda: sock.connect(address_of(PAGE)),
    ):
        assert code_of(call) == errno.EBADF


def test_a_socket_that_is_not_connected(world: World) -> None:
    with world.socket.socket() as sock, selector_of(world) as selector:
        assert code_of(lambda: sock.recv(1)) == errno.ENOTCONN
        assert code_of(lambda: sock.send(b"x")) == errno.EPIPE
        selector.register(sock.fileno(), EVENT_READ | EVENT_WRITE)
        assert ready(selector) == {sock.fileno(): EVENT_READ | EVENT_WRITE}
        selector.unregister(sock.fileno())


def test_a_socket_that_is_connected_already(world: World) -> None:
    with world.socket.socket() as sock:
        sock.connect(address_of(PAGE))
        assert code_of(lambda: sock.connect(address_of(PAGE))) == errno.EISCONN


def test_a_descriptor_is_the_lowest_that_is_free(world: World) -> None:
    socks = [world.socket.socket() for _ in range(5)]
    numbers = [sock.fileno() for sock in socks]
    assert numbers == sorted(numbers)
    for at in (3, 1):
        socks[at].close()
    again = [world.socket.socket() for _ in range(3)]
    assert [sock.fileno() for sock in again[:2]] == [numbers[1], numbers[3]]
    assert again[2].fileno() > numbers[4]
    for sock in (*socks, *again):
        sock.close()


# --- sockets that do not block, and selectors -------------------------------------------------------------


def test_a_call_that_does_not_block_says_so(world: World) -> None:
    with connecting(world, SLOW) as sock, selector_of(world) as selector:
        selector.register(sock.fileno(), EVENT_WRITE)
        assert ready(selector) == {sock.fileno(): EVENT_WRITE}
        sock.send(request(SLOW))
        with pytest.raises(BlockingIOError):
            sock.recv(1)
        selector.unregister(sock.fileno())
        assert world.meter.vain == 2


def test_a_connect_that_fails_is_ready_and_so_error_says_why_once(world: World) -> None:
    """What the sketch of the text does not ask: K1."""
    with connecting(world, REFUSED) as sock, selector_of(world) as selector:
        selector.register(sock.fileno(), EVENT_READ | EVENT_WRITE)
        assert ready(selector) == {sock.fileno(): EVENT_READ | EVENT_WRITE}
        told = [sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) for _ in range(2)]
        assert told == [errno.ECONNREFUSED, 0]
        assert ready(selector) == {sock.fileno(): EVENT_READ | EVENT_WRITE}
        assert code_of(lambda: sock.send(b"x")) == errno.EPIPE
        selector.unregister(sock.fileno())


def test_a_connect_that_fails_is_told_by_the_next_call_too(world: World) -> None:
    with connecting(world, REFUSED) as sock, selector_of(world) as selector:
        selector.register(sock.fileno(), EVENT_WRITE)
        selector.select(5)
        selector.unregister(sock.fileno())
        assert code_of(lambda: sock.send(b"x")) == errno.ECONNREFUSED


def test_a_selector_tells_a_level_and_not_a_change(world: World) -> None:
    with asked(world, PAGE) as sock, selector_of(world) as selector:
        fd = sock.fileno()
        selector.register(fd, EVENT_READ, "its data")
        assert [(key.fd, key.data, mask) for key, mask in selector.select(5)] == [
            (fd, "its data", EVENT_READ)
        ]
        assert ready(selector) == {fd: EVENT_READ}
        sock.recv(1)
        assert ready(selector) == {fd: EVENT_READ}
        rest(sock)
        assert [ready(selector), ready(selector)] == [{fd: EVENT_READ}] * 2
        selector.unregister(fd)
        selector.register(fd, EVENT_WRITE)
        assert ready(selector) == {fd: EVENT_WRITE}
        selector.unregister(fd)


def test_a_reset_makes_a_socket_ready(world: World) -> None:
    with asked(world, RESET) as sock, selector_of(world) as selector:
        selector.register(sock.fileno(), EVENT_READ)

        def receive() -> None:
            while True:
                assert ready(selector) == {sock.fileno(): EVENT_READ}
                assert sock.recv(1000) != b""

        with pytest.raises(ConnectionResetError):
            receive()
        selector.unregister(sock.fileno())


def test_a_selector_waits_no_longer_than_it_is_told(world: World) -> None:
    with asked(world, SILENT) as sock, selector_of(world) as selector:
        selector.register(sock.fileno(), EVENT_READ)
        before = world.time()
        assert ready(selector, 0.02) == {}
        assert 0.0199 <= world.time() - before < 2
        assert [ready(selector, 0), ready(selector, -1)] == [{}, {}]
        selector.unregister(sock.fileno())


def test_a_selector_that_watches_nothing_waits_all_the_same(world: World) -> None:
    with selector_of(world) as selector:
        before = world.time()
        assert ready(selector, 0.01) == {}
        assert world.time() - before >= 0.0099


def test_what_a_selector_refuses(world: World) -> None:
    with world.socket.socket() as sock, selector_of(world) as selector:
        fd = sock.fileno()
        gone = world.socket.socket()
        closed = gone.fileno()
        gone.close()
        for events in (0, 4):
            with pytest.raises(ValueError, match="Invalid events"):
                selector.register(fd, events)
        with pytest.raises(ValueError, match="Invalid file descriptor: -1"):
            selector.register(-1, EVENT_READ)
        with pytest.raises(ValueError, match="Invalid file descriptor: -1"):
            selector.unregister(-1)
        assert code_of(lambda: selector.register(closed, EVENT_READ)) == errno.EBADF
        with pytest.raises(KeyError, match="is not registered"):
            selector.unregister(fd)
        selector.register(fd, EVENT_READ)
        with pytest.raises(KeyError, match="already registered"):
            selector.register(fd, EVENT_WRITE)
        selector.unregister(fd)
        with pytest.raises(KeyError, match="is not registered"):
            selector.unregister(closed)


def test_who_forgets_to_unregister_meets_the_descriptor_again(world: World) -> None:
    """K11: the next socket with that number is neither watched nor can be registered."""
    with selector_of(world) as selector:
        sock = asked(world, PAGE)
        fd = sock.fileno()
        selector.register(fd, EVENT_READ)
        assert ready(selector) == {fd: EVENT_READ}
        sock.close()
        assert ready(selector, 0.01) == {}
        with asked(world, PAGE) as other:
            assert other.fileno() == fd
            assert ready(selector, 0.05) == {}
            with pytest.raises(KeyError, match="already registered"):
                selector.register(fd, EVENT_READ)
            selector.unregister(fd)
            selector.register(fd, EVENT_READ)
            assert ready(selector) == {fd: EVENT_READ}
            selector.unregister(fd)


# --- threads ----------------------------------------------------------------------------------------------


def test_a_thread_runs_and_is_joined(world: World) -> None:
    seen: list[int] = []
    thread = world.threading.Thread(target=seen.append, args=(1,))
    thread.start()
    thread.join()
    thread.join()
    assert seen == [1]
    assert world.meter.threads == 1


def test_what_a_thread_refuses(world: World) -> None:
    thread = world.threading.Thread(target=lambda: None)
    with pytest.raises(RuntimeError, match="cannot join thread before it is started"):
        thread.join()
    thread.start()
    with pytest.raises(RuntimeError, match="threads can only be started once"):
        thread.start()
    thread.join()


def test_a_queue_blocks_and_keeps_the_order(world: World) -> None:
    queue, back = world.queue.SimpleQueue(), world.queue.SimpleQueue()

    def echo() -> None:
        while (item := queue.get()) is not None:
            back.put(item)

    thread = world.threading.Thread(target=echo)
    thread.start()
    for item in (1, 2, 3, None):
        queue.put(item)
    assert [back.get() for _ in range(3)] == [1, 2, 3]
    thread.join()


def test_a_lock_lets_one_in(world: World) -> None:
    lock = world.threading.Lock()
    inside: list[int] = []
    most: list[int] = []

    def work(number: int) -> None:
        for _ in range(20):
            with lock:
                inside.append(number)
                most.append(len(inside))
                world.switch()
                inside.remove(number)
            world.switch()

    threads = [world.threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 60
    assert lock.acquire()
    lock.release()
    with pytest.raises(RuntimeError, match="release unlocked lock"):
        lock.release()


def test_threads_wait_side_by_side(world: World) -> None:
    begun, go = world.queue.SimpleQueue(), world.queue.SimpleQueue()
    done: list[bytes] = []

    def fetch() -> None:
        with asked(world, SLOW) as sock:
            begun.put(None)
            go.get()
            done.append(rest(sock))

    threads = [world.threading.Thread(target=fetch) for _ in range(5)]
    for thread in threads:
        thread.start()
    for _ in threads:
        begun.get()
    for _ in threads:
        go.put(None)
    for thread in threads:
        thread.join()
    assert len(done) == 5
    assert (world.meter.threads, world.meter.concurrency) == (5, 5)


def test_a_thread_wakes_one_that_waits_in_a_selector(world: World) -> None:
    sleeper, waker = world.socket.socketpair()
    with sleeper, waker, selector_of(world) as selector:
        selector.register(sleeper.fileno(), EVENT_READ)
        thread = world.threading.Thread(target=lambda: waker.send(b"x"))
        thread.start()
        assert ready(selector) == {sleeper.fileno(): EVENT_READ}
        assert sleeper.recv(10) == b"x"
        selector.unregister(sleeper.fileno())
        thread.join()
    assert world.meter.concurrency == 0
