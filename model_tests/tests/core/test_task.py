"""Task and cancel, beyond the state machine's tests: chains, cycles, contexts, names, and misuse."""

from __future__ import annotations

from collections.abc import Generator
from contextvars import ContextVar, copy_context
from typing import Any

import pytest

import impl
from impl import sleep

from ...refinement.subjects import one_turn

Tasks = list[impl.Task[Any]]  # Any: results of any type


@pytest.fixture
def loop() -> impl.Loop:
    return impl.Loop()


class Bare:
    """Awaiting it yields `thing` to the task."""

    def __init__(self, thing: object) -> None:
        self.thing = thing

    def __await__(self) -> Generator[object, None, None]:
        yield self.thing


# --- chains --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("outermost_first", [True, False])
def test_a_cancel_reaches_the_end_of_a_chain_of_5000(loop: impl.Loop, outermost_first: bool) -> None:
    """CANCEL-1; asyncio raises a RecursionError here, with the request partly counted."""
    end = loop.create_future()
    tasks: Tasks = []

    async def link(number: int) -> None:
        await (tasks[number - 1] if number else end)

    made = [loop.create_task(link(number)) for number in range(5000)]
    tasks.extend(made)
    if outermost_first:
        loop.ready.clear()  # this test chooses which task starts first
        loop.ready.extend(reversed(made))
    one_turn(loop)
    assert tasks[-1].cancel("stop")
    assert end.cancelled()
    assert {task.cancelling() for task in tasks} == {1}
    with pytest.raises(impl.CancelledError) as caught:
        loop.run_until_complete(tasks[-1])
    assert caught.value.args == ("stop",)
    assert all(task.cancelled() for task in tasks)
    assert loop.live == {}


def test_a_message_reaches_a_task_before_its_first_step(loop: impl.Loop) -> None:
    """CANCEL-4: the body never runs; the coroutine is closed, so nothing is left un-awaited."""
    began: list[str] = []

    async def body() -> None:
        began.append("body")

    task = loop.create_task(body())
    assert task.cancel("never") is True
    with pytest.raises(impl.CancelledError) as caught:
        loop.run_until_complete(task)
    assert (began, caught.value.args) == ([], ("never",))


def test_the_last_message_is_delivered(loop: impl.Loop) -> None:
    seen: list[object] = []

    async def body() -> None:
        task = impl.current_task()
        assert task is not None
        task.cancel("first")
        task.cancel("second")
        try:
            await sleep(0)
        except impl.CancelledError as error:
            seen.extend(error.args)
        await sleep(0)  # both requests were delivered as one

    task = loop.create_task(body())
    loop.run_until_complete(task)
    assert (seen, task.cancelling(), task.cancelled()) == (["second"], 2, False)


def test_a_request_before_parking_goes_to_the_awaited_future(loop: impl.Loop) -> None:
    """CANCEL-3."""
    future = loop.create_future()

    async def body() -> None:
        task = impl.current_task()
        assert task is not None
        task.cancel("go")
        await future

    with pytest.raises(impl.CancelledError) as caught:
        loop.run_until_complete(body())
    assert (future.cancelled(), caught.value.args) == (True, ("go",))


# --- cycles: AWAIT-1 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 2, 3, 10])
def test_a_cycle_of_awaits_is_an_error_in_the_task_that_would_close_it(loop: impl.Loop, length: int) -> None:
    """AWAIT-1: the error names the cycle, is raised in one task, and propagates to those that await it."""
    tasks: Tasks = []

    async def body(number: int) -> object:
        return await tasks[(number + 1) % length]

    tasks += [loop.create_task(body(number), name=f"t{number}") for number in range(length)]
    with pytest.raises(RuntimeError) as caught:
        loop.run_until_complete(tasks[0])
    closer = length - 1
    names = [f"'t{number % length}'" for number in range(closer, closer + length + 1)]
    assert " awaits ".join(names) in str(caught.value)
    assert [type(task.exception()) for task in tasks] == [RuntimeError] * length


def test_after_a_refused_cycle_the_task_goes_on(loop: impl.Loop) -> None:
    async def body() -> str:
        task = impl.current_task()
        assert task is not None
        try:
            await task
        except RuntimeError:
            await sleep(1)
            return "went on"
        return "awaited itself"

    assert loop.run_until_complete(body()) == "went on"


def test_a_task_that_is_awaited_may_await_others(loop: impl.Loop) -> None:
    """A diamond is not a cycle."""

    async def leaf() -> int:
        await sleep(1)
        return 1

    async def main() -> int:
        shared = impl.create_task(leaf())

        async def side() -> int:
            return await shared

        sides = [impl.create_task(side()) for _ in range(2)]
        return sum([await task for task in sides])

    assert loop.run_until_complete(main()) == 2


