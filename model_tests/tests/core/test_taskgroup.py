"""TaskGroup: each rule by itself, exactly."""

# ruff: noqa: PT012  (what raises is the block of the group, so there is more than one statement in it)

from __future__ import annotations

from contextvars import ContextVar, copy_context
from typing import Any

import pytest

import impl
from impl import CancelledError, TaskGroup, sleep


@pytest.fixture
def loop() -> impl.Loop:
    return impl.Loop()


async def after(seconds: float, result: object = None) -> Any:
    await sleep(seconds)
    if isinstance(result, BaseException):
        raise result
    return result


def now() -> float:
    time: float = impl.get_running_loop().time()
    return time


def me() -> impl.Task[Any]:
    task = impl.current_task()
    assert task is not None
    return task


# --- the rules -----------------------------------------------------------------------------------------------


def test_the_block_ends_when_all_tasks_have(loop: impl.Loop) -> None:
    """GROUP-1; also those that a task of the group adds while the block ends."""

    async def main() -> None:
        async with TaskGroup() as group:

            async def adds() -> str:
                await sleep(1)
                group.create_task(after(4))
                return "added"

            task = group.create_task(adds())
            group.create_task(after(2))
            assert now() == 0
        assert (now(), task.result(), me().cancelling()) == (5, "added", 0)

    loop.run(main())


def test_the_first_failure_cancels_the_others_and_the_body(loop: impl.Loop) -> None:
    """GROUP-2; a failure on the way out joins the group."""

    async def cleans_up_badly() -> None:
        try:
            await sleep(9)
        finally:
            raise ValueError("late")

    async def main() -> None:
        went_on = False
        with pytest.raises(ExceptionGroup) as caught:
            async with TaskGroup() as group:
                other = group.create_task(after(9))
                group.create_task(after(1, KeyError("first")))
                group.create_task(cleans_up_badly())
                await sleep(5)
                went_on = True
        assert [repr(error) for error in caught.value.exceptions] == [
            "KeyError('first')",
            "ValueError('late')",
        ]
        assert (now(), went_on, other.cancelled(), me().cancelling()) == (1, False, True, 0)

    loop.run(main())


def test_tasks_are_cancelled_in_order_of_creation(loop: impl.Loop) -> None:
    """Determinism: asyncio cancels them in the order of a set."""
    order: list[int] = []

    async def child(number: int) -> None:
        try:
            await sleep(9)
        finally:
            order.append(number)

    async def main() -> None:
        with pytest.raises(ExceptionGroup):
            async with TaskGroup() as group:
                for number in range(20):
                    group.create_task(child(number))
                await sleep(1)
                raise KeyError

    loop.run(main())
    assert order == list(range(20))


def test_a_cancelled_child_is_no_failure(loop: impl.Loop) -> None:
    """GROUP-3."""

    async def main() -> None:
        async with TaskGroup() as group:
            victim, other = group.create_task(after(9)), group.create_task(after(3, "other"))
            await sleep(1)
            victim.cancel()
        assert (victim.cancelled(), other.result(), now()) == (True, "other", 3)

    loop.run(main())


@pytest.mark.parametrize("in_body", [True, False])
def test_a_cancel_from_outside_cancels_the_children_and_goes_on(loop: impl.Loop, in_body: bool) -> None:
    """GROUP-4."""
    children: list[impl.Task[Any]] = []

    async def victim() -> None:
        async with TaskGroup() as group:
            children.append(group.create_task(after(9)))
            if in_body:
                await sleep(5)

    async def main() -> None:
        task = impl.create_task(victim())
        await sleep(1)
        task.cancel("stop")
        with pytest.raises(CancelledError) as caught:
            await task
        assert caught.value.args == ("stop",)
        assert (task.cancelled(), children[0].cancelled(), now()) == (True, True, 1)

    loop.run(main())


def test_a_cancel_from_outside_and_a_failure_are_both_kept(loop: impl.Loop) -> None:
    """GROUP-5, gh-116720: the failures are raised, and the request strikes at the next await."""
    caught: list[object] = []

    async def victim() -> None:
        try:
            async with TaskGroup() as group:
                group.create_task(after(1, KeyError()))
                await sleep(1)
                me().cancel()  # in the iteration in which the child failed, before the group reacts
                await sleep(5)
        except* KeyError as error:
            caught.extend([len(error.exceptions), me().cancelling()])
        await sleep(0)
        caught.append("went on")

    async def main() -> None:
        task = impl.create_task(victim())
        with pytest.raises(CancelledError):
            await task
        assert caught == [1, 1]

    loop.run(main())


@pytest.mark.parametrize("body_fails", [True, False])
def test_the_bodys_own_error_is_in_the_group(loop: impl.Loop, body_fails: bool) -> None:
    """GROUP-6; and GROUP-9, gh-95289: also if it replaces the group's own cancel."""

    async def main() -> None:
        with pytest.raises(ExceptionGroup) as caught:
            async with TaskGroup() as group:
                child = group.create_task(after(1, KeyError()) if not body_fails else after(9))
                try:
                    await sleep(1 if body_fails else 5)
                except CancelledError:
                    raise ValueError("instead") from None
                raise ValueError("body")
        texts = [str(error) for error in caught.value.exceptions]
        assert texts == (["body"] if body_fails else ["", "instead"])
        assert (child.cancelled(), me().cancelling(), now()) == (body_fails, 0, 1)
        await sleep(0)

    loop.run(main())


