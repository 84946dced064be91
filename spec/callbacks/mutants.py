"""Mutants of callbacks and timers: each has one error, which the check must find at a known depth."""

from __future__ import annotations

from collections.abc import Iterator

from ..kit.bounded import mutant
from ..kit.core import Spec, replace
from . import specification as right
from .specification import At, Calls, Const, Handle, Thread, Time, callbacks


def call_soon_in_no_order(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-1: Wrong: ready callbacks have no order."""
    for q in right.call_soon(k, s, h):
        yield replace(q, line=s.line)


def call_soon_first(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-1: Wrong: of callbacks that are ready when an iteration begins, the newest comes first."""
    for q in right.call_soon(k, s, h):
        first = replace(q, line=s.line | {(h, v) for v in k.handles if right.queued(s, v, k.loop)})
        yield first if right.between(k, s) else q


def call_soon_behind_the_last(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-1: Wrong: a callback comes behind the last one only, not behind those that come before that one."""
    for q in right.call_soon(k, s, h):
        yield replace(
            q,
            line=s.line
            | {
                (v, h)
                for v in k.handles
                if right.queued(s, v, k.loop) and all((v, w) not in s.line for w in k.handles)
            },
        )


def call_soon_anywhere(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-1: Wrong: another thread may call call_soon, which does not wake the loop."""
    if s.at[h] == At.NEW:
        yield right.behind(k, s, h, k.loop)


def call_soon_this_turn(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-1: Wrong: a callback that a callback schedules is called in the same turn."""
    for q in right.call_soon(k, s, h):
        yield q if right.between(k, s) else replace(q, batch=s.batch | {h})


def call_soon_timed(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-1: Wrong: call_soon makes a timer of the present time."""
    yield from right.call_at(k, s, h, s.now)


def call_at_soon(k: Const, s: Calls, h: Handle, when: Time) -> Iterator[Calls]:
    """LOOP-2: Wrong: a timer whose time has come is ready within the call."""
    if when <= s.now:
        yield from right.call_soon(k, s, h)
    else:
        yield from right.call_at(k, s, h, when)


def call_at_anywhere(k: Const, s: Calls, h: Handle, when: Time) -> Iterator[Calls]:
    """LOOP-2: Wrong: another thread may call call_at, which does not wake the loop."""
    if s.at[h] == At.NEW:
        yield replace(s, at=s.at | {h: At.TIMED}, when=s.when | {h: when})


def call_at_again(k: Const, s: Calls, h: Handle, when: Time) -> Iterator[Calls]:
    """LOOP-2: Wrong: a timer is set anew."""
    if s.at[h] == At.NEW or s.at[h] == At.TIMED:
        yield replace(s, at=s.at | {h: At.TIMED}, when=s.when | {h: when})


def call_silently(k: Const, s: Calls, c: Thread, h: Handle) -> Iterator[Calls]:
    """LOOP-4: Wrong: another thread does not wake the loop."""
    for q in right.call_soon_threadsafe(k, s, c, h):
        yield replace(q, asleep=s.asleep)


def call_in_vain(k: Const, s: Calls, c: Thread, h: Handle) -> Iterator[Calls]:
    """LOOP-4: Wrong: the callback that wakes the loop is lost."""
    for q in right.call_soon_threadsafe(k, s, c, h):
        yield replace(s, asleep=False) if s.asleep else q


def call_unsigned(k: Const, s: Calls, c: Thread, h: Handle) -> Iterator[Calls]:
    """LOOP-4: Wrong: the thread that has handed a callback over is forgotten."""
    for q in right.call_soon_threadsafe(k, s, c, h):
        yield replace(q, by=s.by)


def call_twice(k: Const, s: Calls, c: Thread, h: Handle) -> Iterator[Calls]:
    """LOOP-4: Wrong: a callback that another thread hands over is called twice."""
    if s.at[h] == At.NEW or s.at[h] == At.ENDED:
        yield replace(right.behind(k, s, h, c), asleep=False)


def call_timer(k: Const, s: Calls, c: Thread, h: Handle) -> Iterator[Calls]:
    """LOOP-4: Wrong: a callback that another thread hands over is a timer of the present time."""
    if s.at[h] == At.NEW:
        yield replace(s, at=s.at | {h: At.TIMED}, when=s.when | {h: s.now}, by=s.by | {h: c}, asleep=False)


def cancel_in_vain(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-5: Wrong: a ready callback cannot be cancelled any more."""
    for q in right.cancel(k, s, h):
        yield s if right.ready(s, h) else q


def cancel_in_the_batch(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-5: Wrong: a callback that is cancelled stays in the iteration."""
    for q in right.cancel(k, s, h):
        yield replace(q, batch=s.batch)


def cancel_the_batch(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-5: Wrong: a cancel ends the iteration."""
    for q in right.cancel(k, s, h):
        yield replace(q, batch=frozenset())


def cancel_what_runs(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-5: Wrong: a callback that runs is cancelled."""
    for q in right.cancel(k, s, h):
        yield replace(q, at=s.at | {h: At.CANCELLED}) if s.at[h] == At.RUNS else q


def cancel_and_wake(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-5: Wrong: a cancel while the loop waits wakes it."""
    yield from right.cancel(k, replace(s, asleep=False), h)


def cancel_what_waits(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-5: Wrong: cancelling a callback that has run is refused."""
    if s.at[h] == At.TIMED or s.at[h] == At.RUNS or right.ready(s, h):
        yield from right.cancel(k, s, h)


def begin_early(k: Const, s: Calls) -> Iterator[Calls]:
    """LOOP-6: Wrong: an iteration may run a timer whose time has not come, with those before it."""
    yield from right.begin(k, s)
    for h in k.handles:
        if right.something_to_do(k, s) and s.now < s.when[h]:
            for q in right.begin(k, replace(s, now=s.when[h])):
                yield replace(q, now=s.now)


def begin_at_once(k: Const, s: Calls) -> Iterator[Calls]:
    """LOOP-6: Wrong: an iteration begins with a call of all callbacks that are ready."""
    for q in right.begin(k, s):
        yield replace(
            q,
            at=q.at | {h: At.RUNS for h in k.handles if right.ready(s, h)},
            line=q.line - {(v, w) for v in k.handles for w in k.handles if right.ready(s, v)},
            batch=q.batch - {h for h in k.handles if right.ready(s, h)},
        )


def begin_with_the_cancelled(k: Const, s: Calls) -> Iterator[Calls]:
    """LOOP-6: Wrong: an iteration begins with a call of those that were cancelled, if their time has come."""
    for q in right.begin(k, s):
        yield replace(
            q, at=q.at | {h: At.RUNS for h in k.handles if s.at[h] == At.CANCELLED and s.when[h] <= s.now}
        )


def begin_latest_first(k: Const, s: Calls) -> Iterator[Calls]:
    """LOOP-6: Wrong: of timers that become ready at once, the latest comes first."""
    for q in right.begin(k, s):
        yield replace(
            q,
            line=s.line
            | {
                (v, w)
                for v in k.handles
                for w in k.handles
                if right.over(s, w)
                and (right.queued(s, v, k.loop) or (right.over(s, v) and s.when[w] < s.when[v]))
            },
        )


def begin_without_timers(k: Const, s: Calls) -> Iterator[Calls]:
    """LOOP-6: Wrong: an iteration with ready callbacks drops the timers whose time has come."""
    if right.between(k, s) and any(right.ready(s, h) for h in k.handles):
        yield replace(
            s,
            at=s.at | {h: At.CANCELLED for h in k.handles if right.over(s, h)},
            batch=s.batch | {h for h in k.handles if right.ready(s, h)},
            asleep=False,
        )
    else:
        yield from right.begin(k, s)


def begin_asleep(k: Const, s: Calls) -> Iterator[Calls]:
    """LOOP-6: Wrong: a loop that waits still waits in its next iteration."""
    for q in right.begin(k, s):
        yield replace(q, asleep=s.asleep)


def begin_within(k: Const, s: Calls) -> Iterator[Calls]:
    """LOOP-6: Wrong: an iteration begins when callbacks of the one before are still to be called."""
    yield from right.begin(k, replace(s, batch=frozenset()))


def run_in_line(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-7: Wrong: a callback that runs stays in line."""
    for q in right.run(k, s, h):
        yield replace(q, line=s.line)


def run_nothing(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-7: Wrong: a callback whose turn has come is passed over."""
    for q in right.run(k, s, h):
        yield replace(q, at=s.at | {h: At.CANCELLED})


def run_overdue(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-7: Wrong: a timer whose time has come is called although no iteration has made it ready."""
    yield from right.run(k, s, h)
    if right.over(s, h) and right.between(k, s):
        yield replace(s, at=s.at | {h: At.RUNS})


def run_unseen(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-7: Wrong: a callback has returned before it is called."""
    for q in right.run(k, s, h):
        yield replace(q, at=s.at | {h: At.ENDED})


def run_perhaps(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-7: Wrong: a ready callback need never be called."""
    yield from right.run(k, s, h)


def finish_reporting(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-8: Wrong: a callback that returns is reported."""
    yield from right.fail(k, s, h)


def finish_unbegun(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-8: Wrong: a callback returns before it is called."""
    if s.at[h] == At.RUNS or right.ready(s, h):
        yield replace(s, at=s.at | {h: At.ENDED})


def fail_silently(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-3: Wrong: the error of a callback is lost."""
    yield from right.finish(k, s, h)


def fail_again(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-3: Wrong: a callback that raises is called again."""
    if s.at[h] == At.RUNS:
        yield right.behind(k, s, h, k.loop)


def fail_unbegun(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-3: Wrong: a callback raises before it is called."""
    if s.at[h] == At.RUNS or right.ready(s, h):
        yield replace(s, at=s.at | {h: At.FAILED})


def wait_past_timers(k: Const, s: Calls) -> Iterator[Calls]:
    """LOOP-9: Wrong: the loop does not look at timers before it waits."""
    if right.between(k, s) and all(not right.ready(s, h) for h in k.handles):
        yield replace(s, asleep=True)


def wait_in_a_callback(k: Const, s: Calls) -> Iterator[Calls]:
    """LOOP-9: Wrong: the loop waits while a callback runs."""
    if all(h not in s.batch for h in k.handles) and not right.something_to_do(k, s):
        yield replace(s, asleep=True)


def wait_without_rest(k: Const, s: Calls) -> Iterator[Calls]:
    """LOOP-9: Wrong: a loop with nothing to do goes round."""
    for _ in right.wait(k, s):
        yield s


def elapse_backwards(k: Const, s: Calls, to: Time) -> Iterator[Calls]:
    """LOOP-10: Wrong: time goes back, but not to before the time of a timer."""
    if s.now != to and all(s.when[h] <= to for h in k.handles):
        yield replace(s, now=to)


unfair: Spec[Const, Calls] = Spec(
    "callbacks: a ready callback need never be called", Calls, callbacks, without=("run",)
)
unfair.action()(run_perhaps)

#: By the property that each breaks.
MUTANTS: dict[str, Spec[Const, Calls]] = {
    "lined_up": mutant(callbacks, "a callback that runs stays in line", run=run_in_line),
    "told_apart": mutant(callbacks, "ready callbacks have no order", call_soon=call_soon_in_no_order),
    "one_batch": mutant(callbacks, "a cancelled callback stays in the turn", cancel=cancel_in_the_batch),
    "own_timers": mutant(callbacks, "another thread sets a timer", call_soon_threadsafe=call_timer),
    "one_runs": mutant(callbacks, "all that are ready are called at once", begin=begin_at_once),
    "not_early": mutant(callbacks, "a timer is early", begin=begin_early),
    "no_lost_wakeup": mutant(
        callbacks, "another thread does not wake the loop", call_soon_threadsafe=call_silently
    ),
    "once": mutant(callbacks, "a cancelled callback is called", begin=begin_with_the_cancelled),
    "in_order": mutant(callbacks, "the newest callback comes first", call_soon=call_soon_first),
    "by_time": mutant(callbacks, "the latest timer comes first", begin=begin_latest_first),
    "next_turn": mutant(
        callbacks, "a callback is called in the turn of its call", call_soon=call_soon_this_turn
    ),
    "forward": mutant(callbacks, "time goes back", elapse=elapse_backwards),
    "soon": mutant(callbacks, "call_soon sets a timer", call_soon=call_soon_timed),
    "timed": mutant(callbacks, "a timer whose time has come is ready at once", call_at=call_at_soon),
    "handed_over": mutant(
        callbacks, "the callback that wakes the loop is lost", call_soon_threadsafe=call_in_vain
    ),
    "withdrawn": mutant(callbacks, "a ready callback cannot be cancelled", cancel=cancel_in_vain),
    "all_ready": mutant(callbacks, "a timer whose time has come is dropped", begin=begin_without_timers),
    "called": mutant(callbacks, "a callback is passed over", run=run_nothing),
    "ended": mutant(callbacks, "a callback that returns is reported", finish=finish_reporting),
    "reported": mutant(callbacks, "an error is lost", fail=fail_silently),
    "rested": mutant(callbacks, "the loop waits past a timer", wait=wait_past_timers),
    "frame": mutant(callbacks, "a cancel ends the turn", cancel=cancel_the_batch),
    "allowed": mutant(callbacks, "a late cancel is refused", cancel=cancel_what_waits),
    "comes": unfair,
}
#: Other errors that break a property named above.
CHAINED = mutant(callbacks, "a callback comes behind the last one only", call_soon=call_soon_behind_the_last)
UNWOKEN = mutant(callbacks, "call_soon of another thread", call_soon=call_soon_anywhere)
UNWOKEN_TIMER = mutant(callbacks, "call_at of another thread", call_at=call_at_anywhere)
AGAIN = mutant(callbacks, "a callback that raises is called again", fail=fail_again)
TWICE = mutant(callbacks, "a callback is handed over twice", call_soon_threadsafe=call_twice)
SLEEPING = mutant(callbacks, "the loop waits while a callback runs", wait=wait_in_a_callback)
MOVED = mutant(callbacks, "a timer is set anew", call_at=call_at_again)
RESTLESS = mutant(callbacks, "a loop with nothing to do goes round", wait=wait_without_rest)
DREAMING = mutant(callbacks, "a loop that waits begins an iteration", begin=begin_asleep)
UNBEGUN = mutant(callbacks, "a callback raises before it is called", fail=fail_unbegun)
UNSEEN = mutant(callbacks, "a callback has returned before its call", run=run_unseen)
UNSIGNED = mutant(callbacks, "a callback of no thread", call_soon_threadsafe=call_unsigned)
OVERDUE = mutant(callbacks, "a timer is called before it is ready", run=run_overdue)
UNCALLED = mutant(callbacks, "a callback returns before it is called", finish=finish_unbegun)
NESTED = mutant(callbacks, "an iteration begins within another", begin=begin_within)
INTERRUPTING = mutant(callbacks, "a callback that runs is cancelled", cancel=cancel_what_runs)
ALARMING = mutant(callbacks, "a cancel wakes the loop", cancel=cancel_and_wake)
