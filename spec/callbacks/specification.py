"""Callbacks and timers of asyncio's event loop: call_soon, call_at, Handle.cancel, and the iterations that call them.

A callback is known by its handle.  It waits for its time, or is ready; the loop runs ready callbacks in iterations
(*turns*).  An iteration runs those that were ready when it began, its `batch`, one after the other.  A callback may
schedule and cancel others; so may the code that starts the loop, between two iterations.

`line` has (v, w) if v is to run before w; both are ready.  Two timers of one time are not compared in this
order, because asyncio leaves their order undefined; nor are callbacks that different threads made ready, because a
loop may take those of other threads over when it begins an iteration.  call_later(delay) is call_at(time() + delay).
Time passes at any moment, as that of a real clock does; a virtual one moves only where no callback is ready.

The first parameter of an action is the handle or, of call_soon_threadsafe, the thread that calls.  Every rule ends with
[source; standing], as in `task/loop.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from ..kit.core import Map, Spec, replace

Handle = NewType("Handle", int)
Thread = NewType("Thread", int)
#: In units of the clock.
Time = NewType("Time", int)


class At(StrEnum):
    """The place of a callback: not scheduled, a timer, ready (a timer at its time is DUE), running, or done with.

    A callback that FAILED has raised an error, with which the exception handler was called.
    """

    NEW = "new"
    TIMED = "timed"
    DUE = "due"
    SOON = "soon"
    RUNS = "runs"
    ENDED = "ended"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Const:
    """The constants: the handles, the thread of the loop, and the other threads."""

    handles: frozenset[Handle]
    threads: frozenset[Thread]
    loop: Thread


@dataclass(frozen=True)
class Calls:
    """The state: where every callback is, the times of timers, the order of the ready ones, and the time.

    `by`: the thread that made a callback ready.  `batch`: the callbacks that the iteration has yet to run.  `asleep`:
    the loop waits, for a timer or another thread.
    """

    at: Map[Handle, At]
    when: Map[Handle, Time]
    by: Map[Handle, Thread]
    line: frozenset[tuple[Handle, Handle]]
    batch: frozenset[Handle]
    now: Time
    asleep: bool


callbacks: Spec[Const, Calls] = Spec(
    "callbacks", Calls, universe={Handle: "handles", Thread: "threads loop"}, numbers=(Time,)
)


class Said(StrEnum):
    """The result of a call."""

    DONE = "done"


def ready(s: Calls, h: Handle) -> bool:
    """Whether h is in the line."""
    return s.at[h] == At.SOON or s.at[h] == At.DUE


def over(s: Calls, h: Handle) -> bool:
    """Whether h is a timer, its time has come, and it is not ready yet."""
    return s.at[h] == At.TIMED and s.when[h] <= s.now


def between(k: Const, s: Calls) -> bool:
    """Whether an iteration has ended and no other has begun."""
    return all(h not in s.batch and s.at[h] != At.RUNS for h in k.handles)


def something_to_do(k: Const, s: Calls) -> bool:
    """Whether a callback is ready, or its time has come."""
    return any(ready(s, h) or over(s, h) for h in k.handles)


def queued(s: Calls, h: Handle, c: Thread) -> bool:
    """Whether h is in the line, and c made it ready."""
    return ready(s, h) and s.by[h] == c


def behind(k: Const, s: Calls, h: Handle, c: Thread) -> Calls:
    """h is ready, behind all others of the thread c."""
    return replace(
        s,
        at=s.at | {h: At.SOON},
        by=s.by | {h: c},
        line=s.line | {(v, w) for v in k.handles for w in k.handles if w == h and queued(s, v, c)},
    )


def without(k: Const, s: Calls, h: Handle) -> frozenset[tuple[Handle, Handle]]:
    """The line without h."""
    return s.line - {(v, w) for v in k.handles for w in k.handles if v == h or w == h}


def returned(k: Const, s: Calls, t: Calls, c: Thread, h: Handle) -> tuple[Said, ...]:
    """A call from another thread returns at once."""
    return (Said.DONE,)


# Where calls must be possible.


def unused(k: Const, s: Calls, h: Handle) -> bool:
    """Whether h is not scheduled, and the thread of the loop may call."""
    return s.at[h] == At.NEW and not s.asleep


def unused_for(k: Const, s: Calls, h: Handle, when: Time) -> bool:
    """The same, for any time."""
    return unused(k, s, h)


def unused_by(k: Const, s: Calls, c: Thread, h: Handle) -> bool:
    """Whether h is not scheduled: another thread may call at any moment."""
    return s.at[h] == At.NEW


def made(k: Const, s: Calls, h: Handle) -> bool:
    """Whether h was scheduled, and the thread of the loop may call."""
    return s.at[h] != At.NEW and not s.asleep


def may_begin(k: Const, s: Calls) -> bool:
    """Whether no iteration is under way, and there is something to do."""
    return between(k, s) and something_to_do(k, s)


def running(k: Const, s: Calls, h: Handle) -> bool:
    """Whether h runs."""
    return s.at[h] == At.RUNS


def heads(k: Const, s: Calls, h: Handle) -> bool:
    """Whether h is of this iteration, none of the ready callbacks comes before it, and none runs."""
    return h in s.batch and all(s.at[v] != At.RUNS and (v, h) not in s.line for v in k.handles)


@callbacks.assume
def some_handles(k: Const) -> bool:
    """LOOP-11: There is a callback, and a thread beside that of the loop.
    [the meaning of this specification's constants; defined]"""
    return k.loop not in k.threads and any(True for h in k.handles) and any(True for c in k.threads)


@callbacks.init
def nothing_scheduled(k: Const, s: Calls) -> bool:
    """LOOP-12: A new loop has no callbacks and no timers.  [asyncio.new_event_loop; documented]"""
    return not s.asleep and all(
        s.at[h] == At.NEW
        and s.when[h] == s.now
        and s.by[h] == k.loop
        and h not in s.batch
        and all((h, v) not in s.line for v in k.handles)
        for h in k.handles
    )


# --- Calls -------------------------------------------------------------------------------------------------------


@callbacks.action(changes="at[h] line", whenever=unused)
def call_soon(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-1: call_soon calls in the order of registration, in the next iteration.
    [asyncio.loop.call_soon, "Callbacks are called in the order in which they are registered"; documented]"""
    if s.at[h] == At.NEW and not s.asleep:
        yield behind(k, s, h, k.loop)


@callbacks.action(changes="at[h] when[h]", whenever=unused_for)
def call_at(k: Const, s: Calls, h: Handle, when: Time) -> Iterator[Calls]:
    """LOOP-2: call_later and call_at call in the order of deadlines, none before its deadline but for the resolution of
    the clock; a handle that was cancelled is not called.
    [asyncio.loop.call_at and call_later, and asyncio/base_events.py, the heap of timers; settled]"""
    if s.at[h] == At.NEW and not s.asleep:
        yield replace(s, at=s.at | {h: At.TIMED}, when=s.when | {h: when})


@callbacks.action(answer=returned, changes="at[h] by[h] line asleep", whenever=unused_by)
def call_soon_threadsafe(k: Const, s: Calls, c: Thread, h: Handle) -> Iterator[Calls]:
    """LOOP-4: call_soon_threadsafe is call_soon for any thread, until the loop is closed, and wakes a loop that waits:
    the callbacks of a thread are called in the order of its calls, each once.
    [asyncio.loop.call_soon_threadsafe, "A thread-safe variant of call_soon()"; documented]"""
    if s.at[h] == At.NEW:
        yield replace(behind(k, s, h, c), asleep=False)


@callbacks.action(changes="at[h] line batch[h]", whenever=made)
def cancel(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-5: A timer or a ready callback that is cancelled is not called; cancelling one that runs, has run or was
    cancelled has no effect.
    [asyncio.Handle.cancel; documented]"""
    if s.at[h] != At.NEW and not s.asleep:
        if s.at[h] == At.TIMED or ready(s, h):
            yield replace(s, at=s.at | {h: At.CANCELLED}, line=without(k, s, h), batch=s.batch - {h})
        else:
            yield s


# --- The actions of the loop ---------------------------------------------------------------------------------------


@callbacks.action(fair=True, hidden=True, changes="at line batch asleep", whenever=may_begin)
def begin(k: Const, s: Calls) -> Iterator[Calls]:
    """LOOP-6: An iteration begins when the one before has ended: timers are ready if their time has come, behind those
    that were, in the order of their times; and those that are ready now are run in it.
    [asyncio/base_events.py, `_run_once`; settled]"""
    if all(h not in s.batch and s.at[h] != At.RUNS for h in k.handles) and something_to_do(k, s):
        yield replace(
            s,
            at=s.at | {h: At.DUE for h in k.handles if over(s, h)},
            line=s.line
            | {
                (v, w)
                for v in k.handles
                for w in k.handles
                if over(s, w) and (queued(s, v, k.loop) or (over(s, v) and s.when[v] < s.when[w]))
            },
            batch=s.batch | {h for h in k.handles if ready(s, h) or over(s, h)},
            asleep=False,
        )


@callbacks.action(fair=True, changes="at[h] line batch[h]", whenever=heads)
def run(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-7: The loop calls a callback of this iteration that none comes before, when no other runs.
    [asyncio/base_events.py, `_run_once`; settled]"""
    if h in s.batch and all(s.at[v] != At.RUNS and (v, h) not in s.line for v in k.handles):
        yield replace(s, at=s.at | {h: At.RUNS}, line=without(k, s, h), batch=s.batch - {h})


@callbacks.action(fair=True, changes="at[h]", whenever=running)
def finish(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-8: A callback returns; none runs for ever.  [asyncio.loop.call_soon; documented]"""
    if s.at[h] == At.RUNS:
        yield replace(s, at=s.at | {h: At.ENDED})


@callbacks.action(changes="at[h]", whenever=running)
def fail(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-3: An error that cannot be raised to any caller goes to the exception handler: here, that of a callback,
    which stops no other.  KeyboardInterrupt and SystemExit propagate out of the loop.
    [Event Loop, Error Handling API; documented]"""
    if s.at[h] == At.RUNS:
        yield replace(s, at=s.at | {h: At.FAILED})


@callbacks.action(hidden=True, changes="asleep")
def wait(k: Const, s: Calls) -> Iterator[Calls]:
    """LOOP-9: A loop with nothing to do waits, until the time of a timer has come or another thread wakes it.
    [asyncio/base_events.py, the timeout in `_run_once`; settled]"""
    if between(k, s) and not something_to_do(k, s):
        yield replace(s, asleep=True)


@callbacks.action(changes="now")
def elapse(k: Const, s: Calls, to: Time) -> Iterator[Calls]:
    """LOOP-10: Time passes.
    [asyncio.loop.time, "according to the event loop's internal monotonic clock"; documented]"""
    if s.now < to:
        yield replace(s, now=to)


# --- The properties ------------------------------------------------------------------------------------------------


@callbacks.invariant
def lined_up(k: Const, s: Calls) -> bool:
    """LOOP-13: The line is an order of the ready callbacks of each thread.
    [the meaning of this specification's state; defined]"""
    return all(
        ready(s, v)
        and ready(s, w)
        and s.by[v] == s.by[w]
        and (w, v) not in s.line
        and all((w, u) not in s.line or (v, u) in s.line for u in k.handles)
        for (v, w) in s.line
    )


@callbacks.invariant
def told_apart(k: Const, s: Calls) -> bool:
    """LOOP-14: One of two ready callbacks of a thread comes first, unless they are timers of one time.
    [asyncio.loop.call_later, "If two callbacks are scheduled for exactly the same time, the order in which they are
    called is undefined"; documented]"""
    return all(
        v == w
        or not ready(s, v)
        or not ready(s, w)
        or s.by[v] != s.by[w]
        or ((v, w) in s.line or (w, v) in s.line)
        != (s.at[v] == At.DUE and s.at[w] == At.DUE and s.when[v] == s.when[w])
        for v in k.handles
        for w in k.handles
    )


@callbacks.invariant
def one_batch(k: Const, s: Calls) -> bool:
    """LOOP-15: An iteration runs ready callbacks, those that come before them, and every timer that is due.
    [asyncio/base_events.py, `_run_once`; settled]"""
    return all(ready(s, h) if h in s.batch else s.at[h] != At.DUE for h in k.handles) and all(
        v in s.batch or w not in s.batch for (v, w) in s.line
    )


@callbacks.invariant
def own_timers(k: Const, s: Calls) -> bool:
    """LOOP-34: No other thread sets a timer.  [asyncio.loop.call_at, which is not thread-safe; documented]"""
    return all(s.by[h] == k.loop or (s.at[h] != At.NEW and s.at[h] != At.TIMED) for h in k.handles)


@callbacks.invariant
def one_runs(k: Const, s: Calls) -> bool:
    """LOOP-16: No callback runs while another does.
    [Developing with asyncio, "While a Task is running in the event loop, no other Tasks can run in the same thread";
    documented]"""
    return all(v == w or s.at[v] != At.RUNS or s.at[w] != At.RUNS for v in k.handles for w in k.handles)


@callbacks.invariant
def not_early(k: Const, s: Calls) -> bool:
    """LOOP-17: No timer is ready, runs or has run before its time, but for the resolution of the clock.
    [asyncio.loop.call_at, "at the given absolute timestamp"; documented]"""
    return all(s.at[h] == At.TIMED or s.at[h] == At.CANCELLED or s.when[h] <= s.now for h in k.handles)


@callbacks.invariant
def no_lost_wakeup(k: Const, s: Calls) -> bool:
    """LOOP-18: The loop does not wait while a callback is ready or runs.
    [asyncio.loop.call_soon_threadsafe, and asyncio/base_events.py, `_write_to_self`; settled]"""
    return not s.asleep or all(not ready(s, h) and s.at[h] != At.RUNS for h in k.handles)


@callbacks.step
def called_at_most_once(k: Const, s: Calls, t: Calls) -> bool:
    """LOOP-19: Only a ready callback is called, each once; one that was cancelled is not called, and a timer is ready
    before.
    [asyncio.loop.call_soon, "Each callback will be called exactly once", and asyncio.Handle.cancel; documented]"""
    return all(
        t.at[h] == s.at[h]
        or (s.at[h] == At.NEW and (t.at[h] == At.SOON or t.at[h] == At.TIMED))
        or (s.at[h] == At.TIMED and (t.at[h] == At.DUE or t.at[h] == At.CANCELLED))
        or (ready(s, h) and (t.at[h] == At.RUNS or t.at[h] == At.CANCELLED))
        or (s.at[h] == At.RUNS and (t.at[h] == At.ENDED or t.at[h] == At.FAILED))
        for h in k.handles
    )


@callbacks.step
def in_order(k: Const, s: Calls, t: Calls) -> bool:
    """LOOP-20: The order of ready callbacks stays, and one that becomes ready comes before none of them.
    [asyncio.loop.call_soon, "in the order in which they are registered"; documented]"""
    return all((v, w) in s.line or not ready(s, w) for (v, w) in t.line)


@callbacks.step
def by_time(k: Const, s: Calls, t: Calls) -> bool:
    """LOOP-21: A timer with an earlier time comes before those that become ready with it.
    [asyncio/base_events.py, the heap of timers; settled]"""
    return all(
        s.at[v] != At.TIMED
        or s.at[w] != At.TIMED
        or not ready(t, v)
        or not ready(t, w)
        or ((v, w) in t.line) == (s.when[v] < s.when[w])
        for v in k.handles
        for w in k.handles
    )


@callbacks.step
def next_turn(k: Const, s: Calls, t: Calls) -> bool:
    """LOOP-22: A callback that is scheduled in an iteration is not called in it.
    [asyncio.loop.call_soon, "at the next iteration of the event loop"; documented]"""
    return all(h not in t.batch or h in s.batch or between(k, s) for h in k.handles)


@callbacks.step
def time_never_goes_back(k: Const, s: Calls, t: Calls) -> bool:
    """LOOP-23: Time does not go back, and the time of a timer stays.  [asyncio.loop.time; documented]"""
    return s.now <= t.now and all(s.at[h] == At.NEW or t.when[h] == s.when[h] for h in k.handles)


@callbacks.step_of(call_soon)
def call_soon_makes_ready(k: Const, s: Calls, t: Calls, h: Handle) -> bool:
    """LOOP-24: call_soon makes a new callback ready.  [asyncio.loop.call_soon; documented]"""
    return unused(k, s, h) and t.at[h] == At.SOON


@callbacks.step_of(call_at)
def call_at_makes_a_timer(k: Const, s: Calls, t: Calls, h: Handle, when: Time) -> bool:
    """LOOP-25: call_at makes a new callback a timer of that time, even of one that has come already.
    [asyncio/base_events.py, the heap of timers; settled]"""
    return unused(k, s, h) and t.at[h] == At.TIMED and t.when[h] == when


@callbacks.step_of(call_soon_threadsafe)
def handed_over(k: Const, s: Calls, t: Calls, c: Thread, h: Handle) -> bool:
    """LOOP-26: call_soon_threadsafe makes a new callback ready.  [asyncio.loop.call_soon_threadsafe; documented]"""
    return s.at[h] == At.NEW and t.at[h] == At.SOON and t.by[h] == c


@callbacks.step_of(cancel)
def cancel_withdraws_pending(k: Const, s: Calls, t: Calls, h: Handle) -> bool:
    """LOOP-27: cancel takes a callback back that waits for its time or is ready, and no other.
    [asyncio.Handle.cancel; documented]"""
    waits = s.at[h] == At.TIMED or ready(s, h)
    return made(k, s, h) and t.at[h] == (At.CANCELLED if waits else s.at[h])


@callbacks.step_of(begin)
def all_ready(k: Const, s: Calls, t: Calls) -> bool:
    """LOOP-28: An iteration runs every callback that is ready when it begins; no timer is left out at its time.
    [asyncio/base_events.py, `_run_once`; settled]"""
    return (
        may_begin(k, s)
        and not t.asleep
        and all((h in t.batch) == ready(t, h) and (not over(s, h) or t.at[h] == At.DUE) for h in k.handles)
    )


@callbacks.step_of(run)
def call_runs_the_callback(k: Const, s: Calls, t: Calls, h: Handle) -> bool:
    """LOOP-29: A call of the loop runs the callback.  [asyncio.loop.call_soon; documented]"""
    return heads(k, s, h) and t.at[h] == At.RUNS


@callbacks.step_of(finish)
def no_report_without_error(k: Const, s: Calls, t: Calls, h: Handle) -> bool:
    """LOOP-30: A callback that returns is not reported.  [asyncio.loop.call_soon; documented]"""
    return s.at[h] == At.RUNS and t.at[h] == At.ENDED


@callbacks.step_of(fail)
def errors_are_reported(k: Const, s: Calls, t: Calls, h: Handle) -> bool:
    """LOOP-31: The error of a callback that raises is reported.  [Event Loop, Error Handling API; documented]"""
    return s.at[h] == At.RUNS and t.at[h] == At.FAILED


@callbacks.step_of(wait)
def waits_only_when_idle(k: Const, s: Calls, t: Calls) -> bool:
    """LOOP-32: The loop waits only with nothing to do.
    [asyncio/base_events.py, the timeout in `_run_once`; settled]"""
    return t.asleep and not something_to_do(k, s)


def due(k: Const, s: Calls, h: Handle) -> bool:
    """Whether h has a call coming."""
    return ready(s, h) or over(s, h)


@callbacks.leads_to(due)
def due_callback_is_called(k: Const, s: Calls, h: Handle) -> bool:
    """LOOP-33: A callback is called if it is ready or its time has come, unless it is cancelled.
    [asyncio.loop.call_soon, "Each callback will be called exactly once"; documented]"""
    return s.at[h] == At.RUNS or s.at[h] == At.CANCELLED
