"""Witnesses of wrong/fourth/runners.py."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...witness import Thing, shows
from ...wrong.fourth import runners as wrong


@contextmanager
def _handler(handler: Any = signal.default_int_handler) -> Iterator[None]:
    usual = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def _run(runner: Any, coro: Any) -> Any:
    try:
        return runner.run(coro)
    except BaseException as error:
        return type(error).__name__


async def _press_and_clean_up(log: list[str]) -> None:
    try:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(0)
    except asyncio.CancelledError:
        await asyncio.sleep(0)
        log.append("cleaned up")
        raise


async def _press_and_ignore() -> Any:
    try:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(0)
    except asyncio.CancelledError:
        return "result"


async def _fail() -> None:
    raise ValueError


@shows(("KeyboardInterrupt", ["cleaned up"]), wrong.RunnerThatBreaksOffAtCtrlC)
def _clean_up_after_ctrl_c(thing: Thing) -> Any:
    log: list[str] = []
    with _handler(), thing() as runner:
        return _run(runner, _press_and_clean_up(log)), log


@shows(["cleaned up", "cleaned up"], wrong.RunnerThatCountsCtrlCForAllRuns)
def _interrupt_two_runs(thing: Thing) -> Any:
    log: list[str] = []
    with _handler(), thing() as runner:
        _run(runner, _press_and_clean_up(log))
        _run(runner, _press_and_clean_up(log))
    return log


@shows(True, wrong.RunnerThatKeepsItsHandlerAfterAnError)
def _look_at_the_handler_after_an_error(thing: Thing) -> Any:
    with _handler(), thing() as runner:
        _run(runner, _fail())
        return signal.getsignal(signal.SIGINT) is signal.default_int_handler


@shows((1, "went on"), wrong.RunnerThatReplacesAnyHandler)
def _handle_ctrl_c_oneself(thing: Thing) -> Any:
    signals: list[int] = []

    async def press() -> str:
        signal.raise_signal(signal.SIGINT)
        return await asyncio.sleep(0, "went on")

    with _handler(lambda number, frame: signals.append(number)), thing() as runner:
        result = _run(runner, press())
    return len(signals), result


@shows("result", wrong.RunnerThatInsistsOnCtrlC)
def _ignore_ctrl_c(thing: Thing) -> Any:
    with _handler(), thing() as runner:
        return _run(runner, _press_and_ignore())


@shows("CancelledError", wrong.RunnerThatTakesACancelForCtrlC)
def _cancel_beside_ctrl_c(thing: Thing) -> Any:
    async def press() -> None:
        task: Any = asyncio.current_task()
        signal.raise_signal(signal.SIGINT)
        task.cancel()
        await asyncio.sleep(0)

    with _handler(), thing() as runner:
        return _run(runner, press())


@shows("done", wrong.RunnerThatStartsAfreshAfterAnError)
def _end_a_task_after_a_failed_run(thing: Thing) -> Any:
    tasks: list[Any] = []

    async def start() -> None:
        tasks.append(asyncio.create_task(asyncio.sleep(0.001, "done")))

    async def end() -> Any:
        return await tasks[0]

    with thing() as runner:
        _run(runner, start())
        _run(runner, _fail())
        return _run(runner, end())


@shows(["ValueError"], wrong.RunnerThatIsSilentAboutLeftovers)
def _leave_a_task_that_fails(thing: Thing) -> Any:
    reports: list[str] = []
    tasks: list[Any] = []

    async def fail_at_the_end() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            raise ValueError

    async def start() -> None:
        tasks.append(asyncio.create_task(fail_at_the_end()))
        await asyncio.sleep(0)

    with thing() as runner:
        handler = lambda loop, context: reports.append(type(context["exception"]).__name__)  # noqa: E731
        runner.get_loop().set_exception_handler(handler)
        runner.run(start())
    return reports


@shows(True, wrong.RunnerThatMakesEveryLoopCurrent)
def _look_at_the_current_loop(thing: Thing) -> Any:
    mine = asyncio.new_event_loop()
    asyncio.set_event_loop(mine)
    try:
        with thing(loop_factory=asyncio.new_event_loop) as runner:
            runner.get_loop()
            return asyncio.get_event_loop() is mine
    finally:
        asyncio.set_event_loop(None)
        mine.close()


@shows((False, False), wrong.run_in_the_current_loop)
def _run_beside_a_loop(thing: Thing) -> Any:
    mine = asyncio.new_event_loop()
    asyncio.set_event_loop(mine)

    async def is_mine() -> bool:
        return asyncio.get_running_loop() is mine

    try:
        return thing(is_mine()), mine.is_closed()
    finally:
        asyncio.set_event_loop(None)
        mine.close()


@shows(True, wrong.run_without_the_debug_setting)
def _run_with_the_debug_setting(thing: Thing) -> Any:
    async def debug() -> bool:
        return asyncio.get_running_loop().get_debug()

    before = os.environ.get("PYTHONASYNCIODEBUG")
    os.environ["PYTHONASYNCIODEBUG"] = "1"
    try:
        return thing(debug())
    finally:
        del os.environ["PYTHONASYNCIODEBUG"]
        if before is not None:
            os.environ["PYTHONASYNCIODEBUG"] = before
