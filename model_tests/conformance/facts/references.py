"""Facts about memory: what is no longer needed is not kept, as weak references show after a garbage collection.

No sentence of the documentation says so.  That the loop keeps only weak references to tasks comes closest.
"""

from __future__ import annotations

import contextvars
import gc
import weakref
from typing import Any

from .fact import asyncio, fact


@fact("TASK-5", "Task", "create_task", "eager_task_factory", "create_eager_task_factory", documented=False)
async def task_frees_its_frame() -> None:
    """A task that is done keeps neither what its coroutine had in variables nor the exception that it caught."""
    refs: list[Any] = []

    async def work() -> int:
        thing = type("Thing", (), {})()
        refs.append(weakref.ref(thing))
        await asyncio.sleep(0.01)
        return 5

    task = asyncio.create_task(work())
    assert await task == 5
    gc.collect()
    assert refs[0]() is None


@fact("TASK-10", "Task", "create_task", "all_tasks", documented=False)
async def tasks_are_freed() -> None:
    """A task that is done, and that nothing refers to, is freed with its result."""

    async def work() -> Any:
        await asyncio.sleep(0)
        return type("Thing", (), {})()

    task = asyncio.create_task(work())
    refs = [weakref.ref(await task), weakref.ref(task)]
    del task
    await asyncio.sleep(0.01)
    gc.collect()
    assert [ref() for ref in refs] == [None, None]


@fact("TASK-3", "Task", documented=False)
async def awaited_futures_are_freed() -> None:
    """A task does not keep a future that it has awaited."""
    loop = asyncio.get_running_loop()

    async def work() -> Any:
        future = loop.create_future()
        loop.call_soon(future.set_result, None)
        await future
        ref = weakref.ref(future)
        del future
        await asyncio.sleep(0.01)
        gc.collect()
        return ref()

    assert await asyncio.create_task(work()) is None


@fact("TASK-11", "Task", documented=False)
async def contexts_are_freed() -> None:
    """The values of a task's context are freed with the task."""
    variable: Any = contextvars.ContextVar("variable")
    refs: list[Any] = []

    async def work() -> None:
        thing = type("Thing", (), {})()
        refs.append(weakref.ref(thing))
        variable.set(thing)
        await asyncio.sleep(0.01)

    await asyncio.create_task(work())
    await asyncio.sleep(0.01)
    gc.collect()
    assert refs[0]() is None


@fact("FUT-5", "FUT-10", "Future", "Task", documented=False)
async def callbacks_are_freed() -> None:
    """A future keeps no callback that was called or removed, nor what it refers to."""
    loop = asyncio.get_running_loop()
    called, removed = (type("Thing", (), {"call": lambda self, future: None})() for _ in range(2))
    future = loop.create_future()
    callback = removed.call
    future.add_done_callback(called.call)
    future.add_done_callback(callback)
    future.remove_done_callback(callback)
    future.set_result(None)
    await asyncio.sleep(0.01)
    refs = [weakref.ref(called), weakref.ref(removed)]
    del called, removed, callback
    gc.collect()
    assert future.done()
    assert [ref() for ref in refs] == [None, None]


@fact("FUT-5", "FUT-1", "Future", documented=False)
async def contents_are_freed() -> None:
    """A future that is freed frees its result or its exception."""
    loop = asyncio.get_running_loop()
    refs: list[Any] = []
    for failed in (False, True):
        future, thing = loop.create_future(), type("Thing", (KeyError,), {})()
        refs.append(weakref.ref(thing))
        if failed:
            future.set_exception(thing)
            future.exception()
        else:
            future.set_result(thing)
        future.add_done_callback(lambda future: None)
        await asyncio.sleep(0.01)
        del future, thing
    gc.collect()
    assert [ref() for ref in refs] == [None, None]


@fact("SHIELD-2", "WAIT-5", "WAITFOR-4", "shield", "wait", "wait_for", "as_completed", documented=False)
async def waiters_are_freed() -> None:
    """A future that lives on keeps nothing of a task that waited for it, by shield, wait or as_completed."""
    future = asyncio.get_running_loop().create_future()

    async def shields() -> None:
        await asyncio.shield(future)

    async def waits() -> None:
        await asyncio.wait([future], timeout=0.01)

    async def steps() -> None:
        for step in asyncio.as_completed([future], timeout=0.01):
            await step

    async def limits() -> None:
        await asyncio.wait_for(asyncio.shield(future), 0.01)

    for body in (shields, waits, steps, limits):
        for cancels in (True, False):
            task = asyncio.create_task(body())
            await asyncio.sleep(0.005)
            if cancels or body is shields:
                task.cancel()
            await asyncio.wait([task], timeout=2)
            assert task.cancelled() or task.exception() or task.result() is None
            ref = weakref.ref(task)
            del task
            gc.collect()
            assert ref() is None, body.__name__


