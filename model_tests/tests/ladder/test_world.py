"""The environments of the ladder: the contract that both keep, and the promises of the simulated one alone.

The contract is the behaviour of the standard library's sockets, selectors and threads.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from selectors import EVENT_READ, EVENT_WRITE, BaseSelector

import pytest

from impl.ladder.http import address_of, request
from impl.ladder.world import Socket, World
from impl.ladder.world.real import RealWorld
from impl.ladder.world.simulated import SimulatedWorld
from impl.web.serving.site import Broken, Html, Raw, Site

from ..net.helpers import no_descriptor_more

PAGE = "http://a.test/page"
SLOW = "http://a.test/slow"
SILENT = "http://a.test/silent"
RESET = "http://a.test/reset"
REFUSED = "http://refused.test/"
UNKNOWN = "http://unknown.test/"
BODY = bytes(range(256)) * 40

SITE = Site(
    {
        PAGE: Raw(BODY, "image/png"), SLOW: Html((), 30), SILENT: Broken("silent"), RESET: Broken("reset"),
        REFUSED: Broken("refused"), UNKNOWN: Broken("no-such-host"),
    },
    (),
)  # fmt: skip


@pytest.fixture(params=["simulated", "real"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """Both environments with the same site; nothing is left open."""
    with no_descriptor_more():
        made: World = SimulatedWorld(SITE) if request.param == "simulated" else RealWorld(SITE)
        yield made
        made.close()


def asked(world: World, url: str) -> Socket:
    """A blocking socket that has sent its request."""
    sock = world.socket()
    sock.settimeout(5)
    sock.connect(address_of(url))
    data = request(url)
    assert sock.send(data) == len(data)
    return sock


def rest(sock: Socket) -> bytes:
    """The bytes until the end."""
    data = b""
    while chunk := sock.recv(1000):
        data += chunk
    return data


def ready(selector: BaseSelector, seconds: float | None = 5) -> dict[int, int]:
    """The events that are ready, by descriptor."""
    return {key.fd: mask for key, mask in selector.select(seconds)}


def code_of(call: Callable[[], object]) -> int | None:
    """The errno of the OSError that the call raises."""
    with pytest.raises(OSError) as caught:  # noqa: PT011  # its errno is compared
        call()
    return caught.value.errno


@contextmanager
def watching(world: World, sock: Socket, events: int) -> Iterator[BaseSelector]:
    """A selector with which the socket is registered."""
    with closing(world.DefaultSelector()) as selector:
        selector.register(sock.fileno(), events, "its data")
        yield selector


@contextmanager
def connecting(world: World, url: str) -> Iterator[Socket]:
    """A non-blocking socket that connects."""
    with world.socket() as sock:
        sock.setblocking(False)
        assert code_of(lambda: sock.connect(address_of(url))) == errno.EINPROGRESS
        yield sock


def test_a_blocking_socket_receives_a_response_and_its_end(world: World) -> None:
    """It takes the time that the server takes."""
    with asked(world, PAGE) as sock:
        assert b"".join(sock.recv(1) for _ in range(7)) == b"HTTP/1."
        assert rest(sock).endswith(b"\r\n\r\n" + BODY)
        assert [sock.recv(10), sock.recv(10)] == [b"", b""]
    before = world.time()
    with asked(world, SLOW) as sock:
        sock.recv(1)
        assert world.time() - before >= 0.029


@pytest.mark.parametrize("blocking", [True, False])
def test_a_name_that_does_not_exist_is_an_error_of_connect(world: World, blocking: bool) -> None:
    with world.socket() as sock:
        sock.setblocking(blocking)
        with pytest.raises(socket.gaierror):
            sock.connect(address_of(UNKNOWN))
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0


def test_a_socket_whose_connect_has_failed_can_connect_elsewhere(world: World) -> None:
    with world.socket() as sock:
        assert code_of(lambda: sock.connect(address_of(REFUSED))) == errno.ECONNREFUSED
        sock.connect(address_of(PAGE))
        assert code_of(lambda: sock.connect(address_of(PAGE))) == errno.EISCONN
        sock.send(request(PAGE))
        assert rest(sock).endswith(BODY)
    assert world.meter.concurrency == 1


def test_a_reset_is_an_error_and_not_the_end(world: World) -> None:
    """And makes the socket ready."""
    with asked(world, RESET) as sock, watching(world, sock, EVENT_READ) as selector:

        def receive() -> None:
            while True:
                assert ready(selector) == {sock.fileno(): EVENT_READ}
                assert sock.recv(1000) != b""

        with pytest.raises(ConnectionResetError):
            receive()


def test_a_socket_that_is_closed_or_not_connected_refuses_calls(world: World) -> None:
    sock = asked(world, PAGE)
    sock.close()
    sock.close()
    assert sock.fileno() == -1
    for call in (lambda: sock.recv(1), lambda: sock.send(b"x"), lambda: sock.connect(address_of(PAGE))):
        assert code_of(call) == errno.EBADF
    with world.socket() as new, watching(world, new, EVENT_READ | EVENT_WRITE) as selector:
        assert code_of(lambda: new.recv(1)) == errno.ENOTCONN
        assert code_of(lambda: new.send(b"x")) == errno.EPIPE
        assert ready(selector) == {new.fileno(): EVENT_READ | EVENT_WRITE}


def test_a_descriptor_is_the_lowest_that_is_free(world: World) -> None:
    socks = [world.socket() for _ in range(4)]
    numbers = [sock.fileno() for sock in socks]
    for closed in (2, 0):
        socks[closed].close()
    socks += [world.socket() for _ in range(2)]
    assert [sock.fileno() for sock in socks[4:]] == [numbers[0], numbers[2]]
    for sock in socks:
        sock.close()


def test_a_non_blocking_call_in_vain_raises_and_is_counted(world: World) -> None:
    with connecting(world, SLOW) as sock, watching(world, sock, EVENT_WRITE) as selector:
        assert ready(selector) == {sock.fileno(): EVENT_WRITE}
        sock.send(request(SLOW))
        with pytest.raises(BlockingIOError):
            sock.recv(1)
        assert world.meter.vain == 2


def test_a_failed_connect_makes_its_socket_ready_and_its_error_is_given_once(world: World) -> None:
    """K1: the text's sketch does not look at this error.  SO_ERROR gives it, or the next call raises it."""
    both = EVENT_READ | EVENT_WRITE
    with connecting(world, REFUSED) as sock, watching(world, sock, both) as selector:
        assert ready(selector) == {sock.fileno(): both}
        errors = [sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) for _ in range(2)]
        assert errors == [errno.ECONNREFUSED, 0]
        assert ready(selector) == {sock.fileno(): both}
        assert code_of(lambda: sock.send(b"x")) == errno.EPIPE
    with connecting(world, REFUSED) as sock, watching(world, sock, EVENT_WRITE) as selector:
        selector.select(5)
        assert code_of(lambda: sock.send(b"x")) == errno.ECONNREFUSED


