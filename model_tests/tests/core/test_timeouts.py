"""`timeout` has asyncio.timeout's semantics: the same programs on our loop, against the documentation, and on asyncio.

A program is written once, against a `Subject`: the few names that it needs.  It logs what it sees.  It runs on ours
(virtual time) and on asyncio with a clock that jumps, so neither sleeps; the logs must be equal.  Scenarios on which
versions of asyncio differ are checked against the documentation of 3.13 alone.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

import pytest

import impl
from impl import timeout, timeout_at

from ...programs.virtual_asyncio import VirtualLoop
from ..net.net_world import turns


class Subject(Protocol):
    """A namespace with asyncio's names. Any, throughout: their types differ, and only behaviour is compared."""

    CancelledError: type[BaseException]
    timeout: Any
    timeout_at: Any
    sleep: Any
    create_task: Any
    current_task: Any
    time: Callable[[], float]
    run: Callable[[Coroutine[Any, Any, Any]], Any]


class Ours:
    CancelledError = impl.CancelledError
    timeout = staticmethod(timeout)
    timeout_at = staticmethod(timeout_at)
    sleep = staticmethod(impl.sleep)
    create_task = staticmethod(impl.create_task)
    current_task = staticmethod(impl.current_task)
    run = staticmethod(impl.run)

    @staticmethod
    def time() -> float:
        now: float = impl.get_running_loop().time()
        return now


class Theirs:
    CancelledError = asyncio.CancelledError
    timeout = staticmethod(asyncio.timeout)
    timeout_at = staticmethod(asyncio.timeout_at)
    sleep = staticmethod(asyncio.sleep)
    create_task = staticmethod(asyncio.create_task)
    current_task = staticmethod(asyncio.current_task)

    @staticmethod
    def run(main: Coroutine[Any, Any, Any]) -> Any:
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            return runner.run(main)

    @staticmethod
    def time() -> float:
        return asyncio.get_running_loop().time()


Log = list[object]
Program = Callable[[Any, Log], Coroutine[Any, Any, None]]  # Any: a Subject, whose classes are not instances


async def in_time(s: Any, log: Log) -> None:
    async with s.timeout(10) as t:
        await s.sleep(3)
    log += [t.expired(), t.when(), s.time(), s.current_task().cancelling()]
    await s.sleep(20)  # the timer is removed
    log.append(s.time())


async def too_late(s: Any, log: Log) -> None:
    try:
        async with s.timeout(2) as t:
            await s.sleep(30)
    except TimeoutError as error:
        log += ["timeout", type(error.__cause__) is s.CancelledError]
    log += [t.expired(), s.time(), s.current_task().cancelling()]


async def no_limit(s: Any, log: Log) -> None:
    async with s.timeout(None) as t:
        await s.sleep(1000)
    log += [t.when(), t.expired(), s.time()]


async def already_past(s: Any, log: Log) -> None:
    for delay in (0, -1):
        steps = 0
        try:
            async with s.timeout(delay):
                for _ in range(5):
                    await s.sleep(0)
                    steps += 1
        except TimeoutError:
            log += ["timeout", steps]


async def already_past_without_await(s: Any, log: Log) -> None:
    async with s.timeout(-1) as t:
        pass
    await s.sleep(0)
    log += [t.expired(), s.current_task().cancelling()]


async def rescheduled_later(s: Any, log: Log) -> None:
    async with s.timeout(2) as t:
        t.reschedule(s.time() + 5)
        await s.sleep(3)
    log += [t.when(), t.expired(), s.time()]


async def rescheduled_earlier(s: Any, log: Log) -> None:
    try:
        async with s.timeout(None) as t:
            t.reschedule(s.time() + 1)
            await s.sleep(3)
    except TimeoutError:
        log += ["timeout", t.expired(), s.time()]


async def rescheduled_to_never(s: Any, log: Log) -> None:
    async with s.timeout(2) as t:
        t.reschedule(None)
        await s.sleep(9)
    log += [t.when(), t.expired(), s.time()]


async def rescheduled_at_the_wrong_time(s: Any, log: Log) -> None:
    t = s.timeout(1)
    for _ in range(2):
        try:
            t.reschedule(5)
        except RuntimeError as error:
            log.append(str(error))
        if not log[1:]:
            async with t:
                pass
    try:
        async with t:
            log.append("never")
    except RuntimeError as error:
        log.append(str(error))


async def rescheduled_while_expiring(s: Any, log: Log) -> None:
    try:
        async with s.timeout(1) as t:
            try:
                await s.sleep(5)
            except s.CancelledError:
                try:
                    t.reschedule(9)
                except RuntimeError as error:
                    log.append(str(error))
                raise
    except TimeoutError:
        log.append("timeout")


async def inner_expires(s: Any, log: Log) -> None:
    async with s.timeout(5) as outer:
        try:
            async with s.timeout(1) as inner:
                await s.sleep(9)
        except TimeoutError:
            log.append("inner")
        await s.sleep(1)
    log += [outer.expired(), inner.expired(), s.time()]


async def outer_expires(s: Any, log: Log) -> None:
    try:
        async with s.timeout(1) as outer:
            try:
                async with s.timeout(5) as inner:
                    await s.sleep(9)
            except TimeoutError:
                log.append("never")
    except TimeoutError:
        log.append("outer")
    log += [outer.expired(), inner.expired(), s.time()]


