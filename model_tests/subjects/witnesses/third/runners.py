"""Witnesses of wrong/third/runners.py."""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import AsyncIterator
from typing import Any

from ...witness import Thing, shows
from ...wrong.third import runners as wrong

_variable: contextvars.ContextVar[str] = contextvars.ContextVar("_variable", default="unset")


async def _value() -> str:
    return _variable.get()


@shows("late", wrong.RunnerThatCopiesTheContextTooEarly)
def _set_a_variable_before_the_with(thing: Thing) -> Any:
    def program() -> Any:
        runner = thing()
        _variable.set("late")
        with runner:
            return runner.run(_value())

    return contextvars.copy_context().run(program)


@shows(("given", "unset"), wrong.RunnerThatKeepsTheLastContext)
def _give_a_context_to_the_first_run_only(thing: Thing) -> Any:
    context = contextvars.copy_context()
    context.run(_variable.set, "given")
    with thing() as runner:
        return runner.run(_value(), context=context), runner.run(_value())


@shows(["closed"], wrong.RunnerThatClosesGeneratorsBeforeTasks)
def _begin_a_generator_while_cleaning_up(thing: Thing) -> Any:
    said: list[str] = []
    kept: list[Any] = []

    async def numbers() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            await asyncio.sleep(0)
            said.append("closed")

    async def leftover() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            kept.append(numbers())
            async for _ in kept[-1]:
                break

    async def main() -> None:
        kept.append(asyncio.create_task(leftover()))
        await asyncio.sleep(0)

    with thing() as runner:
        runner.run(main())
    return said


@shows("kept", wrong.RunnerThatDropsTheCurrentLoop)
def _use_a_runner_beside_the_current_loop(thing: Thing) -> Any:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        with thing(loop_factory=asyncio.new_event_loop) as runner:
            runner.run(_value())
        return "kept" if asyncio.get_event_loop() is loop else "another"
    finally:
        asyncio.set_event_loop(None)
        loop.close()


@shows(False, wrong.RunnerThatCannotDisableDebug)
def _disable_the_debug_mode_of_the_loop(thing: Thing) -> Any:
    def factory() -> asyncio.AbstractEventLoop:
        loop = asyncio.new_event_loop()
        loop.set_debug(True)
        return loop

    with thing(debug=False, loop_factory=factory) as runner:
        return runner.get_loop().get_debug()


@shows(["refused", "second"], wrong.RunnerThatSchedulesBeforeItLooks)
def _run_in_a_running_loop_and_again_later(thing: Thing) -> Any:
    said: list[str] = []

    async def say(word: str) -> None:
        said.append(word)

    with thing(loop_factory=asyncio.new_event_loop) as inner, asyncio.Runner() as outer:
        first = say("first")

        async def main() -> None:
            try:
                inner.run(first)
            except RuntimeError:
                said.append("refused")

        outer.run(main())
        inner.run(say("second"))
        first.close()
    return said


@shows(["clean"], wrong.RunnerThatGivesTasksOneStep)
def _leave_a_task_that_cleans_up_slowly(thing: Thing) -> Any:
    said: list[str] = []
    kept: list[Any] = []

    async def leftover() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            for _ in range(50):
                await asyncio.sleep(0)
            said.append("clean")

    async def main() -> None:
        kept.append(asyncio.create_task(leftover()))
        await asyncio.sleep(0)

    with thing() as runner:
        runner.run(main())
    kept[0]._log_destroy_pending = False
    return said


@shows(("SystemExit", True), wrong.RunnerThatStaysOpenAfterAnError)
def _leave_a_task_that_exits(thing: Thing) -> Any:
    kept: list[Any] = []

    async def leftover() -> None:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            raise SystemExit from None

    async def main() -> None:
        kept.append(asyncio.create_task(leftover()))
        await asyncio.sleep(0)

    runner = thing()
    runner.run(main())
    loop = runner.get_loop()
    try:
        runner.close()
    except SystemExit:
        return "SystemExit", loop.is_closed()
    else:
        return "no error", loop.is_closed()
    finally:
        kept[0].exception()
        asyncio.set_event_loop(None)
        loop.close()


@shows(["worked"], wrong.run_leaves_the_threads)
def _leave_a_job_to_the_default_executor(thing: Thing) -> Any:
    said: list[str] = []

    def job() -> None:
        time.sleep(0.1)
        said.append("worked")

    async def main() -> None:
        asyncio.get_running_loop().run_in_executor(None, job)

    thing(main())
    return list(said)


@shows(("ValueError", True), wrong.run_closes_only_after_success)
def _raise_from_the_main_coroutine(thing: Thing) -> Any:
    loops: list[asyncio.AbstractEventLoop] = []

    async def main() -> None:
        loops.append(asyncio.get_running_loop())
        raise ValueError

    try:
        thing(main())
    except ValueError:
        return "ValueError", loops[0].is_closed()
    finally:
        asyncio.set_event_loop(None)
        loops[0].close()
