"""The ladder's Tasks: the defects T1 to T11 of the text's sketch are not there."""

from __future__ import annotations

from typing import Any

import pytest

from impl.errors import CancelledError
from impl.ladder.rungs import cancelling, task_future, yielding
from impl.ladder.rungs.delegating import Future
from impl.ladder.rungs.yielding import Coroutine

#: The Tasks that can be cancelled; Any: whatever they return.
Cancellable = type[cancelling.Task] | type[task_future.Task[Any]]
CANCELLABLE: list[Cancellable] = [cancelling.Task, task_future.Task]

#: All of them.
TASKS: list[type[yielding.Task]] = [yielding.Task, *CANCELLABLE]

cancellable = pytest.mark.parametrize("task_class", CANCELLABLE)


def waits(future: Future[str], seen: list[str]) -> Coroutine[None]:
    """Wait, and say how it ended."""
    try:
        seen.append((yield from future))
    except CancelledError:
        seen.append("cancelled")
        raise


@cancellable
def test_a_cancel_is_raised_where_the_task_waits_and_ends_there(task_class: Cancellable) -> None:
    """T1: not in whoever cancels; and the task says that it is cancelled."""
    seen: list[str] = []
    task = task_class(waits(Future(), seen))
    assert not task.cancelled
    assert task.cancel()
    assert task.cancelled
    assert seen == ["cancelled"]


@cancellable
def test_all_workers_can_be_cancelled_one_after_the_other(task_class: Cancellable) -> None:
    """T2."""
    seen: list[str] = []
    workers = [task_class(waits(Future(), seen)) for _ in range(10)]
    assert [worker.cancel() for worker in workers] == [True] * 10
    assert [worker.cancelled for worker in workers] == [True] * 10
    assert seen == ["cancelled"] * 10


def test_whoever_catches_a_cancel_and_returns_has_returned() -> None:
    """T3: no StopIteration in whoever cancels, and the result is there."""

    def catches() -> Coroutine[str]:
        try:
            yield from Future[str]()
        except CancelledError:
            return "all the same"
        raise AssertionError("the future is never resolved")

    task = task_future.Task(catches())
    assert task.cancel()
    assert (task.cancelled, task.result()) == (False, "all the same")


@cancellable
def test_whoever_waits_in_the_cleanup_is_resumed(task_class: Cancellable) -> None:
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
def test_a_cancelled_task_is_out_of_the_line_of_its_future(task_class: Cancellable) -> None:
    """T5: when the future is resolved later, it calls the others only."""
    future = Future[str]()
    seen: list[str] = []
    tasks = [task_class(waits(future, seen)) for _ in range(3)]
    tasks[1].cancel()
    future.set_result("here")
    assert seen == ["cancelled", "here", "here"]
    assert [task.cancelled for task in tasks] == [False, True, False]


@cancellable
def test_a_task_that_a_neighbour_in_the_line_cancels_is_not_resumed(task_class: Cancellable) -> None:
    """T5, while the callbacks are being called."""
    future = Future[str]()
    seen: list[str] = []
    victims: list[cancelling.Task] = []

    def cancels() -> Coroutine[None]:
        yield from future
        victims[0].cancel()

    task_class(cancels())
    victims.append(task_class(waits(future, seen)))
    future.set_result("here")
    assert seen == ["cancelled"]
    assert victims[0].cancelled


@cancellable
def test_a_task_that_goes_on_after_a_cancel_waits_for_what_it_waits_for(task_class: Cancellable) -> None:
    """T5: not for what it waited for before."""
    before, after = Future[str](), Future[str]()
    seen: list[str] = []

    def goes_on() -> Coroutine[None]:
        try:
            yield from before
        except CancelledError:
            seen.append((yield from after))

    task = task_class(goes_on())
    task.cancel()
    before.set_result("too late")
    assert seen == []
    after.set_result("in time")
    assert seen == ["in time"]
    assert not task.cancelled


@pytest.mark.parametrize("task_class", TASKS)
def test_an_error_does_not_reach_whoever_resolved(
    task_class: type[yielding.Task], caplog: pytest.LogCaptureFixture
) -> None:
    """T6: others in the line are resumed; below rung 13 it is logged."""
    future = Future[str]()
    seen: list[str] = []

    def fails() -> Coroutine[None]:
        yield from future
        raise ValueError("of a coroutine")

    task = task_class(fails())
    task_class(waits(future, seen))
    future.set_result("here")
    assert seen == ["here"]
    if isinstance(task, task_future.Task):
        assert isinstance(task.exception(), ValueError)
    else:
        assert [record.getMessage() for record in caplog.records] == ["a task has failed"]


@pytest.mark.parametrize("task_class", TASKS)
def test_an_error_before_the_first_wait_does_not_reach_whoever_made_the_task(
    task_class: type[yielding.Task], caplog: pytest.LogCaptureFixture
) -> None:
    """T6, likewise."""

    def fails() -> Coroutine[None]:
        raise ValueError("at once")
        yield

    task = task_class(fails())
    if isinstance(task, task_future.Task):
        assert isinstance(task.exception(), ValueError)
    else:
        assert [record.getMessage() for record in caplog.records] == ["a task has failed"]


