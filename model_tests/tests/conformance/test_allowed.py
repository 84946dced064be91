"""Differences that the documentation allows: found for right locks and queues, not for wrong ones."""

from collections.abc import Callable
from typing import Any, Literal

import pytest

import impl

from ...conformance.cases.sources import Case
from ...conformance.judge import Judge, State
from ...conformance.normal import normal, shown
from ...conformance.stepping import Stepping
from ...conformance.subjects.profiles import owner_checked
from ...conformance.tolerance import RUNS, Allowed, allowed
from ...implementations.all_mutants import BY_NAME
from ...programs.enumeration import Program
from ...programs.runtimes import Ours, namespace
from ...programs.vectors.notation import program as written


class OneTurnMore(impl.Lock):
    """It gives up a turn after it has the lock."""

    async def acquire(self) -> Literal[True]:
        await super().acquire()
        try:
            await impl.sleep(0)
        except BaseException:
            self.release()
            raise
        return True


class KeepsIt(OneTurnMore):
    """It keeps the lock if a cancel meets its turn."""

    async def acquire(self) -> Literal[True]:
        await impl.Lock.acquire(self)
        await impl.sleep(0)
        return True


class NewestFirst(impl.Lock):
    """The newest waiter gets the lock."""

    def _join_line(self, line: Any) -> Any:  # Any: as Bound's
        waiter = super()._join_line(line)
        line.rotate(1)
        return waiter


class HandsOver(impl.Lock):
    """`release` gives the lock to the first waiter: it stays locked."""

    def release(self) -> None:
        if self._locked and self._waiters and not self._waiters[0].done():
            self._waiters[0].set_result(True)
        else:
            super().release()


class GivesToTheCancelled(impl.Lock):
    """`release` gives the lock to the first in line, which gives it back if it was cancelled."""

    _to: Any = None  # Any: a waiter

    async def acquire(self) -> Literal[True]:
        if not self._locked:
            return await super().acquire()
        waiter = self._join_line(self._waiters)
        try:
            await waiter
        except BaseException:
            self._waiters.remove(waiter)
            if waiter is self._to:
                self.release()
            raise
        self._waiters.remove(waiter)
        return True

    def release(self) -> None:
        self._to = self._waiters[0] if self._waiters else None
        if self._to is None:
            super().release()
        elif not self._to.done():
            self._to.set_result(True)


class MovesWaiters(impl.Condition):
    """A notified waiter is in the line of the lock at once, before tasks that acquire it later."""

    async def wait(self) -> Literal[True]:
        own = impl.get_running_loop().create_future()
        self._waiters.append(own)
        self.release()
        await own
        self._lock._waiters.remove(own)
        return True

    def notify(self, n: int = 1) -> None:
        moved = [self._waiters.popleft() for _ in range(min(n, len(self._waiters)))]
        self._lock._waiters.extend(moved)

    def release(self) -> None:
        first = next((waiter for waiter in self._lock._waiters if not waiter.done()), None)
        if first is not None:
            first.set_result(True)  # it stays locked
        else:
            super().release()


BODIES = """
async def a(): await m.acquire(); m.release()
async def b(): await m.acquire(); m.release()
"""
START = "m = Lock(); await m.acquire(); A = create_task(a()); B = create_task(b()); turn()"


def program(main: str, bodies: str = BODIES) -> Program:
    return {name: part for name, part in written(f"{main}{bodies}").items() if part}


SERVED = program(f"{START}; m.release()")
CANCELLED = program(f"{START}; m.release(); A.cancel()")
LATE = program(f"{START}; m.release(); turn(); A.cancel()")
FIRST = program(f"{START}; A.cancel(); m.release(); see(m)")
LOOKED = program(f"{START}; m.release(); see(m)")
NOTIFIED = program(
    "c = Condition(); A = create_task(a()); turn()\nasync with c: c.notify()\nasync with c: pass\nA.cancel()\n",
    "async def a():\n async with c: await c.wait()",
)

Make = Callable[[], impl.Lock | impl.Condition]


def lines(lock: Make, program: Program, name: str = "Lock") -> Any:
    names = namespace(name, lock)
    return Stepping(program, Ours(names, names.new_event_loop())).play()


@pytest.mark.parametrize(("lock", "program", "expected"), [
    (impl.Lock, SERVED, Allowed.YES),
    (OneTurnMore, SERVED, Allowed.YES),
    (OneTurnMore, CANCELLED, Allowed.YES),
    (OneTurnMore, LATE, Allowed.YES),
    (HandsOver, LOOKED, Allowed.YES),
    (GivesToTheCancelled, FIRST, Allowed.YES),
    (KeepsIt, LATE, Allowed.NO),
    (BY_NAME["LockWaiterKeepsWakeUp"].wrong, CANCELLED, Allowed.NO),
    (NewestFirst, SERVED, Allowed.NO),
])  # fmt: skip
def test_a_lock_is_judged_by_the_documentation(lock: Make, program: Program, expected: Allowed) -> None:
    assert allowed(program, lines(lock, program), (), ["Lock"])[0] is expected


def test_a_condition_may_put_waiters_into_the_line_of_its_lock() -> None:
    came = lines(MovesWaiters, NOTIFIED, "Condition")
    assert shown(came) != shown(lines(impl.Condition, NOTIFIED, "Condition"))
    assert allowed(NOTIFIED, came, (), ["Condition"])[0] is Allowed.YES


def test_under_a_profile_its_difference_may_show_in_another_order() -> None:
    """A lock takes a turn to be acquired, so a task that does not hold it releases it too early."""
    differs = {"Lock": owner_checked.Lock}
    main = "m = Lock(); A = create_task(a()); turn()\ntry: m.release()\nexcept RuntimeError: pass\nsee(m)"
    refused = program(main)

    class Late(owner_checked.Lock):
        async def acquire(self) -> Literal[True]:
            await super().acquire()
            await impl.sleep(0)
            return True

    came = lines(Late, refused)
    assert allowed(refused, came, (), ["Lock"])[0] is Allowed.NO
    assert allowed(refused, came, (), ["Lock"], differs=differs)[0] is Allowed.YES


def test_only_what_the_subject_brings_has_freedoms() -> None:
    assert allowed(LOOKED, lines(HandsOver, LOOKED), (), ["Queue"])[0] is Allowed.NO


def test_more_runs_than_are_searched_decide_nothing() -> None:
    came = allowed(SERVED, lines(NewestFirst, SERVED), (), ["Lock"], 3)
    assert came == (Allowed.UNDECIDED, 3)
    assert RUNS > 3


def test_exact_asks_for_asyncios_turns() -> None:
    case = Case("late", LOOKED, ("LOCK-2",))
    came = lines(HandsOver, LOOKED)
    assert normal(LOOKED, came) != normal(LOOKED, case.expected)
    assert shown(came) != came
    judges = [Judge(["Lock"], ["Lock"], lambda rule: True, exact) for exact in (False, True)]
    states = [judge.judge(case, came).state for judge in judges]
    assert states == [State.TIMING, State.BROKEN]
