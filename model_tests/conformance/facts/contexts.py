"""Facts about contexts: of tasks, callbacks, groups, threads, and of tasks that asyncio makes itself."""

from __future__ import annotations

import contextvars
from typing import Any

from .fact import asyncio, fact


@fact("TASK-11", "Task", "create_task")
async def copied_at_creation() -> None:
    """A task runs in a copy of the context that is current when it is made, not when it starts."""
    variable = contextvars.ContextVar("variable", default=0)

    async def change() -> int:
        old = variable.get()
        variable.set(5)
        return old

    variable.set(1)
    task = asyncio.create_task(change())
    variable.set(2)
    assert await task == 1
    assert variable.get() == 2


@fact("TASK-11", "Task")
async def kept_across_awaits() -> None:
    """A value that a task sets in its context is there after each await."""
    variable = contextvars.ContextVar("variable", default=0)

    async def work(number: int) -> None:
        variable.set(number)
        for delay in (0, 0.01):
            await asyncio.sleep(delay)
            assert variable.get() == number
        future.cancelled()
        await asyncio.shield(future)
        assert variable.get() == number

    future = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_later(0.05, future.set_result, None)
    await asyncio.gather(*map(work, range(3)))
    assert variable.get() == 0


@fact("TASK-11", "Task", "create_task")
async def given_as_it_is() -> None:
    """A context that is given to create_task() is used itself, by each task that is given it."""
    variable = contextvars.ContextVar("variable", default=0)
    context = contextvars.copy_context()

    async def add() -> None:
        variable.set(variable.get() + 1)
        await asyncio.sleep(0)
        variable.set(variable.get() + 1)

    for _ in range(2):
        await asyncio.create_task(add(), context=context)
    assert context[variable] == 4
    assert variable.get() == 0


@fact("TASK-11", "Task", since=(3, 12))
async def context_of_a_task() -> None:
    """get_context() returns the context that the task runs in."""
    context = contextvars.copy_context()
    given = asyncio.create_task(asyncio.sleep(0), context=context)
    own = asyncio.create_task(asyncio.sleep(0))
    assert given.get_context() is context
    assert isinstance(own.get_context(), contextvars.Context)
    await asyncio.gather(given, own)


@fact("TASK-11", "create_task", "Task", documented=False)
async def context_of_another_type() -> None:
    """The context of a task must be a contextvars.Context: TypeError for another object."""

    async def work() -> None: ...

    for make in (asyncio.create_task, asyncio.Task):
        for wrong in (3, "context", [3]):
            coro = work()
            try:
                make(coro, context=wrong)
            except TypeError:
                coro.close()
            else:
                raise AssertionError("it was accepted")


@fact("TASK-11", "TaskGroup")
async def context_in_a_group() -> None:
    """create_task() of a TaskGroup takes a context, and otherwise copies the current one."""
    variable = contextvars.ContextVar("variable", default=0)
    context = contextvars.copy_context()
    context.run(variable.set, 1)

    async def change(new: int) -> int:
        old = variable.get()
        variable.set(new)
        return old

    async with asyncio.TaskGroup() as group:
        variable.set(7)
        given = group.create_task(change(2), context=context)
        own = group.create_task(change(3))
    assert (given.result(), own.result()) == (1, 7)
    assert (context[variable], variable.get()) == (2, 7)


@fact("FUT-12", "Future", "Task")
async def context_of_a_callback() -> None:
    """A callback runs in the context that it was added with, however the future ends."""
    variable = contextvars.ContextVar("variable", default=0)
    seen = []
    context = contextvars.copy_context()
    context.run(variable.set, 1)

    async def ends(future: Any, how: str) -> None:
        variable.set(9)
        if how == "result":
            future.set_result(1)
        elif how == "exception":
            future.set_exception(KeyError(1))
        else:
            future.cancel()

    for how in ("result", "exception", "cancel"):
        future = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda future: seen.append(variable.get()), context=context)
        future.add_done_callback(lambda future: seen.append(variable.get()))
        await asyncio.create_task(ends(future, how))
        future.add_done_callback(lambda future: seen.append(variable.get()), context=context)
        await asyncio.sleep(0.01)
        assert future.cancelled() or future.exception() or future.result()
    assert seen == [1, 0, 1] * 3


@fact("FUT-12", "Task")
async def context_of_a_tasks_callback() -> None:
    """A callback of a task runs in the context of the code that adds it, not in that of the task."""
    variable = contextvars.ContextVar("variable", default=0)
    seen = []

    async def work() -> None:
        variable.set(1)

    task = asyncio.create_task(work())
    task.add_done_callback(lambda task: seen.append(variable.get()))
    await task
    await asyncio.sleep(0.01)
    assert seen == [0]


