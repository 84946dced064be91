"""The IOLoop of the ladder's Tornado: what runs when, who may ask, and how it ends."""

from __future__ import annotations

import threading
from selectors import EVENT_READ
from typing import Any

import pytest

from impl import Choices
from impl.errors import DeadlockError
from impl.ladder.tornado.coroutine import Coroutine, coroutine, moment
from impl.ladder.tornado.future import Future
from impl.ladder.tornado.ioloop import IOLoop
from impl.ladder.world.real import RealWorld
from impl.ladder.world.sim_socket import SimSocket
from impl.ladder.world.simulated import SimulatedWorld
from impl.web.site import Site

from .tornado_world import a_loop, a_world, done, logged, nothing_stays_registered

tidy = pytest.fixture(autouse=True)(nothing_stays_registered)
world = pytest.fixture(a_world)
loop = pytest.fixture(a_loop)


def test_callbacks_then_timeouts_then_handlers(loop: IOLoop, world: SimulatedWorld) -> None:
    """In one iteration, whatever the order in which they were added; what they add waits for the next one."""
    order: list[str] = []
    here, there = world.socket.socketpair()
    here.send(b"!")

    def handler(fd: int, events: int) -> None:
        order.append("handler")
        loop.remove_handler(fd)
        loop.stop()

    def timeout() -> None:
        order.append("timeout")
        loop.add_callback(order.append, "added by the timeout")

    def callback() -> None:
        order.append("callback")
        loop.add_callback(order.append, "added by the callback")

    loop.add_handler(there.fileno(), handler, EVENT_READ)
    loop.add_timeout(0, timeout)
    loop.add_callback(callback)
    loop.start()
    assert order == ["callback", "timeout", "handler"]
    loop.add_callback(loop.stop)
    loop.start()
    assert order[3:] == ["added by the callback", "added by the timeout"]
    here.close()
    there.close()


def test_timeouts_come_in_the_order_of_their_times(loop: IOLoop, world: SimulatedWorld) -> None:
    """And of their making, if those are equal."""
    times: list[tuple[int, float]] = []
    for number, seconds in enumerate((0.3, 0.1, 0.1, 0.1, 0.1, 0.1, 0.3)):
        loop.add_timeout(seconds, lambda n=number: times.append((n, round(world.time(), 6))))
    loop.add_timeout(0.3, loop.stop)
    loop.start()
    assert times == [*((number, 0.1) for number in (1, 2, 3, 4, 5)), (0, 0.3), (6, 0.3)]


def test_nobody_waits_for_a_timeout_that_was_removed(loop: IOLoop, world: SimulatedWorld) -> None:
    loop.remove_timeout(loop.add_timeout(5, loop.stop))
    with pytest.raises(DeadlockError):
        loop.start()
    assert world.time() == 0


def test_a_timeout_may_be_removed_by_a_callback_of_its_iteration(loop: IOLoop) -> None:
    called: list[str] = []
    timeout = loop.add_timeout(0, called.append, "removed")
    loop.add_callback(loop.remove_timeout, timeout)
    loop.add_callback(loop.stop)
    loop.start()
    assert called == []


def test_a_time_that_is_a_sum_of_floats_comes(loop: IOLoop, world: SimulatedWorld) -> None:
    """0.1 + 0.2 is a little later than the clock's 0.3."""
    loop.add_timeout(0.1, lambda: loop.add_timeout(world.time() + 0.2, loop.stop))
    loop.start()
    assert world.time() == 0.3 < 0.1 + 0.2


@pytest.mark.parametrize("is_done", [False, True])
def test_add_future_calls_back_in_the_next_iteration(loop: IOLoop, *, is_done: bool) -> None:
    order: list[str] = []

    def program() -> None:
        future = done() if is_done else Future[Any]()  # Any: as done
        loop.add_future(future, lambda future: order.append("called back"))
        if not is_done:
            future.set_result(None)
        order.append("next line")
        loop.add_callback(loop.stop)

    loop.add_callback(program)
    loop.start()
    assert order == ["next line", "called back"]