def test_a_selector_reports_a_level_and_not_a_change(world: World) -> None:
    with asked(world, PAGE) as sock, watching(world, sock, EVENT_READ) as selector:
        fd = sock.fileno()
        shown = [(key.fd, key.data, mask) for key, mask in selector.select(5)]
        assert shown == [(fd, "its data", EVENT_READ)]
        sock.recv(1)
        assert ready(selector) == {fd: EVENT_READ}
        rest(sock)
        assert [ready(selector), ready(selector)] == [{fd: EVENT_READ}] * 2
        selector.unregister(fd)
        selector.register(fd, EVENT_WRITE)
        assert ready(selector) == {fd: EVENT_WRITE}
        selector.unregister(fd)
        before = world.time()
        assert [ready(selector, seconds) for seconds in (0, -1, 0.02)] == [{}, {}, {}]
        assert 0.0199 <= world.time() - before < 2


def test_what_a_selector_refuses(world: World) -> None:
    with world.socket() as sock, watching(world, sock, EVENT_READ) as selector:
        fd = sock.fileno()
        gone = world.socket()
        closed = gone.fileno()
        gone.close()
        for number, events in (fd, 4), (-1, EVENT_READ):
            with pytest.raises(ValueError, match="Invalid"):
                selector.register(number, events)
        assert code_of(lambda: selector.register(closed, EVENT_READ)) == errno.EBADF
        with pytest.raises(KeyError, match="already registered"):
            selector.register(fd, EVENT_WRITE)
        with pytest.raises(KeyError, match="is not registered"):
            selector.unregister(closed)


def test_a_descriptor_that_is_not_unregistered_comes_again(world: World) -> None:
    """K11: the next socket with that number is neither watched nor can be registered."""
    sock = asked(world, PAGE)
    with watching(world, sock, EVENT_READ) as selector:
        fd = sock.fileno()
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


def test_a_thread_runs_once_and_is_joined(world: World) -> None:
    seen: list[int] = []
    thread = world.Thread(target=seen.append, args=(1,))
    with pytest.raises(RuntimeError, match="cannot join thread before it is started"):
        thread.join()
    thread.start()
    with pytest.raises(RuntimeError, match="threads can only be started once"):
        thread.start()
    thread.join()
    thread.join()
    assert (seen, world.meter.threads) == ([1], 1)


def test_threads_wait_side_by_side_in_a_queue(world: World) -> None:
    """It keeps the order."""
    begun, go = world.SimpleQueue(), world.SimpleQueue()
    got: list[int] = []

    def fetch() -> None:
        with asked(world, SLOW) as sock:
            begun.put(None)
            got.append(go.get())
            rest(sock)

    threads = [world.Thread(target=fetch) for _ in range(5)]
    for thread in threads:
        thread.start()
    for _ in threads:
        begun.get()
    for number in range(6):
        go.put(number)
    for thread in threads:
        thread.join()
    assert (sorted(got), go.get()) == ([0, 1, 2, 3, 4], 5)
    assert (world.meter.threads, world.meter.concurrency) == (5, 5)
