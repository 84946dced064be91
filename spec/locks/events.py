"""Event of asyncio: a flag, a level that tasks wait for.

A set wakes every waiting task and hands nothing out.  A waiter that is cancelled has nothing to pass on, and one that
was woken has seen the flag set, even if it was cleared since.  So there is no line, and nothing can be lost but the
wake-up itself.

The first parameter of an action is the task that calls, is cancelled or is uncancelled.  Rules are cited as in
`specification.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..kit.core import Map, Spec, replace
from .specification import At, Said, Task


@dataclass(frozen=True)
class Const:
    """The constants: the tasks.

    `withdraws`: whether requests to cancel may be taken back; a task that is cancelled and uncancelled for ever need
    not run.
    """

    tasks: frozenset[Task]
    withdraws: bool


@dataclass(frozen=True)
class Flag:
    """The state: whether the flag is set, and where every task is."""

    up: bool
    at: Map[Task, At]


events: Spec[Const, Flag] = Spec("events", Flag, universe={Task: "tasks"})


def done(k: Const, s: Flag, t: Flag, w: Task) -> tuple[Said, ...]:
    """A call returns in the step that leaves its task outside."""
    return (Said.DONE,) if t.at[w] == At.OUT else ()


def cancelled(k: Const, s: Flag, t: Flag, w: Task) -> tuple[Said, ...]:
    return (Said.CANCELLED,)


@events.assume
def some_tasks(k: Const) -> bool:
    """EVENT-5: There is a task.  [asyncio.Event; documented]"""
    return any(True for t in k.tasks)


@events.init
def unset(k: Const, s: Flag) -> bool:
    """EVENT-6: A new event is not set, and no task waits.
    [asyncio.Event, "The flag is set to false initially"; documented]"""
    return not s.up and all(s.at[t] == At.OUT for t in k.tasks)


def out(k: Const, s: Flag, t: Task) -> bool:
    """Whether t waits for nothing."""
    return s.at[t] == At.OUT


def inside(k: Const, s: Flag, t: Task) -> bool:
    """Whether t is in a call that has not returned."""
    return s.at[t] != At.OUT


@events.action(answer=done, changes="up at", whenever=out)
def set(k: Const, s: Flag, t: Task) -> Iterator[Flag]:  # the name is asyncio's
    """EVENT-1: A set wakes every waiting task.  [asyncio.Event.set; documented]"""
    if s.at[t] == At.OUT:
        yield replace(s, up=True, at=s.at | {w: At.WOKEN for w in k.tasks if s.at[w] == At.WAIT})


@events.action(answer=done, changes="up", whenever=out)
def clear(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-3: After a clear, a newcomer waits for the next set; a waiter that was woken before does not.
    [asyncio.Event.clear; documented]"""
    if s.at[t] == At.OUT:
        yield replace(s, up=False)


