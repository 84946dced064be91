"""The outcomes of calls: a cancel counts if it was requested, and what a call returns is never what one raises."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from itertools import product
from typing import Any, ClassVar

import pytest

from spec.kit import Rejected
from spec.queue import queue_model

from ...explored import OwnOracle, explore
from ...explored.judged import RuleBroken
from ...fuzz.specifications.corpus import items
from ...refinement.check_implementation import check_implementation
from ...refinement.machines.objects import object_adapter
from ...refinement.machines.outcomes import CANCELLED, Raised, answer
from ..refinement.gate import module

# Any in this file: what the specification of the corpus defines.

POOL = module("own_pool", next(item.text for item in items() if item.name == "pool"))


class PoolClosed(Exception):
    pass


class Pool:
    """Connections; a task that is cancelled after it was woken hands its connection on."""

    def __init__(self, limit: int) -> None:
        self.free = self.limit = limit
        self.closed = False
        self.waiters: deque[asyncio.Future[None]] = deque()
        self.back = asyncio.Event()

    async def acquire(self) -> Any:
        if self.closed:
            raise PoolClosed
        if self.free > 0:
            self.free -= 1
            return
        waiter = asyncio.get_running_loop().create_future()
        self.waiters.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                self.release()
            elif waiter in self.waiters:
                self.waiters.remove(waiter)
            raise

    def release(self) -> None:
        while self.waiters:
            waiter = self.waiters.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return
        self.free += 1
        self.check()

    def close(self) -> None:
        self.closed = True
        while self.waiters:
            waiter = self.waiters.popleft()
            if not waiter.done():
                self.refuse(waiter)
        self.check()

    def refuse(self, waiter: asyncio.Future[None]) -> None:
        waiter.set_exception(PoolClosed())

    def check(self) -> None:
        if self.closed and self.free == self.limit:
            self.back.set()

    async def drained(self) -> None:
        await self.back.wait()


class Cancels(Pool):
    def refuse(self, waiter: asyncio.Future[None]) -> None:
        waiter.cancel()


class RaisesCancelled(Pool):
    def refuse(self, waiter: asyncio.Future[None]) -> None:
        waiter.set_exception(asyncio.CancelledError())


class Impatient(Pool):
    """It gives up, as if it had been cancelled, where another one waits."""

    async def acquire(self) -> Any:
        if self.waiters:
            raise asyncio.CancelledError
        return await super().acquire()


class Translates(Pool):
    """It returns `translated(error)` in the place of raising the error."""

    translated: ClassVar[Callable[[Any, BaseException], Any]]

    async def acquire(self) -> Any:
        try:
            return await super().acquire()
        except (PoolClosed, asyncio.CancelledError) as error:
            return self.translated(error)


def translates(how: Callable[[BaseException], Any]) -> type[Pool]:
    return type("Translates", (Translates,), {"translated": lambda self, error: how(error)})


class SaysDone(Pool):
    async def acquire(self) -> Any:
        await super().acquire()
        return "done"


class Says(list[int]):
    """A value without a hash that looks like a word."""

    def __repr__(self) -> str:
        return "done"


class SaysList(Pool):
    async def acquire(self) -> Any:
        await super().acquire()
        return Says()


WRONG = [
    Cancels,
    RaisesCancelled,
    Impatient,
    translates(lambda error: answer(Raised(error))),
    translates(lambda error: error),
    translates(lambda error: None),
    translates(lambda error: POOL.Said.CANCELLED if isinstance(error, CANCELLED) else POOL.Said.CLOSED),
    SaysDone,
    SaysList,
]


class Thorough(Pool):
    """It takes the request back while it cleans up, and raises the error nevertheless."""

    async def acquire(self) -> Any:
        try:
            await super().acquire()
        except asyncio.CancelledError:
            task = asyncio.current_task()
            assert task is not None
            task.uncancel()
            await asyncio.sleep(0)
            raise


async def user(pool: Pool) -> None:
    try:
        await pool.acquire()
        await asyncio.sleep(0)
        pool.release()
    except PoolClosed:
        pass


async def closes(pool: Pool) -> None:
    """Three tasks; one is cancelled when the pool is closed."""
    tasks = [asyncio.create_task(user(pool)) for _ in range(3)]
    await asyncio.sleep(0)
    pool.close()
    tasks[2].cancel()
    await asyncio.wait(tasks)


def judged(pool: type[Pool], program: Callable[[Pool], Awaitable[None]], runs: int = 40) -> Any:
    async def main() -> None:
        await program(pool(1))

    return explore(main, spec=OwnOracle(POOL.model(tasks=4), Pool), runs=runs)


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_outcome_is_found_in_a_program(wrong: type[Pool]) -> None:
    found = judged(wrong, closes)
    assert found.failure is not None
    assert isinstance(found.failure.error, RuleBroken), found.failure.error


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_outcome_is_found_by_the_machine(wrong: type[Pool]) -> None:
    with pytest.raises(Rejected):
        check_implementation(POOL.model(), make=object_adapter(lambda k: wrong(k.limit)), examples=20)


def test_the_right_one_is_accepted_by_the_machine() -> None:
    check_implementation(POOL.model(), make=object_adapter(lambda k: Pool(k.limit)), examples=20)


async def times_out(pool: Pool) -> None:
    await pool.acquire()
    try:
        async with asyncio.timeout(1):
            await pool.acquire()
    except TimeoutError:
        pass
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(pool.acquire(), 1)


async def in_a_group(pool: Pool) -> None:
    async def fails() -> None:
        await asyncio.sleep(1)
        raise ZeroDivisionError

    await pool.acquire()
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(pool.acquire())
            group.create_task(fails())
    except* ZeroDivisionError:
        pass


async def by_itself(pool: Pool) -> None:
    """The request comes before the call, and is delivered in it; then one that is delivered in no call."""
    task = asyncio.current_task()
    assert task is not None
    await pool.acquire()
    for taken in range(2):
        task.cancel()
        try:
            await pool.acquire()  # at once, the second time
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            task.uncancel()
        if not taken:
            pool.release()


async def taken_back(pool: Pool) -> None:
    """The request is taken back before the task runs; on asyncio the wait ends nevertheless."""
    await pool.acquire()
    task = asyncio.create_task(pool.acquire())
    await asyncio.sleep(0)
    task.cancel()
    task.uncancel()
    await asyncio.wait([task])
    assert task.cancelled()


async def again(pool: Pool) -> None:
    """A task is cancelled twice, and takes the first request back, or leaves it."""
    await pool.acquire()

    async def waits(takes_back: bool) -> None:
        task = asyncio.current_task()
        assert task is not None
        for _ in range(2):
            try:
                await pool.acquire()
            except asyncio.CancelledError:
                if takes_back:
                    task.uncancel()

    tasks = [asyncio.create_task(waits(each)) for each in (True, False)]
    for _ in range(2):
        await asyncio.sleep(1)
        for task in tasks:
            task.cancel()
    await asyncio.wait(tasks)


async def of_another_class(pool: Pool) -> None:
    """The program makes a task of asyncio's own class, of which no request is recorded."""
    await pool.acquire()
    loop = asyncio.get_running_loop()
    task = asyncio.Task(pool.acquire(), loop=loop)
    loop.call_later(1, task.cancel)
    await asyncio.wait([task])