def test_an_inactive_group_takes_no_task(loop: impl.Loop) -> None:
    """GROUP-7, gh-115957: a refused coroutine is closed, so there is no warning that it was never awaited."""

    async def main() -> None:
        group = TaskGroup()
        with pytest.raises(RuntimeError, match="not been entered"):
            group.create_task(after(1))
        async with group:
            pass
        with pytest.raises(RuntimeError, match="finished"):
            group.create_task(after(1))
        with pytest.raises(RuntimeError, match="already been entered"):
            async with group:
                pass

        async def adds(group: TaskGroup) -> None:
            try:
                await sleep(9)
            finally:
                with pytest.raises(RuntimeError, match="shutting down"):
                    group.create_task(after(1))

        with pytest.raises(ExceptionGroup):
            async with TaskGroup() as failing:
                failing.create_task(adds(failing))
                await sleep(0)
                raise KeyError

    loop.run(main())


def test_a_group_needs_a_task(loop: impl.Loop) -> None:
    def callback() -> None:
        with pytest.raises(RuntimeError, match="parent task"):
            TaskGroup().__aenter__().send(None)
        loop.stop()

    loop.call_soon(callback)
    loop.run_forever()


@pytest.mark.parametrize("fatal", [KeyboardInterrupt, SystemExit])
def test_a_fatal_error_of_the_body_comes_out_itself(loop: impl.Loop, fatal: type[BaseException]) -> None:
    """GROUP-8, after the tasks have ended."""
    ended: list[float] = []

    async def child() -> None:
        try:
            await sleep(9)
        finally:
            await sleep(1)
            ended.append(now())

    async def main() -> None:
        with pytest.raises(fatal):
            async with TaskGroup() as group:
                group.create_task(child())
                await sleep(1)
                raise fatal
        assert ended == [2]

    loop.run(main())


@pytest.mark.parametrize("fatal", [KeyboardInterrupt, SystemExit])
def test_a_fatal_error_of_a_task_ends_the_loop_and_the_group(
    loop: impl.Loop, fatal: type[BaseException]
) -> None:
    """GROUP-8, TASK-13, GROUP-9."""
    seen: list[object] = []

    async def main() -> None:
        try:
            async with TaskGroup() as group:
                group.create_task(after(1, fatal()))
                await sleep(9)
        except fatal:
            seen.append(me().cancelling())
            raise

    task = loop.create_task(main())
    for _ in range(2):  # the task itself ends the loop, and then the group does
        with pytest.raises(fatal):
            loop.run_until_complete(task)
    assert seen == [0]
    loop.close()


def test_a_swallowed_cancel_of_before_is_not_the_groups(loop: impl.Loop) -> None:
    """GROUP-9: cancelling() is unchanged."""

    async def victim() -> int:
        try:
            await sleep(9)
        except CancelledError:
            pass
        async with TaskGroup() as group:
            group.create_task(after(1))
        return me().cancelling()

    async def main() -> None:
        task = impl.create_task(victim())
        await sleep(1)
        task.cancel()
        assert await task == 1

    loop.run(main())


def test_names_and_contexts_are_handed_on(loop: impl.Loop) -> None:
    number: ContextVar[int] = ContextVar("number")

    async def reads() -> tuple[str, int]:
        return me().get_name(), number.get()

    async def main() -> None:
        context = copy_context()
        context.run(number.set, 7)
        async with TaskGroup() as group:
            task = group.create_task(reads(), name="reader", context=context)
        assert task.result() == ("reader", 7)

    loop.run(main())


def test_an_eager_failure_does_not_cancel_the_turn_that_makes_it() -> None:
    """gh-128550: the body is cancelled at its next await."""
    loop = impl.Loop(eager=True)
    reached: list[str] = []

    async def fails() -> None:
        raise KeyError

    async def main() -> None:
        with pytest.raises(ExceptionGroup):
            async with TaskGroup() as group:
                group.create_task(fails())
                group.create_task(after(9))
                reached.append("second")
                await sleep(1)
                reached.append("never")

    loop.run(main())
    assert reached == ["second"]


def test_what_it_shows(loop: impl.Loop) -> None:
    async def main() -> None:
        group = TaskGroup()
        assert repr(group) == "<TaskGroup>"
        async with group:
            group.create_task(after(1))
            assert repr(group) == "<TaskGroup tasks=1 entered>"

    loop.run(main())


def test_a_timeout_shows_in_the_history_of_each_error(loop: impl.Loop) -> None:
    async def fails() -> None:
        try:
            await sleep(9)
        finally:
            raise KeyError

    async def main() -> None:
        with pytest.raises(ExceptionGroup) as caught:
            async with impl.timeout(1), TaskGroup() as group:
                group.create_task(fails())
        (error,) = caught.value.exceptions
        assert isinstance(error.__context__, TimeoutError)

    loop.run(main())
