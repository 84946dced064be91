"""Facts about gather, shield, ensure_future and TaskGroup: accepted and refused arguments."""

from __future__ import annotations

import gc
from typing import Any

from .fact import asyncio, fact


@fact("GATHER-8", "GATHER-7", "gather")
async def gather_of_little() -> None:
    """gather() of nothing is [], of one thing a list of one, and of a thing twice its result twice."""
    assert await asyncio.gather() == []
    assert await asyncio.gather(asyncio.sleep(0, 1)) == [1]
    coroutine = asyncio.sleep(0, 2)
    assert await asyncio.gather(coroutine, coroutine) == [2, 2]
    future = asyncio.get_running_loop().create_future()
    future.set_result(None)
    assert await asyncio.gather(future, asyncio.sleep(0.01, 3), future, return_exceptions=True) == [
        None,
        3,
        None,
    ]


@fact("GATHER-1", "ENSURE-1", "gather", "shield", "ensure_future", "wait_for")
async def not_awaitable() -> None:
    """gather, shield, ensure_future and wait_for refuse an object that cannot be awaited, with TypeError."""
    for wrong in (5, None, "text", asyncio.sleep):
        for call in (asyncio.gather, asyncio.shield, asyncio.ensure_future):
            try:
                call(wrong)
            except TypeError:
                continue
            raise AssertionError(f"{wrong} was accepted")
        try:
            await asyncio.wait_for(wrong, 1)
        except TypeError:
            continue
        raise AssertionError(f"{wrong} was accepted")


@fact("GATHER-1", "ENSURE-1", "gather", "shield", "wait_for")
async def lists_are_not_awaitable() -> None:
    """A list of coroutines is refused with TypeError, and so is a coroutine function."""
    coroutine = asyncio.sleep(0)
    for wrong in ([coroutine], (coroutine,), {coroutine}, asyncio.sleep):
        try:
            asyncio.gather(wrong)
        except TypeError:
            continue
        raise AssertionError("it was accepted")
    coroutine.close()


@fact("GATHER-1", "WAITFOR-1", "ASDONE-1", "gather", "wait_for", "as_completed", "shield", "ensure_future")
async def kinds_of_awaitables() -> None:
    """Coroutines, tasks, futures that are done and others, and other awaitables are awaited alike."""
    loop = asyncio.get_running_loop()

    class Awaitable:
        def __await__(self) -> Any:
            return asyncio.sleep(0.01, 5).__await__()

    def some() -> list[Any]:
        done, later = loop.create_future(), loop.create_future()
        done.set_result(5)
        loop.call_later(0.01, later.set_result, 5)
        return [asyncio.sleep(0, 5), asyncio.create_task(asyncio.sleep(0.01, 5)), done, later, Awaitable()]

    assert await asyncio.gather(*some()) == [5] * 5
    assert [await asyncio.wait_for(each, 1) for each in some()] == [5] * 5
    assert [await asyncio.wait_for(each, None) for each in some()] == [5] * 5
    assert [await step for step in asyncio.as_completed(some())] == [5] * 5
    assert [await asyncio.shield(each) for each in some()] == [5] * 5
    assert [await asyncio.ensure_future(each) for each in some()] == [5] * 5


@fact("ENSURE-1", "ensure_future")
async def ensured() -> None:
    """ensure_future() returns a future or a task itself, and makes a task of any other awaitable."""

    class Awaitable:
        def __await__(self) -> Any:
            return asyncio.sleep(0.01, 5).__await__()

    future = asyncio.get_running_loop().create_future()
    task = asyncio.ensure_future(asyncio.sleep(0, 1))
    made = asyncio.ensure_future(Awaitable())
    assert asyncio.ensure_future(future) is future
    assert asyncio.ensure_future(task) is task
    assert asyncio.isfuture(task)
    assert asyncio.isfuture(made)
    assert (await task, await made) == (1, 5)


