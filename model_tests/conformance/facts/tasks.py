"""Facts about tasks: names, stacks, coroutines, the current task, all tasks."""

from __future__ import annotations

import inspect
import io
from collections.abc import Coroutine
from typing import Any

from .fact import asyncio, fact


@fact("TASK-6", "Task", "create_task")
async def no_coroutine() -> None:
    """create_task() and Task() refuse an object that is no coroutine, with TypeError."""
    future = asyncio.get_running_loop().create_future()
    for wrong in (5, None, asyncio.sleep, future):
        for call in (asyncio.create_task, asyncio.Task):
            try:
                call(wrong)
            except TypeError:
                continue
            raise AssertionError(f"{wrong} was accepted")


@fact("TASK-9", "Task", "create_task", "TaskGroup")
async def any_name() -> None:
    """A name is kept as a string, also an empty one or that of a number."""
    loop = asyncio.get_running_loop()
    for name in ("", 0, 5, "a name", False):
        task = asyncio.Task(asyncio.sleep(0), loop=loop, name=name)
        other = asyncio.create_task(asyncio.sleep(0), name=name)
        assert (task.get_name(), other.get_name()) == (str(name), str(name))
        other.set_name(name)
        assert other.get_name() == str(name)
        await asyncio.wait([task, other])


@fact("TASK-9", "Task", "create_task", "TaskGroup")
async def names_of_tasks() -> None:
    """A task has the name that was given, as a string, or one of its own."""

    async def work() -> Any:
        return asyncio.current_task().get_name()

    assert await asyncio.create_task(work(), name="a") == "a"
    async with asyncio.TaskGroup() as group:
        named = group.create_task(work(), name="b")
    assert named.result() == "b"
    loop = asyncio.get_running_loop()
    first, second = asyncio.Task(work(), loop=loop), asyncio.Task(work(), loop=loop)
    assert isinstance(first.get_name(), str)
    assert first.get_name() != second.get_name()
    first.set_name(5)
    assert await first == "5"
    assert await second == second.get_name()


@fact("TASK-9", "Task", "create_task")
async def coroutine_of_a_task() -> None:
    """get_coro() returns the coroutine, before the task begins, while it waits, and when it is done."""
    coroutine = asyncio.sleep(0.01)
    task = asyncio.create_task(coroutine)
    for _ in range(2):
        assert task.get_coro() is coroutine
        await asyncio.sleep(0)
    await task
    assert task.get_coro() is coroutine


@fact("TASK-9", "Task")
async def stack_of_a_task() -> None:
    """get_stack() returns the frame of a coroutine that waits, and nothing if it has ended."""

    async def work() -> None:
        await asyncio.sleep(0.01)

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    assert [frame.f_code.co_name for frame in task.get_stack()] == ["work"]
    await task
    assert task.get_stack() == []


@fact("TASK-9", "Task")
async def stack_of_an_error() -> None:
    """get_stack() of a task that failed returns the frames of the traceback."""

    async def inner() -> None:
        raise KeyError(1)

    async def outer() -> None:
        await inner()

    task = asyncio.create_task(outer())
    await asyncio.wait([task])
    assert [frame.f_code.co_name for frame in task.get_stack()][-2:] == ["outer", "inner"]
    task.exception()


@fact("TASK-10", "Task", "current_task")
async def current_task_here() -> None:
    """current_task() is the task that runs: also after awaits, and within coroutines that it awaits."""

    async def work() -> list[Any]:
        seen = [asyncio.current_task()]
        for delay in (0, 0.01):
            await asyncio.sleep(delay)
            seen.append(asyncio.current_task())
        return seen

    tasks = [asyncio.create_task(work()) for _ in range(2)]
    for task in tasks:
        assert await task == [task] * 3
    assert (await work())[0] is asyncio.current_task()


@fact("TASK-10", "Task", "current_task")
async def no_task_in_a_callback() -> None:
    """current_task() is None in a callback of the loop or of a future."""
    loop = asyncio.get_running_loop()
    seen: list[Any] = []
    loop.call_soon(lambda: seen.append(asyncio.current_task()))
    task = asyncio.create_task(asyncio.sleep(0))
    task.add_done_callback(lambda task: seen.append(asyncio.current_task()))
    await asyncio.sleep(0.01)
    assert seen == [None, None]
    assert asyncio.current_task(loop) is asyncio.current_task()


@fact("TASK-10", "current_task", "all_tasks")
def outside_a_loop() -> None:
    """current_task() and all_tasks() raise RuntimeError where no loop runs, and take a loop."""
    for function in (asyncio.current_task, asyncio.all_tasks):
        try:
            function()
        except RuntimeError:
            continue
        raise AssertionError("no RuntimeError")
    loop = asyncio.new_event_loop()
    assert asyncio.current_task(loop) is None
    task = loop.create_task(asyncio.sleep(0))
    assert asyncio.all_tasks(loop) == {task}
    loop.run_until_complete(task)
    assert asyncio.all_tasks(loop) == set()
    loop.close()


@fact("TASK-10", "Task", "all_tasks", "create_task")
async def all_tasks_not_done() -> None:
    """all_tasks() is a set of the tasks that are not done, the current one among them."""
    me = asyncio.current_task()
    ends = asyncio.create_task(asyncio.sleep(0))
    waits = asyncio.create_task(asyncio.sleep(9))
    assert asyncio.all_tasks() == {me, ends, waits}
    await ends
    assert asyncio.all_tasks() == {me, waits}
    waits.cancel()
    assert waits in asyncio.all_tasks()
    await asyncio.sleep(0.01)
    assert asyncio.all_tasks() == {me}


