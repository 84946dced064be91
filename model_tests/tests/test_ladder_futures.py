"""The ladder's Future: the defects F1 to F9 of the text's sketch are not there, but F7, which is the text's rule."""

from __future__ import annotations

from typing import Any

import pytest

from impl.errors import InvalidStateError
from impl.ladder import delegating, futures
from impl.ladder.task_future import Task as TaskFuture
from impl.ladder.yielding import Coroutine, Task
from impl.loop import Loop
from impl.runners import create_task
from impl.sim.choices import Choices

#: The same Future, and one that can be delegated to; Any: of whatever result.
KINDS: list[type[futures.Future[Any]]] = [futures.Future, delegating.Future]

#: Longer than the stack of CPython lets calls be nested.
CHAIN = 2000


def waits(future: futures.Future[Any], seen: list[object], *more: futures.Future[Any]) -> Coroutine[None]:
    """Wait for each of them and note what they hold, errors too."""
    for each in (future, *more):
        try:
            seen.append((yield each))
        except ValueError as error:
            seen.append(error)


@pytest.mark.parametrize("kind", KINDS)
def test_a_callback_that_comes_late_is_called(kind: type[futures.Future[str]]) -> None:
    """F1."""
    future = kind()
    future.set_result("here")
    seen: list[str] = []
    future.add_done_callback(lambda done: seen.append(done.result()))
    assert seen == ["here"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_future_that_is_done_does_not_suspend(kind: type[futures.Future[str]]) -> None:
    """F2; as many of them as you like: that is no recursion."""
    future = kind()
    future.set_result("here")
    seen: list[object] = []
    Task(waits(future, seen, *[future] * CHAIN))
    assert seen == ["here"] * (CHAIN + 1)


def test_delegating_to_a_future_that_is_done_does_not_suspend() -> None:
    """F2, with `yield from`."""
    future = delegating.Future[str]()
    future.set_result("here")

    def both() -> Coroutine[list[str]]:
        return [(yield from future), (yield future)]

    assert TaskFuture(both()).result() == ["here", "here"]


def test_yield_from_a_future_is_the_same_as_yield() -> None:
    """To the Task, and to the coroutine: what comes is the result."""
    future = delegating.Future[str]()
    seen: list[object] = []

    def delegates() -> Coroutine[None]:
        seen.append((yield from future))

    Task(waits(future, seen))
    Task(delegates())
    assert seen == []
    future.set_result("here")
    assert seen == ["here", "here"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_future_is_resolved_once(kind: type[futures.Future[int]]) -> None:
    """F3: a second time is an error, calls nobody, and changes nothing."""
    future = kind()
    seen: list[int] = []
    future.add_done_callback(lambda done: seen.append(done.result()))
    future.set_result(1)
    with pytest.raises(InvalidStateError, match="done already"):
        future.set_result(2)
    with pytest.raises(InvalidStateError, match="done already"):
        future.set_exception(ValueError())
    assert (seen, future.result()) == ([1], 1)


def test_a_second_result_does_not_reach_the_next_wait() -> None:
    """F4: who has gone on to wait for something else is left alone."""
    first, second = futures.Future[str](), futures.Future[str]()
    seen: list[object] = []
    Task(waits(first, seen, second))
    first.set_result("a")
    with pytest.raises(InvalidStateError):
        first.set_result("not for the second wait")
    assert seen == ["a"]
    second.set_result("b")
    assert seen == ["a", "b"]


def test_a_callback_that_raises_concerns_nobody_else(caplog: pytest.LogCaptureFixture) -> None:
    """F5: the later ones are called, who resolves does not see it; it is in the log."""
    future = futures.Future[None]()
    seen: list[str] = []

    def bad(done: futures.Future[None]) -> None:
        raise ValueError("of a callback")

    future.add_done_callback(bad)
    future.add_done_callback(lambda done: seen.append("called"))
    future.set_result(None)
    assert seen == ["called"]
    (record,) = caplog.records
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], ValueError)