@fact("SHIELD-1", "shield")
async def shield_of_what_is_done() -> None:
    """A shield of a future that is done has its outcome; a shield is never the inner future of one that waits."""
    loop = asyncio.get_running_loop()
    waits, done, failed = (loop.create_future() for _ in range(3))
    done.set_result(5)
    failed.set_exception(KeyError(1))
    assert await asyncio.shield(done) == 5
    try:
        await asyncio.shield(failed)
    except KeyError:
        pass
    outer = asyncio.shield(waits)
    assert outer is not waits
    outer.cancel()
    await asyncio.sleep(0)
    waits.set_result(7)
    assert await waits == 7
    assert outer.cancelled()


@fact("SHIELD-2", "SHIELD-1", "shield")
async def shields_protect() -> None:
    """A shield protects a coroutine, a task, a future and another awaitable alike."""
    ended = []

    async def work(number: int) -> None:
        await asyncio.sleep(0.01)
        ended.append(number)

    class Awaitable:
        def __await__(self) -> Any:
            return work(2).__await__()

    for inner in (work(0), asyncio.create_task(work(1)), Awaitable()):
        outer = asyncio.shield(inner)
        await asyncio.sleep(0)
        outer.cancel()
    await asyncio.sleep(0.05)
    assert sorted(ended) == [0, 1, 2]
    assert outer.cancelled()


@fact("GROUP-1", "TaskGroup")
async def group_itself() -> None:
    """The with block of a TaskGroup gets the group; create_task() returns a task with the result."""
    group = asyncio.TaskGroup()
    async with group as entered:
        assert entered is group
        task = group.create_task(asyncio.sleep(0.01, 5))
    assert task.result() == 5


@fact("GATHER-2", "gather", documented=False)
async def failed_before_the_call() -> None:
    """gather() of a future that has failed returns a future, which raises the error when it is awaited."""
    failed = asyncio.get_running_loop().create_future()
    failed.set_exception(KeyError(1))
    outer = asyncio.gather(failed)
    try:
        await outer
    except KeyError:
        return
    raise AssertionError("it raised nothing")


@fact("GROUP-7", "TaskGroup")
async def group_states() -> None:
    """A TaskGroup is entered once, and takes tasks only while it is active."""
    group = asyncio.TaskGroup()

    async def refused() -> bool:
        coroutine = asyncio.sleep(0)
        try:
            group.create_task(coroutine)
        except RuntimeError:
            coroutine.close()
            return True
        return False

    assert await refused()
    async with group:
        assert not await refused()
        try:
            await group.__aenter__()
        except RuntimeError:
            pass
        else:
            raise AssertionError("it was entered twice")
    assert await refused()


@fact("LOOP-3", "FUT-9", "gather", "shield", "wait", "as_completed", "TaskGroup")
async def late_errors() -> None:
    """A failure after gather, wait, as_completed or a TaskGroup have returned is not reported by them as lost."""
    loop = asyncio.get_running_loop()
    reports: list[Any] = []
    loop.set_exception_handler(lambda loop, context: reports.append(context))

    async def fails(delay: float) -> None:
        try:
            await asyncio.sleep(delay)
        finally:
            raise KeyError(delay)

    try:
        await asyncio.gather(fails(0.01), fails(0.02))
    except KeyError as error:
        assert error.args == (0.01,)
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(fails(0.01))
            group.create_task(fails(0.02))
    except ExceptionGroup as group_error:
        assert len(group_error.exceptions) == 2
    await asyncio.sleep(0.05)
    gc.collect()
    assert reports == []


@fact("GATHER-1", "gather")
async def gather_of_one_name() -> None:
    """gather() gives the results of all tasks, also of those that have one name."""

    async def gives(value: int) -> int:
        return value

    tasks = [asyncio.create_task(gives(value), name="a") for value in range(2)]
    assert await asyncio.gather(*tasks) == [0, 1]