# --- misuse --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("thing", [5, "text", object])
def test_a_bad_yield_is_an_error_in_the_task(loop: impl.Loop, thing: object) -> None:
    async def body() -> None:
        await Bare(thing)

    with pytest.raises(RuntimeError, match="bad yield"):
        loop.run_until_complete(body())


def test_a_future_of_another_loop_is_an_error_in_the_task(loop: impl.Loop) -> None:
    theirs = impl.Loop().create_future()

    async def body() -> None:
        await theirs

    with pytest.raises(RuntimeError, match="different loop"):
        loop.run_until_complete(body())


def test_a_cancel_comes_before_the_answer_to_a_bad_yield(loop: impl.Loop) -> None:
    async def body() -> None:
        await Bare(5)

    task = loop.create_task(body())
    one_turn(loop)
    task.cancel()
    one_turn(loop)
    assert task.cancelled()


@pytest.mark.parametrize("thing", [5, None, print])
def test_a_task_drives_coroutines_and_generators_only(loop: impl.Loop, thing: Any) -> None:
    with pytest.raises(TypeError, match="a coroutine was expected"):
        impl.Task(thing, loop)
    assert loop.live == {}


def test_a_task_ends_by_its_coroutine_only(loop: impl.Loop) -> None:
    task = loop.create_task(sleep(0))
    with pytest.raises(RuntimeError):
        task.set_result(None)
    with pytest.raises(RuntimeError):
        task.set_exception(ValueError())
    assert loop.run_until_complete(task) is None


# --- names, contexts, the current task -----------------------------------------------------------------------


def test_names(loop: impl.Loop) -> None:
    tasks = [loop.create_task(sleep(0)), loop.create_task(sleep(0), name="mine"), loop.create_task(sleep(0))]
    assert [task.get_name() for task in tasks] == ["Task-1", "mine", "Task-3"]
    tasks[0].set_name(5)
    assert tasks[0].get_name() == "5"
    assert repr(tasks[1]) == "<Task 'mine' pending>"
    loop.close()


def test_the_current_task_and_all_tasks(loop: impl.Loop) -> None:
    seen: list[object] = []

    async def body() -> None:
        loop.call_soon(lambda: seen.append(impl.current_task()))
        child = impl.create_task(sleep(1))
        assert impl.all_tasks() == [impl.current_task(), child]
        await sleep(0)
        seen.append(impl.current_task())

    task = loop.create_task(body())
    loop.run_until_complete(task)
    assert seen == [None, task]
    assert len(impl.all_tasks(loop)) == 1
    with pytest.raises(RuntimeError, match="no running event loop"):
        impl.current_task()
    loop.close()


VAR: ContextVar[str] = ContextVar("VAR", default="none")


async def sets(value: str) -> str:
    VAR.set(value)
    await sleep(0)
    return VAR.get()


async def two_setters(loop: impl.Loop) -> tuple[str, str, str]:
    first, second = loop.create_task(sets("first")), loop.create_task(sets("second"))
    return await first, await second, VAR.get()


def test_contexts_on_each_task_has_its_own() -> None:
    loop = impl.Loop()
    assert loop.run(two_setters(loop)) == ("first", "second", "none")


def test_contexts_off_all_share_the_callers() -> None:
    loop = impl.Loop(contexts=False)
    assert copy_context().run(loop.run, two_setters(loop)) == ("second", "second", "second")


def test_a_context_that_is_given_is_used() -> None:
    for contexts in (True, False):
        loop = impl.Loop(contexts=contexts)
        context = copy_context()
        assert loop.run_until_complete(loop.create_task(sets("there"), context=context)) == "there"
        assert (context[VAR], VAR.get()) == ("there", "none")
        loop.close()


def test_where_a_task_is(loop: impl.Loop) -> None:
    async def inner() -> None:
        raise ValueError

    async def fails() -> None:
        await sleep(1)
        await inner()

    def names(limit: int | None = None) -> list[str]:
        return [frame.f_code.co_name for frame in task.get_stack(limit=limit)]

    task = loop.create_task(fails())
    one_turn(loop)
    assert names() == ["fails"]
    with pytest.raises(ValueError):  # noqa: PT011  (it has no text)
        loop.run_until_complete(task)
    assert names()[-2:] == ["fails", "inner"]
    assert names(1) == names()[:1]
    over = loop.create_task(sleep(0))
    loop.run_until_complete(over)
    assert over.get_stack() == []
