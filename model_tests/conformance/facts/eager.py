"""Facts about eager tasks."""

from __future__ import annotations

import contextvars
from typing import Any

from .fact import asyncio, fact


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

    async def work(waits: bool) -> None:
        seen.append(asyncio.all_tasks() == {me, asyncio.current_task()})
        if waits:
            await asyncio.sleep(0)

    for factory in (asyncio.eager_task_factory, asyncio.create_eager_task_factory(asyncio.Task)):
        for waits in (False, True):
            loop.set_task_factory(factory)
            task = asyncio.create_task(work(waits))
            loop.set_task_factory(before)
            assert (task in asyncio.all_tasks()) is waits
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


@fact("TASK-25", "create_task", "TaskGroup", since=(3, 14), takes="kwargs")
async def keywords_of_a_factory() -> None:
    """A task factory gets the keywords of create_task() as they are given, and no others."""
    loop = asyncio.get_running_loop()
    before = loop.get_task_factory()
    seen: list[Any] = []

    def factory(loop: Any, coro: Any, **given: Any) -> Any:
        seen.append({**given})
        given.pop("priority", None)
        return asyncio.Task(coro, loop=loop, **given)

    keywords: list[Any] = [
        {},
        {"name": "a"},
        {"priority": 3},
        {"name": None, "context": contextvars.Context()},
    ]
    loop.set_task_factory(factory)
    async with asyncio.TaskGroup() as group:
        for given in keywords:
            for create in (asyncio.create_task, loop.create_task, group.create_task):
                create(asyncio.sleep(0), **given)
    loop.set_task_factory(before)
    assert seen == [given for given in keywords for _ in range(3)]


@fact(
    *("TASK-26", "create_task", "TaskGroup", "Task", "eager_task_factory", "create_eager_task_factory"),
    since=(3, 14),
    takes="kwargs",
)
async def eager_start_of_one() -> None:
    """create_task(eager_start=True) takes the first step at once, eager_start=False in a later iteration."""
    loop = asyncio.get_running_loop()
    before = loop.get_task_factory()
    seen: list[Any] = []

    async def work() -> None:
        seen.append(asyncio.current_task().get_name())

    made = asyncio.create_eager_task_factory(asyncio.Task)
    async with asyncio.TaskGroup() as group:
        for create in (asyncio.create_task, loop.create_task, group.create_task):
            for factory, eager in ((None, True), (asyncio.eager_task_factory, False), (made, False)):
                seen.clear()
                loop.set_task_factory(factory or before)
                task = create(work(), name="a", eager_start=eager)
                loop.set_task_factory(before)
                assert seen == ["a"] * eager
                assert task.done() == eager
                await task
                assert seen == ["a"]
