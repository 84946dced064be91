"""Facts about call graphs: which tasks await which."""

from __future__ import annotations

from typing import Any

from .fact import asyncio, fact

NAMES = ("capture_call_graph", "gather", "shield", "wait", "wait_for", "as_completed", "TaskGroup")


@fact("GRAPH-1", *NAMES, since=(3, 14))
async def awaited_by() -> None:
    """The call graph of a task has each task that awaits it, by whichever function, as long as that waits."""
    work = asyncio.create_task(asyncio.sleep(3))

    async def plain() -> None:
        await work

    async def gathers() -> None:
        await asyncio.gather(work, asyncio.sleep(0))

    async def shields() -> None:
        await asyncio.shield(work)

    async def waits() -> None:
        await asyncio.wait([work])

    async def waits_for() -> None:
        await asyncio.wait_for(work, 9)

    async def one_by_one() -> None:
        for step in asyncio.as_completed([work]):
            await step

    bodies = (plain, gathers, shields, waits, waits_for, one_by_one)
    tasks = [asyncio.create_task(body()) for body in bodies]
    await asyncio.sleep(1)
    graph = asyncio.capture_call_graph(work)
    assert graph.future is work
    assert {entry.future for entry in graph.awaited_by} == set(tasks)
    assert len(graph.awaited_by) == len(tasks)
    names = [entry.call_stack[-1].frame.f_code.co_name for entry in graph.awaited_by]
    assert sorted(names) == sorted(body.__name__ for body in bodies)
    await asyncio.wait(tasks)
    assert not asyncio.capture_call_graph(work).awaited_by


@fact("GRAPH-1", *NAMES, since=(3, 14))
async def awaited_no_more() -> None:
    """A task that was cancelled, or has gone on at a timeout or an error, awaits nothing in the call graph."""
    work = asyncio.get_running_loop().create_future()

    async def fails() -> None:
        raise KeyError

    async def gathers() -> None:
        await asyncio.gather(work, fails())

    async def shields() -> None:
        await asyncio.shield(work)

    async def waits() -> None:
        await asyncio.wait([work], timeout=0.1)

    async def waits_for() -> None:
        await asyncio.wait_for(asyncio.shield(work), 0.1)

    async def one_by_one() -> None:
        for step in asyncio.as_completed([work], timeout=0.1):
            await step

    async def goes_on(body: Any) -> None:
        try:
            await body()
        except (KeyError, TimeoutError, asyncio.CancelledError):
            pass
        await asyncio.sleep(9)

    tasks = [asyncio.create_task(goes_on(body)) for body in (gathers, shields, waits, waits_for, one_by_one)]
    await asyncio.sleep(0.01)
    assert asyncio.capture_call_graph(work).awaited_by
    tasks[1].cancel()
    await asyncio.sleep(1)
    assert not asyncio.capture_call_graph(work).awaited_by
    for task in tasks:
        task.cancel()


@fact("GRAPH-1", "capture_call_graph", "TaskGroup", since=(3, 14))
async def awaited_by_the_parent() -> None:
    """The tasks of a group are awaited by its parent from their creation, and the parent by its own awaiters."""
    inner: list[Any] = []

    async def parent() -> None:
        async with asyncio.TaskGroup() as group:
            inner.append(group.create_task(asyncio.sleep(2)))
            inner.append(asyncio.capture_call_graph(inner[0]))
            await asyncio.sleep(0)

    async def outer(task: Any) -> None:
        await task

    task = asyncio.create_task(parent())
    last = asyncio.create_task(outer(task))
    await asyncio.sleep(1)
    work, early = inner
    assert [entry.future for entry in early.awaited_by] == [task]
    graph = asyncio.capture_call_graph(work)
    assert [entry.future for entry in graph.awaited_by] == [task]
    assert [entry.future for entry in graph.awaited_by[0].awaited_by] == [last]
    await last
    assert not asyncio.capture_call_graph(work).awaited_by


@fact("GRAPH-2", "future_add_to_awaited_by", "future_discard_from_awaited_by", since=(3, 14))
async def awaiters_of_ones_own() -> None:
    """future_add_to_awaited_by() adds an awaiter to the call graph, future_discard_from_awaited_by() removes it."""
    future, me = asyncio.Future(), asyncio.current_task()
    other = asyncio.Future()
    asyncio.future_add_to_awaited_by(future, me)
    asyncio.future_add_to_awaited_by(future, other)
    asyncio.future_add_to_awaited_by(future, me)
    graph = asyncio.capture_call_graph(future)
    assert {entry.future for entry in graph.awaited_by} == {me, other}
    asyncio.future_discard_from_awaited_by(future, me)
    asyncio.future_discard_from_awaited_by(other, future)
    assert [entry.future for entry in asyncio.capture_call_graph(future).awaited_by] == [other]
    asyncio.future_discard_from_awaited_by(future, other)
    assert not asyncio.capture_call_graph(future).awaited_by


@fact("GRAPH-1", "capture_call_graph", "format_call_graph", "print_call_graph", since=(3, 14))
async def graph_of_the_current_task() -> None:
    """The call graph of the current task ends with its coroutine, its text names both; a callback has none."""
    seen: list[Any] = []

    async def inner() -> None:
        seen.append(asyncio.capture_call_graph())
        seen.append(asyncio.format_call_graph())

    async def outer() -> None:
        await inner()

    task = asyncio.create_task(outer(), name="mine")
    await task
    graph, text = seen
    assert graph.future is task
    assert [entry.frame.f_code.co_name for entry in graph.call_stack] == ["inner", "outer"]
    assert "'mine'" in text
    assert "outer()" in text
    asyncio.get_running_loop().call_soon(lambda: seen.append(asyncio.capture_call_graph()))
    await asyncio.sleep(0.1)
    assert seen[2] is None
    try:
        asyncio.capture_call_graph(5)
    except TypeError:
        return
    raise AssertionError("5 has a call graph")
