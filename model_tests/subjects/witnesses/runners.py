"""Witnesses of the wrong runners."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from ..witness import Thing, shows
from ..wrong import runners as wrong

# Any: what a coroutine returns.


@shows(True, wrong.NewLoopEachTime)
def two_runs_on_one_loop(runner_class: Thing) -> Any:
    async def loop() -> Any:
        return asyncio.get_running_loop()

    with runner_class() as runner:
        first, second = runner.run(loop()), runner.run(loop())
    return first is second


def leftovers() -> tuple[list[str], Any]:
    """Return a log, and a coroutine that leaves a task which cleans up."""
    log: list[str] = []
    kept: list[asyncio.Task[None]] = []

    async def cleans() -> None:
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            log.append("cleanup")
            raise

    async def main() -> None:
        kept.append(asyncio.ensure_future(cleans()))
        await asyncio.sleep(0)

    return log, main()


@shows(["cleanup", "end"], wrong.LeavesTasks, wrong.CancelsAndLeaves)
def tasks_at_close(runner_class: Thing) -> Any:
    log, main = leftovers()
    with runner_class() as runner:
        runner.run(main)
    log.append("end")
    return log


@shows(["cleanup", "end"], wrong.run_without_cleanup)
def tasks_after_main(run: Thing) -> Any:
    log, main = leftovers()
    run(main)
    log.append("end")
    return log


@shows(["finalized", "end"], wrong.LeavesGenerators)
def generators_at_close(runner_class: Thing) -> Any:
    log: list[str] = []

    async def numbers() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            await asyncio.sleep(0)
            log.append("finalized")

    generator = numbers()

    async def main() -> None:
        await anext(generator)

    with runner_class() as runner:
        runner.run(main())
    log.append("end")
    return log


@shows("RuntimeError", wrong.ReopensAfterClose)
def run_after_close(runner_class: Thing) -> Any:
    runner = runner_class()
    runner.run(asyncio.sleep(0))
    runner.close()
    coro = asyncio.sleep(0)
    try:
        runner.run(coro)
    except RuntimeError:
        return "RuntimeError"
    finally:
        coro.close()
        runner.close()


@shows(True, wrong.IgnoresTheFactory)
def loop_of_the_factory(runner_class: Thing) -> Any:
    made: list[Any] = []

    def factory() -> asyncio.AbstractEventLoop:
        made.append(asyncio.new_event_loop())
        return made[0]  # type: ignore[no-any-return]  # a loop

    with runner_class(loop_factory=factory) as runner:
        return [runner.get_loop()] == made


@shows(True, wrong.IgnoresDebug)
def debug_mode(runner_class: Thing) -> Any:
    with runner_class(debug=True) as runner:
        return runner.get_loop().get_debug()


@shows("raises CancelledError", wrong.SwallowsCancels)
def main_is_cancelled(runner_class: Thing) -> Any:
    async def main() -> None:
        raise asyncio.CancelledError

    with runner_class() as runner:
        return runner.run(main())


@shows(["ValueError"], wrong.HidesLeftoverErrors)
def an_error_at_close(runner_class: Thing) -> Any:
    log: list[str] = []
    kept: list[asyncio.Task[None]] = []

    async def fails() -> None:
        try:
            await asyncio.sleep(10)
        finally:
            raise ValueError

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(
            lambda loop, context: log.append(type(context["exception"]).__name__)
        )
        kept.append(asyncio.ensure_future(fails()))
        await asyncio.sleep(0)

    with runner_class() as runner:
        runner.run(main())
    return log


@shows("RuntimeError", wrong.run_inside_a_loop)
async def run_in_a_running_loop(run: Thing) -> Any:
    coro = asyncio.sleep(0)
    try:
        run(coro)
    except RuntimeError:
        return "RuntimeError"
    finally:
        coro.close()


@shows(True, wrong.run_takes_debug_as_given)
def debug_of_none(run: Thing) -> Any:
    async def main() -> bool:
        return asyncio.get_running_loop().get_debug()

    class Policy(asyncio.DefaultEventLoopPolicy):
        """A policy whose loops are in debug mode, as with PYTHONASYNCIODEBUG=1."""

        def new_event_loop(self) -> asyncio.AbstractEventLoop:
            loop = super().new_event_loop()
            loop.set_debug(True)
            return loop

    before = asyncio.get_event_loop_policy()
    asyncio.set_event_loop_policy(Policy())
    try:
        return run(main())
    finally:
        asyncio.set_event_loop_policy(before)


@shows(["cancelled"], wrong.run_waits_for_tasks)
def a_task_that_main_leaves(run: Thing) -> Any:
    log: list[str] = []
    kept: list[asyncio.Task[None]] = []

    async def other() -> None:
        try:
            for _ in range(10):
                await asyncio.sleep(0)
            log.append("ran to its end")
        except asyncio.CancelledError:
            log.append("cancelled")

    async def main() -> None:
        kept.append(asyncio.ensure_future(other()))
        await asyncio.sleep(0)

    run(main())
    return log
