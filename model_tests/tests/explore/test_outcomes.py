"""The outcomes of calls: a cancel counts if it was requested, and a returned value is no raised error."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import nullcontext, suppress
from itertools import product
from typing import Any

import pytest

from spec.kit import Rejected
from spec.queue import queue_model

from ...assurance.fuzz.specifications.corpus import items
from ...explored import OwnOracle, explore
from ...explored.instrumentation import RuleBroken
from ...refinement.check_implementation import HelperTaskWarning, check_implementation
from ...refinement.machines.objects import object_adapter
from ...refinement.machines.outcomes import CANCELLED, Raised, answer, outcome_of, raised
from ..refinement.gate import module

# Any in this file: queues and their items, names of the specification of the corpus, and outcomes of calls.


# Connection pools for the specification of the corpus, right and wrong ones.

POOL = module("own_pool", next(item.text for item in items() if item.name == "pool"))
Waiter = asyncio.Future[None]


class PoolClosed(Exception):
    pass


class Pool:
    """Connections; a task that is cancelled after it was woken hands its connection on."""

    def __init__(self, limit: int) -> None:
        self.free = self.limit = limit
        self.closed, self.back = False, asyncio.Event()
        self.waiters: deque[Waiter] = deque()

    async def acquire(self) -> Any:
        if self.closed:
            raise PoolClosed
        if self.free > 0:
            self.free -= 1
            return
        self.waiters.append(waiter := asyncio.get_running_loop().create_future())
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
            if not (waiter := self.waiters.popleft()).done():
                return waiter.set_result(None)
        self.free += 1
        return self.check()

    def close(self) -> None:
        self.closed = True
        while self.waiters:
            if not (waiter := self.waiters.popleft()).done():
                self.refuse(waiter)
        self.check()

    def refuse(self, waiter: Waiter) -> None:
        waiter.set_exception(PoolClosed())

    def check(self) -> None:
        if self.closed and self.free == self.limit:
            self.back.set()

    async def drained(self) -> None:
        await self.back.wait()


class Thorough(Pool):
    """It takes the request back while it cleans up, and raises the error nevertheless."""

    async def acquire(self) -> Any:
        try:
            await super().acquire()
        except asyncio.CancelledError:
            current().uncancel()
            await asyncio.sleep(0)
            raise


class Cancels(Pool):
    def refuse(self, waiter: Waiter) -> None:
        waiter.cancel()


class RaisesCancelled(Pool):
    def refuse(self, waiter: Waiter) -> None:
        waiter.set_exception(asyncio.CancelledError())


class Impatient(Pool):
    async def acquire(self) -> Any:
        if self.waiters:
            raise asyncio.CancelledError
        return await super().acquire()


class Says(list[int]):
    """A value without a hash that looks like a word."""

    def __repr__(self) -> str:
        return "done"


def returns(how: Callable[[Any], Any], owner: Any = Pool, method: str = "acquire") -> Any:
    """A class with a method that returns its outcome as `how` converts it, and raises nothing."""
    right = getattr(owner, method)

    async def changed(self: Any, *args: Any) -> Any:
        return how(await outcome_of(right(self, *args), asyncio.CancelledError))

    return type("Returns", (owner,), {method: changed})


def error_of(outcome: Any) -> Any:
    return getattr(outcome, "error", outcome)


def member_of(outcome: Any) -> Any:
    return POOL.Said.CANCELLED if raised(outcome, *CANCELLED) else POOL.Said.CLOSED


def current() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    assert task is not None
    return task


WRONG = [
    *(Cancels, RaisesCancelled, Impatient),
    *map(returns, (answer, error_of, member_of, lambda _: None, lambda _: "done", lambda _: Says())),
]


def helped(forgets: Callable[[Any], bool]) -> type[Pool]:
    """A pool with a helper task for each call, which it forgets after some outcomes."""

    class Helped(Pool):
        async def acquire(self) -> Any:
            helper = asyncio.create_task(self.drained())
            outcome = await outcome_of(super().acquire(), asyncio.CancelledError)
            if not forgets(outcome):
                helper.cancel()
            if isinstance(outcome, Raised):
                raise outcome.error

    return Helped


# Programs.


async def closes(pool: Pool) -> None:
    """Three tasks; one is cancelled when the pool is closed."""

    async def user() -> None:
        with suppress(PoolClosed):
            await pool.acquire()
            await asyncio.sleep(0)
            pool.release()

    tasks = [asyncio.create_task(user()) for _ in range(3)]
    await asyncio.sleep(0)
    pool.close()
    tasks[2].cancel()
    await asyncio.wait(tasks)


async def times_out(pool: Pool) -> None:
    await pool.acquire()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(pool.acquire(), 1)
    with suppress(TimeoutError):
        async with asyncio.timeout(1):
            await pool.acquire()


async def in_a_group(pool: Pool) -> None:
    await pool.acquire()
    with suppress(BaseExceptionGroup):
        async with asyncio.TaskGroup() as group:
            group.create_task(pool.acquire())
            await asyncio.sleep(1)
            raise ZeroDivisionError


async def by_itself(pool: Pool) -> None:
    """The request comes before the call, and is delivered in it; then one that is delivered in no call."""
    await pool.acquire()
    for taken in range(2):
        current().cancel()
        try:
            await pool.acquire()  # at once, the second time
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            current().uncancel()
        if not taken:
            pool.release()


async def taken_back(pool: Pool) -> None:
    """The request is taken back before the task runs; the wait ends nevertheless."""
    await pool.acquire()
    task = asyncio.create_task(pool.acquire())
    while not pool.waiters:
        await asyncio.sleep(0)
    task.cancel()
    task.uncancel()
    await asyncio.wait([task])
    assert task.cancelled()


async def again(pool: Pool) -> None:
    """A task is cancelled twice, and takes the first request back, or leaves it."""
    await pool.acquire()

    async def waits(takes_back: bool) -> None:
        for _ in range(2):
            with suppress(asyncio.CancelledError):
                await pool.acquire()
            if takes_back:
                current().uncancel()

    tasks = [asyncio.create_task(waits(each)) for each in (True, False)]
    for _ in range(2):
        await asyncio.sleep(1)
        for task in tasks:
            task.cancel()
    await asyncio.wait(tasks)


async def of_another_class(pool: Pool) -> None:
    """The program makes a task of asyncio's own class; no request of it is recorded."""
    await pool.acquire()
    loop = asyncio.get_running_loop()
    task = asyncio.Task(pool.acquire(), loop=loop)
    loop.call_later(1, task.cancel)
    await asyncio.wait([task])


