"""gather: each rule by itself, exactly."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

import impl
from impl import CancelledError, gather, sleep

# `Any` in this file: results of any type, and messages as in Future.cancel.


@pytest.fixture
def loop() -> impl.Loop:
    return impl.Loop()


async def after(seconds: float, result: object) -> Any:
    await sleep(seconds)
    if isinstance(result, BaseException):
        raise result
    return result


def now() -> float:
    time: float = impl.get_running_loop().time()
    return time


# --- the rules -----------------------------------------------------------------------------------------------


def test_results_come_in_the_order_of_the_arguments(loop: impl.Loop) -> None:
    """GATHER-1."""

    async def main() -> None:
        assert await gather(after(3, "a"), after(1, "b"), after(2, "c")) == ["a", "b", "c"]
        assert now() == 3

    loop.run(main())


def test_the_first_exception_is_raised_at_once_and_the_others_go_on(loop: impl.Loop) -> None:
    """GATHER-2, GATHER-9: the other children are not cancelled, neither by the failure nor by a cancel after it."""

    async def main() -> None:
        slow = impl.create_task(after(3, "slow"))
        late = impl.create_task(after(2, ValueError("too late")))
        outer = gather(slow, after(1, KeyError("first")), late)
        with pytest.raises(KeyError, match="first"):
            await outer
        assert now() == 1
        assert outer.cancel() is False
        assert (await slow, now()) == ("slow", 3)
        assert isinstance(late.exception(), ValueError)

    loop.run(main())


def test_exceptions_can_be_results(loop: impl.Loop) -> None:
    """GATHER-3; a cancelled child's, too."""

    async def main() -> None:
        victim = impl.create_task(after(9, "never"))
        outer = gather(after(1, KeyError("k")), victim, after(2, "b"), return_exceptions=True)
        await sleep(1)
        victim.cancel("why")
        error, cancelled, result = await outer
        assert (repr(error), result, now()) == ("KeyError('k')", "b", 2)
        assert isinstance(cancelled, CancelledError)
        assert cancelled.args == ("why",)

    loop.run(main())


def test_a_cancel_goes_to_each_child_that_is_not_done(loop: impl.Loop) -> None:
    """GATHER-4; and the outer is pending until all have ended."""

    async def main() -> None:
        done, first, second = (impl.create_task(after(n, n)) for n in (1, 5, 5))
        outer = gather(done, first, second)
        await sleep(2)
        assert outer.cancel("stop") is True
        assert [task.cancelling() for task in (done, first, second)] == [0, 1, 1]
        assert not outer.done()
        with pytest.raises(CancelledError) as caught:
            await outer
        assert caught.value.args == ("stop",)
        assert (first.cancelled(), second.cancelled(), now()) == (True, True, 2)

    loop.run(main())


@pytest.mark.parametrize("return_exceptions", [False, True])
def test_a_request_is_kept_though_all_children_swallow_it(loop: impl.Loop, return_exceptions: bool) -> None:
    """GATHER-4, bpo-32684."""

    async def deaf() -> str:
        try:
            await sleep(9)
        except CancelledError:
            return "deaf"
        return "in time"

    async def main() -> None:
        outer = gather(deaf(), deaf(), return_exceptions=return_exceptions)
        await sleep(1)
        outer.cancel("stop")
        with pytest.raises(CancelledError) as caught:
            await outer
        assert caught.value.args == ("stop",)

    loop.run(main())


def test_a_gather_of_gathers_says_that_it_was_heard(loop: impl.Loop) -> None:
    """GATHER-4: a request that only an inner gather received is kept as well."""

    async def main() -> None:
        outer = gather(gather(gather(after(9, "never")), after(0, 0)), return_exceptions=True)
        await sleep(1)
        assert outer.cancel("stop") is True
        with pytest.raises(CancelledError) as caught:
            await outer
        assert caught.value.args == ("stop",)

    loop.run(main())


def test_a_cancelled_child_is_an_error_of_the_gather_not_its_cancel(loop: impl.Loop) -> None:
    """GATHER-5."""

    async def main() -> None:
        victim, other = impl.create_task(after(9, 0)), impl.create_task(after(3, "other"))
        outer = gather(victim, other)
        await sleep(1)
        victim.cancel("why")
        with pytest.raises(CancelledError) as caught:
            await outer
        assert caught.value.args == ("why",)
        assert (outer.done(), outer.cancelled()) == (True, False)
        assert (await other, other.cancelling()) == ("other", 0)

    loop.run(main())


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_cancel_is_refused_once_all_children_are_done(loop: impl.Loop, depth: int) -> None:
    """GATHER-6, bpo-26923: also by a gather of gathers; the request then cancels the caller's own task instead."""

    async def main() -> None:
        inner = impl.get_running_loop().create_future()
        outer: impl.Future[Any] = inner
        for _ in range(depth):
            outer = gather(outer)
        inner.set_result("there")
        assert not outer.done()
        assert outer.cancel() is False
        result = await outer
        for _ in range(depth):
            (result,) = result
        assert result == "there"

    loop.run(main())


def test_the_same_awaitable_twice_is_awaited_once(loop: impl.Loop) -> None:
    """GATHER-7."""
    began: list[str] = []

    async def once() -> object:
        began.append("once")
        await sleep(1)
        return object()

    async def main() -> None:
        coro = once()
        first, other, second = await gather(coro, after(0, 0), coro)
        assert first is second
        assert (began, other) == (["once"], 0)

    loop.run(main())


