"""Facts about wait, as_completed, sleep, wait_for and timeouts: their arguments, accepted and refused."""

from __future__ import annotations

import gc
from typing import Any

from .fact import asyncio, fact


@fact("WAIT-6", "wait")
async def wait_refuses() -> None:
    """wait() refuses nothing at all and an unknown return_when with ValueError, and the rest with TypeError."""
    future = asyncio.get_running_loop().create_future()
    coroutine = asyncio.sleep(0)
    refused: list[tuple[Any, Any, type[Exception]]] = [
        ([], "ALL_COMPLETED", ValueError),
        ((), "FIRST_COMPLETED", ValueError),
        ([future], "ANY", ValueError),
        (future, "ALL_COMPLETED", TypeError),
        (coroutine, "ALL_COMPLETED", TypeError),
        ([coroutine], "ALL_COMPLETED", TypeError),
        ([future, coroutine], "ALL_COMPLETED", TypeError),
    ]
    for things, until, error in refused:
        try:
            await asyncio.wait(things, timeout=1, return_when=until)
        except error:
            continue
        raise AssertionError(f"{things} was accepted")
    coroutine.close()


@fact("WAIT-1", "WAIT-3", "wait")
async def wait_takes_any_iterable() -> None:
    """wait() takes lists, tuples, sets and generators of futures, and returns two sets of them."""
    loop = asyncio.get_running_loop()
    for kind in (list, tuple, set, iter):
        first, second = loop.create_future(), loop.create_future()
        first.set_result(1)
        done, pending = await asyncio.wait(kind([first, second, first]), timeout=0.1)
        assert (done, pending) == ({first}, {second})
        assert type(done) is type(pending) is set


@fact("WAIT-1", "WAIT-2", "WAIT-3", "wait")
async def wait_for_what_is_done() -> None:
    """wait() counts a future that is done already, failed or cancelled, and each thing once."""
    loop = asyncio.get_running_loop()
    result, error, cancelled, waits = (loop.create_future() for _ in range(4))
    result.set_result(1)
    error.set_exception(KeyError(1))
    cancelled.cancel()
    for until, things, done in (
        ("ALL_COMPLETED", [result, error, cancelled, result], {result, error, cancelled}),
        ("FIRST_COMPLETED", [waits, cancelled], {cancelled}),
        ("FIRST_EXCEPTION", [waits, error, waits], {error}),
        ("FIRST_EXCEPTION", [waits, result, cancelled], {result, cancelled}),
    ):
        got = await asyncio.wait(things, timeout=0.05, return_when=until)
        assert got == (done, set(things) - done)
    later = loop.create_future()
    loop.call_later(0.01, later.set_result, 1)
    start = loop.time()
    assert await asyncio.wait([later, later, result], timeout=1) == ({later, result}, set())
    assert loop.time() - start < 0.5
    error.exception()


@fact("WAIT-4", "wait")
async def no_time_to_wait() -> None:
    """wait() with a timeout of 0 or less returns the done ones, and the rest as pending, at once."""
    loop = asyncio.get_running_loop()
    done, waits = loop.create_future(), loop.create_future()
    done.set_result(1)
    for timeout in (0, -1):
        start = loop.time()
        assert await asyncio.wait([done, waits], timeout=timeout) == ({done}, {waits})
        assert await asyncio.wait([waits], timeout=timeout) == (set(), {waits})
        assert loop.time() - start < 0.5
    assert not waits.cancelled()


@fact("ASDONE-1", "ASDONE-2", "as_completed")
async def as_completed_takes_any_iterable() -> None:
    """as_completed() takes sets and generators, gives a thing that occurs twice once, and nothing for nothing."""
    assert [await step for step in asyncio.as_completed([])] == []
    future = asyncio.get_running_loop().create_future()
    future.set_result(1)
    for kind in (list, tuple, set, iter):
        assert [await step for step in asyncio.as_completed(kind([future, future]))] == [1]