def test_pending_is_not_resolved_with_none() -> None:
    """F6; `result` is a method, so what is sent to a coroutine is the result (K9)."""
    future = futures.Future[None]()
    assert not future.done()
    with pytest.raises(InvalidStateError, match="not done yet"):
        future.result()
    future.set_result(None)
    assert future.done()
    assert future.exception() is None


def test_callbacks_are_called_in_order_inside_set_result() -> None:
    """The text's rule; one that is added by a callback is called after those that were there."""
    future = futures.Future[None]()
    seen: list[str] = []

    def first(done: futures.Future[None]) -> None:
        seen.append("first")
        done.add_done_callback(lambda done: seen.append("third"))

    future.add_done_callback(first)
    future.add_done_callback(lambda done: seen.append("second"))
    future.set_result(None)
    seen.append("whoever resolved goes on")
    assert seen == ["first", "second", "third", "whoever resolved goes on"]


def test_a_long_chain_of_futures_is_a_recursion_error(caplog: pytest.LogCaptureFixture) -> None:
    """F7, which is the text's rule: each task runs inside the `set_result` of the one before."""
    links = [futures.Future[None]() for _ in range(CHAIN)]
    reached: list[int] = []

    def hands_on(number: int) -> Coroutine[None]:
        yield links[number]
        reached.append(number)
        links[number + 1].set_result(None)

    for number in range(CHAIN - 1):
        Task(hands_on(number))
    links[0].set_result(None)
    assert 100 < len(reached) < CHAIN / 2
    assert any(record.exc_info and record.exc_info[0] is RecursionError for record in caplog.records)
    caplog.clear()


def test_a_long_chain_of_tasks_is_a_recursion_error() -> None:
    """F7, likewise: each task waits for the one before."""
    gate = delegating.Future[int]()

    def adds_one(before: delegating.Future[int]) -> Coroutine[int]:
        return (yield from before) + 1

    tasks = [TaskFuture(adds_one(gate))]
    for _ in range(CHAIN - 1):
        tasks.append(TaskFuture(adds_one(tasks[-1])))
    gate.set_result(0)
    well = [task for task in tasks if task.done() and task.exception() is None]
    assert 100 < len(well) < CHAIN / 2
    assert isinstance(tasks[len(well)].exception(), RecursionError)


def test_a_long_chain_is_no_matter_where_callbacks_are_deferred() -> None:
    """F7 is not there with `impl/tasks/future.py`, which the head of the rung names."""
    loop = Loop(Choices.plain())

    async def main() -> int:
        gate = loop.create_future()

        async def adds_one(before: Any) -> int:  # Any: the gate or a task
            number: int = await before
            return number + 1

        last: Any = gate
        tasks = []
        for _ in range(CHAIN):
            last = create_task(adds_one(last))
            tasks.append(last)
        gate.set_result(0)
        result: int = await last
        return result

    assert loop.run(main()) == CHAIN


def test_no_coroutine_is_resumed_that_runs_already() -> None:
    """F8: who resolves again what he has waited for is told so, and not resumed in the middle of it."""
    future = delegating.Future[str]()

    def resolves_it_again() -> Coroutine[str]:
        try:
            got: str = yield future
            future.set_result("again")
        except InvalidStateError as error:
            return f"{got}: {error}"
        raise AssertionError("it is done already")

    task = TaskFuture(resolves_it_again())
    future.set_result("once")
    assert task.result() == "once: the future is done already"


def test_an_error_is_raised_in_whoever_waits() -> None:
    """F9: before it is set, and after."""
    future = futures.Future[str]()
    error = ValueError("instead of a result")
    seen: list[object] = []
    Task(waits(future, seen))
    future.set_exception(error)
    Task(waits(future, seen))
    assert seen == [error, error]
    assert future.exception() is error
    with pytest.raises(ValueError, match="instead of a result"):
        future.result()