@fact("TASK-11", "gather", "wait_for", "shield", "ensure_future", "as_completed")
async def coroutines_see_the_context() -> None:
    """A coroutine given to gather, wait_for, shield, ensure_future or as_completed sees the caller's variables."""
    variable = contextvars.ContextVar("variable", default=0)

    async def value() -> int:
        await asyncio.sleep(0)
        return variable.get()

    variable.set(1)
    assert await asyncio.gather(value(), value()) == [1, 1]
    assert await asyncio.wait_for(value(), 1) == 1
    assert await asyncio.shield(value()) == 1
    assert await asyncio.ensure_future(value()) == 1
    assert [await step for step in asyncio.as_completed([value()])] == [1]


@fact("TASK-11", "gather", "shield", "ensure_future")
async def coroutines_keep_their_changes() -> None:
    """The caller does not see a value that such a coroutine sets: it runs in a task of its own."""
    variable = contextvars.ContextVar("variable", default=0)

    async def change() -> None:
        variable.set(1)

    await asyncio.gather(change())
    await asyncio.shield(change())
    await asyncio.ensure_future(change())
    assert variable.get() == 0


@fact("TASK-11", "timeout", "Timeout", "TaskGroup", "timeout_at")
async def blocks_change_no_context() -> None:
    """A variable that is set within a timeout or a TaskGroup is still set after the block."""
    variable = contextvars.ContextVar("variable", default=0)
    async with asyncio.timeout(1):
        variable.set(1)
    assert variable.get() == 1
    async with asyncio.timeout_at(asyncio.get_running_loop().time() + 1):
        variable.set(2)
    assert variable.get() == 2
    async with asyncio.TaskGroup():
        variable.set(3)
    assert variable.get() == 3


@fact("TASK-11", "to_thread", threads=True)
def context_of_a_thread() -> None:
    """to_thread() runs the function in a copy of the caller's context, with its arguments."""
    variable = contextvars.ContextVar("variable", default=0)

    def change(*args: int, **named: int) -> tuple[Any, ...]:
        old = variable.get()
        variable.set(7)
        return old, args, named

    async def main() -> None:
        variable.set(1)
        assert await asyncio.to_thread(change, 2, c=3) == (1, (2,), {"c": 3})
        assert variable.get() == 1

    asyncio.run(main())


@fact("FUT-12", "Future", "Task")
async def contexts_of_callbacks() -> None:
    """Each callback has a context of its own: that of the call that added it."""
    variable = contextvars.ContextVar("variable", default=0)
    seen = []

    def called(future: Any) -> None:
        seen.append(variable.get())
        variable.set(9)

    future = asyncio.get_running_loop().create_future()
    for number in range(3):
        variable.set(number)
        future.add_done_callback(called)
    variable.set(5)
    future.set_result(None)
    await asyncio.sleep(0.01)
    assert seen == [0, 1, 2]
    assert variable.get() == 5


@fact("LOOP-1", "FUT-12", "new_event_loop")
async def contexts_of_the_loop() -> None:
    """call_soon, call_later and call_at run a callback in the context that is given, or the current one."""
    loop = asyncio.get_running_loop()
    variable = contextvars.ContextVar("variable", default=0)
    context = contextvars.copy_context()
    context.run(variable.set, 1)
    seen = []

    def called() -> None:
        seen.append(variable.get())
        variable.set(variable.get() + 10)

    loop.call_soon(called)
    loop.call_soon(called, context=context)
    loop.call_later(0.01, called, context=context)
    loop.call_at(loop.time() + 0.02, called)
    variable.set(5)
    await asyncio.sleep(0.05)
    assert seen == [0, 1, 11, 0]
    assert variable.get() == 5


@fact("TASK-11", "gather", "wait", "wait_for", "as_completed", "shield", "TaskGroup", "timeout", "sleep")
async def callers_keep_their_context() -> None:
    """A value that the caller sets before one of these calls is there afterwards."""
    variable = contextvars.ContextVar("variable", default=0)

    async def work() -> None:
        await asyncio.sleep(0)
        variable.set(9)

    for number in range(1, 3):
        variable.set(number)
        await asyncio.gather(work(), work())
        await asyncio.wait([asyncio.ensure_future(work())])
        for step in asyncio.as_completed([work()]):
            await step
        await asyncio.shield(work())
        async with asyncio.TaskGroup() as group:
            group.create_task(work())
        async with asyncio.timeout(9):
            await asyncio.sleep(0.01)
        assert variable.get() == number
