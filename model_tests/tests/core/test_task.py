"""Future, Task and cancel, beyond the vectors and the machines: chains, cycles, names, contexts, stacks, misuse."""

from collections.abc import Generator
from contextlib import closing
from contextvars import ContextVar, copy_context
from typing import Any

import pytest

import impl
from impl import sleep

from ...refinement.subjects import one_turn

Tasks = list[impl.Task[Any]]  # Any: results of any type


class Bare:
    """Awaiting it yields `thing` to the task."""

    def __init__(self, thing: object) -> None:
        self.thing = thing

    def __await__(self) -> Generator[object, None, None]:
        yield self.thing


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


@pytest.mark.parametrize("length", [1, 2, 10])
def test_a_cycle_of_awaits_is_an_error_in_who_would_close_it(loop: impl.Loop, length: int) -> None:
    """AWAIT-1: the error names the cycle, stands in one task, and passes on to those that await it."""
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


async def test_a_future_of_another_loop_is_an_error_in_the_task() -> None:
    with pytest.raises(RuntimeError, match="different loop"):
        await impl.Loop().create_future()


async def test_a_cancel_comes_before_the_answer_to_a_bad_yield() -> None:
    async def body() -> None:
        await Bare(5)

    task = impl.create_task(body())
    await sleep(0)
    task.cancel()
    await sleep(0)
    assert task.cancelled()


def test_a_task_drives_coroutines_and_generators_only(loop: impl.Loop) -> None:
    with pytest.raises(TypeError, match="a coroutine was expected"):
        impl.Task(print, loop)  # type: ignore[arg-type]  # the wrong call is the test
    assert loop.live == {}


def test_names(loop: impl.Loop) -> None:
    tasks = [loop.create_task(sleep(0)), loop.create_task(sleep(0), name="mine"), loop.create_task(sleep(0))]
    assert [task.get_name() for task in tasks] == ["Task-1", "mine", "Task-3"]
    assert repr(tasks[1]) == "<Task 'mine' pending>"
    loop.close()


VAR: ContextVar[str] = ContextVar("VAR", default="none")


async def sets(value: str) -> str:
    VAR.set(value)
    await sleep(0)
    return VAR.get()


def test_contexts_off_all_share_the_callers() -> None:
    loop = impl.Loop(contexts=False)

    async def two_setters() -> tuple[str, str, str]:
        first, second = loop.create_task(sets("first")), loop.create_task(sets("second"))
        return await first, await second, VAR.get()

    assert copy_context().run(loop.run, two_setters()) == ("second", "second", "second")


def test_a_context_that_is_given_is_used() -> None:
    """TASK-11: also on a loop on which tasks share the caller's."""
    loop = impl.Loop(contexts=False)
    context = copy_context()
    assert loop.run_until_complete(loop.create_task(sets("there"), context=context)) == "there"
    assert (context[VAR], VAR.get()) == ("there", "none")
    loop.close()


async def test_an_awaitable_may_yield_a_future_that_is_done(loop: impl.Loop) -> None:
    """The task continues in the next iteration."""
    done = loop.create_future()
    done.set_result(None)
    await Bare(done)


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
    task = loop.create_task(sleep(0))
    loop.run_until_complete(task)
    assert names() == []


@pytest.mark.parametrize("context", [5, "", [], {}, type("Context", (), {})()])
async def test_a_context_is_a_context(loop: impl.Loop, context: Any) -> None:
    """TASK-11: nothing else is taken for one (gh-157301); an unknown keyword is refused too."""
    async with impl.TaskGroup() as group:
        create: list[Any] = [impl.create_task, loop.create_task, impl.Task, group.create_task]
        for make in create:
            for said, given in (
                ("Context was expected", {"context": context}),
                ("unexpected keyword", {"priority": 3}),
            ):
                with closing(sleep(0)) as coro, pytest.raises(TypeError, match=said):
                    make(coro, **given)
    assert impl.all_tasks() == [impl.current_task()]


def test_the_message_of_a_cancel_is_in_every_error(loop: impl.Loop) -> None:
    future = loop.create_future()
    assert future.cancel("why") is True
    for ask in (future.result, future.exception):
        with pytest.raises(impl.CancelledError) as caught:
            ask()
        assert caught.value.args == ("why",)


def test_set_exception_takes_exceptions_only(loop: impl.Loop) -> None:
    future = loop.create_future()
    wrong: list[Any] = [5, "error", int, None]
    for given in wrong:
        with pytest.raises(TypeError):
            future.set_exception(given)
    assert not future.done()


def test_a_stop_iteration_is_the_cause_of_the_runtime_error(loop: impl.Loop) -> None:
    """FUT-7 (gh-112182): also if its class is given."""
    future = loop.create_future()
    future.set_exception(StopIteration)
    assert isinstance(getattr(future.exception(), "__cause__", None), StopIteration)


def test_a_comparison_that_resolves_the_future_while_callbacks_are_removed(loop: impl.Loop) -> None:
    """The callbacks have moved to the ready queue then; none is called twice, or lost."""
    future = loop.create_future()
    called: list[str] = []

    class Sly:
        __hash__ = None  # type: ignore[assignment]  # equal things would need equal hashes

        def __eq__(self, other: object) -> bool:
            if not future.done():
                future.set_result(None)
            return False

        def __call__(self, done: object) -> None:
            called.append("sly")

    future.add_done_callback(Sly())
    future.add_done_callback(lambda done: called.append("plain"))
    assert future.remove_done_callback(print) == 0
    one_turn(loop)
    assert called == ["sly", "plain"]


def test_repr_says_the_state(loop: impl.Loop) -> None:
    _, done, failed, cancelled = futures = [loop.create_future() for _ in range(4)]
    done.set_result(3)
    failed.set_exception(ValueError("no"))
    cancelled.cancel()
    shown = ["pending", "finished result=3", "failed exception=ValueError('no')", "cancelled"]
    assert [repr(future) for future in futures] == [f"<Future {state}>" for state in shown]
    assert failed.exception() is not None  # otherwise it would be reported
