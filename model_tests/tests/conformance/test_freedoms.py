"""Each freedom of the reference: a right implementation needs it, and a wrong one that is like it stays caught.

Most of the right ones are texts of the corpus (implementations/right).
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from textwrap import indent
from types import ModuleType, SimpleNamespace
from typing import Any, Literal

import pytest

from ...conformance.loops.garbage import left_behind
from ...conformance.stepping import Stepping
from ...conformance.tolerance import Allowed, allowed
from ...implementations.corpus import corpus
from ...programs.enumeration import Program
from ...programs.vectors.notation import program as written
from ...programs.vectors.runtime import Runtime

# Any: results of awaitables, and asyncio's private attributes.


@cache
def right(name: str) -> ModuleType:
    """Return the module of a right implementation."""
    return corpus("right")[name].load()


async def wait_for_one(fs: Any, **more: Any) -> Any:
    return await asyncio.wait(fs, return_when=asyncio.FIRST_COMPLETED)


async def shielded(fut: Any, timeout: float | None) -> Any:
    return await asyncio.wait_for(asyncio.shield(fut), timeout)


async def forgets_cancel(fut: Any, timeout: float | None) -> Any:
    """A cancel that comes with the end is lost (gh-86296)."""
    try:
        return await asyncio.wait_for(task := asyncio.ensure_future(fut), timeout)
    except asyncio.CancelledError:
        if task.done() and not task.cancelled():
            return task.result()
        raise


class UnguardedEvent(right("shared_future").Event):  # type: ignore[misc]
    async def wait(self) -> Literal[True]:
        self._future: Any = self._future or asyncio.get_running_loop().create_future()
        await self._future
        return True


def gather_forgets(*awaitables: Any) -> Any:
    """A cancel ends it alone."""
    return asyncio.shield(asyncio.gather(*awaitables))


async def gather_as_done(*awaitables: Any) -> Any:
    return [await each for each in asyncio.as_completed(awaitables)]


class JoinsAgain(asyncio.Queue[Any]):
    async def join(self) -> None:
        while self._unfinished_tasks:  # type: ignore[attr-defined]
            await super().join()


class JoinsForever(asyncio.Queue[Any]):
    async def join(self) -> None:
        await super().join()
        if self.qsize():
            await asyncio.get_running_loop().create_future()


class OnceBarrier(right("one_future_a_round").Barrier):  # type: ignore[misc]
    def _end_round(self, good: bool) -> None:
        self._here: list[Any] = []


class SameNumberBarrier(right("one_future_a_round").Barrier):  # type: ignore[misc]
    async def wait(self) -> int:
        number: int = await super().wait()
        return min(0, number)


class BlindSemaphore(right("event_and_counter").Semaphore):  # type: ignore[misc]
    async def acquire(self) -> Literal[True]:
        if not self._free:
            await self._more.wait()
        self._free -= 1
        return True


@asynccontextmanager
async def late_timeout(delay: float | None) -> AsyncIterator[asyncio.Timeout]:
    """The block takes a turn where it ends."""
    async with asyncio.timeout(delay) as block:
        yield block
    await asyncio.sleep(0)


@asynccontextmanager
async def deaf_timeout(delay: float | None) -> AsyncIterator[asyncio.Timeout]:
    async with asyncio.timeout(delay) as block:
        with suppress(asyncio.CancelledError):
            yield block


class LateGroup(asyncio.TaskGroup):
    """The block takes a turn where it ends."""

    async def __aexit__(self, *error: Any) -> None:
        await super().__aexit__(*error)
        await asyncio.sleep(0)


class HastyGroup(asyncio.TaskGroup):
    async def __aexit__(self, *error: Any) -> None:
        self._tasks.clear()
        await super().__aexit__(*error)


def shield_nothing(arg: Any) -> Any:
    return asyncio.ensure_future(arg)


def completed_at_once(fs: Any) -> Any:
    """A future that is done is there at once."""

    async def first() -> Any:
        return await next(each for each in fs if each.done())

    return iter([first()])


def completed_last(fs: Any) -> Any:
    async def last() -> Any:
        return [await each for each in asyncio.as_completed(fs)][-1]

    return iter([last()])


A, B = "A = create_task(a())", "B = create_task(b())"
BOTH, TWO = f"{A}; {B}", "f = future(); g = future()"


def program(main: str, **bodies: str) -> Program:
    """A program of the texts of its main and its bodies, with a callback."""
    heads = [f"async def {name}():\n{indent(body or 'pass', ' ')}" for name, body in bodies.items()]
    return written("\n".join(["def one(): pass", *heads, main]))


def done_before(call: str) -> Program:
    """A call that need not wait, and a callback that is ready."""
    return program(f"f = future(); f.set_result(1); loop.call_soon(one); await {call}")


def with_inner(call: str) -> Program:
    """A task is cancelled in the turn after its inner coroutine begins."""
    main = f"f = future(); {A}; turn(); turn(); A.cancel(); turn(); turn(); see(f)"
    return program(main, a=f"await {call}", b="await f")


LATE_CANCEL = program(f"f = future(); {A}; turn(); f.set_result(1); A.cancel()", a="await wait_for(f, 5)")
ENDED = program(f"{A}; turn(); A.cancel()", a="await wait_for(b(), None)", b="")
TIED = program(f"f = future(); {BOTH}", a="await wait_for(f, 1)", b="await wait_for(f, 1)")
WOKEN = program(f"e = Event(); {A}; turn(); e.set(); A.cancel(); A.uncancel()", a="await e.wait()")
OTHERS = f"e = Event(); {BOTH}; turn(); A.cancel(); turn(); e.set()"
OTHER_WAITS = program(OTHERS, a="await e.wait()", b="await e.wait()")
HANDED_ON = f"m = Lock(); await m.acquire(); {A}; turn(); m.release(); A.cancel(); A.uncancel()"
HANDED = program(f"{HANDED_ON}; turn(); turn(); see(m)", a="await m.acquire(); m.release()")
LAST_FIRST = f"{TWO}; {A}; turn(); g.set_result(2); turn(); turn(); f.set_result(1)"
GATHERED = program(LAST_FIRST, a="await gather(f, g)")
CANCELLED = program(f"{TWO}; r = gather(f, g); r.cancel(); turn()")
GROUP, ADDED = "async with TaskGroup()", "C = t.create_task(b())"
FAILED = program(f"{GROUP} as t: {ADDED}; turn(); raise ValueError(2)", b="raise KeyError(1)")
ROUNDS, ROUND = "await r.wait(); await r.wait()", "await r.wait()"
TWICE = program(f"r = Barrier(2); {BOTH}", a=ROUNDS, b=ROUNDS)
NUMBERED = program(f"r = Barrier(2); {BOTH}", a=ROUND, b=ROUND)
ABORTED = program(f"r = Barrier(2); {BOTH}; turn(); await r.abort()", a=ROUND, b=ROUND)
TAKEN = f"s = Semaphore(1); await s.acquire(); {A}; turn()"
OVERTAKEN = program(f"{TAKEN}; s.release(); await s.acquire(); turn()", a="await s.acquire()")
JOINED = f"q = Queue(); q.put_nowait(1); await q.get(); {A}; turn(); q.task_done(); q.put_nowait(2)"
PUT_AGAIN = program(JOINED, a="await q.join()")
DONE_AGAIN = program(f"{JOINED}; turn(3); await q.get(); q.task_done(); turn(3)", a="await q.join()")
ENDS = program("loop.call_soon(one)\nasync with timeout(None): pass")
OUTSIDE = program(f"{A}; turn(); A.cancel()", a="async with timeout(5): await sleep(9)")
EMPTY = program(f"loop.call_soon(one)\n{GROUP}: pass")
CHILD = program(f"{GROUP} as t: {ADDED}\nsee(C)", b="turn(3)")
LATER = f"f = future(); {A}; turn(); f.set_result(1); turn(); turn(); loop.call_soon(one)"
SHIELDED = program(LATER, a="await shield(f)")
EACH = "for each in as_completed"
FIRST = program(f"f = future(); f.set_result(1); loop.call_soon(one)\n{EACH}([f]): await each")
OF_TWO = program(f"{TWO}; f.set_result(1); {A}; turn(4); g.set_result(2)", a=f"{EACH}([f, g]): await each")

YES, NO = Allowed.YES, Allowed.NO
KEPT = pytest.mark.skipif(sys.version_info < (3, 13), reason="asyncio's tasks keep a withdrawn cancel")
OWN = pytest.mark.skipif(sys.version_info < (3, 12), reason="asyncio's own does so")


def lines(brings: str, subject: Any, program: Program) -> Any:
    names = SimpleNamespace(**{**vars(asyncio), brings: subject})
    return Stepping(program, Runtime(names)).play()


@pytest.mark.parametrize(("brings", "subject", "program", "expected"), [
    ("wait", right("event_with_fast_path").wait, done_before("wait([f])"), YES),
    ("wait", wait_for_one, program(f"{TWO}; f.set_result(1); await wait([f, g])"), NO),
    ("wait_for", right("task_under_a_timeout").wait_for, ENDED, YES),
    ("wait_for", right("task_under_a_timeout").wait_for, with_inner("wait_for(b(), 5)"), YES),
    ("wait_for", right("timer_cancels_the_inner").wait_for, TIED, YES),
    ("wait_for", shielded, with_inner("wait_for(b(), 5)"), NO),
    pytest.param("wait_for", forgets_cancel, LATE_CANCEL, NO, marks=OWN),
    pytest.param("Event", right("shared_future").Event, WOKEN, YES, marks=KEPT),
    ("Event", UnguardedEvent, OTHER_WAITS, NO),
    pytest.param("Lock", right("line_called_a_turn_later").Lock, HANDED, YES, marks=KEPT),
    ("Barrier", right("condition_with_rounds").Barrier, NUMBERED, YES),
    ("Barrier", SameNumberBarrier, NUMBERED, NO),
    ("Barrier", right("numbered_seats").Barrier, ABORTED, YES),
    ("Barrier", right("condition_with_rounds").Barrier, ABORTED, YES),
    pytest.param("Lock", right("chain_of_futures").Lock, HANDED, YES, marks=KEPT),
    pytest.param("gather", right("counter_on_the_outer").gather, done_before("gather(f)"), YES, marks=OWN),
    ("gather", gather_as_done, GATHERED, NO),
    ("gather", right("counter_on_the_outer").gather, CANCELLED, YES),
    ("gather", right("pairs_in_a_tree").gather, CANCELLED, YES),
    ("gather", gather_forgets, CANCELLED, NO),
    ("TaskGroup", right("group_with_results").TaskGroup, FAILED, YES),
    ("TaskGroup", HastyGroup, FAILED, NO),
    ("Barrier", right("one_future_a_round").Barrier, TWICE, YES),
    ("Barrier", OnceBarrier, TWICE, NO),
    ("timeout", late_timeout, ENDS, YES),
    ("timeout", deaf_timeout, OUTSIDE, NO),
    ("TaskGroup", LateGroup, EMPTY, YES),
    ("TaskGroup", HastyGroup, CHILD, NO),
    ("shield", right("watching_task").shield, SHIELDED, YES),
    ("shield", right("two_callbacks").shield, done_before("shield(f)"), YES),
    ("shield", shield_nothing, with_inner("shield(b())"), NO),
    ("as_completed", completed_at_once, FIRST, YES),
    ("as_completed", completed_last, OF_TWO, NO),
])  # fmt: skip
def test_a_right_implementation_needs_each_freedom_and_a_wrong_one_stays_caught(
    brings: str, subject: Any, program: Program, expected: Allowed
) -> None:
    seen = lines(brings, subject, program)
    usual = lines(brings, getattr(asyncio, brings), program)
    assert seen != usual
    with left_behind():
        assert allowed(program, seen, (), [brings], 2000)[0] is expected


@pytest.mark.parametrize(("subject", "program", "unordered", "found"), [
    (right("event_and_counter").Semaphore, OVERTAKEN, False, False),
    (right("event_and_counter").Semaphore, OVERTAKEN, True, True),
    (BlindSemaphore, OVERTAKEN, True, False),
    (JoinsAgain, PUT_AGAIN, False, False),
    (JoinsAgain, PUT_AGAIN, True, True),
    (JoinsForever, DONE_AGAIN, True, False),
])  # fmt: skip
def test_what_is_only_settled_is_free_among_documented_rules(
    subject: Any, program: Program, unordered: bool, found: bool
) -> None:
    """CPython's tests say that a semaphore is fair, and that a join does not look again."""
    name = "Semaphore" if program is OVERTAKEN else "Queue"
    seen = lines(name, subject, program)
    assert (allowed(program, seen, (), [name], unordered=unordered)[0] is YES) is found
