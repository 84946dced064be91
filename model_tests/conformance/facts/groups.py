"""Facts about TaskGroup.cancel(), and about the end of a group in an asynchronous generator."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from .fact import asyncio, fact


@fact("GROUP-10", "GROUP-11", "TaskGroup", since=(3, 15))
async def cancelled_groups() -> None:
    """A cancelled TaskGroup ends at once, without an error, with cancelling() as before, wherever it is cancelled."""
    me, loop = asyncio.current_task(), asyncio.get_running_loop()

    async def block(group: Any, cancels: Any) -> None:
        async with group:
            cancels(group)
            await asyncio.sleep(5)

    def later(group: Any) -> None:
        loop.call_later(0.01, group.cancel)

    def by_a_task(group: Any) -> None:
        async def cancels() -> None:
            group.cancel()

        group.create_task(cancels())

    began = loop.time()
    for cancels in (lambda group: group.cancel(), later, by_a_task):
        await block(asyncio.TaskGroup(), cancels)
        assert me.cancelling() == 0
    early = asyncio.TaskGroup()
    early.cancel()
    await block(early, lambda group: None)
    early.cancel()
    assert me.cancelling() == 0
    async with asyncio.TaskGroup() as outer:
        await block(asyncio.TaskGroup(), lambda group: group.cancel())
        assert me.cancelling() == 0
        await block(asyncio.TaskGroup(), lambda group: outer.cancel())
        raise AssertionError("the outer group was cancelled")
    assert me.cancelling() == 0
    await asyncio.sleep(0)
    assert loop.time() < began + 1


@fact("GROUP-12", "TaskGroup", since=(3, 15))
async def cancel_of_each_task() -> None:
    """cancel() of a TaskGroup cancels each of its tasks, also one that calls it while it starts eagerly."""
    loop = asyncio.get_running_loop()
    before = loop.get_task_factory()

    async def waits() -> None:
        await asyncio.sleep(5)

    async def stops(group: Any) -> None:
        group.cancel()
        await asyncio.sleep(5)

    for factory in (before, asyncio.eager_task_factory):
        async with asyncio.TaskGroup() as group:
            loop.set_task_factory(factory)
            tasks = [group.create_task(waits()), group.create_task(stops(group))]
            loop.set_task_factory(before)
        assert [task.cancelled() for task in tasks] == [True] * 2


@fact("GROUP-13", "GROUP-6", "TaskGroup", since=(3, 15))
async def group_in_a_generator() -> None:
    """An asynchronous generator that waits in a TaskGroup is closed without an error, unless a task of it fails."""

    async def waits(fails: bool) -> None:
        try:
            await asyncio.sleep(5)
        finally:
            if fails:
                raise KeyError(1)

    async def numbers(fails: bool) -> AsyncIterator[int]:
        async with asyncio.TaskGroup() as group:
            group.create_task(waits(fails))
            await asyncio.sleep(0)
            yield 1

    for fails in (False, True):
        generator: Any = numbers(fails)
        assert await anext(generator) == 1
        try:
            await generator.aclose()
        except BaseExceptionGroup as error:
            assert fails
            assert sorted(type(each).__name__ for each in error.exceptions) == ["GeneratorExit", "KeyError"]
        else:
            assert not fails


@fact("GROUP-2", "GROUP-6", "TaskGroup", since=(3, 13, 2), documented=False)  # gh-128550
async def eager_failures() -> None:
    """The error of a task that ends in its first, eager step is raised by the group, with those of the others."""
    loop = asyncio.get_running_loop()
    before = loop.get_task_factory()

    async def fails(number: int) -> None:
        await asyncio.sleep(number)
        raise KeyError(number)

    async def ends(number: int) -> None:
        raise KeyError(number)

    for bodies in ([ends], [fails, ends], [ends, ends]):
        errors: Any = ()
        loop.set_task_factory(asyncio.eager_task_factory)
        try:
            async with asyncio.TaskGroup() as group:
                for body in bodies:
                    group.create_task(body(len(bodies)))
        except BaseExceptionGroup as error:
            errors = error.exceptions
        finally:
            loop.set_task_factory(before)
        assert [type(each) for each in errors] == [KeyError] * bodies.count(ends)


@fact("GROUP-7", "TaskGroup", since=(3, 13))  # gh-115957: before, the coroutine is not closed
async def no_task_while_it_ends() -> None:
    """A TaskGroup that a failure ends refuses a new task with RuntimeError, and closes its coroutine."""
    late = asyncio.sleep(0)

    async def fails() -> None:
        raise KeyError(1)

    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(fails())
            try:
                await asyncio.sleep(5)
            finally:
                group.create_task(late)
    except BaseExceptionGroup as error:
        assert RuntimeError in map(type, error.exceptions)
    assert late.cr_frame is None