@fact("GATHER-1", "GATHER-3", "gather", documented=False)
async def gathered_things_are_freed() -> None:
    """A gather that is done keeps its results only: not the tasks, and nothing when it is freed."""
    refs: list[Any] = []

    async def work() -> Any:
        thing = type("Thing", (), {})()
        refs.append(weakref.ref(thing))
        await asyncio.sleep(0.01)
        return thing

    await asyncio.gather(work(), work(), return_exceptions=True)
    future: Any = asyncio.gather(work())
    await future
    assert refs[2]() is not None
    del future
    await asyncio.sleep(0.01)
    gc.collect()
    assert [ref() for ref in refs] == [None] * 3


@fact("WAIT-3", "ASDONE-1", "WAITFOR-1", "wait", "as_completed", "wait_for", documented=False)
async def results_are_freed() -> None:
    """wait, wait_for and as_completed keep no future, and no result, when they are over."""
    refs: list[Any] = []

    async def work() -> Any:
        thing = type("Thing", (), {})()
        refs.append(weakref.ref(thing))
        await asyncio.sleep(0.01)
        return thing

    async def uses() -> None:
        await asyncio.wait([asyncio.create_task(work()), asyncio.create_task(work())])
        for step in asyncio.as_completed([work(), work()]):
            await step
        await asyncio.wait_for(work(), 5)

    await uses()
    await asyncio.sleep(0.01)
    gc.collect()
    assert [ref() for ref in refs] == [None] * 5


@fact("GROUP-1", "TaskGroup", documented=False)
async def groups_free_their_tasks() -> None:
    """A TaskGroup keeps no task that is done, open or ended, and no error that it has raised."""
    refs: list[Any] = []

    async def work() -> Any:
        thing = type("Thing", (), {})()
        refs.append(weakref.ref(thing))
        await asyncio.sleep(0.01)
        return thing

    async with asyncio.TaskGroup() as group:
        group.create_task(work())
        await asyncio.sleep(0.02)
        gc.collect()
        assert refs[0]() is None
        group.create_task(work())
    await asyncio.sleep(0.01)
    gc.collect()
    assert refs[1]() is None


@fact("GROUP-2", "TaskGroup", documented=False)
async def groups_free_their_errors() -> None:
    """A TaskGroup that has raised its group keeps no exception of it."""
    group = asyncio.TaskGroup()

    async def fails() -> None:
        raise type("Wrong", (KeyError,), {})

    async def run() -> Any:
        try:
            async with group:
                group.create_task(fails())
        except ExceptionGroup as error:
            return weakref.ref(error.exceptions[0])

    ref = await run()
    await asyncio.sleep(0.01)
    gc.collect()
    assert ref() is None


@fact("TIMEOUT-1", "timeout", "Timeout", "timeout_at", documented=False)
async def timeouts_free_their_tasks() -> None:
    """The loop keeps nothing of a timeout that has ended, long before its deadline as after it."""

    async def work(delay: float) -> None:
        try:
            async with asyncio.timeout(delay):
                await asyncio.sleep(0.03)
        except TimeoutError:
            pass

    for delay in (1000, 0.01):
        task = asyncio.create_task(work(delay))
        await task
        ref = weakref.ref(task)
        del task
        await asyncio.sleep(0.01)
        gc.collect()
        assert ref() is None


@fact(
    "SHIELD-2", "GATHER-4", "WAIT-5", "shield", "gather", "wait", "wait_for", "as_completed", documented=False
)
async def callbacks_are_removed() -> None:
    """What waits for a future that lives on leaves nothing there when it is over."""
    future = asyncio.get_running_loop().create_future()

    async def steps() -> None:
        for step in asyncio.as_completed([future], timeout=0.01):
            await step

    bodies: list[Any] = [
        steps,
        lambda: asyncio.wait([future], timeout=0.01),
        lambda: asyncio.wait_for(asyncio.shield(future), 0.01),
        lambda: asyncio.shield(future),
        lambda: asyncio.gather(asyncio.shield(future)),
    ]
    sizes = []
    for _ in range(3):
        for body in bodies * 20:
            task: Any = asyncio.ensure_future(body())
            await asyncio.wait([task], timeout=0.02)
            task.cancel()
            await asyncio.wait([task])
            task.cancelled() or task.exception()
        del task
        gc.collect()
        sizes.append(len(gc.get_objects()))
    assert sizes[2] - sizes[1] < 20
