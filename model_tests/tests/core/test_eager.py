"""Eager start (TASK-14), and asynchronous generators that were not exhausted (RUN-1)."""

import gc
import sys
from collections.abc import AsyncGenerator
from contextvars import ContextVar
from typing import Any

import pytest

import impl

from .conftest import Context, after, cancelled, fails

NAME: ContextVar[str] = ContextVar("NAME", default="outside")


@pytest.fixture
def loop() -> impl.Loop:
    return impl.Loop(eager=True)


async def returns(value: int) -> int:
    return value


async def test_one_that_never_waits_is_done_at_once_and_takes_no_turn(loop: impl.Loop) -> None:
    before = len(loop.ready)
    task = impl.create_task(returns(7))
    assert (task.done(), task.result(), len(loop.ready)) == (True, 7, before)
    assert impl.all_tasks() == [impl.current_task()]


def test_the_first_step_is_in_the_task_s_own_context() -> None:
    async def child() -> str:
        was = NAME.get()
        NAME.set("child")
        return was

    async def main() -> tuple[str, str]:
        NAME.set("main")
        return await impl.create_task(child()), NAME.get()

    assert impl.Loop(eager=True).run(main()) == ("main", "main")
    assert impl.Loop(eager=True, contexts=False).run(main()) == ("main", "child")


async def test_an_error_of_the_first_step_stays_in_the_task() -> None:
    assert isinstance(impl.create_task(fails(ValueError())).exception(), ValueError)


async def test_a_request_in_the_first_step_strikes_where_it_waits() -> None:
    """CANCEL-3: also for the task's own request."""

    async def child() -> None:
        impl.current_task().cancel("mine")  # type: ignore[union-attr]  # one runs
        await impl.sleep(1)

    assert await cancelled(impl.create_task(child())) == ("mine",)


async def test_an_interrupt_of_the_first_step_comes_out_of_create_task() -> None:
    """TASK-13."""
    with pytest.raises(KeyboardInterrupt):
        impl.create_task(fails(KeyboardInterrupt()))
    assert impl.current_task().get_name() == "Task-1"  # type: ignore[union-attr]  # one runs


async def test_eager_tasks_in_a_group_and_in_gather() -> None:
    async with impl.TaskGroup() as group:
        tasks = [group.create_task(after(seconds, seconds)) for seconds in (0, 2)]
    assert [task.result() for task in tasks] == [0, 2]
    both: object = await impl.gather(after(0, 0), after(1, 1))
    assert both == [0, 1]


@pytest.mark.parametrize("eager", [False, True])
@pytest.mark.parametrize("eager_start", [None, False, True])
@pytest.mark.parametrize("how", ["function", "loop", "group"])
def test_create_task_says_whether_its_task_is_eager(eager: bool, eager_start: bool | None, how: str) -> None:
    """TASK-25, TASK-26: without the keyword the loop decides."""
    given: dict[str, Any] = {} if eager_start is None else {"eager_start": eager_start}
    loop = impl.Loop(eager=eager)

    async def main() -> None:
        async with impl.TaskGroup() as group:
            create: dict[str, Any] = {
                "function": impl.create_task, "loop": loop.create_task, "group": group.create_task,
            }  # fmt: skip
            task = create[how](returns(7), name="eager", **given)
            assert task.done() == (eager if eager_start is None else eager_start)
            assert task.get_name() == "eager"

    before = loop.create_task(returns(7), eager_start=True)  # TASK-26
    assert not before.done()  # the loop does not run yet
    loop.run(main())


async def numbers(seen: list[str], name: str) -> AsyncGenerator[int, None]:
    try:
        yield 1
        yield 2
    finally:
        await impl.sleep(1)
        seen.append(name)


def test_what_was_left_half_way_is_finished_at_the_end_in_order_of_beginning() -> None:
    seen: list[str] = []
    held = [numbers(seen, name) for name in "abcd"]

    async def main() -> None:
        for generator in reversed(held):
            assert await anext(generator) == 1
        assert [number async for number in held[1]] == [2]
        assert seen == ["b"]

    impl.run(main())
    assert seen == ["b", "d", "c", "a"]


@pytest.mark.parametrize("eager", [False, True])
def test_one_that_is_dropped_is_finished_by_a_task_in_a_later_turn(eager: bool) -> None:
    seen: list[str] = []

    async def main() -> None:
        for name in ("x", "y"):
            async for _ in numbers(seen, name):
                break
        gc.collect()
        assert seen == []
        await impl.sleep(2)
        assert seen == ["x", "y"]

    impl.Loop(eager=eager).run(main())


def test_what_one_raises_in_the_end_is_reported_and_the_others_are_finished(
    loop: impl.Loop, reports: list[Context]
) -> None:
    seen: list[str] = []

    async def broken() -> AsyncGenerator[int, None]:
        try:
            yield 1
        finally:
            raise ValueError("in the end")

    held: list[AsyncGenerator[int, None]] = [broken(), numbers(seen, "other")]

    async def main() -> None:
        for generator in held:
            await anext(generator)

    loop.run(main())
    assert seen == ["other"]
    [report] = reports
    assert (report["asyncgen"], report["exception"].args) == (held[0], ("in the end",))


def test_the_hooks_of_others_are_put_back() -> None:
    before = sys.get_asyncgen_hooks()
    impl.run(impl.sleep(1))
    assert sys.get_asyncgen_hooks() == before
