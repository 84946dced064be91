"""Rungs 19 to 22, Tornado's way: N5, N7, N8 and N10 of the text's sketch are absent; N9 is the text's rule."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from selectors import EVENT_READ
from typing import Any

import pytest

from impl import Choices
from impl.ladder.tornado import sums
from impl.ladder.tornado.coroutine import Coroutine, coroutine, moment
from impl.ladder.tornado.future import Future
from impl.ladder.tornado.ioloop import IOLoop
from impl.ladder.world.simulated import SimulatedWorld

from .conftest import logged, simulated


@pytest.fixture
def world(closed: list[int]) -> Iterator[SimulatedWorld]:
    with simulated() as made:
        yield made


@pytest.fixture
def loop(world: SimulatedWorld) -> Iterator[IOLoop]:
    made = IOLoop(world)
    yield made
    made.close()


def done(result: object = None) -> Future[Any]:  # Any: of any result
    future = Future[Any]()
    future.set_result(result)
    return future


# --- 19: the future ---------------------------------------------------------------------------------------


def test_an_interrupt_in_a_callback_leaves_none_uncalled() -> None:
    """N5: it comes out of `set_result` after the other callbacks have run."""
    called: list[str] = []
    future = Future[None]()

    def interrupt(future: Future[None]) -> None:
        raise KeyboardInterrupt

    future.add_done_callback(interrupt)
    future.add_done_callback(lambda future: called.append("after one"))
    future.add_done_callback(interrupt)
    future.add_done_callback(lambda future: called.append("after two"))
    with pytest.raises(KeyboardInterrupt):
        future.set_result(None)
    assert called == ["after one", "after two"]


def test_an_error_that_is_never_retrieved_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """N10: also that of a coroutine that was called and not yielded; a retrieved one is not logged."""

    @coroutine
    def fails() -> Future[None]:
        raise ZeroDivisionError

    fails()
    fails().exception()
    gc.collect()
    assert logged(caplog) == ["ZeroDivisionError"]


# --- 20: the loop -----------------------------------------------------------------------------------------


def test_callbacks_then_timeouts_then_handlers(loop: IOLoop, world: SimulatedWorld) -> None:
    """The order of one iteration; what they add waits for the next one."""
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


@pytest.mark.parametrize("seed", range(5))
def test_another_thread_wakes_the_loop(seed: int) -> None:
    """In any order of the threads both callbacks run, in the loop's thread."""
    called: list[threading.Thread] = []
    with simulated(choices=Choices.seeded(seed)) as world:
        loop = IOLoop(world)

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
        loop.close()
        with pytest.raises(RuntimeError, match="closing"):
            loop.add_callback(print)
        assert world.socket.by_fd == {}
    assert called == [threading.main_thread()] * 2


# --- 21: coroutines ---------------------------------------------------------------------------------------


def test_a_coroutine_keeps_its_argument_callback(loop: IOLoop) -> None:
    """N7."""

    @coroutine
    def program(callback: Callable[[int], int]) -> Coroutine[int]:
        yield moment
        return callback(5)

    assert loop.run_sync(lambda: program(callback=lambda n: n + 1)) == 6


PATIENT = 10_000


def yields_until_called(waits_for: Future[None]) -> Callable[[], Future[int]]:
    """A coroutine that yields that future until a callback has run, at most PATIENT times; returns how often."""

    @coroutine
    def program() -> Coroutine[int]:
        called: list[bool] = []
        IOLoop.current().add_callback(called.append, True)
        for count in range(PATIENT):
            if called:
                return count
            yield waits_for
        return PATIENT

    return program


def test_yielding_only_done_futures_starves_the_loop(loop: IOLoop) -> None:
    """N9, the text's rule; and `moment`, the escape."""
    assert loop.run_sync(yields_until_called(done())) == PATIENT
    assert loop.run_sync(yields_until_called(moment)) == 1


# --- 22: the sum ------------------------------------------------------------------------------------------


def test_asyn_sum_ends_and_prints_in_the_texts_order(world: SimulatedWorld) -> None:
    """N8."""
    said: list[str] = []
    assert sums.main(world, said.append) == 5
    assert said == ["begin", "calculating", "after yielded", "the 2+3=5"]
