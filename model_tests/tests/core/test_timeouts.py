"""timeout, beyond the vectors: messages, causes, events at the very deadline, and the loop that it belongs to.

Each program is written once, on asyncio's names.  It logs its outcomes, on impl and on asyncio with a virtual clock,
and the two logs are equal.
"""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

import impl
from impl import timeout, timeout_at

from ...programs.virtual_asyncio import VirtualLoop

Log = list[object]
#: The names of a runtime: impl, or asyncio.
Names = Any
Program = Callable[[Names, Log], Coroutine[Any, Any, None]]


def reschedule(t: Any, log: Log) -> None:
    try:
        t.reschedule(5)
    except RuntimeError as error:
        log.append(str(error))


async def rescheduled_at_the_wrong_time(s: Names, log: Log) -> None:
    """Before it is entered, and when it has been left; then it cannot be entered again either."""
    t = s.timeout(1)
    reschedule(t, log)
    async with t:
        pass
    reschedule(t, log)
    try:
        async with t:
            log.append("never")
    except RuntimeError as error:
        log.append(str(error))


async def rescheduled_too_late(s: Names, log: Log) -> None:
    """A deadline that has passed shows, and cannot be moved."""
    try:
        async with s.timeout(1) as t:
            try:
                await s.sleep(9)
            except s.CancelledError:
                reschedule(t, log)
                raise
    except TimeoutError as error:
        log += [repr(t), type(error.__cause__) is s.CancelledError]
    reschedule(t, log)


async def an_early_error(s: Names, log: Log) -> None:
    try:
        async with s.timeout(1) as t:
            raise KeyError
    except KeyError:
        log += [t.expired(), s.current_task().cancelling()]
    await s.sleep(3)


async def history_of_another_error(s: Names, log: Log) -> None:
    """The TimeoutError stands between the error and the cancel that it answers."""
    try:
        async with s.timeout(1):
            try:
                await s.sleep(9)
            except s.CancelledError as cancelled:
                raise KeyError("mine") from cancelled
    except KeyError as error:
        before = error.__context__
        log += [type(before).__name__, type(error.__cause__) is s.CancelledError]
        log += [before is not None and type(before.__cause__) is s.CancelledError]


async def history_of_two_cancels(s: Names, log: Log) -> None:
    """The TimeoutError stands before the newer one alone."""
    try:
        async with s.timeout(1):
            try:
                await s.sleep(9)
            except s.CancelledError:
                try:
                    raise s.CancelledError
                finally:
                    raise KeyError("mine")
    except KeyError as error:
        before: BaseException | None = error
        while before is not None:
            log.append(type(before).__name__)
            before = before.__context__


SINCE_3_13 = pytest.mark.skipif(sys.version_info < (3, 13), reason="asyncio does so since 3.13")
PROGRAMS = [
    rescheduled_at_the_wrong_time, rescheduled_too_late, an_early_error,
    pytest.param(history_of_another_error, marks=SINCE_3_13),
    pytest.param(history_of_two_cancels, marks=SINCE_3_13),
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_same_as_asyncio(program: Program) -> None:
    ours: Log = []
    theirs: Log = []
    impl.run(program(impl, ours))
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(program(asyncio, theirs))
    assert ours
    assert "never" not in ours
    assert ours == theirs


def test_the_history_shows_one_timeout() -> None:
    """Also on the Pythons with an asyncio that shows none."""
    log: Log = []
    impl.run(history_of_two_cancels(impl, log))
    assert log == ["KeyError", "TimeoutError", "CancelledError", "CancelledError"]


@pytest.mark.parametrize("make", [lambda loop: timeout_at(1), lambda loop: timeout(1, loop=loop)])
def test_a_timeout_may_be_made_outside_of_a_loop(loop: impl.Loop, make: Callable[[impl.Loop], Any]) -> None:
    """It gets its loop when it is entered, or is told; only a delay needs the current time."""
    at_one = make(loop)

    async def main() -> None:
        with pytest.raises(TimeoutError):
            async with at_one:
                await impl.sleep(9)

    loop.run(main())
    assert loop.time() == 1
