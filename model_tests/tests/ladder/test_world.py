"""The environments of the ladder: the contract that both keep, and the promises of the simulated one alone.

The contract is the behaviour of the standard library's sockets, selectors and threads.  The promises are exact time,
deadlocks that are reported, and runs that the choices determine.
"""

import _thread
import errno
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from selectors import EVENT_READ, EVENT_WRITE, BaseSelector

import pytest

from impl import Choices, DeadlockError, LivelockError
from impl.ladder.http import address_of, request
from impl.ladder.world import Socket, World, threads
from impl.ladder.world.real import RealWorld
from impl.ladder.world.simulation import ATTEMPT_NS, SimulatedWorld
from impl.net import NetworkConditions
from impl.web.serving.site import Broken, Html, Raw, Site

from ..net.helpers import code_of, no_descriptor_more
from .conftest import running, simulated

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
    return b"".join(iter(lambda: sock.recv(1000), b""))


def ready(selector: BaseSelector, seconds: float | None = 5) -> dict[int, int]:
    """The events that are ready, by descriptor."""
    return {key.fd: mask for key, mask in selector.select(seconds)}


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
        with world.socket() as gone:
            closed = gone.fileno()
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

    with running(world, *[fetch] * 5):
        for _ in range(5):
            begun.get()
        for number in range(6):
            go.put(number)
    assert (sorted(got), go.get()) == ([0, 1, 2, 3, 4], 5)
    assert (world.meter.threads, world.meter.concurrency) == (5, 5)


# --- the simulated environment alone ---


def test_time_is_exact() -> None:
    """The look-up and the connect take 3 ms, the response 32 ms; a time-out takes its own time."""
    with simulated(SITE) as world:
        with asked(world, SLOW) as sock:
            assert world.time() == pytest.approx(0.003, abs=1e-6)
            rest(sock)
        assert world.time() == pytest.approx(0.035, abs=1e-6)
        with asked(world, SILENT) as sock:
            before = world.loop.now
            sock.settimeout(0.25)
            with pytest.raises(TimeoutError):
                sock.recv(1)
            assert world.loop.now - before == 250_000_000


def test_an_attempt_in_vain_takes_its_time() -> None:
    with simulated(SITE) as world, connecting(world, SLOW) as sock:
        assert world.loop.now == ATTEMPT_NS
        with pytest.raises(BlockingIOError):
            sock.recv(1)
        assert code_of(lambda: sock.connect(address_of(SLOW))) == errno.EALREADY
        assert (world.loop.now, world.meter.vain) == (2 * ATTEMPT_NS, 2)


def test_the_rest_of_a_time_passes_however_little_it_is() -> None:
    """A program waits until its deadline; the difference, floating-point numbers may put below 1 ns."""
    with simulated(SITE) as world:
        selector = world.DefaultSelector()
        for seconds, passes in (1e-10, 1), (1.4e-9, 1), (0, 0), (-1, 0):
            before = world.loop.now
            assert selector.select(seconds) == []
            assert world.loop.now - before == passes


def test_a_wait_that_can_never_end_is_a_deadlock() -> None:
    """In a queue, a selector and a lock; the environment can be used after that."""
    with simulated(SITE) as world, world.socket() as sock, watching(world, sock, 1) as selector:
        selector.unregister(sock.fileno())
        queue, lock = world.SimpleQueue(), world.Lock()
        for call in (queue.get, selector.select):
            with pytest.raises(DeadlockError):
                call()
        with lock, pytest.raises(DeadlockError), lock:
            pass
        got: list[int] = []
        thread = world.Thread(target=lambda: got.append(queue.get()))
        thread.start()
        with pytest.raises(DeadlockError):
            thread.join()
        queue.put(1)
        thread.join()
        assert got == [1]


def test_an_error_in_a_thread_is_raised_in_the_main_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or a livelock, if threads spin for ever."""
    monkeypatch.setattr(threads, "PASSES", 1000)
    with simulated(SITE) as world:

        def spins() -> None:
            while True:
                world.switch()

        failing = world.Thread(target=lambda: 1 // 0)
        failing.start()
        with pytest.raises(ZeroDivisionError):
            failing.join()
        failing.join()
        spinning = world.Thread(target=spins)
        spinning.start()
        with pytest.raises(LivelockError, match="the clock stands still"):
            spinning.join()


def test_the_end_of_an_environment_ends_its_threads() -> None:
    before = _thread._count()
    left: list[str] = []
    with simulated(SITE) as world:
        queue, never = world.SimpleQueue(), world.SimpleQueue()

        def waits(name: str) -> None:
            try:
                queue.get()
            finally:
                left.append(name)
                never.get()  # a second wait ends too

        for name in "ab":
            world.Thread(target=waits, args=(name,)).start()
        with pytest.raises(DeadlockError):
            never.get()
        world.Thread(target=left.append, args=("never begun",)).start()
        assert left == []
    assert sorted(left) == ["a", "b"]
    assert _thread._count() == before
    with pytest.raises(RuntimeError, match="closed"):
        world.switch()


def interleaving(choices: Choices) -> tuple[list[str], float]:
    """The order of three threads that receive, and the time they take."""
    seen: list[str] = []
    with simulated(SITE, choices, NetworkConditions(latency_ms_max=9, segments_max=3)) as world:

        def work(name: str) -> None:
            with asked(world, PAGE) as sock:
                while sock.recv(5000):
                    seen.append(name)
                    world.switch()

        with running(world, *(partial(work, name) for name in "abc")):
            pass
        return seen, world.time()


def test_the_same_choices_give_the_same_run() -> None:
    """From a seed, and from the list of the numbers drawn."""
    runs = [interleaving(Choices.seeded(seed)) for seed in range(10)]
    assert runs == [interleaving(Choices.seeded(seed)) for seed in range(10)]
    assert len({tuple(seen) for seen, _ in runs}) > 5
    choices = Choices.seeded(3)
    run = interleaving(choices)
    again = Choices.listed(choices.drawn())
    assert interleaving(again) == run
    assert again.digest() == choices.digest()