@fact("TASK-7", "Task")
async def results_are_refused() -> None:
    """set_result() and set_exception() of a task raise RuntimeError, and change nothing."""
    task = asyncio.create_task(asyncio.sleep(0, 5))
    for call, value in ((task.set_result, 1), (task.set_exception, KeyError(1))):
        try:
            call(value)
        except RuntimeError:
            continue
        raise AssertionError("it was accepted")
    assert await task == 5


@fact("TASK-5", "TASK-2", "Task")
async def many_awaiters() -> None:
    """Each of several awaiters of a task gets its result, also those that come when it is done."""

    async def waits() -> Any:
        return await task

    result = object()
    task = asyncio.create_task(asyncio.sleep(0.01, result))
    waiters = [asyncio.create_task(waits()) for _ in range(3)]
    for waiter in waiters:
        assert await waiter is result
    assert await task is result
    assert task.result() is result


@fact("TASK-6", "create_task", "Task")
def needs_a_loop() -> None:
    """create_task() raises RuntimeError where no loop runs."""
    coroutine = asyncio.sleep(0)
    try:
        asyncio.create_task(coroutine)
    except RuntimeError:
        coroutine.close()
        return
    raise AssertionError("no RuntimeError")


@fact("TASK-6", "create_task", "ensure_future", "TaskGroup")
async def factory_of_the_loop() -> None:
    """Tasks are made by the task factory of the loop, if it has one, with the context that was given."""
    loop = asyncio.get_running_loop()
    before = loop.get_task_factory()
    made: list[Any] = []

    def factory(loop: Any, coro: Coroutine[Any, Any, Any], **given: Any) -> Any:
        made.append(asyncio.Task(coro, loop=loop, **given))
        return made[-1]

    loop.set_task_factory(factory)
    tasks = [asyncio.create_task(asyncio.sleep(0), name="a"), asyncio.ensure_future(asyncio.sleep(0))]
    async with asyncio.TaskGroup() as group:
        tasks.append(group.create_task(asyncio.sleep(0)))
    loop.set_task_factory(before)
    assert made == tasks
    assert made[0].get_name() == "a"
    await asyncio.wait(tasks)


@fact("CANCEL-9", "CANCEL-6", "Task")
async def requests_are_counted() -> None:
    """cancel() adds one to cancelling(), uncancel() takes one away and returns the rest, never below 0."""

    async def work() -> None:
        try:
            await asyncio.sleep(9)
        except asyncio.CancelledError:
            await asyncio.sleep(9)

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    assert task.uncancel() == 0
    assert task.cancel()
    assert task.cancel()
    assert task.cancelling() == 2
    assert [task.uncancel() for _ in range(3)] == [1, 0, 0]
    await asyncio.sleep(0)
    assert not task.done()
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    assert not task.cancel()


@fact("TASK-9", "Task")
async def printed_stack() -> None:
    """print_stack() writes the frames of get_stack() to a file."""

    async def work() -> None:
        await asyncio.sleep(0.01)

    task = asyncio.create_task(work(), name="a")
    await asyncio.sleep(0)
    file = io.StringIO()
    task.print_stack(file=file)
    assert "in work" in file.getvalue()
    await task


@fact("FUT-6", "CANCEL-9", "Task")
async def states_of_a_task() -> None:
    """Before a task is done, result() and exception() raise InvalidStateError; afterwards they say how it ended."""

    async def fails() -> None:
        await asyncio.sleep(0)
        raise KeyError(1)

    returns, failed, cancelled = map(asyncio.create_task, (asyncio.sleep(0, 5), fails(), asyncio.sleep(9)))
    for task in (returns, failed, cancelled):
        assert (task.done(), task.cancelled(), task.cancelling()) == (False, False, 0)
        for call in (task.result, task.exception):
            try:
                call()
            except asyncio.InvalidStateError:
                continue
            raise AssertionError("no InvalidStateError")
    cancelled.cancel()
    await asyncio.wait([returns, failed, cancelled])
    assert (returns.result(), returns.exception(), returns.cancelled()) == (5, None, False)
    assert isinstance(failed.exception(), KeyError)
    assert (failed.cancelled(), cancelled.cancelled(), cancelled.cancelling()) == (False, True, 1)
    for call in (cancelled.result, cancelled.exception):
        try:
            call()
        except asyncio.CancelledError:
            continue
        raise AssertionError("no CancelledError")


@fact("TASK-9", "Task")
async def limits_of_stacks() -> None:
    """A limit keeps the newest frames of a stack, and the oldest ones of a traceback."""

    async def inner(error: Any) -> None:
        if error:
            raise error
        await asyncio.sleep(0.01)

    async def outer(error: Any) -> None:
        await inner(error)

    failed, waits = asyncio.create_task(outer(KeyError(1))), asyncio.create_task(outer(None))
    await asyncio.wait([failed])
    for task in (failed, waits):
        frames = task.get_stack()
        assert task.get_stack(limit=9) == frames
        assert task.get_stack(limit=1) == (frames[:1] if task is failed else frames[-1:])
    failed.exception()
    await waits


@fact("TASK-10", "all_tasks")
async def a_set_of_its_own() -> None:
    """all_tasks() returns a new set each time."""
    asyncio.all_tasks().clear()
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert type(asyncio.all_tasks()) is set


@fact("CANCEL-4", "CANCEL-7", "Task")
async def cancelled_before_it_began() -> None:
    """A task that is cancelled before its first step runs nothing, and closes its coroutine."""
    seen = []

    async def work() -> None:
        seen.append("work")

    coroutine = work()
    task = asyncio.create_task(coroutine)
    assert task.cancel()
    assert not task.done()
    await asyncio.wait([task])
    assert task.cancelled()
    assert not seen
    assert inspect.getcoroutinestate(coroutine) == "CORO_CLOSED"