async def two_getters(queue: Any) -> None:
    async def gets() -> object:
        return await outcome_of(queue.get(), asyncio.CancelledError)

    tasks = [asyncio.create_task(gets()) for _ in range(3)]
    await asyncio.sleep(0)
    tasks[0].cancel()
    for item in "ab":
        await queue.put(item)
    await asyncio.wait(tasks[:2])


async def errors(queue: Any) -> None:
    """Errors are items, too."""
    for item in (asyncio.QueueEmpty(), asyncio.CancelledError(), None, "cancelled"):
        await queue.put(item)
        assert await queue.get() is item
        queue.task_done()


async def handed_on(queue: Any) -> None:
    """A consumer has another task report each item done."""

    async def handle() -> None:
        await asyncio.sleep(0)
        queue.task_done()

    async def consume() -> None:
        while True:
            await queue.get()
            tasks.append(asyncio.create_task(handle()))

    tasks = [asyncio.create_task(consume())]
    for item in range(2):
        await queue.put(item)
    await queue.join()
    tasks[0].cancel()


async def reported_early(queue: Any) -> None:
    queue.put_nowait(1)
    joins = asyncio.create_task(queue.join())
    await asyncio.sleep(0)
    queue.task_done()
    await joins
    assert queue.get_nowait() == 1


async def thrown_away(queue: Any) -> None:
    """A call that is closed where it waits has no outcome; the object is not judged any more."""
    call = queue.get()
    call.send(None)
    call.close()
    await queue.put(1)
    assert await queue.get() == 1


class Spurious(asyncio.Queue[Any]):
    async def get(self) -> Any:
        if self._getters:  # type: ignore[attr-defined]  # private to asyncio
            raise asyncio.CancelledError
        return await super().get()


QUEUE_PROGRAMS = [two_getters, errors, handed_on, reported_early, thrown_away]
WRONG_QUEUES = [
    (Spurious, two_getters),
    (returns(error_of, asyncio.Queue, "get"), two_getters),
    (returns(lambda _: "cancelled", asyncio.Queue, "get"), errors),
]


@pytest.mark.parametrize(("thing", "program", "right"), [
    *((*each, True) for each in product([Pool, Thorough], [closes, times_out, in_a_group])),
    *((*each, True) for each in product([Pool, Thorough], [by_itself, taken_back, again])),
    (Pool, of_another_class, True),
    *((pool, closes, False) for pool in WRONG),
    *((asyncio.Queue, program, True) for program in QUEUE_PROGRAMS),
    *((*each, False) for each in WRONG_QUEUES),
])  # fmt: skip
def test_objects_are_judged_by_their_outcomes(thing: Any, program: Any, right: bool) -> None:
    own = issubclass(thing, Pool)
    spec = OwnOracle(POOL.model(tasks=4), Pool) if own else queue_model(tasks=5, maxsize=1, puts=3)
    found = explore(lambda: program(thing(1)), spec=spec, runs=40)
    if right:
        assert found.failure is None, found.report()
    else:
        assert found.failure is not None
        assert isinstance(found.failure.error, RuleBroken), found.failure.error


@pytest.mark.parametrize("pool", [Pool, *WRONG])
def test_a_wrong_outcome_is_found_by_the_machine(pool: type[Pool]) -> None:
    make = object_adapter(lambda k: pool(k.limit))
    with nullcontext() if pool is Pool else pytest.raises(Rejected):
        check_implementation(POOL.model(), make=make, examples=20)


@pytest.mark.short("Helped-True1", "Helped-False", why="each is searched")
@pytest.mark.parametrize(("pool", "leaves"), [
    (helped(lambda _: True), True),
    (helped(lambda outcome: raised(outcome, asyncio.CancelledError)), True),
    (helped(lambda outcome: outcome is None), True),
    *((pool, False) for pool in (helped(lambda _: False), Pool, Thorough)),
])  # fmt: skip
def test_a_helper_task_that_outlives_its_call_is_reported(pool: type[Pool], leaves: bool) -> None:
    """A right program with a task in the background is, too: a warning can be ignored."""
    make = object_adapter(lambda k: pool(k.limit))
    with pytest.warns(HelperTaskWarning, match=r"drained \(.*test_outcomes.py:\d+\)") if leaves else nullcontext():
        check_implementation(POOL.model(), make=make, examples=5)
    assert len(make.left) == leaves