def test_a_callback_that_fails_is_logged_and_the_loop_goes_on(
    loop: IOLoop, caplog: pytest.LogCaptureFixture
) -> None:
    @coroutine
    def fails() -> Coroutine[None]:
        yield moment
        raise KeyError

    called: list[str] = []
    loop.add_callback(lambda: 1 // 0)
    loop.add_callback(fails)
    loop.add_timeout(0.1, called.append, "later")
    loop.add_timeout(0.2, loop.stop)
    loop.start()
    assert called == ["later"]
    assert logged(caplog) == ["ZeroDivisionError", "KeyError"]


def test_an_interrupt_leaves_the_callbacks_in_the_list(loop: IOLoop) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    called: list[str] = []
    loop.add_callback(interrupt)
    loop.add_callback(called.append, "after")
    with pytest.raises(KeyboardInterrupt):
        loop.start()
    loop.add_callback(loop.stop)
    loop.start()
    assert called == ["after"]


def test_a_handler_that_was_removed_in_the_same_iteration_is_not_called(
    loop: IOLoop, world: SimulatedWorld
) -> None:
    """K11: although its socket was ready when the loop looked."""
    pairs = [world.socket.socketpair() for _ in range(2)]
    called: list[int] = []

    def handler(fd: int, events: int) -> None:
        called.append(fd)
        for _, there in pairs:
            loop.remove_handler(there.fileno())
        loop.add_callback(loop.stop)

    for here, there in pairs:
        here.send(b"!")
        loop.add_handler(there.fileno(), handler, EVENT_READ)
    loop.start()
    assert len(called) == 1


@pytest.mark.parametrize("seed", range(20))
def test_another_thread_wakes_the_loop(seed: int) -> None:
    """Whatever the order in which the threads run, both callbacks are called, by the loop's thread."""
    world = SimulatedWorld(Site({}, ()), Choices.seeded(seed))
    loop = IOLoop(world)
    called: list[threading.Thread] = []

    def called_back() -> None:
        called.append(threading.current_thread())
        if len(called) == 2:
            loop.stop()

    threads = [world.threading.Thread(target=loop.add_callback, args=(called_back,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    loop.start()
    for thread in threads:
        thread.join()
    assert called == [threading.main_thread()] * 2
    loop.close()
    world.close()


def test_another_thread_wakes_the_loop_in_the_real_world() -> None:
    world = RealWorld(Site({}, ()))
    loop = IOLoop(world)
    other = threading.Timer(0.05, loop.add_callback, (loop.stop,))
    other.start()
    loop.start()
    other.join()
    loop.close()
    world.close()


def test_a_loop_wakes_itself_only_for_others(
    loop: IOLoop, world: SimulatedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[bytes] = []
    send = SimSocket.send

    def counted(sock: SimSocket, data: bytes, /) -> int:
        sent.append(data)
        return send(sock, data)

    monkeypatch.setattr(SimSocket, "send", counted)

    def from_inside() -> None:
        loop.add_callback(loop.stop)

    loop.add_callback(from_inside)  # the list was empty, and no loop runs
    loop.add_callback(from_inside)  # it was not
    loop.start()
    assert len(sent) == 1


def test_a_loop_that_is_closing_takes_no_callbacks(world: SimulatedWorld) -> None:
    loop = IOLoop(world)
    loop.close()
    with pytest.raises(RuntimeError, match="closing"):
        loop.add_callback(print)
    assert world.socket.by_fd == {}


def test_there_is_a_current_loop_while_one_runs(loop: IOLoop) -> None:
    found: list[IOLoop] = []
    loop.add_callback(lambda: found.append(IOLoop.current()))
    loop.add_callback(loop.stop)
    loop.start()
    assert found == [loop]
    with pytest.raises(RuntimeError, match="no IOLoop is running"):
        IOLoop.current()


def test_run_sync_raises_what_the_function_raises(loop: IOLoop) -> None:
    def fails() -> Future[None]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        loop.run_sync(fails)


def test_a_program_that_can_never_go_on_is_told_so(loop: IOLoop) -> None:
    with pytest.raises(DeadlockError):
        loop.run_sync(lambda: Future[None]())
