"""Facts about tasks: names, stacks, coroutines, the current task, all tasks, and eager tasks."""

from __future__ import annotations

import contextvars
import inspect
import io
from collections.abc import Coroutine
from typing import Any

from .fact import asyncio, fact


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
    """current_task() is the task whose code runs: also after awaits, and within coroutines that it awaits."""

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
    """cancel() adds one to cancelling(), uncancel() takes one away and returns what is left, never below 0."""

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


@fact("TASK-14", "eager_task_factory", "create_eager_task_factory", "Task", since=(3, 12))
async def eager_step() -> None:
    """An eager task takes its first step in create_task(), as the current task, in its context."""
    loop = asyncio.get_running_loop()
    before, me = loop.get_task_factory(), asyncio.current_task()
    seen: list[Any] = []

    async def work() -> int:
        seen.append(asyncio.current_task())
        await asyncio.sleep(0)
        return 5

    for factory in (asyncio.eager_task_factory, asyncio.create_eager_task_factory(asyncio.Task)):
        seen.clear()
        loop.set_task_factory(factory)
        task = asyncio.create_task(work(), name="eager")
        loop.set_task_factory(before)
        assert seen == [task]
        assert asyncio.current_task() is me
        assert task in asyncio.all_tasks()
        assert task.get_name() == "eager"
        assert not task.done()
        assert await task == 5


@fact("TASK-14", "eager_task_factory", "create_eager_task_factory", "Task", since=(3, 12))
async def eager_end() -> None:
    """An eager task that does not wait is done when create_task() returns, with its result or its error."""
    loop = asyncio.get_running_loop()
    before, me = loop.get_task_factory(), asyncio.current_task()

    async def ends() -> int:
        return 5

    async def fails() -> None:
        raise KeyError(1)

    async def cancels() -> None:
        raise asyncio.CancelledError

    for factory in (asyncio.eager_task_factory, asyncio.create_eager_task_factory(asyncio.Task)):
        loop.set_task_factory(factory)
        tasks = [asyncio.create_task(body()) for body in (ends, fails, cancels)]
        loop.set_task_factory(before)
        assert [task.done() for task in tasks] == [True] * 3
        assert tasks[0].result() == 5
        assert isinstance(tasks[1].exception(), KeyError)
        assert tasks[2].cancelled()
        assert asyncio.all_tasks() == {me}
        assert await tasks[0] == 5


@fact("TASK-14", "TASK-11", "eager_task_factory", "create_eager_task_factory", "Task", since=(3, 12))
async def eager_context() -> None:
    """An eager task runs in a copy of the context, or in the one that was given, from its first step."""
    variable = contextvars.ContextVar("variable", default=0)
    context = contextvars.copy_context()
    loop = asyncio.get_running_loop()
    before = loop.get_task_factory()

    async def work(new: int) -> None:
        variable.set(new)
        await asyncio.sleep(0)
        assert variable.get() == new

    for factory in (asyncio.eager_task_factory, asyncio.create_eager_task_factory(asyncio.Task)):
        loop.set_task_factory(factory)
        tasks = [asyncio.create_task(work(1)), asyncio.create_task(work(2), context=context)]
        loop.set_task_factory(before)
        await asyncio.gather(*tasks)
        assert (variable.get(), context[variable]) == (0, 2)


@fact("TASK-14", "eager_task_factory", "create_eager_task_factory", "Task", since=(3, 12))
async def eager_callbacks() -> None:
    """A callback of an eager task that is done is called by the loop, and not before."""
    loop = asyncio.get_running_loop()
    before = loop.get_task_factory()
    seen: list[Any] = []

    async def ends() -> None:
        pass

    for factory in (asyncio.eager_task_factory, asyncio.create_eager_task_factory(asyncio.Task)):
        seen.clear()
        loop.set_task_factory(factory)
        done, waits = asyncio.create_task(ends()), asyncio.create_task(asyncio.sleep(0.01))
        loop.set_task_factory(before)
        for task in (done, waits):
            task.add_done_callback(seen.append)
        assert not seen
        await asyncio.sleep(0.02)
        assert seen == [done, waits]


@fact("TASK-14", "CANCEL-2", "eager_task_factory", "create_eager_task_factory", "Task", since=(3, 12))
async def eager_cancel() -> None:
    """An eager task that waits is cancelled where it waits."""
    loop = asyncio.get_running_loop()
    before = loop.get_task_factory()
    seen: list[Any] = []

    async def work() -> None:
        try:
            await asyncio.sleep(9)
        except asyncio.CancelledError as error:
            seen.append(error.args)
            raise

    for factory in (asyncio.eager_task_factory, asyncio.create_eager_task_factory(asyncio.Task)):
        seen.clear()
        loop.set_task_factory(factory)
        task = asyncio.create_task(work())
        loop.set_task_factory(before)
        task.cancel("why")
        await asyncio.wait([task])
        assert task.cancelled()
        assert seen == [("why",)]


@fact("TASK-14", "create_eager_task_factory", since=(3, 12))
async def eager_class() -> None:
    """create_eager_task_factory() calls its argument with eager_start, and the name and context that are given."""
    loop = asyncio.get_running_loop()
    before = loop.get_task_factory()
    calls: list[Any] = []

    def make(coro: Any, **given: Any) -> Any:
        calls.append(given)
        return asyncio.Task(coro, **given)

    loop.set_task_factory(asyncio.create_eager_task_factory(make))
    task = asyncio.create_task(asyncio.sleep(0), name="a")
    loop.set_task_factory(before)
    assert (calls[0]["eager_start"], calls[0]["loop"]) == (True, loop)
    assert task.get_name() == "a"
    await task


