"""Rungs 9 to 13, the Task: the defects T1 to T6 and T8 to T11 of the text's sketch are absent."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from impl.errors import CancelledError
from impl.ladder.pycoro.executor import GeneratorExecutor
from impl.ladder.rungs import cancelling, task_future, yielding
from impl.ladder.rungs.delegating import Future
from impl.ladder.rungs.yielding import Coroutine

from .conftest import logged

#: The Tasks that can be cancelled; Any: of any result.
Cancellable = type[cancelling.Task] | type[task_future.Task[Any]]
CANCELLABLE: list[Cancellable] = [cancelling.Task, task_future.Task]
TASKS: list[type[yielding.Task]] = [yielding.Task, *CANCELLABLE]

cancellable = pytest.mark.parametrize("task_class", CANCELLABLE)
every_task = pytest.mark.parametrize("task_class", TASKS)


def waits(future: Future[str], seen: list[str]) -> Coroutine[None]:
    """Wait, and append the result or "cancelled" to `seen`."""
    try:
        seen.append((yield from future))
    except CancelledError:
        seen.append("cancelled")
        raise


@cancellable
def test_a_cancel_is_raised_where_the_task_waits_and_ends_there(task_class: Cancellable) -> None:
    """T1: not in the caller of `cancel`, so all ten workers can be cancelled (T2); `cancelled` records it."""
    seen: list[str] = []
    for worker in [task_class(waits(Future(), seen)) for _ in range(10)]:
        assert not worker.cancelled
        assert worker.cancel()
        assert worker.cancelled
    assert seen == ["cancelled"] * 10


def test_a_task_that_catches_a_cancel_and_returns_has_returned() -> None:
    """T3: no StopIteration comes out of `cancel`, and the result is kept."""

    def catches() -> Coroutine[str]:
        with suppress(CancelledError):
            yield from Future[str]()
        return "all the same"

    task = task_future.Task(catches())
    assert task.cancel()
    assert (task.cancelled, task.result()) == (False, "all the same")


@cancellable
def test_a_task_that_waits_in_its_cleanup_is_resumed(task_class: Cancellable) -> None:
    """T4."""
    goodbye = Future[str]()
    seen: list[str] = []

    def cleans_up() -> Coroutine[None]:
        try:
            yield from Future[str]()
        finally:
            seen.append((yield from goodbye))

    task = task_class(cleans_up())
    assert task.cancel()
    assert (task.cancelled, seen) == (False, [])
    goodbye.set_result("clean")
    assert (task.cancelled, seen) == (True, ["clean"])


@cancellable
def test_a_cancelled_task_no_longer_waits_for_its_future(task_class: Cancellable) -> None:
    """T5: the future resumes the other tasks only."""
    future = Future[str]()
    seen: list[str] = []
    tasks = [task_class(waits(future, seen)) for _ in range(3)]
    tasks[1].cancel()
    future.set_result("here")
    assert seen == ["cancelled", "here", "here"]
    assert [task.cancelled for task in tasks] == [False, True, False]


@every_task
@pytest.mark.parametrize("error", [ValueError, CancelledError])
def test_an_error_does_not_reach_the_caller_of_set_result(
    task_class: type[yielding.Task], error: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    """T6: the other waiters are resumed.  A Task that is no future logs the error, the other one holds it.

    T11: a CancelledError of the coroutine's own making is no cancel.
    """
    future = Future[str]()
    seen: list[str] = []

    def fails() -> Coroutine[None]:
        yield from future
        raise error("of a coroutine")

    task = task_class(fails())
    task_class(waits(future, seen))
    future.set_result("here")
    assert seen == ["here"]
    if isinstance(task, task_future.Task):
        assert isinstance(task.exception(), error)
    else:
        assert logged(caplog) == [error.__name__]
    assert not getattr(task, "cancelled", False)


def test_waiting_for_a_task_gives_its_result_or_its_error() -> None:
    """T6, and the purpose of rung 13."""
    gate = Future[str]()

    def inner(good: bool) -> Coroutine[str]:
        got = yield from gate
        if not good:
            raise ValueError("of the inner task")
        return got

    def outer(task: task_future.Task[str]) -> Coroutine[str]:
        try:
            return "result " + (yield from task)
        except ValueError as error:
            return f"error {error}"

    tasks = [task_future.Task(outer(task_future.Task(inner(good)))) for good in (True, False)]
    gate.set_result("of the gate")
    assert [task.result() for task in tasks] == ["result of the gate", "error of the inner task"]


@cancellable
def test_a_task_that_has_ended_is_not_cancelled(task_class: Cancellable) -> None:
    """T8."""
    future = Future[str]()
    seen: list[str] = []
    task = task_class(waits(future, seen))
    future.set_result("here")
    assert not task.cancel()
    assert (task.cancelled, seen) == (False, ["here"])


@pytest.mark.parametrize("run", [*TASKS, lambda made: GeneratorExecutor(made).start()])
def test_yielding_no_future_raises_at_the_yield(run: Callable[[Coroutine[None]], object]) -> None:
    """T9; also in the executor of rung 23."""
    seen: list[str] = []

    def yields_a_number() -> Coroutine[None]:
        try:
            yield 42  # type: ignore[misc]  # that is the mistake
        except TypeError as error:
            seen.append(str(error))

    run(yields_a_number())
    assert seen == ["a coroutine yields futures, not 42"]


def test_waiting_for_a_cancelled_task_raises_cancelled_error() -> None:
    """T10; the task that waits has failed, but it is not cancelled (T11)."""
    seen: list[str] = []
    inner: task_future.Task[Any] = task_future.Task(waits(Future(), seen))  # Any: its result never comes
    outer = task_future.Task(waits(inner, seen))
    inner.cancel()
    assert seen == ["cancelled", "cancelled"]
    assert (inner.cancelled, outer.cancelled) == (True, False)
    assert isinstance(outer.exception(), CancelledError)


@cancellable
def test_a_running_task_is_cancelled_at_its_next_yield(task_class: Cancellable) -> None:
    """F8: nothing can be thrown into a generator that is executing.  The error is raised once."""
    gate, other = Future[None](), Future[str]()
    seen: list[str] = []
    tasks: list[cancelling.Task] = []

    def cancels_itself() -> Coroutine[None]:
        yield from gate
        assert tasks[0].cancel()
        seen.append("still here")
        try:
            yield from waits(Future(), seen)
        except CancelledError:
            yield from waits(other, seen)

    tasks.append(task_class(cancels_itself()))
    gate.set_result(None)
    other.set_result("resumed")
    assert seen == ["still here", "cancelled", "resumed"]
    assert not tasks[0].cancelled
