"""Facts about memory: an object that is no longer needed is not kept, as weak references show after a collection.

No sentence of the documentation says so.  That the loop keeps only weak references to tasks comes closest.
"""

from __future__ import annotations

import contextvars
import gc
import weakref
from typing import Any

from .fact import asyncio, fact


@fact("LEAK-3", "Task", "create_task", "eager_task_factory", "create_eager_task_factory")
async def task_frees_its_frame() -> None:
    """A task that is done keeps neither the variables of its coroutine nor the exception that it caught."""
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


@fact("LEAK-3", "Task", "create_task", "all_tasks")
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


@fact("LEAK-3", "Task")
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


@fact("LEAK-3", "Task")
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


@fact("LEAK-3", "Future", "Task")
async def callbacks_are_freed() -> None:
    """A future keeps no callback that was called or removed, nor the callback's objects."""
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


@fact("LEAK-3", "Future")
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


@fact("LEAK-4", "shield")
async def shields_leave_nothing() -> None:
    """A shield that is cancelled leaves nothing of its caller at the inner future: no task, and no callback."""
    future = asyncio.get_running_loop().create_future()
    variable: Any = contextvars.ContextVar("variable")
    refs: list[Any] = []

    async def shields() -> None:
        thing = type("Thing", (), {})()
        refs.append(weakref.ref(thing))
        variable.set(thing)  # the context of a callback that is left has it
        await asyncio.shield(future)

    for _ in range(2):
        task = asyncio.create_task(shields())
        refs.append(weakref.ref(task))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.sleep(0.05)
        del task
        gc.collect()
        assert [ref() for ref in refs] == [None] * len(refs)


@fact("LEAK-4", "shield")
async def shields_free_their_maker() -> None:
    """A shield keeps nothing of the task that made it and has ended, though the inner future lives on."""
    future = asyncio.get_running_loop().create_future()

    async def leaves() -> None:
        asyncio.shield(future)

    task = asyncio.create_task(leaves())
    await asyncio.sleep(0.05)
    assert task.done()
    ref = weakref.ref(task)
    del task
    gc.collect()
    assert ref() is None


@fact("LEAK-6", "wait")
async def waits_leave_nothing() -> None:
    """A wait() that is over leaves nothing of its caller at a future that lives on: no task, and no callback."""
    future = asyncio.get_running_loop().create_future()
    variable: Any = contextvars.ContextVar("variable")
    refs: list[Any] = []

    async def waits(given: Any) -> None:
        thing = type("Thing", (), {})()
        refs.append(weakref.ref(thing))
        variable.set(thing)
        await asyncio.wait([future, asyncio.ensure_future(asyncio.sleep(0))], **given)

    for given in ({}, {"timeout": 0.01}, {"timeout": 0.2}, {"return_when": "FIRST_COMPLETED"}):
        task = asyncio.create_task(waits(given))
        refs.append(weakref.ref(task))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.sleep(0.05)
        del task
        gc.collect()
        assert [ref() for ref in refs] == [None] * len(refs), given


@fact("LEAK-7", "wait_for")
async def timed_waits_leave_nothing() -> None:
    """A wait_for() that is over leaves nothing of its caller at a future that lives on behind a shield."""
    future = asyncio.get_running_loop().create_future()
    variable: Any = contextvars.ContextVar("variable")
    refs: list[Any] = []

    async def waits(delay: Any) -> None:
        thing = type("Thing", (), {})()
        refs.append(weakref.ref(thing))
        variable.set(thing)
        try:
            await asyncio.wait_for(asyncio.shield(future), delay)
        except TimeoutError:
            pass

    for delay in (None, 0, 0.01):
        task = asyncio.create_task(waits(delay))
        refs.append(weakref.ref(task))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.sleep(0.05)
        del task
        gc.collect()
        assert [ref() for ref in refs] == [None] * len(refs), delay


@fact("LEAK-8", "as_completed")
async def steps_free_their_caller() -> None:
    """as_completed that is left early, cancelled or timed out keeps nothing of its caller, though a future lives on."""
    future = asyncio.get_running_loop().create_future()

    async def steps(delay: Any, most: int) -> None:
        pair = [future, asyncio.ensure_future(asyncio.sleep(0))]
        try:
            for number, step in enumerate(asyncio.as_completed(pair, timeout=delay)):
                await step
                if number == most:
                    return
        except TimeoutError:
            pass

    for delay, most in ((None, 0), (None, 1), (0.01, 1), (1, 0)):
        task = asyncio.create_task(steps(delay, most))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.sleep(0.05)
        assert task.done()
        ref = weakref.ref(task)
        del task
        gc.collect()
        assert ref() is None, (delay, most)


@fact("LEAK-5", "gather")
async def gathers_free_their_caller() -> None:
    """A gather that has raised, or was left, keeps nothing of its caller, though another awaitable lives on."""
    future = asyncio.get_running_loop().create_future()

    async def fails(error: Any) -> None:
        raise error

    async def raises(error: Any) -> None:
        try:
            await asyncio.gather(future, fails(error))
        except (KeyError, asyncio.CancelledError):
            pass

    async def leaves() -> None:
        asyncio.gather(future)

    for body in (raises(KeyError), raises(asyncio.CancelledError), leaves()):
        task = asyncio.create_task(body)
        await asyncio.sleep(0.05)
        assert task.done()
        ref = weakref.ref(task)
        del task
        gc.collect()
        assert ref() is None


@fact("LEAK-5", "gather")
async def gathered_things_are_freed() -> None:
    """A gather that is done keeps its results only: not the tasks, failed or not, and nothing when it is freed."""
    refs: list[Any] = []

    async def work(fails: bool = False) -> Any:
        thing = type("Thing", (KeyError,), {})()
        refs.append(weakref.ref(thing))
        await asyncio.sleep(0.01)
        if fails:
            raise thing
        return thing

    await asyncio.gather(work(), work(True), return_exceptions=True)
    future: Any = asyncio.gather(work())
    await future
    assert isinstance(future.result()[0], KeyError)
    del future
    await asyncio.sleep(0.01)
    gc.collect()
    assert [ref() for ref in refs] == [None] * 3


@fact("LEAK-6", "LEAK-8", "LEAK-7", "wait", "as_completed", "wait_for")
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


@fact("LEAK-9", "TaskGroup")
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


@fact("LEAK-9", "TaskGroup")
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


@fact("LEAK-10", "timeout", "Timeout", "timeout_at")
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