@events.action(answer=done, changes="at[t]", whenever=out)
def wait(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-2: A wait returns at once if the flag is set, and else waits.  [asyncio.Event.wait; documented]"""
    if s.at[t] == At.OUT:
        yield s if s.up else replace(s, at=s.at | {t: At.WAIT})


@events.action(fair=True, hidden=True, answer=done, changes="at[t]")
def resume(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-4: A waiter that was woken by a set returns, even if the event is cleared before it runs.
    [asyncio/locks.py, `Event.wait` does not look again; settled]"""
    if s.at[t] == At.WOKEN:
        yield replace(s, at=s.at | {t: At.OUT})


def withdrawable(k: Const, s: Flag, t: Task) -> bool:
    """Whether t was cancelled and has not run since, where requests are taken back."""
    return k.withdraws and (s.at[t] == At.GONE or s.at[t] == At.LATE)


@events.action(changes="at[t]", whenever=inside)
def cancel(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-7: A waiting task is cancelled, before or after it was woken; a second cancel changes nothing.
    [asyncio.Task.cancel, which arranges for a CancelledError at the next step; documented]"""
    if s.at[t] == At.WAIT:
        yield replace(s, at=s.at | {t: At.GONE})
    elif s.at[t] == At.WOKEN:
        yield replace(s, at=s.at | {t: At.LATE})
    elif s.at[t] != At.OUT:
        yield s


@events.action(changes="at[t]", whenever=withdrawable)
def uncancel(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-13: When every request to cancel a task is taken back, a waiter that was woken before returns as if it had
    not been cancelled; one that was not is cancelled all the same.
    [asyncio.Task.uncancel, and gh-116720: the last one withdraws a request that was not thrown; documented]"""
    if k.withdraws:
        if s.at[t] == At.LATE:
            yield replace(s, at=s.at | {t: At.WOKEN})
        elif s.at[t] == At.GONE:
            yield s


@events.action(fair=True, hidden=True, answer=cancelled, changes="at[t]")
def unwind(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-8: A cancelled waiter leaves; no other task is affected.  [asyncio.Event.wait; documented]"""
    if s.at[t] == At.GONE or s.at[t] == At.LATE:
        yield replace(s, at=s.at | {t: At.OUT})


def moving(k: Const, s: Flag, t: Task) -> bool:
    """Whether t was woken or cancelled and has not run since."""
    return s.at[t] != At.OUT and s.at[t] != At.WAIT


@events.invariant
def none_beside(k: Const, s: Flag) -> bool:
    """EVENT-9: No task waits while the flag is set.
    [asyncio.Event.wait, "Wait until the event is set"; documented]"""
    return not s.up or all(s.at[t] != At.WAIT for t in k.tasks)


@events.step
def woken_by_set(k: Const, s: Flag, t: Flag) -> bool:
    """EVENT-10: A waiter is woken by the step that sets the flag, and by no other.
    [asyncio.Event.set, asyncio.Event.wait; documented]"""
    return all(s.at[w] != At.WAIT or (t.at[w] == At.WOKEN) == t.up for w in k.tasks)


@events.step
def leaves_only_when_woken(k: Const, s: Flag, t: Flag) -> bool:
    """EVENT-11: A waiter leaves after it was woken or cancelled, not before; and then it does not wait again.
    [asyncio.Event.wait, "block until another task calls set()"; documented]"""
    return all(
        (s.at[w] != At.WAIT or t.at[w] != At.OUT) and (not moving(k, s, w) or t.at[w] != At.WAIT) for w in k.tasks
    )


@events.step_of(set)
def was_set(k: Const, s: Flag, t: Flag, w: Task) -> bool:
    """EVENT-18: Only a task that waits for nothing calls a set.  [asyncio.Event.set; documented]"""
    return s.at[w] == At.OUT


@events.step_of(clear)
def clear_unsets_the_flag(k: Const, s: Flag, t: Flag, w: Task) -> bool:
    """EVENT-14: After a clear the flag is not set; only a task that waits for nothing calls it.
    [asyncio.Event.clear; documented]"""
    return s.at[w] == At.OUT and not t.up


@events.step_of(wait)
def waits_only_if_unset(k: Const, s: Flag, t: Flag, w: Task) -> bool:
    """EVENT-15: A wait waits exactly if the flag is not set; only a task that waits for nothing calls it.
    [asyncio.Event.wait; documented]"""
    return s.at[w] == At.OUT and (t.at[w] == At.WAIT) != s.up


@events.step_of(cancel)
def cancel_ends_the_wait(k: Const, s: Flag, t: Flag, w: Task) -> bool:
    """EVENT-16: A cancel ends the wait of a task that waits; one that was woken before is remembered as such.
    [asyncio.Task.cancel; documented]"""
    late = s.at[w] == At.WOKEN or s.at[w] == At.LATE
    return s.at[w] != At.OUT and t.at[w] == (At.LATE if late else At.GONE)


@events.step_of(uncancel)
def only_requests_taken_back(k: Const, s: Flag, t: Flag, w: Task) -> bool:
    """EVENT-17: Only a request to cancel a waiter is taken back: one that was woken before is woken again, and one that
    was not stays cancelled.
    [asyncio.Task.uncancel, and gh-116720; documented]"""
    if s.at[w] == At.LATE:
        return t.at[w] == At.WOKEN
    return s.at[w] == At.GONE and t.at[w] == At.GONE


def stopped(k: Const, s: Flag, t: Task) -> bool:
    """Whether t was cancelled and has not run since, where no request is taken back."""
    return not k.withdraws and (s.at[t] == At.GONE or s.at[t] == At.LATE)


def resumes(k: Const, s: Flag, t: Task) -> bool:
    """Whether t was woken, and not cancelled, where no request is taken back."""
    return not k.withdraws and s.at[t] == At.WOKEN


def changes_left(k: Const, s: Flag, t: Task) -> int:
    """The changes of t's place that are left before the last: a woken task may be cancelled, too."""
    return 1 if resumes(k, s, t) else 0


def bound_to_run(k: Const, s: Flag, t: Task) -> bool:
    """Whether t was woken or cancelled and has not run since, where no request is taken back."""
    return not k.withdraws and moving(k, s, t)


@events.leads_to(bound_to_run, rank=changes_left, by={"unwind": stopped, "resume": resumes})
def comes_to_rest(k: Const, s: Flag, t: Task) -> bool:
    """EVENT-12: A task that is woken or cancelled runs, if no request is taken back, and leaves.
    [asyncio.Task.cancel and the event loop, which runs every callback; documented]"""
    return s.at[t] == At.OUT
