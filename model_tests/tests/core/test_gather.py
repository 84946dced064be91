"""gather, wait and as_completed, beyond the vectors: long chains, cancels, callbacks left behind, misuse."""

from typing import Any

import pytest

import impl
from impl import as_completed, gather, shield, sleep, wait

from .conftest import Context, after, cancelled, now


async def through(future: impl.Future[Any]) -> None:
    await future


async def test_a_gather_of_gathers_says_that_it_was_heard() -> None:
    """GATHER-4: a request that only an inner gather received is kept as well."""
    outer = gather(gather(gather(after(9, "never")), after(0, 0)), return_exceptions=True)
    await sleep(1)
    assert outer.cancel("stop") is True
    assert await cancelled(outer) == ("stop",)


async def test_what_is_done_already_gives_its_result_at_once() -> None:
    """GATHER-8, GATHER-1; asyncio takes a loop iteration."""
    future = impl.get_running_loop().create_future()
    future.set_result(1)
    assert gather().result() == []
    both: object = gather(future, future).result()
    assert both == [1, 1]


async def test_a_cancel_is_refused_by_gathers_of_gathers_whose_children_are_all_done() -> None:
    """GATHER-6, bpo-26923; three deep, which no vector is."""
    inner = impl.get_running_loop().create_future()
    outer = gather(gather(gather(inner)))
    inner.set_result("there")
    assert outer.cancel() is False
    assert await outer == [[["there"]]]


async def test_what_children_of_a_resolved_gather_end_with_is_ignored(reports: list[Context]) -> None:
    """The program may resolve the outer future itself, as on asyncio."""
    outer: impl.Future[Any] = gather(after(1, KeyError()), after(2, 0))
    outer.set_result("mine")
    await sleep(3)
    assert (await outer, reports) == ("mine", [])


def test_the_futures_determine_the_loop(loop: impl.Loop) -> None:
    assert gather(loop.create_future()).get_loop() is loop


@pytest.mark.parametrize("by_tasks", [False, True])
async def test_a_cancel_through_5000_gathers(by_tasks: bool) -> None:
    """GATHER-4: forwarding a request is not recursive; asyncio raises a RecursionError here."""
    end = impl.get_running_loop().create_future()
    tasks: list[impl.Task[Any]] = []
    outer: impl.Future[Any] = end
    for _ in range(5000):
        outer = gather(outer)
        if by_tasks:
            outer = impl.create_task(through(outer))
            tasks.append(outer)
    top = impl.create_task(through(outer))
    await sleep(1)
    assert top.cancel("stop") is True
    assert end.cancelled()
    assert {task.cancelling() for task in tasks} <= {1}
    assert await cancelled(top) == ("stop",)


async def test_children_are_asked_in_order_and_depth_first() -> None:
    """GATHER-4: the order is that of a recursion."""
    asked: list[object] = []

    class Noted(impl.Future[None]):
        __slots__ = ()

        def cancel(self, msg: Any = None) -> bool:
            asked.append(self)
            return super().cancel(msg)

    a, b, c, d, e = futures = [Noted() for _ in range(5)]
    outer = gather(gather(a, b), impl.create_task(through(gather(c, d))), e)
    await sleep(0)
    assert outer.cancel()
    assert asked == futures
    await cancelled(outer)


async def test_a_task_that_gathers_itself_can_be_cancelled() -> None:
    """It waits for itself for ever; on asyncio a cancel raises a RecursionError."""

    async def narcissus() -> None:
        await gather(task)

    task = impl.create_task(narcissus())
    await sleep(1)
    assert task.cancel("stop") is True
    await cancelled(task)
    assert task.cancelled()


async def test_a_gather_that_two_tasks_await_is_asked_by_both() -> None:
    """A diamond is not a cycle: the request along the second path counts as another one."""
    child = impl.create_task(after(9, 0))
    shared = gather(child)
    outer = gather(impl.create_task(through(shared)), impl.create_task(through(shared)))
    await sleep(1)
    outer.cancel()
    assert child.cancelling() == 2
    await cancelled(outer)


async def test_a_child_whose_cancel_raises_leaves_nothing_behind() -> None:
    class Broken(impl.Future[None]):
        __slots__ = ("tries",)

        def cancel(self, msg: Any = None) -> bool:
            self.tries = getattr(self, "tries", 0) + 1
            if self.tries == 1:
                raise ValueError("broken")
            return super().cancel(msg)

    broken = Broken()
    outer = gather(impl.create_task(through(gather(broken))))
    await sleep(0)
    with pytest.raises(ValueError, match="broken"):
        outer.cancel()
    assert not broken.cancelled()
    assert outer.cancel() is True
    assert (broken.tries, broken.cancelled()) == (2, True)
    await cancelled(outer)


async def test_no_callback_is_left_behind() -> None:
    """WAIT-5, ASDONE-2, SHIELD-2: by a wait or a shield that is cancelled, or by steps after their time is over."""
    future: impl.Future[None] = impl.Future()

    async def waits() -> None:
        await wait([future])

    async def shields() -> None:
        await shield(future)

    for body in (waits, shields):
        waiter = impl.create_task(body())
        await sleep(1)
        waiter.cancel()
        await cancelled(waiter)
        await sleep(0)
        assert future._waiters() == []
    (step,) = as_completed([future], timeout=1)
    with pytest.raises(TimeoutError):
        await step
    assert future._waiters() == []


async def test_all_steps_may_wait_side_by_side() -> None:
    steps = list(as_completed([after(2, "b"), after(1, "a")]))
    assert await impl.gather(*steps) == ["a", "b"]


async def test_a_result_that_came_in_time_is_given_after_the_timeout() -> None:
    """ASDONE-2; a future that is not done is left alone."""
    late = impl.create_task(after(5, "late"))
    first, *others = as_completed([late, after(1, "a"), after(4, "b")], timeout=3)
    await sleep(3.5)
    assert await first == "a"
    for other in others:
        with pytest.raises(TimeoutError):
            await other
    assert (await late, now()) == ("late", 5)


@pytest.mark.parametrize("woken", [True, False])
async def test_a_cancelled_step_costs_no_result(woken: bool) -> None:
    """ASDONE-3, gh-158004, of steps that are not asynchronous; also when the step has been woken already."""
    first, second = (impl.get_running_loop().create_future() for _ in "ab")
    steps = as_completed([first, second])

    async def step() -> object:
        return await next(steps)

    victim = impl.create_task(step())
    await sleep(0)
    if woken:
        first.set_result("a")
        await sleep(0)
    victim.cancel()
    await cancelled(victim)
    if not woken:
        first.set_result("a")
    second.set_result("b")
    assert (await step(), await step()) == ("a", "b")
    assert await anext(steps, "over") == "over"
    assert next(steps, None) is None