def test_nothing_gives_nothing_at_once(loop: impl.Loop) -> None:
    """GATHER-8."""

    async def main() -> None:
        outer = gather()
        assert (outer.done(), await outer) == (True, [])

    loop.run(main())


def test_what_is_done_already_gives_its_result_at_once(loop: impl.Loop) -> None:
    async def main() -> None:
        future = impl.get_running_loop().create_future()
        future.set_result(1)
        outer = gather(future, future)
        assert (outer.done(), outer.result()) == (True, [1, 1])

    loop.run(main())


def test_an_error_that_came_too_late_is_not_reported(loop: impl.Loop) -> None:
    """FUT-9: gather has retrieved it."""
    reports: list[Any] = []
    loop.set_exception_handler(lambda _, what: reports.append(what))

    async def main() -> None:
        with pytest.raises(KeyError):
            await gather(after(1, KeyError()), after(2, ValueError()))
        await sleep(5)

    loop.run(main())
    assert reports == []


def test_misuse(loop: impl.Loop) -> None:
    future, elsewhere = loop.create_future(), impl.Loop().create_future()
    with pytest.raises(ValueError, match="different loop"):
        gather(future, elsewhere)
    with pytest.raises(TypeError, match="required"):
        gather(future, 42)
    with pytest.raises(RuntimeError, match="no running event loop"):
        gather()
    assert gather(future).get_loop() is loop  # the futures determine the loop


# --- many ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by_tasks", [False, True])
def test_a_cancel_through_5000_gathers(loop: impl.Loop, by_tasks: bool) -> None:
    """GATHER-4: forwarding a request is not recursive; asyncio raises a RecursionError here."""

    async def main() -> None:
        end = impl.get_running_loop().create_future()
        tasks: list[impl.Task[Any]] = []

        async def link(future: impl.Future[Any]) -> None:
            await future

        outer: impl.Future[Any] = end
        for _ in range(5000):
            outer = gather(outer)
            if by_tasks:
                outer = impl.create_task(link(outer))
                tasks.append(outer)
        top = impl.create_task(link(outer))
        await sleep(1)
        assert top.cancel("stop") is True
        assert end.cancelled()
        assert {task.cancelling() for task in tasks} <= {1}
        with pytest.raises(CancelledError) as caught:
            await top
        assert caught.value.args == ("stop",)

    loop.run(main())


def test_children_are_asked_in_order_and_depth_first(loop: impl.Loop) -> None:
    """GATHER-4: the order is that of a recursion."""
    asked: list[str] = []

    class Named(impl.Future[None]):
        __slots__ = ("name",)

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

        def cancel(self, msg: Any = None) -> bool:
            asked.append(self.name)
            return super().cancel(msg)

    async def through(future: impl.Future[Any]) -> None:
        await future

    async def main() -> None:
        a, b, c, d, e = (Named(name) for name in "abcde")
        outer = gather(gather(a, b), impl.create_task(through(gather(c, d))), e)
        await sleep(0)
        assert outer.cancel()
        assert asked == ["a", "b", "c", "d", "e"]
        with pytest.raises(CancelledError):
            await outer

    loop.run(main())


def test_a_task_that_gathers_itself_can_be_cancelled(loop: impl.Loop) -> None:
    """It waits for itself for ever; on asyncio a cancel raises a RecursionError."""

    async def main() -> None:
        async def narcissus() -> None:
            await gather(task)

        task = impl.create_task(narcissus())
        await sleep(1)
        assert task.cancel("stop") is True
        with pytest.raises(CancelledError):
            await task
        assert task.cancelled()

    loop.run(main())


def test_a_gather_that_two_tasks_await_is_asked_by_both(loop: impl.Loop) -> None:
    """A diamond is not a cycle: the request along the second path counts as another one."""

    async def through(future: impl.Future[Any]) -> None:
        await future

    async def main() -> None:
        child = impl.create_task(after(9, 0))
        shared = gather(child)
        outer = gather(impl.create_task(through(shared)), impl.create_task(through(shared)))
        await sleep(1)
        outer.cancel()
        assert child.cancelling() == 2
        with pytest.raises(CancelledError):
            await outer

    loop.run(main())


def test_a_child_whose_cancel_raises_leaves_nothing_behind(loop: impl.Loop) -> None:
    class Broken(impl.Future[None]):
        __slots__ = ("tries",)

        def cancel(self, msg: Any = None) -> bool:
            self.tries = getattr(self, "tries", 0) + 1
            if self.tries == 1:
                raise ValueError("broken")
            return super().cancel(msg)

    async def through(future: impl.Future[Any]) -> None:
        await future

    async def main() -> None:
        broken = Broken()
        inner = gather(broken)
        outer = gather(impl.create_task(through(inner)))
        await sleep(0)
        with pytest.raises(ValueError, match="broken"):
            outer.cancel()
        assert not broken.cancelled()
        assert outer.cancel() is True
        assert (broken.tries, broken.cancelled()) == (2, True)
        with pytest.raises(CancelledError):
            await outer

    loop.run(main())


class Later:
    """Any awaitable."""

    def __init__(self, result: object) -> None:
        self.result = result

    def __await__(self) -> Generator[Any, Any, object]:
        yield from sleep(1).__await__()
        return self.result


def test_awaitables_and_generators_of_the_chapter_are_gathered(loop: impl.Loop) -> None:
    """ENSURE-1."""

    def chapter() -> Generator[Any, Any, str]:
        yield from impl.get_running_loop().alarm(1)
        return "chapter"

    async def main() -> list[Any]:
        return await gather(Later("later"), chapter(), impl.create_task(after(0, "task")))

    assert loop.run(main()) == ["later", "chapter", "task"]