def test_whoever_waits_for_a_task_gets_its_result_or_its_error() -> None:
    """T6, and what rung 13 is for."""
    gate = Future[str]()

    def inner(good: bool) -> Coroutine[str]:
        got = yield from gate
        if not good:
            raise ValueError("of the inner task")
        return f"inner has {got}"

    def outer(task: task_future.Task[str]) -> Coroutine[str]:
        try:
            return (yield from task)
        except ValueError as error:
            return f"caught the error {error}"

    tasks = [task_future.Task(outer(task_future.Task(inner(good)))) for good in (True, False)]
    gate.set_result("the key")
    assert [task.result() for task in tasks] == [
        "inner has the key",
        "caught the error of the inner task",
    ]


@cancellable
def test_a_task_that_has_ended_is_not_cancelled(task_class: Cancellable) -> None:
    """T8."""
    future = Future[str]()
    seen: list[str] = []
    task = task_class(waits(future, seen))
    future.set_result("here")
    assert not task.cancel()
    assert (task.cancelled, seen) == (False, ["here"])


@pytest.mark.parametrize("task_class", TASKS)
def test_whoever_yields_no_future_is_told_so_at_the_yield(task_class: type[yielding.Task]) -> None:
    """T9."""
    seen: list[str] = []

    def yields_a_number() -> Coroutine[None]:
        try:
            yield 42  # type: ignore[misc]  # that is the mistake
        except TypeError as error:
            seen.append(str(error))

    task_class(yields_a_number())
    assert seen == ["a coroutine yields futures, not 42"]


def test_whoever_waits_for_a_cancelled_task_is_told_so() -> None:
    """T10; the one that waits has failed, but nobody has cancelled it (T11)."""
    seen: list[str] = []
    inner: task_future.Task[Any] = task_future.Task(waits(Future(), seen))  # Any: its result never comes
    outer = task_future.Task(waits(inner, seen))
    inner.cancel()
    assert seen == ["cancelled", "cancelled"]
    assert inner.cancelled
    assert outer.done()
    assert isinstance(outer.exception(), CancelledError)
    assert not outer.cancelled


def test_a_cancelled_error_of_its_own_making_is_no_cancel() -> None:
    """T11."""
    gate = Future[None]()

    def raises_it() -> Coroutine[None]:
        yield from gate
        raise CancelledError("nobody asked")

    task = task_future.Task(raises_it())
    gate.set_result(None)
    assert not task.cancelled
    with pytest.raises(CancelledError, match="nobody asked"):
        task.result()


def test_a_cancelled_error_that_nobody_asked_for_does_not_end_the_loop(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """T11, where a task is no future."""

    def raises_it() -> Coroutine[None]:
        raise CancelledError("nobody asked")
        yield

    task = cancelling.Task(raises_it())
    assert not task.cancelled
    assert [record.getMessage() for record in caplog.records] == ["a task has failed"]


@cancellable
def test_a_task_that_runs_is_cancelled_at_its_next_yield(task_class: Cancellable) -> None:
    """F8: nothing can be thrown into a generator that is executing, so the error waits for it."""
    gate, other = Future[None](), Future[str]()
    seen: list[str] = []
    tasks: list[cancelling.Task] = []

    def cancels_itself() -> Coroutine[None]:
        yield from gate
        assert tasks[0].cancel()
        seen.append("still here")
        yield from waits(other, seen)

    tasks.append(task_class(cancels_itself()))
    gate.set_result(None)
    assert seen == ["still here", "cancelled"]
    assert tasks[0].cancelled
    other.set_result("to nobody")
    assert seen == ["still here", "cancelled"]


@cancellable
def test_a_cancel_is_raised_once(task_class: Cancellable) -> None:
    """Who catches it may wait again, though the cancel came while he ran."""
    gate, other = Future[None](), Future[str]()
    seen: list[str] = []
    tasks: list[cancelling.Task] = []

    def goes_on() -> Coroutine[None]:
        yield from gate
        tasks[0].cancel()
        try:
            yield from waits(other, seen)
        except CancelledError:
            yield from waits(other, seen)

    tasks.append(task_class(goes_on()))
    gate.set_result(None)
    other.set_result("here")
    assert seen == ["cancelled", "here"]


@cancellable
def test_a_task_that_is_cancelled_by_whom_it_resumes(task_class: Cancellable) -> None:
    """F8: A resolves, so B runs in the middle of A, and cancels A."""
    gate, bell = Future[None](), Future[str]()
    seen: list[str] = []
    tasks: list[cancelling.Task] = []

    def resolves() -> Coroutine[None]:
        yield from gate
        bell.set_result("ring")
        seen.append("A goes on")
        yield from waits(Future(), seen)

    def cancels() -> Coroutine[None]:
        yield from bell
        assert tasks[0].cancel()
        seen.append("B has cancelled A")

    tasks.append(task_class(resolves()))
    task_class(cancels())
    gate.set_result(None)
    assert seen == ["B has cancelled A", "A goes on", "cancelled"]
    assert tasks[0].cancelled


@cancellable
def test_a_cancel_that_comes_too_late_for_another_yield_has_no_effect(task_class: Cancellable) -> None:
    """The task has returned, and not by the cancel."""
    gate = Future[None]()
    tasks: list[cancelling.Task] = []

    def returns() -> Coroutine[None]:
        yield from gate
        tasks[0].cancel()

    tasks.append(task_class(returns()))
    gate.set_result(None)
    assert not tasks[0].cancelled
    assert not tasks[0].cancel()


def test_an_interrupt_is_no_affair_of_the_task() -> None:
    """What is not for programs to catch goes to whoever runs the loop."""
    gate = Future[None]()

    def interrupted() -> Coroutine[None]:
        yield from gate
        raise KeyboardInterrupt

    task_future.Task(interrupted())
    with pytest.raises(KeyboardInterrupt):
        gate.set_result(None)
