"""TaskGroup, beyond the vectors: order, messages, fatal errors of tasks, eager tasks, misuse, repr."""

# ruff: noqa: PT012  (the block of the group raises, so there is more than one statement in it)

from __future__ import annotations

import gc

import pytest

import impl
from impl import TaskGroup, sleep

from .conftest import Context, after, cancelled, cleans_up, fails


async def test_tasks_are_cancelled_in_order_of_creation() -> None:
    """Determinism: asyncio cancels them in the order of a set."""
    order: list[int] = []
    with pytest.raises(ExceptionGroup):
        async with TaskGroup() as group:
            for number in range(20):
                group.create_task(cleans_up(order, number))
            await sleep(1)
            raise KeyError
    assert order == list(range(20))


@pytest.mark.parametrize("seconds", [5, 0])
async def test_the_message_of_a_cancel_from_outside_goes_through(seconds: int) -> None:
    """GROUP-4, CANCEL-10: in the body, or while the group ends."""

    async def victim() -> None:
        async with TaskGroup() as group:
            group.create_task(after(9))
            await sleep(seconds)

    task = impl.create_task(victim())
    await sleep(1)
    task.cancel("stop")
    assert await cancelled(task) == ("stop",)


async def test_an_inactive_group_takes_no_task() -> None:
    """GROUP-7, gh-115957: a refused coroutine is closed, so there is no warning that it was never awaited."""
    group = TaskGroup()
    assert repr(group) == "<TaskGroup>"
    with pytest.raises(RuntimeError, match="not been entered"):
        group.create_task(after(1))
    async with group:
        group.create_task(after(1))
        assert repr(group) == "<TaskGroup tasks=1 entered>"
    with pytest.raises(RuntimeError, match="finished"):
        group.create_task(after(1))
    with pytest.raises(RuntimeError, match="already been entered"):
        await group.__aenter__()
    with pytest.raises(ExceptionGroup):
        async with TaskGroup() as failing:
            failing.create_task(fails(KeyError()))
            try:
                await sleep(9)
            finally:
                with pytest.raises(RuntimeError, match="shutting down"):
                    failing.create_task(after(1))


async def test_a_group_needs_a_task(loop: impl.Loop, reports: list[Context]) -> None:
    loop.call_soon(lambda: TaskGroup().__aenter__().send(None))
    await sleep(0)
    [report] = reports
    assert "parent task" in str(report["exception"])


@pytest.mark.parametrize("fatal", [KeyboardInterrupt, SystemExit])
def test_a_fatal_error_of_a_task_ends_the_loop_and_the_group(loop: impl.Loop, fatal: type[BaseException]) -> None:
    """GROUP-8, TASK-13, GROUP-9."""
    seen: list[object] = []

    async def main() -> None:
        try:
            async with TaskGroup() as group:
                group.create_task(after(1, fatal()))
                await sleep(9)
        except fatal:
            seen.append(impl.current_task().cancelling())  # type: ignore[union-attr]  # one runs
            raise

    task = loop.create_task(main())
    for _ in range(2):  # the task itself ends the loop, and then the group does
        with pytest.raises(fatal):
            loop.run_until_complete(task)
    assert seen == [0]
    loop.close()


async def test_a_failure_after_the_end_of_the_parent_is_reported(reports: list[Context]) -> None:
    """There is no task left to cancel, or to raise the group in."""

    async def never_exits() -> impl.Task[str]:
        group = await TaskGroup().__aenter__()
        group.create_task(after(1, KeyError()), name="late")
        other: impl.Task[str] = group.create_task(after(2, "continues"))
        return other

    other = await impl.create_task(never_exits())
    assert await other == "continues"
    [report] = reports
    assert "late" in report["message"]
    assert report["message"].endswith("has failed after its group was over")


def test_an_eager_failure_does_not_cancel_the_turn_that_makes_it() -> None:
    """gh-128550: the body is cancelled at its next await."""
    reached: list[str] = []

    async def main() -> None:
        async with TaskGroup() as group:
            group.create_task(fails(KeyError()))
            group.create_task(after(9))
            reached.append("second")
            await sleep(1)
            reached.append("never")

    with pytest.raises(ExceptionGroup):
        impl.Loop(eager=True).run(main())
    assert reached == ["second"]


async def test_a_timeout_shows_in_the_history_of_each_error() -> None:
    async def fails() -> None:
        try:
            await sleep(9)
        finally:
            raise KeyError

    with pytest.raises(ExceptionGroup) as caught:
        async with impl.timeout(1), TaskGroup() as group:
            group.create_task(fails())
    (error,) = caught.value.exceptions
    assert isinstance(error.__context__, TimeoutError)


async def test_a_group_that_is_over_holds_neither_its_parent_nor_a_fatal_error() -> None:
    """The error's traceback holds the group."""
    group = TaskGroup()
    with pytest.raises(KeyboardInterrupt):
        async with group:
            raise KeyboardInterrupt
    assert not [each for each in gc.get_referents(group) if isinstance(each, BaseException | impl.Task)]


def test_an_eager_task_that_cancels_its_group_is_cancelled_too() -> None:
    """GROUP-12, gh-155418: it is not yet a task of the group when it does so."""
    seen: list[str] = []

    async def cancels(group: TaskGroup) -> None:
        group.cancel()
        seen.append("first step")
        await sleep(9)
        seen.append("never")

    async def main() -> None:
        async with TaskGroup() as group:
            task = group.create_task(cancels(group))
            seen.append("body")
        assert task.cancelled()

    impl.Loop(eager=True).run(main())
    assert seen == ["first step", "body"]


@pytest.mark.parametrize("eager", [False, True])
@pytest.mark.parametrize("failing", [False, True])
def test_the_first_of_several_ends_a_group(eager: bool, failing: bool) -> None:
    """GROUP-10, GROUP-12: a race; an error of a loser is raised."""
    loop = impl.Loop(eager=eager)
    errors: list[object] = []

    async def racer(group: TaskGroup, delay: float) -> None:
        try:
            await sleep(delay)
            group.cancel()
        finally:
            if failing and delay > 1:
                raise KeyError(delay)

    async def main() -> None:
        try:
            async with TaskGroup() as group:
                for delay in (3, 1, 2):
                    group.create_task(racer(group, delay))
        except* KeyError as raised:
            errors.extend(error.args[0] for error in raised.exceptions)
        await sleep(1)  # no request is left
        assert impl.current_task().cancelling() == 0  # type: ignore[union-attr]  # one runs

    loop.run(main())
    assert (loop.time(), errors) == (2, [3, 2] if failing else [])


async def test_a_group_without_its_parent_cancels_its_tasks() -> None:
    """Its coroutine was thrown away while it waited."""
    group = TaskGroup()
    block = group.__aenter__()
    with pytest.raises(StopIteration):
        block.send(None)
    task = group.create_task(after(9))
    leaving = group.__aexit__(None, None, None)
    leaving.send(None)
    leaving.close()
    group.cancel()
    await sleep(0)
    assert task.cancelled()
