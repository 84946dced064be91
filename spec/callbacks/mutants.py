"""Mutants of callbacks and timers: each has one error, which the check must find at a known depth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..kit.core import Spec, replace
from ..kit.mutants import in_state, mutant, only_where, unfair
from . import specification as right
from .specification import At, Calls, Const, Handle, Thread, Time, callbacks

wrong = partial(mutant, callbacks)


def call_soon_anywhere(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-1: Wrong: another thread may call call_soon, which does not wake the loop."""
    if s.at[h] == At.NEW:
        yield right.behind(k, s, h, k.loop)


def call_soon_timed(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-1: Wrong: call_soon makes a timer of the present time."""
    yield from right.call_at(k, s, h, s.now)


def call_at_soon(k: Const, s: Calls, h: Handle, when: Time) -> Iterator[Calls]:
    """LOOP-2: Wrong: a timer is ready within the call if its time has come."""
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


def call_twice(k: Const, s: Calls, c: Thread, h: Handle) -> Iterator[Calls]:
    """LOOP-4: Wrong: a callback that another thread hands over is called twice."""
    if s.at[h] == At.NEW or s.at[h] == At.ENDED:
        yield replace(right.behind(k, s, h, c), asleep=False)


def begin_early(k: Const, s: Calls) -> Iterator[Calls]:
    """LOOP-6: Wrong: an iteration may run a timer before its time, with those before it."""
    yield from right.begin(k, s)
    for h in k.handles:
        if right.something_to_do(k, s) and s.now < s.when[h]:
            for q in right.begin(k, replace(s, now=s.when[h])):
                yield replace(q, now=s.now)


def run_overdue(k: Const, s: Calls, h: Handle) -> Iterator[Calls]:
    """LOOP-7: Wrong: a timer is called at its time although no iteration has made it ready."""
    yield from right.run(k, s, h)
    if right.over(s, h) and right.between(k, s):
        yield replace(s, at=s.at | {h: At.RUNS})


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


def elapse_backwards(k: Const, s: Calls, to: Time) -> Iterator[Calls]:
    """LOOP-10: Wrong: time goes back, but not to before the time of a timer."""
    if s.now != to and all(s.when[h] <= to for h in k.handles):
        yield replace(s, now=to)


#: By the property that each breaks.
MUTANTS: dict[str, Spec[Const, Calls]] = {
    "lined_up": wrong("a callback that runs stays in line", run=lambda s, q: replace(q, line=s.line)),
    "told_apart": wrong("ready callbacks have no order", call_soon=lambda s, q: replace(q, line=s.line)),
    "one_batch": wrong("a cancelled callback stays in the turn", cancel=lambda s, q: replace(q, batch=s.batch)),
    # A callback that is handed over is a timer of the present time.
    "own_timers": wrong(
        "another thread sets a timer",
        call_soon_threadsafe=lambda s, c, h: replace(
            s, at=s.at | {h: At.TIMED}, when=s.when | {h: s.now}, by=s.by | {h: c}, asleep=False
        ),
    ),
    "one_runs": wrong(
        "all that are ready are called at once",
        begin=lambda k, s, q: replace(
            q,
            at=q.at | {h: At.RUNS for h in k.handles if right.ready(s, h)},
            line=q.line - {(v, w) for v in k.handles for w in k.handles if right.ready(s, v)},
            batch=q.batch - {h for h in k.handles if right.ready(s, h)},
        ),
    ),
    "not_early": wrong("a timer is early", begin=begin_early),
    "no_lost_wakeup": wrong(
        "another thread does not wake the loop", call_soon_threadsafe=lambda s, q: replace(q, asleep=s.asleep)
    ),
    "called_at_most_once": wrong(
        "a cancelled callback is called",
        begin=lambda k, s, q: replace(
            q, at=q.at | {h: At.RUNS for h in k.handles if s.at[h] == At.CANCELLED and s.when[h] <= s.now}
        ),
    ),
    "in_order": wrong(
        "the newest callback comes first",
        call_soon=lambda k, s, q, h: (
            replace(q, line=s.line | {(h, v) for v in k.handles if right.queued(s, v, k.loop)})
            if right.between(k, s)
            else q
        ),
    ),
    # Of timers that become ready at once.
    "by_time": wrong(
        "the latest timer comes first",
        begin=lambda k, s, q: replace(
            q,
            line=s.line
            | {
                (v, w)
                for v in k.handles
                for w in k.handles
                if right.over(s, w) and (right.queued(s, v, k.loop) or (right.over(s, v) and s.when[w] < s.when[v]))
            },
        ),
    ),
    "next_turn": wrong(
        "a callback is called in the turn of its call",
        call_soon=lambda k, s, q, h: q if right.between(k, s) else replace(q, batch=s.batch | {h}),
    ),
    "time_never_goes_back": wrong("time goes back", elapse=elapse_backwards),
    "call_soon_makes_ready": wrong("call_soon sets a timer", call_soon=call_soon_timed),
    "call_at_makes_a_timer": wrong("a timer whose time has come is ready at once", call_at=call_at_soon),
    "handed_over": wrong(
        "the callback that wakes the loop is lost",
        call_soon_threadsafe=lambda s, q: replace(s, asleep=False) if s.asleep else q,
    ),
    "cancel_withdraws_pending": wrong(
        "a ready callback cannot be cancelled", cancel=lambda s, q, h: s if right.ready(s, h) else q
    ),
    "all_ready": wrong(
        "a timer whose time has come is dropped",
        begin=lambda k, s, q: (
            replace(
                s,
                at=s.at | {h: At.CANCELLED for h in k.handles if right.over(s, h)},
                batch=s.batch | {h for h in k.handles if right.ready(s, h)},
                asleep=False,
            )
            if right.between(k, s) and any(right.ready(s, h) for h in k.handles)
            else q
        ),
    ),
    "call_runs_the_callback": wrong(
        "a callback is passed over", run=lambda s, q, h: replace(q, at=s.at | {h: At.CANCELLED})
    ),
    "no_report_without_error": wrong("a callback that returns is reported", finish=finish_reporting),
    "errors_are_reported": wrong("an error is lost", fail=fail_silently),
    "waits_only_when_idle": wrong("the loop waits past a timer", wait=wait_past_timers),
    "frame": wrong("a cancel ends the turn", cancel=lambda q: replace(q, batch=frozenset())),
    # Cancelling a callback that has run is refused.
    "allowed": wrong(
        "a late cancel is refused",
        cancel=only_where(lambda s, h: s.at[h] == At.TIMED or s.at[h] == At.RUNS or right.ready(s, h)),
    ),
    "due_callback_is_called": unfair(callbacks, "a ready callback need never be called", "run"),
}
#: Other errors that break a property named above.
CHAINED = wrong(
    "a callback comes behind the last one only",
    call_soon=lambda k, s, q, h: replace(
        q,
        line=s.line
        | {(v, h) for v in k.handles if right.queued(s, v, k.loop) and all((v, w) not in s.line for w in k.handles)},
    ),
)
UNWOKEN = wrong("call_soon of another thread", call_soon=call_soon_anywhere)
UNWOKEN_TIMER = wrong("call_at of another thread", call_at=call_at_anywhere)
AGAIN = wrong("a callback that raises is called again", fail=lambda k, s, h: right.behind(k, s, h, k.loop))
TWICE = wrong("a callback is handed over twice", call_soon_threadsafe=call_twice)
SLEEPING = wrong("the loop waits while a callback runs", wait=wait_in_a_callback)
MOVED = wrong("a timer is set anew", call_at=call_at_again)
RESTLESS = wrong("a loop with nothing to do goes round", wait=lambda s: s)
DREAMING = wrong("a loop that waits begins an iteration", begin=lambda s, q: replace(q, asleep=s.asleep))
UNBEGUN = wrong("a callback raises before it is called", fail=fail_unbegun)
UNSEEN = wrong("a callback has returned before its call", run=lambda s, q, h: replace(q, at=s.at | {h: At.ENDED}))
UNSIGNED = wrong("a callback of no thread", call_soon_threadsafe=lambda s, q: replace(q, by=s.by))
OVERDUE = wrong("a timer is called before it is ready", run=run_overdue)
UNCALLED = wrong("a callback returns before it is called", finish=finish_unbegun)
# An iteration begins when callbacks of the one before are still to be called.
NESTED = wrong("an iteration begins within another", begin=in_state(lambda s: replace(s, batch=frozenset())))
INTERRUPTING = wrong(
    "a callback that runs is cancelled",
    cancel=lambda s, q, h: replace(q, at=s.at | {h: At.CANCELLED}) if s.at[h] == At.RUNS else q,
)
# A cancel while the loop waits wakes it.
ALARMING = wrong("a cancel wakes the loop", cancel=in_state(lambda s: replace(s, asleep=False)))
