"""Each freedom of the reference: a right implementation needs it, and a wrong one that is like it stays caught.

Most of the right ones are stored designs (subjects/right/designs).
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from types import SimpleNamespace
from typing import Any, Literal

import pytest

from ...conformance.allowed import Allowed, allowed
from ...conformance.stepping import Stepping
from ...programs.enumeration import Json, Program
from ...subjects.right.designs.combining import (
    counter_on_the_outer,
    event_with_fast_path,
    group_with_results,
    pairs_in_a_tree,
    task_under_a_timeout,
    timer_cancels_the_inner,
    two_callbacks,
    watching_task,
)
from ...subjects.right.designs.locks import (
    chain_of_futures,
    condition_with_rounds,
    event_and_counter,
    line_called_a_turn_later,
    numbered_seats,
    one_future_a_round,
    shared_future,
)
from ...vectors.runtime import Runtime

# Any: results of awaitables, and asyncio's private attributes.


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


class UnguardedEvent(shared_future.Event):
    async def wait(self) -> Literal[True]:
        self._future = self._future or asyncio.get_running_loop().create_future()
        await self._future
        return True


def gather_forgets(*awaitables: Any) -> Any:
    """A cancel ends it alone."""
    return asyncio.shield(asyncio.gather(*awaitables))


async def gather_as_done(*awaitables: Any) -> Any:
    return [await each for each in asyncio.as_completed(awaitables)]


class OnceBarrier(one_future_a_round.Barrier):
    def _end_round(self, good: bool) -> None:
        self._here = []


class SameNumberBarrier(one_future_a_round.Barrier):
    async def wait(self) -> int:
        return min(0, await super().wait())


class BlindSemaphore(event_and_counter.Semaphore):
    async def acquire(self) -> Literal[True]:
        if not self._value:
            await self._more.wait()
        self._value -= 1
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
    """What is done is there at once."""

    async def first() -> Any:
        return await next(each for each in fs if each.done())

    return iter([first()])


def completed_last(fs: Any) -> Any:
    async def last() -> Any:
        return [await each for each in asyncio.as_completed(fs)][-1]

    return iter([last()])


def task(name: str, body: str) -> Json:
    return ["let", name, ["create_task", ["body", body]]]


F: Json = ["let", "f", ["loop.create_future"]]
G: Json = ["let", "g", ["loop.create_future"]]
DONE: Json = ["do", ["f.set_result", 1]]
SOON: Json = ["do", ["loop.call_soon", "one"]]
A, B, TURN, CANCEL = task("A", "a"), task("B", "b"), ["turn"], ["do", ["A.cancel"]]


def program(*main: Json, **bodies: Json) -> Program:
    return {"main": list(main), "bodies": bodies, "callbacks": {"one": []}}


def waits(*calls: Json) -> Json:
    return [["await", call] for call in calls]


def done_before(call: Json) -> Program:
    """A call that need not wait, and a callback that is ready."""
    return program(F, DONE, SOON, *waits(call))


def with_inner(call: str) -> Program:
    """A task is cancelled in the turn after its inner coroutine begins."""
    inner: Json = [[call, ["body", "b"], *([5] if call == "wait_for" else [])]]
    return program(F, A, TURN, TURN, CANCEL, TURN, TURN, ["see", "f"], a=waits(*inner), b=waits("f"))


LATE_CANCEL = program(F, A, TURN, DONE, CANCEL, a=waits(["wait_for", "f", 5]))
ENDED: Program = program(A, TURN, CANCEL, a=waits(["wait_for", ["body", "b"], None]), b=[])
TIED = program(F, A, B, a=waits(["wait_for", "f", 1]), b=waits(["wait_for", "f", 1]))
E: Json = ["let", "e", ["Event"]]
WOKEN = program(E, A, TURN, ["do", ["e.set"]], CANCEL, ["do", ["A.uncancel"]], a=waits(["e.wait"]))
OTHER_WAITS = program(
    E, A, B, TURN, CANCEL, TURN, ["do", ["e.set"]], a=waits(["e.wait"]), b=waits(["e.wait"])
)
LOCKED: Json = [["let", "m", ["Lock"]], *waits(["m.acquire"])]
ACQUIRE: Json = [*waits(["m.acquire"]), ["do", ["m.release"]]]
HANDED_ON: Json = [*LOCKED, A, TURN, ["do", ["m.release"]], CANCEL, ["do", ["A.uncancel"]]]
HANDED = program(*HANDED_ON, TURN, TURN, ["see", "m"], a=ACQUIRE)
LAST_FIRST: Json = [F, G, A, TURN, ["do", ["g.set_result", 2]], TURN, TURN, DONE]
GATHERED = program(*LAST_FIRST, a=waits(["gather", "f", "g"]))
CANCELLED = program(F, G, ["let", "r", ["gather", "f", "g"]], ["do", ["r.cancel"]], TURN)
ADDED: Json = ["let", "C", ["t.create_task", ["body", "b"]]]
FAILED = program(
    ["with", ["TaskGroup"], "t", [ADDED, TURN, ["raise", "ValueError", 2]]], b=[["raise", "KeyError", 1]]
)
ROUNDS: Json = waits(["r.wait"], ["r.wait"])
TWICE = program(["let", "r", ["Barrier", 2]], A, B, a=ROUNDS, b=ROUNDS)
NUMBERED = program(["let", "r", ["Barrier", 2]], A, B, a=waits(["r.wait"]), b=waits(["r.wait"]))
ABORTED = program(
    ["let", "r", ["Barrier", 2]],
    A,
    B,
    TURN,
    ["await", ["r.abort"]],
    a=waits(["r.wait"]),
    b=waits(["r.wait"]),
)
TAKEN: Json = [["let", "s", ["Semaphore", 1]], *waits(["s.acquire"]), A, TURN]
OVERTAKEN = program(*TAKEN, ["do", ["s.release"]], *waits(["s.acquire"]), TURN, a=waits(["s.acquire"]))
ENDS = program(SOON, ["with", ["timeout", None], None, []])
OUTSIDE = program(A, TURN, CANCEL, a=[["with", ["timeout", 5], None, waits(["sleep", 9])]])
EMPTY = program(SOON, ["with", ["TaskGroup"], None, []])
CHILD = program(
    ["with", ["TaskGroup"], "t", [["let", "C", ["t.create_task", ["body", "b"]]]]],
    ["see", "C"],
    b=[["turn", 3]],
)
SHIELDED = program(F, A, TURN, DONE, TURN, TURN, SOON, a=waits(["shield", "f"]))
FIRST = program(F, DONE, SOON, ["for", "each", ["as_completed", ["list", "f"]], waits("each")])
EACH: Json = ["for", "each", ["as_completed", ["list", "f", "g"]], waits("each")]
OF_TWO = program(F, G, DONE, A, ["turn", 4], ["do", ["g.set_result", 2]], a=[EACH])

YES, NO = Allowed.YES, Allowed.NO
KEPT = pytest.mark.skipif(
    sys.version_info < (3, 13), reason="asyncio's tasks keep a cancel that was taken back"
)
OWN = pytest.mark.skipif(sys.version_info < (3, 12), reason="asyncio's own does so")


def lines(brings: str, subject: Any, program: Program) -> Any:
    names = SimpleNamespace(**{**vars(asyncio), brings: subject})
    return Stepping(program, Runtime(names)).play()


@pytest.mark.parametrize(
    ("brings", "subject", "program", "expected"),
    [
        ("wait", event_with_fast_path.wait, done_before(["wait", ["list", "f"]]), YES),
        ("wait", wait_for_one, program(F, G, DONE, *waits(["wait", ["list", "f", "g"]])), NO),
        ("wait_for", task_under_a_timeout.wait_for, ENDED, YES),
        ("wait_for", task_under_a_timeout.wait_for, with_inner("wait_for"), YES),
        ("wait_for", timer_cancels_the_inner.wait_for, TIED, YES),
        ("wait_for", shielded, with_inner("wait_for"), NO),
        pytest.param("wait_for", forgets_cancel, LATE_CANCEL, NO, marks=OWN),
        pytest.param("Event", shared_future.Event, WOKEN, YES, marks=KEPT),
        ("Event", UnguardedEvent, OTHER_WAITS, NO),
        pytest.param("Lock", line_called_a_turn_later.Lock, HANDED, YES, marks=KEPT),
        ("Barrier", condition_with_rounds.Barrier, NUMBERED, YES),
        ("Barrier", SameNumberBarrier, NUMBERED, NO),
        ("Barrier", numbered_seats.Barrier, ABORTED, YES),
        ("Barrier", condition_with_rounds.Barrier, ABORTED, YES),
        pytest.param("Lock", chain_of_futures.Lock, HANDED, YES, marks=KEPT),
        pytest.param("gather", counter_on_the_outer.gather, done_before(["gather", "f"]), YES, marks=OWN),
        ("gather", gather_as_done, GATHERED, NO),
        ("gather", counter_on_the_outer.gather, CANCELLED, YES),
        ("gather", pairs_in_a_tree.gather, CANCELLED, YES),
        ("gather", gather_forgets, CANCELLED, NO),
        ("TaskGroup", group_with_results.TaskGroup, FAILED, YES),
        ("TaskGroup", HastyGroup, FAILED, NO),
        ("Barrier", one_future_a_round.Barrier, TWICE, YES),
        ("Barrier", OnceBarrier, TWICE, NO),
        ("timeout", late_timeout, ENDS, YES),
        ("timeout", deaf_timeout, OUTSIDE, NO),
        ("TaskGroup", LateGroup, EMPTY, YES),
        ("TaskGroup", HastyGroup, CHILD, NO),
        ("shield", watching_task.shield, SHIELDED, YES),
        ("shield", two_callbacks.shield, done_before(["shield", "f"]), YES),
        ("shield", shield_nothing, with_inner("shield"), NO),
        ("as_completed", completed_at_once, FIRST, YES),
        ("as_completed", completed_last, OF_TWO, NO),
    ],
)
def test_a_right_implementation_needs_each_freedom_and_a_wrong_one_stays_caught(
    brings: str, subject: Any, program: Program, expected: Allowed
) -> None:
    seen = lines(brings, subject, program)
    usual = lines(brings, getattr(asyncio, brings), program)
    assert seen != usual
    assert allowed(program, seen, (), [brings], 2000)[0] is expected


@pytest.mark.parametrize(
    ("subject", "unordered", "found"),
    [
        (event_and_counter.Semaphore, False, False),
        (event_and_counter.Semaphore, True, True),
        (BlindSemaphore, True, False),
    ],
)
def test_only_a_lock_is_promised_to_be_fair(subject: Any, unordered: bool, found: bool) -> None:
    """Acquiring a semaphore in order is settled by CPython's tests, so it is free among documented rules."""
    seen = lines("Semaphore", subject, OVERTAKEN)
    assert (allowed(OVERTAKEN, seen, (), ["Semaphore"], unordered=unordered)[0] is YES) is found
