"""Facts about call graphs: which tasks await which."""

from __future__ import annotations

from typing import Any

from .fact import asyncio, fact


# No document says that a gather of another library, for instance, tells asyncio's call graph of its callers: only a
# subject with a call graph of its own is asked.
@fact("GRAPH-1", "capture_call_graph", since=(3, 14))
async def awaited_by() -> None:
    """The call graph of a task has each task that awaits it, by whichever function, and none that has gone on."""
    work = asyncio.create_task(asyncio.sleep(3))

    async def plain() -> None:
        await work

    async def one_by_one(timeout: Any) -> None:
        for step in asyncio.as_completed([work], timeout=timeout):
            await step

    async def parent() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(plain())

    async def waits(awaitable: Any) -> None:
        try:
            await awaitable
        except TimeoutError:
            await asyncio.sleep(2)

    async def gathers() -> None:
        await asyncio.gather(work, asyncio.sleep(0))

    async def shields() -> None:
        await asyncio.shield(work)

    def seen() -> Any:
        return sorted(entry.future.get_name() for entry in asyncio.capture_call_graph(work).awaited_by)

    tasks = [
        asyncio.create_task(waits(body), name=name)
        for name, body in {
            "a": plain(),
            "b": gathers(),
            "c": shields(),
            "d": asyncio.wait([work]),
            "e": asyncio.wait_for(work, 9),
            "f": one_by_one(9),
            "g": one_by_one(0.5),
            "h": asyncio.wait([work], timeout=0.5),
        }.items()
    ]
    await asyncio.sleep(0.1)
    assert seen() == ["a", "b", "c", "d", "e", "f", "g", "h"]
    await asyncio.sleep(0.9)
    assert seen() == ["a", "b", "c", "d", "e", "f"]
    tasks[2].cancel()
    group = asyncio.create_task(parent(), name="z")
    await asyncio.sleep(0.1)
    assert len(seen()) == 6
    assert "c" not in seen()
    [child] = [entry for entry in asyncio.capture_call_graph(work).awaited_by if entry.awaited_by]
    assert [entry.future for entry in child.awaited_by] == [group]
    await asyncio.wait([*tasks, group])
    assert seen() == []


@fact("GRAPH-2", "future_add_to_awaited_by", "future_discard_from_awaited_by", since=(3, 14))
async def awaiters_of_ones_own() -> None:
    """future_add_to_awaited_by() adds an awaiter to the call graph, future_discard_from_awaited_by() removes it."""
    future, other, me = asyncio.Future(), asyncio.Future(), asyncio.current_task()
    for waiter in (me, other, me):
        asyncio.future_add_to_awaited_by(future, waiter)
    assert {entry.future for entry in asyncio.capture_call_graph(future).awaited_by} == {me, other}
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
    asyncio.get_running_loop().call_soon(lambda: seen.append(asyncio.capture_call_graph()))
    await asyncio.sleep(0.1)
    graph, text, nothing = seen
    assert graph.future is task
    assert [entry.frame.f_code.co_name for entry in graph.call_stack] == ["inner", "outer"]
    assert "'mine'" in text
    assert "outer()" in text
    assert nothing is None
