"""Rung 23, py-coro-impl's way: the future, the executor, the event queue and `asyncfun`.  The defects P1 to P9 of its
article, and those of its repository, are not there; but F7, which is the text's rule.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from impl.crawl.outcome import Page
from impl.errors import InvalidStateError
from impl.ladder.pycoro import one_selector
from impl.ladder.pycoro.events import EventLoop
from impl.ladder.pycoro.executor import Coroutine, GeneratorExecutor
from impl.ladder.pycoro.future import Future
from impl.ladder.pycoro.one_selector import Loop, asyncfun
from impl.ladder.rungs import blocking
from impl.ladder.world.interfaces import World
from impl.ladder.world.simulated import ATTEMPT_NS, SimulatedWorld
from impl.web.site import Html, Site

GOOD = "http://a.test/good"


@pytest.fixture
def world() -> Iterator[SimulatedWorld]:
    made = SimulatedWorld(Site({GOOD: Html((), 30)}, ()))
    yield made
    made.close()


def started(generator: Coroutine[object]) -> GeneratorExecutor[object]:
    executor = GeneratorExecutor(generator)
    executor.start()
    return executor


# --- the future -------------------------------------------------------------------------------------------


def test_a_task_is_called_at_once_with_resolve() -> None:
    given: list[Callable[[int], None]] = []
    future = Future(given.append)
    assert (len(given), future.pending) == (1, True)
    given[0](5)
    assert (future.pending, future.value) == (False, 5)


def test_a_future_can_be_made_without_a_task() -> None:
    """P1: as the executor itself does."""
    future = Future[int]()
    with pytest.raises(InvalidStateError):
        _ = future.value
    future.resolve(1)
    assert future.value == 1


def test_a_callback_that_comes_late_is_called_once_and_not_kept() -> None:
    """P3."""
    future = Future[int]()
    future.resolve(1)
    seen: list[int] = []

    def late(done: Future[int]) -> None:
        seen.append(done.value)

    kept = weakref.ref(late)
    future.add_callback(late)
    del late
    assert kept() is None
    with pytest.raises(InvalidStateError):
        future.resolve(2)
    assert (seen, future.value) == ([1], 1)


def test_a_future_that_is_there_is_not_waited_for() -> None:
    assert list(done()) == []


def test_a_second_resolve_resumes_nobody_at_the_wrong_yield() -> None:
    """P4."""
    first, second = Future[str](), Future[str]()
    seen: list[str] = []

    def waits() -> Coroutine[None]:
        seen.append((yield first))
        seen.append((yield second))

    started(waits())
    first.resolve("first")
    with pytest.raises(InvalidStateError):
        first.resolve("again")
    with pytest.raises(InvalidStateError):
        first.reject(ValueError())
    assert seen == ["first"]
    second.resolve("second")
    assert seen == ["first", "second"]


def test_a_callback_that_fails_does_not_keep_others_from_being_called(
    caplog: pytest.LogCaptureFixture,
) -> None:
    future = Future[int]()
    seen: list[int] = []

    def fails(done: Future[int]) -> None:
        raise ZeroDivisionError

    future.add_callback(fails)
    future.add_callback(lambda done: seen.append(done.value))
    future.resolve(1)
    assert seen == [1]
    assert [record.message for record in caplog.records] == ["a callback has failed"]
    caplog.clear()


# --- the executor -----------------------------------------------------------------------------------------


def test_a_coroutine_waits_and_goes_on() -> None:
    """P2: a future knows from the start that it is pending; P6: `yield from` works and is the same as `yield`."""
    futures = [Future[str](), Future[str]()]

    def waits() -> Coroutine[list[str]]:
        return [(yield futures[0]), (yield from futures[1])]

    executor = started(waits())
    assert executor.future.pending
    futures[0].resolve("a")
    assert executor.future.pending
    futures[1].resolve("b")
    assert executor.future.value == ["a", "b"]


@pytest.mark.parametrize("delegating", [True, False])
def test_an_error_is_raised_where_it_is_waited_for(delegating: bool) -> None:
    """In the repository, a rejected promise goes on as if it were fulfilled."""
    future = Future[str]()

    def waits() -> Coroutine[str]:
        try:
            return (yield from future) if delegating else (yield future)
        except ValueError as error:
            return f"caught {error}"

    executor = started(waits())
    future.reject(ValueError("it"))
    assert executor.future.value == "caught it"


def test_an_error_of_a_coroutine_is_told_who_waits_for_it() -> None:
    """In the repository it escapes from `start`."""

    def fails() -> Coroutine[None]:
        yield from done()
        raise ZeroDivisionError

    executor = started(fails())
    assert isinstance(executor.future.error, ZeroDivisionError)
    with pytest.raises(ZeroDivisionError):
        _ = executor.future.value


def done() -> Future[None]:
    future = Future[None]()
    future.resolve(None)
    return future


def test_who_yields_no_future_is_told_so_at_the_yield() -> None:
    """In the repository that is a NameError."""

    def wrong() -> Coroutine[str]:
        try:
            yield 5  # type: ignore[misc]  # that is the point
        except TypeError as error:
            return str(error)
        return "nothing"

    assert started(wrong()).future.value == "a coroutine yields futures, not 5"


@pytest.mark.parametrize("delegating", [True, False])
def test_a_thousand_futures_that_are_there_are_no_recursion(delegating: bool) -> None:
    def waits() -> Coroutine[int]:
        for _ in range(5000):
            if delegating:
                yield from done()
            else:
                yield done()
        return 1

    assert started(waits()).future.value == 1


def test_a_long_chain_of_coroutines_is_a_recursion(caplog: pytest.LogCaptureFixture) -> None:
    """F7: callbacks run inside `resolve`, which is the text's rule.  Rung 20 does without."""
    first = Future[int]()

    def adds_one(before: Future[int]) -> Coroutine[int]:
        return (yield from before) + 1

    executors = [GeneratorExecutor(adds_one(first))]
    for _ in range(1999):
        executors.append(GeneratorExecutor(adds_one(executors[-1].future)))
    for executor in executors:
        executor.start()
    first.resolve(0)
    well = [
        executor for executor in executors if not executor.future.pending and executor.future.error is None
    ]
    assert 100 < len(well) < 1000
    assert isinstance(executors[len(well)].future.error, RecursionError)
    caplog.clear()


