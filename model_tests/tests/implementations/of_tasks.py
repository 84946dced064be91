"""Programs that show the documentation's sentences about TaskGroup, timeout, Future, Task, and a loop."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from .programs import Program, at_each_turn, cancelled_at, end, turns


async def group_waits(m: Any) -> None:
    ended = []

    async def child(number: int) -> int:
        await turns(number)
        ended.append(number)
        return number

    async with m.TaskGroup() as group:
        tasks = [group.create_task(child(number)) for number in range(3)]
    assert ended == [0, 1, 2]
    assert [task.result() for task in tasks] == [0, 1, 2]


async def group_raises_a_group(m: Any) -> None:
    """The first error cancels the siblings; errors are raised in an ExceptionGroup, and cancels are not in it."""
    cancelled = []

    async def fails() -> None:
        await asyncio.sleep(0)
        raise ValueError("wrong")

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(1)
            raise

    async def group_of_both() -> None:
        async with m.TaskGroup() as group:
            group.create_task(waits())
            group.create_task(fails())

    with pytest.raises(ExceptionGroup) as caught:
        await group_of_both()
    assert [str(error) for error in caught.value.exceptions] == ["wrong"]
    assert cancelled == [1]


@at_each_turn()
async def group_cancels(m: Any, turn: int) -> None:
    """The task that waits for the group is cancelled at each turn: the children end, and no error comes of it."""
    children: list[asyncio.Task[Any]] = []

    async def parent() -> None:
        async with m.TaskGroup() as group:
            children.append(group.create_task(turns(5)))
            children.append(group.create_task(turns(7)))

    task = asyncio.create_task(parent())
    await cancelled_at(turn, task)
    assert task.done()
    assert task.cancelled() or task.exception() is None
    assert all(child.done() for child in children)


async def timeout_expires(m: Any) -> None:
    with pytest.raises(TimeoutError):
        async with m.timeout(0.001):
            await asyncio.Event().wait()


async def timeout_does_not_expire(m: Any) -> None:
    async with m.timeout(60), m.timeout(None):
        await asyncio.sleep(0)
    with pytest.raises(ValueError, match="wrong"):
        async with m.timeout(60):
            raise ValueError("wrong")


async def timeout_lets_a_cancel_through(m: Any) -> None:
    async def user() -> None:
        async with m.timeout(60):
            await asyncio.Event().wait()

    task = asyncio.create_task(user())
    await cancelled_at(3, task)
    assert task.cancelled()


async def future_calls_back_in_order(m: Any) -> None:
    future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    called: list[int] = []

    def callback(number: int) -> Callable[[object], None]:
        return lambda _: called.append(number)

    for number in range(3):
        future.add_done_callback(callback(number))
    assert not future.done()
    future.set_result("x")
    assert called == []
    await turns(2)
    assert called == [0, 1, 2]
    assert await future == "x"
    with pytest.raises(asyncio.InvalidStateError):
        future.set_result("y")


async def future_raises(m: Any) -> None:
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    with pytest.raises(asyncio.InvalidStateError):
        future.result()
    future.set_exception(ValueError("wrong"))
    with pytest.raises(ValueError, match="wrong"):
        await future
    future = loop.create_future()
    assert future.cancel()
    assert not future.cancel()
    with pytest.raises(asyncio.CancelledError):
        await future


@at_each_turn()
async def future_waiters_are_cancelled(m: Any, turn: int) -> None:
    future = asyncio.get_running_loop().create_future()

    async def waiter(future: Any) -> Any:
        await turns(2)
        return await future

    tasks = [asyncio.create_task(waiter(asyncio.shield(future))) for _ in range(2)]
    asyncio.get_running_loop().call_later(0, future.set_result, turn)
    await cancelled_at(turn, tasks[0])
    assert tasks[1].result() == turn
    assert tasks[0].cancelled() or tasks[0].result() == turn
    await end(tasks)


async def task_returns_and_raises(m: Any) -> None:
    async def body(error: Exception | None) -> str:
        await asyncio.sleep(0)
        if error is not None:
            raise error
        return "x"

    task = asyncio.create_task(body(None), name="a name")
    assert task.get_name() == "a name"
    assert await task == "x"
    with pytest.raises(ValueError, match="wrong"):
        await asyncio.create_task(body(ValueError("wrong")))


async def task_cancels(m: Any) -> None:
    async def body() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "caught"
        return "never"

    task = asyncio.create_task(body())
    await cancelled_at(2, task)
    assert task.result() == "caught"
    other = asyncio.create_task(turns(5))
    other.cancel()
    with pytest.raises(asyncio.CancelledError):
        await other
    assert other.cancelled()


async def loop_keeps_the_order(m: Any) -> None:
    loop = asyncio.get_running_loop()
    called: list[object] = []
    timers: list[str] = []
    loop.call_later(0.02, timers.append, "later")
    loop.call_later(0.01, timers.append, "timer")
    for number in range(3):
        loop.call_soon(called.append, number)
    loop.call_soon(called.append, "cancelled").cancel()
    await asyncio.sleep(0.05)
    assert called == [0, 1, 2]
    assert timers == ["timer", "later"]


TASKS: list[Program] = [task_returns_and_raises, task_cancels]
FUTURES: list[Program] = [future_calls_back_in_order, future_raises, future_waiters_are_cancelled]
GROUPS: list[Program] = [group_waits, group_raises_a_group, group_cancels]
TIMEOUTS: list[Program] = [timeout_expires, timeout_does_not_expire, timeout_lets_a_cancel_through]
PROGRAMS: dict[str, list[Program]] = {
    "TaskGroup": GROUPS,
    "timeout": TIMEOUTS,
    "Future": FUTURES,
    "Task": TASKS,
    "new_event_loop": [loop_keeps_the_order, *TASKS, *FUTURES],
}