@fact("ASDONE-1", "as_completed", documented=False)  # test_tasks.py has it
async def as_completed_refuses() -> None:
    """as_completed() refuses a future or a coroutine in the place of an iterable with TypeError."""
    future, coroutine = asyncio.get_running_loop().create_future(), asyncio.sleep(0)
    for wrong in (future, coroutine):
        try:
            list(asyncio.as_completed(wrong))
        except TypeError:
            continue
        raise AssertionError("it was accepted")
    coroutine.close()


@fact("ASDONE-1", "as_completed")
async def as_completed_keeps_the_order() -> None:
    """as_completed() gives the future that ended earlier first, also if it ended before the call."""
    futures = [asyncio.get_running_loop().create_future() for _ in range(3)]
    steps = iter(asyncio.as_completed(futures))
    first = next(steps)
    for place in (2, 0, 1):
        futures[place].set_result(place)
        await asyncio.sleep(0.01)
    assert [await first, *[await step for step in steps]] == [2, 0, 1]


@fact("SLEEP-1", "sleep")
async def sleeps() -> None:
    """sleep() takes 0, negative numbers and fractions, and returns its result, also a false one."""
    loop = asyncio.get_running_loop()
    for delay, took in ((0, 0), (-1, 0), (0.01, 0.01), (0.02, 0.02)):
        results: list[Any] = [None, 0, [], KeyError(1)]
        for result in results:
            start = loop.time()
            assert await asyncio.sleep(delay, result) is result
            assert took - 0.001 < loop.time() - start < took + 0.5


@fact("SLEEP-1", "sleep", "wait_for", "timeout")
async def for_ever() -> None:
    """Infinity is a delay, and a limit."""
    infinity = float("inf")
    task = asyncio.create_task(asyncio.sleep(infinity))
    assert await asyncio.wait_for(asyncio.sleep(0.01, 5), infinity) == 5
    async with asyncio.timeout(infinity):
        await asyncio.sleep(0.01)
    assert not task.done()
    task.cancel()


@fact("WAITFOR-5", "WAITFOR-1", "wait_for")
async def limits() -> None:
    """wait_for() takes 0 and negative timeouts, fractions and None, by place or by name."""
    loop = asyncio.get_running_loop()
    done = loop.create_future()
    done.set_result(5)
    for timeout in (0, -1, 0.01, None):
        assert await asyncio.wait_for(done, timeout) == 5
        assert await asyncio.wait_for(fut=done, timeout=timeout) == 5
    for timeout, took in ((0, 0), (-1, 0), (0.01, 0.01), (0.02, 0.02)):
        start = loop.time()
        try:
            await asyncio.wait_for(asyncio.sleep(9), timeout)
        except TimeoutError:
            assert took - 0.001 < loop.time() - start < took + 0.5
        else:
            raise AssertionError("no TimeoutError")


@fact("TIMEOUT-3", "TIMEOUT-4", "timeout", "Timeout", "timeout_at")
async def deadlines() -> None:
    """when() is the deadline on the loop's clock, as it was given or rescheduled, and None for none."""
    now = asyncio.get_running_loop().time()
    async with (
        asyncio.timeout(2) as first,
        asyncio.timeout_at(now + 3) as second,
        asyncio.timeout(None) as third,
    ):
        assert now + 2 <= first.when() < now + 2.5
        assert [second.when(), third.when()] == [now + 3, None]
        third.reschedule(now + 4)
        second.reschedule(None)
        assert [second.when(), third.when()] == [None, now + 4]
        await asyncio.sleep(0.01)
        assert not any([first.expired(), second.expired(), third.expired()])
    assert not any([first.expired(), second.expired(), third.expired()])