# --- the event queue --------------------------------------------------------------------------------------


def make(kind: type[EventLoop], world: World, *events: object) -> EventLoop:
    """A loop with these events, the last of which ends it if need be."""
    loop = kind(world)
    for event in events:
        loop.push(event)
    if kind is EventLoop:
        loop.stop()
    return loop


def end(loop: EventLoop) -> None:
    """Run it to its end."""
    if isinstance(loop, Loop):
        with loop:
            pass
    else:
        loop.loop()


@pytest.mark.parametrize("kind", [EventLoop, Loop])
def test_events_are_generators_and_what_can_be_called(kind: type[EventLoop], world: SimulatedWorld) -> None:
    """P7: a generator is executed by a function of the module."""
    seen: list[str] = []

    def generator(name: str) -> Coroutine[None]:
        yield from done()
        seen.append(name)

    def function() -> Coroutine[None]:
        return (yield from generator("generator function"))

    end(
        make(
            kind,
            world,
            generator("generator"),
            function,
            partial(generator, "partial"),
            lambda: seen.append("call"),
        )
    )
    assert seen == ["generator", "generator function", "partial", "call"]


@pytest.mark.parametrize("kind", [EventLoop, Loop])
def test_an_event_that_fails_leaves_the_others_alone(kind: type[EventLoop], world: SimulatedWorld) -> None:
    """P8; all that was raised is raised in the end."""
    seen: list[str] = []

    def fails() -> Coroutine[None]:
        yield from done()
        raise KeyError("generator")

    def call() -> None:
        raise ZeroDivisionError

    loop = make(kind, world, call, fails(), 5, lambda: seen.append("last"))
    with pytest.raises(ExceptionGroup, match="events have failed") as caught:
        end(loop)
    assert [type(error) for error in caught.value.exceptions] == [ZeroDivisionError, KeyError, TypeError]
    assert seen == ["last"]


def test_a_loop_that_sleeps_is_woken_by_another_thread(world: SimulatedWorld) -> None:
    """And stopped by it: nothing is read without a lock.  The repository sleeps in `time.sleep` and is not woken."""
    loop = EventLoop(world)
    seen: list[float] = []

    def other() -> None:
        blocking.fetch(world, GOOD)  # takes its time
        loop.push(lambda: seen.append(world.time()))
        loop.stop()

    world.threading.Thread(target=other).start()
    loop.loop()
    assert seen == [pytest.approx(0.035, abs=1e-6)]


# --- rung 28: a loop that is entered and ends by itself, and `asyncfun` ------------------------------------


def test_a_loop_ends_by_itself(world: SimulatedWorld) -> None:
    with Loop(world):
        pass
    assert world.time() == 0
    with Loop(world) as loop:
        outcome = one_selector.get(loop, GOOD)
        assert outcome.pending
    assert isinstance(outcome.value, Page)


def test_a_loop_is_not_entered_when_its_block_fails(world: SimulatedWorld) -> None:
    seen: list[int] = []

    def fails() -> None:
        with Loop(world) as loop:
            loop.push(lambda: seen.append(1))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert seen == []


def test_a_future_that_nobody_resolves_is_no_hang(world: SimulatedWorld) -> None:
    @asyncfun
    def waits(loop: Loop) -> Coroutine[int]:
        return (yield from Future[int]())

    with Loop(world) as loop:
        future = waits(loop)
    with pytest.raises(InvalidStateError):
        _ = future.value


def test_who_calls_an_asyncfun_has_started_it_and_gets_a_future(world: SimulatedWorld) -> None:
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


def test_no_event_waits_for_a_socket(world: SimulatedWorld) -> None:
    seen: list[float] = []
    with Loop(world) as loop:
        one_selector.get(loop, GOOD)
        loop.push(lambda: loop.push(lambda: loop.push(lambda: seen.append(world.time()))))
    assert seen == [ATTEMPT_NS / 1e9]  # of the connect


def test_sockets_are_looked_at_between_events_without_end(world: SimulatedWorld) -> None:
    """A coroutine that pushes itself again and again does not keep a page from coming."""
    with Loop(world) as loop:
        outcome = one_selector.get(loop, GOOD)

        def again() -> None:
            if outcome.pending:
                loop.push(again)

        loop.push(again)
    assert isinstance(outcome.value, Page)
