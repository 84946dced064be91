"""Futures, rungs 8, 10, 19 and 23: F1 to F9, N1 to N4 and P1 to P4 of the texts' sketches are absent, but F7.

F7 is the text's rule: callbacks run inside `set_result`.
"""

import weakref
from collections.abc import Callable
from typing import Any

import pytest

from impl.errors import InvalidStateError
from impl.ladder.pycoro import future as pycoro
from impl.ladder.pycoro.executor import GeneratorExecutor
from impl.ladder.rungs.delegating import Future
from impl.ladder.rungs.task_future import Task
from impl.ladder.rungs.yielding import Coroutine
from impl.ladder.tornado import future as tornado

from .conftest import logged

#: Deeper than CPython's stack.
CHAIN = 2000


# Any, from here on: a future of one of the three classes, and whatever it holds.
KINDS: list[Any] = [Future, tornado.Future, pycoro.Future]
#: A future and the Task that waits for it.
every_pair = pytest.mark.parametrize(
    ("kind", "task"),
    [(Future, Task), (pycoro.Future, lambda coroutine: GeneratorExecutor(coroutine).start())],
)
every_future = pytest.mark.parametrize("kind", KINDS, ids=["chapter", "tornado", "pycoro"])


def waits(future: Future[Any], seen: list[object], *more: Future[Any]) -> Coroutine[None]:
    """Wait for each future and append its result or its ValueError to `seen`."""
    for each in (future, *more):
        try:
            seen.append((yield each))
        except ValueError as error:
            seen.append(error)


@every_future
def test_a_callback_that_comes_late_is_called(kind: Any) -> None:
    """F1; once, and it is not kept (P3)."""
    future = kind()
    future.set_result("here")
    seen: list[str] = []

    def late(future: Any) -> None:
        seen.append(future.result())

    kept = weakref.ref(late)
    future.add_done_callback(late)
    del late
    assert (seen, kept()) == (["here"], None)


@every_future
@pytest.mark.parametrize("first", [5, None])
def test_a_future_is_resolved_once(kind: Any, first: object) -> None:
    """F3, N1, N2, P4: a second result or error is refused, runs no callback, and changes nothing.

    F6, P1, P2: it is pending before, also when the result is None; `result` is a method (K9).
    """
    future, failed = kind(), kind()
    seen: list[object] = []
    assert not future.done()
    with pytest.raises(InvalidStateError):
        future.result()
    future.add_done_callback(lambda future: seen.append(future.result()))
    future.set_result(first)
    failed.set_exception(ValueError("first"))
    for each in (future, failed):
        with pytest.raises(InvalidStateError):
            each.set_result(6)
        with pytest.raises(InvalidStateError):
            each.set_exception(ValueError())
    assert (seen, future.result(), future.done()) == ([first], first, True)
    with pytest.raises(ValueError, match="first"):
        failed.result()


@every_future
def test_a_callback_that_raises_does_not_stop_the_others(kind: Any, caplog: pytest.LogCaptureFixture) -> None:
    """F5, N4: the other callbacks run, `set_result` returns, and the error is logged, also when it comes late."""
    future = kind()
    seen: list[str] = []
    future.add_done_callback(lambda future: 1 // 0)
    future.add_done_callback(lambda future: seen.append("called"))
    future.set_result(None)
    future.add_done_callback(lambda future: 1 // 0)
    assert seen == ["called"]
    assert logged(caplog) == ["ZeroDivisionError"] * 2


@every_future
def test_callbacks_run_in_order_inside_set_result(kind: Any) -> None:
    """The text's rule; a callback that is added by a callback runs after those that were there (N3)."""
    future = kind()
    seen: list[str] = []
    future.add_done_callback(lambda _: future.add_done_callback(lambda _: seen.append("third")))
    for name in ("first", "second"):
        future.add_done_callback(lambda _, name=name: seen.append(name))
    future.set_result(None)
    seen.append("the next line")
    assert seen == ["first", "second", "third", "the next line"]


def test_a_future_that_is_done_does_not_suspend() -> None:
    """F2: by `yield` and by `yield from`; many of them are no recursion."""
    seen: list[object] = []
    done = Future[str]()
    done.set_result("here")
    Task(waits(done, seen, *[done] * CHAIN))
    assert seen == ["here"] * (1 + CHAIN)

    def delegates() -> Coroutine[str]:
        return (yield from done)

    assert Task(delegates()).result() == "here"


@every_pair
def test_yield_from_a_future_is_the_same_as_yield(kind: Any, task: Callable[[Any], object]) -> None:
    """P6: to the Task and to the coroutine: the result comes back."""
    future = kind()
    seen: list[object] = []

    def delegates() -> Coroutine[None]:
        seen.append((yield from future))

    task(waits(future, seen))
    task(delegates())
    assert seen == []
    future.set_result("here")
    assert seen == ["here", "here"]


def test_a_second_result_does_not_reach_the_next_wait() -> None:
    """F4: a coroutine that has gone on to wait for another future is not resumed."""
    first, second = Future[str](), Future[str]()
    seen: list[object] = []
    Task(waits(first, seen, second))
    first.set_result("a")
    with pytest.raises(InvalidStateError):
        first.set_result("not for the second wait")
    assert seen == ["a"]
    second.set_result("b")
    assert seen == ["a", "b"]


def test_a_long_chain_of_tasks_is_a_recursion_error() -> None:
    """F7, the text's rule: each task runs inside the `set_result` of the one before."""
    gate = Future[int]()

    def adds_one(before: Future[int]) -> Coroutine[int]:
        return (yield from before) + 1

    tasks = [Task(adds_one(gate))]
    for _ in range(CHAIN - 1):
        tasks.append(Task(adds_one(tasks[-1])))
    gate.set_result(0)
    well = [task for task in tasks if task.done() and task.exception() is None]
    assert 100 < len(well) < CHAIN / 2
    assert isinstance(tasks[len(well)].exception(), RecursionError)


def test_a_running_coroutine_is_not_resumed() -> None:
    """F8: a coroutine that resolves its own future a second time gets an error and is not resumed in its middle."""
    future = Future[str]()

    def resolves_it_again() -> Coroutine[str]:
        try:
            got: str = yield future
            future.set_result("again")
        except InvalidStateError as error:
            return f"{got}: {error}"
        raise AssertionError("it is done already")

    task = Task(resolves_it_again())
    future.set_result("once")
    assert task.result() == "once: the future is done already"


@every_pair
def test_an_error_is_raised_in_the_coroutine_that_waits(kind: Any, task: Callable[[Any], object]) -> None:
    """F9: in one that waits already, in one that comes later, and by `result`."""
    future = kind()
    error = ValueError("instead of a result")
    seen: list[object] = []
    task(waits(future, seen))
    future.set_exception(error)
    task(waits(future, seen))
    assert seen == [error, error]
    with pytest.raises(ValueError, match="instead of a result"):
        future.result()