@fact("TIMEOUT-3", "TIMEOUT-5", "timeout", "Timeout", "timeout_at")
async def rescheduled() -> None:
    """reschedule() moves the deadline either way; None removes it; a moment that has passed ends the block."""
    loop = asyncio.get_running_loop()
    for first, then, ends in (
        (9, 0.01, True),
        (0.01, 9, False),
        (0.01, None, False),
        (None, -1, True),
        (9, 0, True),
    ):
        start = loop.time()
        try:
            async with asyncio.timeout(first) as block:
                block.reschedule(None if then is None else loop.time() + then)
                await asyncio.sleep(0.05)
        except TimeoutError:
            assert ends
            assert block.expired()
            assert loop.time() - start < 0.045
        else:
            assert not ends
            assert not block.expired()


@fact("TIMEOUT-7", "timeout", "Timeout", "timeout_at")
async def timeout_once() -> None:
    """A timeout is entered once; reschedule() is refused before that, and when it has ended or expired."""
    block = asyncio.timeout(1)

    def refused(call: Any, *args: Any) -> bool:
        try:
            call(*args)
        except RuntimeError:
            return True
        return False

    assert refused(block.reschedule, 5)
    async with block:
        pass
    assert refused(block.reschedule, 5)
    assert refused(block.__aenter__().send, None)
    expired = asyncio.timeout(0)
    try:
        async with expired:
            await asyncio.sleep(0.01)
    except TimeoutError:
        assert expired.expired()
    assert refused(expired.reschedule, 5)


@fact("TIMEOUT-7", "timeout", "Timeout", "timeout_at")
def timeout_outside_a_task() -> None:
    """A timeout is refused with RuntimeError outside of a task."""
    loop = asyncio.new_event_loop()
    seen: list[Any] = []

    async def enter() -> None:
        async with asyncio.timeout(1):
            pass

    def without_a_task() -> None:
        coroutine = enter()
        try:
            coroutine.send(None)
        except BaseException as error:
            seen.append(type(error))
        coroutine.close()

    loop.call_soon(without_a_task)
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()
    assert seen == [RuntimeError]


@fact(
    "LOOP-3",
    "SLEEP-1",
    "WAITFOR-4",
    "WAIT-5",
    "sleep",
    "wait_for",
    "wait",
    "timeout",
    "Timeout",
    "as_completed",
)
async def nothing_is_reported() -> None:
    """Nothing is reported if a cancel comes in the moment of a deadline, before or after it."""
    loop = asyncio.get_running_loop()
    reports: list[Any] = []
    loop.set_exception_handler(lambda loop, context: reports.append(context))
    tasks: list[Any] = []
    future = loop.create_future()

    async def limits() -> None:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(9)

    async def steps() -> None:
        for step in asyncio.as_completed([future], timeout=0.01):
            await step

    bodies: list[Any] = [
        limits,
        steps,
        lambda: asyncio.sleep(0.01),
        lambda: asyncio.wait_for(asyncio.shield(future), 0.01),
        lambda: asyncio.wait_for(asyncio.sleep(0.01), 0.01),
        lambda: asyncio.wait([future], timeout=0.01),
    ]
    for body in bodies:
        for before in (True, False):
            if before:
                loop.call_later(0.01, lambda: tasks[-1].cancel())
            tasks.append(asyncio.ensure_future(body()))
            await asyncio.sleep(0)
            if not before:
                loop.call_later(0.01, tasks[-1].cancel)
            await asyncio.wait(tasks[-1:], timeout=1)
            assert tasks[-1].done()
            tasks[-1].cancelled() or tasks[-1].exception()
    await asyncio.sleep(0.05)
    tasks.clear()
    gc.collect()
    assert reports == []


@fact("ASDONE-2", "as_completed")
async def results_in_time() -> None:
    """as_completed gives a result that came before its timeout, though the step is awaited after that."""
    steps = iter(asyncio.as_completed([asyncio.sleep(0.01, 5), asyncio.sleep(9, 6)], timeout=0.05))
    first = next(steps)
    await asyncio.sleep(0.1)
    assert await first == 5
    try:
        await next(steps)
    except TimeoutError:
        return
    raise AssertionError("a timeout that has passed")