RIGHT = [closes, times_out, in_a_group, by_itself, taken_back, again]


@pytest.mark.parametrize(("program", "pool"), [(of_another_class, Pool), *product(RIGHT, [Pool, Thorough])])
def test_a_cancel_that_was_requested_is_accepted(program: Any, pool: type[Pool]) -> None:
    found = judged(pool, program)
    assert found.failure is None, found.report()


class Spurious(asyncio.Queue[Any]):
    """`get` raises CancelledError where another get waits."""

    async def get(self) -> Any:
        if self._getters:  # type: ignore[attr-defined]  # private to asyncio
            raise asyncio.CancelledError
        return await super().get()


class Swallows(asyncio.Queue[Any]):
    async def get(self) -> Any:
        try:
            return await super().get()
        except asyncio.CancelledError as error:
            return error


class Refused(asyncio.Queue[Any]):
    async def put(self, item: Any) -> Any:
        if self.full():
            return asyncio.QueueFull()
        return await super().put(item)


async def two_getters(queue: Any) -> None:
    async def get() -> None:
        try:
            await queue.get()
        except asyncio.CancelledError:
            pass

    tasks = [asyncio.create_task(get()) for _ in range(3)]
    await asyncio.sleep(0)
    tasks[0].cancel()
    for item in "ab":
        await queue.put(item)
    await asyncio.wait(tasks[:2])


async def two_puts(queue: Any) -> None:
    asyncio.get_running_loop().call_later(1, queue.get_nowait)
    for item in "ab":
        await queue.put(item)


async def errors(queue: Any) -> None:
    """Errors are items, too."""
    for item in (asyncio.QueueEmpty(), asyncio.CancelledError(), None, "cancelled"):
        await queue.put(item)
        assert await queue.get() is item
        queue.task_done()


async def handed_on(queue: Any) -> None:
    """A consumer hands each item to a task, which reports it done; the join begins before or after."""

    async def handle() -> None:
        await asyncio.sleep(0)
        queue.task_done()

    async def consume() -> None:
        while True:
            await queue.get()
            tasks.append(asyncio.create_task(handle()))

    tasks: list[Any] = []
    consumer = asyncio.create_task(consume())
    for item in range(2):
        await queue.put(item)
    await queue.join()
    consumer.cancel()


async def reported_early(queue: Any) -> None:
    queue.put_nowait(1)
    joins = asyncio.create_task(queue.join())
    await asyncio.sleep(0)
    queue.task_done()
    await joins
    assert queue.get_nowait() == 1


async def thrown_away(queue: Any) -> None:
    """A call that is closed where it waits has no outcome; the object is not judged any more."""

    async def gets() -> None:
        call = queue.get()
        waits = call.send(None)
        assert asyncio.isfuture(waits)
        call.close()

    await asyncio.create_task(gets())
    await queue.put(1)
    assert await queue.get() == 1


@pytest.mark.parametrize(
    ("queue", "program", "right"),
    [
        (Spurious, two_getters, False),
        (Swallows, two_getters, False),
        (Refused, two_puts, False),
        *((asyncio.Queue, each, True) for each in (two_getters, two_puts, errors, handed_on, reported_early)),
        (asyncio.Queue, thrown_away, True),
    ],
)
def test_queues_are_judged_by_their_outcomes(queue: Any, program: Any, right: bool) -> None:
    async def main() -> None:
        await program(queue(1))

    found = explore(main, spec=queue_model(tasks=5, maxsize=1, puts=3), runs=40)
    if right:
        assert found.failure is None, found.report()
    else:
        assert found.failure is not None
        assert isinstance(found.failure.error, RuleBroken), found.failure.error
