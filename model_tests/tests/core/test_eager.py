"""Eager start (TASK-14), and asynchronous generators that were not exhausted (RUN-1)."""

from __future__ import annotations

import gc
from collections.abc import AsyncGenerator
from contextvars import ContextVar
from typing import Any

import pytest

import impl

NAME: ContextVar[str] = ContextVar("NAME", default="outside")


# --- eager start ---------------------------------------------------------------------------------------------


def test_an_eager_task_runs_to_its_first_wait_within_create_task() -> None:
    seen: list[str] = []

    async def child() -> int:
        seen.append("began")
        await impl.sleep(0)
        seen.append("went on")
        return 7

    async def main() -> int:
        task = impl.create_task(child())
        seen.append("made")
        assert not task.done()
        return await task

    assert impl.Loop(eager=True).run(main()) == 7
    assert seen == ["began", "made", "went on"]


def test_one_that_never_waits_is_done_at_once_and_takes_no_turn() -> None:
    async def child() -> int:
        return 7

    async def main() -> None:
        loop = impl.get_running_loop()
        before = len(loop.ready)
        task = impl.create_task(child())
        assert (task.done(), task.result(), len(loop.ready)) == (True, 7, before)
        assert impl.all_tasks() == [impl.current_task()]

    impl.Loop(eager=True).run(main())


def test_the_maker_is_the_current_task_again() -> None:
    seen: list[str | None] = []

    def current_name() -> str | None:
        task = impl.current_task()
        return None if task is None else task.get_name()

    async def grandchild() -> None:
        seen.append(current_name())

    async def child() -> None:
        seen.append(current_name())
        impl.create_task(grandchild(), name="grandchild")
        seen.append(current_name())

    def callback() -> None:
        impl.create_task(child(), name="late")
        seen.append(current_name())

    async def main() -> None:
        impl.current_task().set_name("main")  # type: ignore[union-attr]  # one runs
        impl.create_task(child(), name="child")
        seen.append(current_name())
        impl.get_running_loop().call_soon(callback)
        await impl.sleep(0)

    impl.Loop(eager=True).run(main())
    assert seen == ["child", "grandchild", "child", "main", "late", "grandchild", "late", None]


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


def test_an_error_of_the_first_step_stays_in_the_task() -> None:
    async def child() -> None:
        raise ValueError

    async def main() -> None:
        task = impl.create_task(child())
        assert isinstance(task.exception(), ValueError)

    impl.Loop(eager=True).run(main())


def test_a_request_in_the_first_step_strikes_where_it_waits() -> None:
    """CANCEL-3: also for the task's own request."""

    async def child() -> None:
        impl.current_task().cancel("mine")  # type: ignore[union-attr]  # one runs
        await impl.sleep(1)

    async def main() -> None:
        with pytest.raises(impl.CancelledError) as caught:
            await impl.create_task(child())
        assert caught.value.args == ("mine",)

    impl.Loop(eager=True).run(main())


def test_without_a_running_loop_it_begins_in_a_turn() -> None:
    seen: list[int] = []

    async def child() -> None:
        seen.append(1)

    loop = impl.Loop(eager=True)
    task = loop.create_task(child())
    assert seen == []
    loop.run_until_complete(task)
    assert seen == [1]


def test_an_interrupt_of_the_first_step_comes_out_of_create_task() -> None:
    """TASK-13."""

    async def child() -> None:
        raise KeyboardInterrupt

    async def main() -> str:
        try:
            impl.create_task(child())
        except KeyboardInterrupt:
            return impl.current_task().get_name()  # type: ignore[union-attr]  # one runs
        return "nothing came"

    assert impl.Loop(eager=True).run(main()) == "Task-1"


def test_eager_tasks_in_a_group_and_in_gather() -> None:
    async def child(value: int) -> int:
        await impl.sleep(value)
        return value

    async def main() -> list[int]:
        async with impl.TaskGroup() as group:
            tasks = [group.create_task(child(value)) for value in (0, 2)]
        return [*(task.result() for task in tasks), *await impl.gather(child(0), child(1))]

    assert impl.Loop(eager=True).run(main()) == [0, 2, 0, 1]


@pytest.mark.parametrize("eager", [False, True])
@pytest.mark.parametrize("eager_start", [None, False, True])
@pytest.mark.parametrize("how", ["function", "loop", "group"])
def test_create_task_says_whether_its_task_is_eager(eager: bool, eager_start: bool | None, how: str) -> None:
    """TASK-25, TASK-26: without the keyword the loop decides."""
    given = {} if eager_start is None else {"eager_start": eager_start}

    async def work() -> None:
        pass

    async def main() -> None:
        async with impl.TaskGroup() as group:
            create = {
                "function": impl.create_task,
                "loop": impl.get_running_loop().create_task,
                "group": group.create_task,
            }
            task = create[how](work(), name="eager", **given)
            assert task.done() == (eager if eager_start is None else eager_start)
            assert task.get_name() == "eager"

    loop = impl.Loop(eager=eager)
    before = loop.create_task(work(), eager_start=True)  # TASK-26
    assert not before.done()  # the loop does not run yet
    loop.run(main())


# --- asynchronous generators ---------------------------------------------------------------------------------


async def numbers(seen: list[str], name: str) -> AsyncGenerator[int, None]:
    try:
        yield 1
        yield 2
    finally:
        await impl.sleep(1)
        seen.append(name)


def test_what_was_left_half_way_is_finished_at_the_end_in_order_of_beginning() -> None:
    seen: list[str] = []
    held: list[AsyncGenerator[int, None]] = []

    async def main() -> None:
        for name in ("a", "b", "c", "d"):
            held.append(numbers(seen, name))
        for generator in reversed(held):
            assert await anext(generator) == 1
        assert [number async for number in held[1]] == [2]
        assert seen == ["b"]

    impl.run(main())
    assert seen == ["b", "d", "c", "a"]


def test_one_that_is_dropped_is_finished_by_a_task_in_a_later_turn() -> None:
    seen: list[str] = []

    async def main() -> None:
        async for _ in numbers(seen, "dropped"):
            break
        gc.collect()
        assert seen == []
        await impl.sleep(2)
        assert seen == ["dropped"]

    impl.run(main())
    impl.Loop(eager=True).run(main_of_two_drops(seen))
    assert seen == ["dropped", "x", "y"]


async def main_of_two_drops(seen: list[str]) -> None:
    for name in ("x", "y"):
        async for _ in numbers(seen, name):
            break
    await impl.sleep(2)


def test_what_one_raises_in_the_end_is_reported_and_the_others_are_finished() -> None:
    seen: list[str] = []
    reports: list[dict[str, Any]] = []  # Any: asyncio's context dict

    async def broken() -> AsyncGenerator[int, None]:
        try:
            yield 1
        finally:
            raise ValueError("in the end")

    held: list[AsyncGenerator[int, None]] = [broken(), numbers(seen, "other")]

    async def main() -> None:
        for generator in held:
            await anext(generator)

    loop = impl.Loop()
    loop.set_exception_handler(lambda loop, context: reports.append(context))
    loop.run(main())
    assert seen == ["other"]
    [report] = reports
    assert report["asyncgen"] is held[0]
    assert report["exception"].args == ("in the end",)


def test_the_hooks_of_others_are_put_back() -> None:
    import sys

    before = sys.get_asyncgen_hooks()
    impl.run(impl.sleep(1))
    assert sys.get_asyncgen_hooks() == before