@fact("TASK-14", "TASK-6", "Task", since=(3, 12))
async def eager_start() -> None:
    """Task(eager_start=True) takes the first step at once in a loop that runs; without it nothing runs."""
    loop = asyncio.get_running_loop()
    seen = []

    async def work(how: str) -> str:
        seen.append(how)
        return how

    task = asyncio.Task(work("eager"), loop=loop, eager_start=True)
    assert (seen, task.done(), task.result()) == (["eager"], True, "eager")
    task = asyncio.Task(work("lazy"), loop=loop, eager_start=False)
    assert (seen, task.done()) == (["eager"], False)
    assert await task == "lazy"


@fact(
    "TASK-14",
    "TASK-10",
    "eager_task_factory",
    "create_eager_task_factory",
    "Task",
    "all_tasks",
    since=(3, 12),
)
async def eager_tasks_are_listed() -> None:
    """all_tasks() lists an eager task in its first step and while it waits, and no longer when it is done."""
    loop = asyncio.get_running_loop()
    before, me = loop.get_task_factory(), asyncio.current_task()
    seen: list[Any] = []

    async def work(delay: float) -> None:
        seen.append(asyncio.all_tasks() == {me, asyncio.current_task()})
        if delay:
            await asyncio.sleep(delay)

    for factory in (asyncio.eager_task_factory, asyncio.create_eager_task_factory(asyncio.Task)):
        for delay in (0, 0.01):
            loop.set_task_factory(factory)
            task = asyncio.create_task(work(delay))
            loop.set_task_factory(before)
            assert (task in asyncio.all_tasks()) is bool(delay)
            await task
            assert asyncio.all_tasks() == {me}
    assert seen == [True] * 4


@fact("TASK-14", "eager_task_factory", "create_eager_task_factory", "Task", since=(3, 12))
async def eager_tasks_of_eager_tasks() -> None:
    """A task that an eager task makes in its first step takes its own first step there, as the current task."""
    loop = asyncio.get_running_loop()
    before = loop.get_task_factory()
    seen: list[Any] = []

    async def inner() -> None:
        seen.append(asyncio.current_task())

    async def outer() -> None:
        seen.append(asyncio.current_task())
        seen.append(asyncio.create_task(inner()))
        seen.append(asyncio.current_task())

    for factory in (asyncio.eager_task_factory, asyncio.create_eager_task_factory(asyncio.Task)):
        seen.clear()
        loop.set_task_factory(factory)
        task = asyncio.create_task(outer())
        loop.set_task_factory(before)
        assert task.done()
        made = seen[2]
        assert seen == [task, made, made, task]


@fact("TASK-14", "CANCEL-3", "CANCEL-9", "create_eager_task_factory", "Task", since=(3, 12))
async def eager_task_cancels_itself() -> None:
    """A cancel of itself in its first step is thrown into an eager task at its first await."""
    seen = []

    async def work() -> None:
        task = asyncio.current_task()
        task.cancel("why")
        seen.append(task.cancelling())
        try:
            await asyncio.sleep(0.01)
        except asyncio.CancelledError as error:
            seen.append(error.args)
            raise

    loop = asyncio.get_running_loop()
    task = asyncio.Task(work(), loop=loop, eager_start=True)
    assert task.cancelling() == 1
    await asyncio.wait([task])
    assert task.cancelled()
    assert seen == [1, ("why",)]


@fact("TASK-14", "TASK-6", "create_eager_task_factory", "eager_task_factory", "Task", since=(3, 12))
def eager_before_the_loop() -> None:
    """Before the loop runs, an eager task does not start."""
    seen = []

    async def work() -> None:
        seen.append("work")

    for factory in (asyncio.eager_task_factory, asyncio.create_eager_task_factory(asyncio.Task)):
        seen.clear()
        loop = asyncio.new_event_loop()
        task = factory(loop, work())
        assert not seen
        loop.run_until_complete(task)
        assert seen == ["work"]
        loop.close()


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


@fact("TASK-14", "eager_task_factory", "create_eager_task_factory", "Task", since=(3, 12))
async def eager_factories() -> None:
    """An eager factory passes name and context on, and the current task is the old one again after an error."""
    loop, me = asyncio.get_running_loop(), asyncio.current_task()
    variable = contextvars.ContextVar("variable", default=0)
    context = contextvars.copy_context()
    context.run(variable.set, 5)

    async def fails() -> None:
        assert (variable.get(), asyncio.current_task().get_name()) == (5, "a")
        raise KeyError(1)

    async def waits() -> int:
        await asyncio.sleep(0.01)
        return variable.get()

    for factory in (asyncio.eager_task_factory, asyncio.create_eager_task_factory(asyncio.Task)):
        failed = factory(loop, fails(), name="a", context=context)
        assert isinstance(failed.exception(), KeyError)
        assert asyncio.current_task() is me
        waiting = factory(loop, waits(), name="b", context=context)
        assert waiting.get_name() == "b"
        assert await waiting == 5


@fact("TASK-14", "TASK-13", "eager_task_factory", "create_eager_task_factory", "Task", since=(3, 12))
async def eager_exit() -> None:
    """SystemExit in the first step of an eager task ends it, and is raised where the task is made."""
    loop, me = asyncio.get_running_loop(), asyncio.current_task()

    async def exits() -> None:
        raise SystemExit(3)

    for factory in (asyncio.eager_task_factory, asyncio.create_eager_task_factory(asyncio.Task)):
        try:
            factory(loop, exits())
        except SystemExit as error:
            assert error.code == 3
        else:
            raise AssertionError("no SystemExit")
        assert asyncio.current_task() is me
        assert asyncio.all_tasks() == {me}


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