async def cancelled_from_outside(s: Any, log: Log) -> None:
    async def victim() -> None:
        async with s.timeout(5):
            await s.sleep(9)

    task = s.create_task(victim())
    await s.sleep(1)
    task.cancel()
    try:
        await task
    except s.CancelledError:
        log += [task.cancelled(), s.time()]


async def cancelled_at_the_deadline(s: Any, log: Log) -> None:
    """A cancel from outside that meets the deadline is not swallowed by it."""

    async def victim() -> None:
        try:
            async with s.timeout(5):
                try:
                    await s.sleep(9)
                finally:
                    s.current_task().cancel()
        except TimeoutError:
            log.append("never")

    task = s.create_task(victim())
    try:
        await task
    except s.CancelledError:
        log += [task.cancelled(), task.cancelling(), s.time()]


async def cancelled_before(s: Any, log: Log) -> None:
    """A cancel that was swallowed before the block does not count against it."""

    async def victim() -> None:
        try:
            await s.sleep(9)
        except s.CancelledError:
            log.append("swallowed")
        try:
            async with s.timeout(1):
                await s.sleep(9)
        except TimeoutError:
            log.extend(["timeout", s.current_task().cancelling()])

    task = s.create_task(victim())
    await s.sleep(1)
    task.cancel()
    await task


async def swallowed(s: Any, log: Log) -> None:
    async with s.timeout(1) as t:
        try:
            await s.sleep(9)
        except s.CancelledError:
            log.append("swallowed")
    log += [t.expired(), s.current_task().cancelling(), s.time()]
    await s.sleep(1)


async def another_error(s: Any, log: Log) -> None:
    try:
        async with s.timeout(1) as t:
            try:
                await s.sleep(9)
            except s.CancelledError:
                raise KeyError("mine") from None
    except KeyError:
        log += [t.expired(), s.current_task().cancelling()]


async def an_early_error(s: Any, log: Log) -> None:
    try:
        async with s.timeout(1) as t:
            raise KeyError
    except KeyError:
        log += [t.expired(), s.current_task().cancelling()]
    await s.sleep(3)


async def at_a_time(s: Any, log: Log) -> None:
    await s.sleep(2)
    for when in (5, 1, None):
        try:
            async with s.timeout_at(when) as t:
                await s.sleep(9)
        except TimeoutError:
            log.append("timeout")
        log += [t.when(), t.expired(), s.time()]


async def history_of_another_error(s: Any, log: Log) -> None:
    """The TimeoutError is chained between the error and the cancel that caused it."""
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


PROGRAMS = [
    in_time, too_late, no_limit, already_past, already_past_without_await, rescheduled_later, rescheduled_earlier,
    rescheduled_to_never, rescheduled_at_the_wrong_time, rescheduled_while_expiring, inner_expires, outer_expires,
    cancelled_from_outside, cancelled_at_the_deadline, cancelled_before, swallowed, another_error, an_early_error,
    at_a_time,
    pytest.param(
        history_of_another_error,
        marks=pytest.mark.skipif(sys.version_info < (3, 13), reason="asyncio does so since 3.13"),
    ),
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_same_as_asyncio(program: Program) -> None:
    logs: list[Log] = []
    for subject in (Ours, Theirs):
        log: Log = []
        subject.run(program(subject, log))
        assert log
        assert "never" not in log
        logs.append(log)
    assert logs[0] == logs[1]


def test_outside_of_a_loop() -> None:
    with pytest.raises(RuntimeError, match="no running event loop"):
        timeout(1)


def test_outside_of_a_task() -> None:
    loop = impl.Loop()
    with pytest.raises(RuntimeError, match="inside a task"):
        timeout(1, loop=loop).__aenter__().send(None)


def test_a_loop_may_be_given() -> None:
    loop = impl.Loop()

    async def main() -> float:
        with pytest.raises(TimeoutError):
            async with timeout(2, loop=loop):
                await impl.sleep(9)
        return loop.time()

    assert loop.run(main()) == 2


def test_an_expired_block_takes_its_own_request_back_only() -> None:
    """At every iteration: a cancel from outside ends the task, or comes after its end; it is never a TimeoutError."""

    async def victim() -> str:
        try:
            async with timeout(0.001):
                await impl.sleep(0.001)
                await impl.sleep(0.002)
        except TimeoutError:
            return "timeout"
        return "in time"

    ended = []
    for k in range(20):
        loop = impl.Loop()
        task = loop.create_task(victim())
        for _ in range(k):
            if not task.done():
                turns(loop, 1)
        if task.cancel():
            with pytest.raises(impl.CancelledError):
                loop.run_until_complete(task)
        else:
            ended.append(task.result())
        loop.close()
    assert ended
    assert set(ended) == {"timeout"}


def test_a_timeout_may_be_made_outside_of_a_loop() -> None:
    """It gets its loop when it is entered; only a delay needs the current time."""
    at_one = timeout_at(1)

    async def main() -> float:
        with pytest.raises(TimeoutError):
            async with at_one:
                await impl.sleep(9)
        now: float = impl.get_running_loop().time()
        return now

    assert impl.run(main()) == 1
