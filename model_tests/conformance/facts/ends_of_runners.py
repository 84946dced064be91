"""Facts about the end of run and Runner: tasks, generators and threads that are left, and the loop."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import AsyncIterator
from typing import Any

from .fact import asyncio, fact


@fact("RUN-2", "Runner")
def closes_loop() -> None:
    """A Runner closes its loop at the end of the with block, also when the block raises."""
    loops = []
    try:
        with asyncio.Runner() as runner:
            loops.append(runner.get_loop())
            assert not loops[0].is_closed()
            raise KeyError(1)
    except KeyError:
        assert loops[0].is_closed()
    else:
        raise AssertionError("the error of the block is lost")


@fact("RUN-2", "Runner")
def closed_twice() -> None:
    """A second close() of a Runner does nothing, and neither does one before it has a loop."""
    asyncio.Runner().close()
    runner = asyncio.Runner()
    assert runner.run(asyncio.sleep(0, 7)) == 7
    runner.close()
    runner.close()


@fact("RUN-2", "Runner")
def not_reopened() -> None:
    """A Runner that is closed can neither be entered nor run anything."""
    runner = asyncio.Runner()
    with runner:
        pass
    try:
        with runner:
            pass
    except RuntimeError:
        return
    raise AssertionError("it was entered again")


@fact("RUN-2", "Runner")
def tasks_stay_between_runs() -> None:
    """A task that one program leaves goes on while the next one runs, and is cancelled by close()."""
    seen: list[Any] = []

    async def leftover() -> None:
        try:
            for number in range(100):
                seen.append(number)
                await asyncio.sleep(0.01)
        finally:
            seen.append("ended")

    async def main() -> Any:
        return asyncio.create_task(leftover())

    with asyncio.Runner() as runner:
        task = runner.run(main())
        runner.run(asyncio.sleep(0.05))
        assert seen[:3] == [0, 1, 2]
        assert not task.done()
    assert seen[-1] == "ended"
    assert task.cancelled()


@fact("RUN-2", "Runner")
def generators_after_tasks() -> None:
    """close() cancels the tasks first, and closes asynchronous generators that these have begun, too."""
    closed = []
    kept: list[Any] = []

    async def numbers() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            await asyncio.sleep(0)
            closed.append("generator")

    async def leftover() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            kept.append(numbers())
            await anext(kept[0])

    async def main() -> None:
        kept.append(asyncio.create_task(leftover()))
        await asyncio.sleep(0)
        kept.clear()

    with asyncio.Runner() as runner:
        runner.run(main())
    assert closed == ["generator"]


@fact("RUN-1", "RUN-2", "Runner", "run")
def generators_are_closed() -> None:
    """Every asynchronous generator that is not exhausted is closed at the end, within the loop."""
    seen = []

    async def numbers(number: int) -> AsyncIterator[int]:
        try:
            yield number
        finally:
            await asyncio.sleep(0)
            seen.append((number, asyncio.get_running_loop().is_running()))

    async def main() -> None:
        kept[:] = [numbers(number) for number in range(3)]
        for each in kept:
            await anext(each)

    kept: list[Any] = []
    asyncio.run(main())
    with asyncio.Runner() as runner:
        runner.run(main())
    assert sorted(seen) == sorted([(number, True) for number in range(3)] * 2)


@fact("RUN-2", "RUN-1", "Runner", "run")
def cancels_all_that_is_left() -> None:
    """Every task that is left is cancelled once, and run to its end."""
    ended = []

    async def leftover(number: int) -> None:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            for _ in range(number):
                await asyncio.sleep(0.01)
            ended.append(number)

    async def main() -> None:
        for number in range(4):
            kept.append(asyncio.create_task(leftover(number)))
        await asyncio.sleep(0)

    kept: list[Any] = []
    asyncio.run(main())
    with asyncio.Runner() as runner:
        runner.run(main())
    assert ended == [0, 1, 2, 3] * 2


@fact("RUN-2", "RUN-1", "Runner", "run")
def errors_of_leftovers() -> None:
    """An error of a task that is cancelled at the end goes to the exception handler, and is not raised."""
    reports: list[Any] = []

    async def leftover() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            raise KeyError(1)

    async def main() -> int:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda loop, context: reports.append(context))
        reports.append(asyncio.create_task(leftover()))
        await asyncio.sleep(0)
        return 3

    assert asyncio.run(main()) == 3
    assert [type(reports[1]["exception"]), reports[1]["task"]] == [KeyError, reports[0]]


@fact("RUN-1", "RUN-2", "Runner", "run", threads=True)
def threads_are_joined() -> None:
    """At the end the threads of the default executor have done their work, and ended."""
    seen: list[Any] = []

    def slow() -> None:
        time.sleep(0.05)
        seen.append(threading.current_thread())

    async def main() -> None:
        asyncio.get_running_loop().run_in_executor(None, slow)

    asyncio.run(main())
    assert [thread.is_alive() for thread in seen] == [False]
    with asyncio.Runner() as runner:
        runner.run(main())
    assert [thread.is_alive() for thread in seen] == [False, False]


@fact("RUN-2", "RUN-1", "Runner", "run")
def closed_in_any_case() -> None:
    """The loop is closed also if a task that is left ends with SystemExit."""
    seen: list[Any] = []

    async def leftover() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            raise SystemExit(3)

    async def main() -> None:
        seen.append(asyncio.create_task(leftover()))
        seen.append(asyncio.get_running_loop())
        await asyncio.sleep(0)

    try:
        asyncio.run(main())
    except SystemExit:
        assert seen[1].is_closed()
    try:
        with asyncio.Runner() as runner:
            runner.run(main())
    except SystemExit:
        assert seen[3].is_closed()


@fact("RUN-2", "RUN-1", "Runner", "run")
def base_exceptions() -> None:
    """SystemExit of a program leaves run(), the tasks that are left are ended, and the loop is closed."""
    seen: list[Any] = []

    async def leftover() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            seen.append("ended")

    async def main() -> None:
        seen.append(asyncio.get_running_loop())
        seen.append(asyncio.create_task(leftover()))
        await asyncio.sleep(0)
        raise SystemExit(3)

    try:
        asyncio.run(main())
    except SystemExit as error:
        assert error.code == 3
        assert seen[0].is_closed()
        assert seen[2:] == ["ended"]
    else:
        raise AssertionError("no SystemExit")


@fact("LEAK-11", "Runner", "run")
def loops_are_freed() -> None:
    """run() and a Runner that is closed keep neither the loop nor the result of the program."""
    refs: list[Any] = []

    async def main() -> Any:
        thing = type("Thing", (), {})()
        refs.extend([weakref.ref(thing), weakref.ref(asyncio.current_task())])
        return thing

    asyncio.run(main())
    runner = asyncio.Runner()
    runner.run(main())
    runner.close()
    gc.collect()
    assert [ref() for ref in refs] == [None] * 4
