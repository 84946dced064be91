"""Rungs 23, 24 and 28, py-coro-impl's way: P7 and P8 of its article are absent, so are its repository's.

Its futures and its executor are held to the same tests as the others (test_futures.py, test_tasks.py).
"""

import threading
from collections.abc import Iterator
from functools import partial

import pytest

from impl.ladder.measure import reference
from impl.ladder.pycoro import one_selector
from impl.ladder.pycoro.asynchttp import get
from impl.ladder.pycoro.events import EventLoop
from impl.ladder.pycoro.executor import Coroutine
from impl.ladder.pycoro.future import Future
from impl.ladder.pycoro.one_selector import Loop, asyncfun
from impl.ladder.world.simulation import SimulatedWorld
from impl.web.outcome import Outcome, Page
from impl.web.serving.site import Html, Site

from .conftest import simulated

GOOD = "http://a.test/good"
SITE = Site({GOOD: Html((), 30)}, ())


@pytest.fixture
def world(closed: list[int]) -> Iterator[SimulatedWorld]:
    with simulated(SITE) as made:
        yield made


def done() -> Future[None]:
    future = Future[None]()
    future.resolve(None)
    return future


def run(loop: EventLoop, *events: object) -> None:
    """Execute the events, and end."""
    for event in events:
        loop.push(event)
    if isinstance(loop, Loop):
        with loop:
            pass
    else:
        loop.stop()
        loop.loop()


@pytest.mark.parametrize("kind", [EventLoop, Loop])
def test_events_are_generators_and_what_can_be_called(kind: type[EventLoop], world: SimulatedWorld) -> None:
    """P7: a function of the module executes a generator."""
    seen: list[str] = []

    def generator(name: str) -> Coroutine[None]:
        yield from done()
        seen.append(name)

    def function() -> Coroutine[None]:
        return (yield from generator("function"))

    run(
        kind(world),
        generator("generator"),
        function,
        partial(generator, "partial"),
        lambda: seen.append("call"),
    )
    assert seen == ["generator", "function", "partial", "call"]


@pytest.mark.parametrize("kind", [EventLoop, Loop])
def test_an_event_that_fails_does_not_stop_the_others(kind: type[EventLoop], world: SimulatedWorld) -> None:
    """P8; all the errors are raised at the end."""
    seen: list[str] = []

    def fails() -> Coroutine[None]:
        yield from done()
        raise KeyError("generator")

    with pytest.raises(ExceptionGroup, match="events have failed") as caught:
        run(kind(world), lambda: 1 // 0, fails(), 5, lambda: seen.append("last"))
    assert [type(error) for error in caught.value.exceptions] == [ZeroDivisionError, KeyError, TypeError]
    assert seen == ["last"]


def test_ten_requests_at_once(world: SimulatedWorld) -> None:
    """Each callback is an event of the loop's thread, after its request has closed everything."""
    loop = EventLoop(world)
    seen: list[Outcome] = []

    def callback(outcome: Outcome) -> None:
        assert threading.current_thread() is threading.main_thread()
        seen.append(outcome)
        if len(seen) == 10:
            assert world.by_fd == {}
            loop.stop()

    for _ in range(10):
        get(loop, GOOD, callback)
    assert seen == []
    loop.loop()
    assert seen == [reference(SITE, [GOOD])[GOOD]] * 10
    assert world.meter.concurrency == 10
    assert world.time() == pytest.approx(0.035, abs=1e-6)


def test_a_loop_ends_by_itself(world: SimulatedWorld) -> None:
    with Loop(world):
        pass
    assert world.time() == 0
    with Loop(world) as loop:
        outcome = one_selector.get(loop, GOOD)
        assert outcome.pending
    assert isinstance(outcome.value, Page)


def test_calling_an_asyncfun_starts_it_and_returns_a_future(world: SimulatedWorld) -> None:
    seen: list[str] = []

    @asyncfun
    def half(loop: Loop, number: int) -> Coroutine[float]:
        """Half of it."""
        yield from done()
        seen.append("inner")
        return 1 / number

    @asyncfun
    def main(loop: Loop) -> Coroutine[tuple[float, object]]:
        futures = half(loop, 2), half(loop, 0)
        seen.append("outer")
        try:
            return (yield from futures[0]), (yield from futures[1])
        except ZeroDivisionError as error:
            return futures[0].value, str(error)

    with Loop(world) as loop:
        result = main(loop)
        assert seen == []
    assert (half.__name__, half.__doc__) == ("half", "Half of it.")
    assert result.value == (0.5, "division by zero")
    assert seen == ["outer", "inner", "inner"]
