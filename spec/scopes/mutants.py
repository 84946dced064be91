"""Mutants of nested scopes: each has one error, which the check must find at a known depth.

Some are asyncio as it was: gh-95289, a group that left its request counted; gh-116720, a cancel from outside that a
failing group lost, and a request that was thrown after it had been taken back; gh-155433, a cancel from outside that a
cancelled group lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..kit.core import Spec, replace
from ..kit.mutants import in_state, mutant, only_where
from . import specification as right
from .specification import At, Const, Error, Nest, Scope, scopes

wrong = partial(mutant, scopes)


def leave_any(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a task may leave a scope before those inside it."""
    yield from right.leave(k, s, x)
    if not s.waits and s.at[x] == At.ACTIVE:
        yield right.out(k, s, x)


def end_any(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-28: Wrong: the body of a group ends while the task is in a scope inside it."""
    if x in k.groups and right.active(s, x) and right.in_body(k, s):
        yield replace(s, ends=s.ends | {x})


def raise_waiting(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-6: Wrong: a body that waits raises an error."""
    if all(x not in s.ends for x in k.scopes):
        yield replace(s, error=Error.FAILURE)


def raise_at_the_end(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-6: Wrong: a body that has ended raises an error."""
    if not s.waits:
        yield replace(s, error=Error.FAILURE)


def cancel_beyond(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-8: Wrong: there is one request more than the model allows."""
    yield from right.cancel(replace(k, most=k.most + 1), s)


def expire_unentered(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-9: Wrong: a timeout expires before it is entered."""
    yield from right.expire(k, s, x)
    if s.waits and s.at[x] == At.NEW and x not in k.groups:
        yield right.ask(k, s, x)


def fail_unentered(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-10: Wrong: a task of a group fails before the group is entered."""
    yield from right.fail(k, s, x)
    if s.waits and s.at[x] == At.NEW and x in k.groups:
        yield replace(s, failed=s.failed | {x})


def cancel_group_again(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-34: Wrong: each cancel() of a group requests the cancel of the task."""
    yield from right.cancel_group(k, s, x)
    if x in k.groups and s.at[x] == At.ASKED:
        yield right.ask(k, s, x)


#: By the property that each breaks.
MUTANTS: dict[str, Spec[Const, Nest]] = {
    "all_requests_are_counted": wrong(
        "the request of a timeout is not counted", expire=lambda s, q: replace(q, count=s.count)
    ),
    "count_grows_with_requests": wrong(
        "a scope sees no request from before", enter=lambda s, q, x: replace(q, before=s.before | {x: 0})
    ),
    "scopes_are_nested": wrong("a scope is beside the others", enter=lambda s, q: replace(q, within=s.within)),
    "no_throw_without_request": wrong(
        "a request that was taken back is thrown", uncancel=lambda s, q: replace(q, must=s.must)
    ),
    "for_a_failure": wrong("a group that was left has failed", leave=lambda s, q: replace(q, failed=s.failed)),
    "one_ends": wrong("the body of an outer group ends", end=end_any),
    "due_error_is_thrown": wrong("a scope withdraws the requests of others", leave=lambda q: replace(q, must=False)),
    "entered_once_left_once": wrong(
        "a scope is entered again", leave=lambda s, q, x: replace(q, at=s.at | {x: At.NEW})
    ),
    "deadline_raises_timeout": wrong(
        "a timeout raises CancelledError",
        leave=lambda k, s, q, x: q if x in k.groups else replace(q, error=s.error),
    ),
    "not_its_own": wrong(
        "a timeout swallows a cancel from outside",
        leave=lambda k, s, q, x: (
            replace(q, error=Error.TIMEOUT)
            if (x not in k.groups and s.at[x] == At.ASKED and s.error == Error.CANCELLED)
            else q
        ),
    ),
    "only_expired": wrong(
        "a timeout takes a cancel of another for its own",
        leave=lambda k, s, q, x: (
            replace(q, error=Error.TIMEOUT) if (x not in k.groups and s.error == Error.CANCELLED) else q
        ),
    ),
    "timeout_takes_back": wrong(
        "a timeout leaves its request",
        leave=lambda k, s, q, x: q if x in k.groups else replace(q, count=s.count),
    ),
    "group_takes_back": wrong(
        "a group that fails leaves its request",
        leave=lambda k, s, q, x: replace(q, count=s.count, must=s.count > 0) if right.fails(k, s, x) else q,
    ),
    "neither_lost": wrong(
        "a failing group loses a cancel",
        leave=lambda k, s, q, x: replace(q, must=s.must and q.must) if right.fails(k, s, x) else q,
    ),
    "passed_on": wrong(
        "a group that was not cancelled swallows CancelledError",
        leave=lambda k, s, q, x: (
            replace(q, error=Error.NONE) if x in k.groups and x not in s.stopped and q.error == Error.CANCELLED else q
        ),
    ),
    "without_cancelled_error": wrong(
        "a cancelled group raises its own CancelledError",
        leave=lambda s, q, x: replace(q, error=s.error) if x in s.stopped and q.error == Error.NONE else q,
    ),
    # A task that raises an error enters a scope, and raises it no more.
    "entered_innermost": wrong(
        "a task enters a scope with an error", enter=in_state(lambda s: replace(s, error=Error.NONE))
    ),
    "left_last": wrong("a task leaves any scope", leave=leave_any),
    "waits_on": wrong("a task that waits runs on", wait=lambda s: s),
    "no_error_if_caught": wrong(
        "CancelledError cannot be caught", catch=lambda s, q: s if s.error == Error.CANCELLED else q
    ),
    "raised_error_is_kept": wrong(
        "an error takes the place of none only", raise_=lambda s, q: q if s.error == Error.NONE else s
    ),
    # While the task must be cancelled already.
    "asked_from_outside": wrong("a second cancel is not counted", cancel=lambda s, q: s if s.must else q),
    "taken_back": wrong("uncancel takes nothing back", uncancel=lambda s: s),
    "asked_by_timeout": wrong("a timeout expires without effect", expire=lambda s, q: replace(q, must=s.must)),
    "asked_by_group": wrong("a failure does not cancel the body", fail=lambda s, q: replace(s, failed=q.failed)),
    "cancelled_once": wrong("each cancel() of a group requests", cancel_group=cancel_group_again),
    "cancel_is_thrown_once": wrong(
        "an error keeps CancelledError out",
        resume=lambda s, q: replace(q, error=s.error) if s.error != Error.NONE else q,
    ),
    "body_ended": wrong("a body that fails does not end", end=lambda s, q: q if s.error == Error.NONE else s),
    "frame": wrong("a body that catches an error withdraws a request", catch=lambda q: replace(q, must=False)),
    # A group that has failed is never left.
    "allowed": wrong("a group that failed is never left", leave=only_where(lambda s, x: x not in s.failed)),
}
#: Other errors that break a property named above.
UNSEEN = wrong(
    "only the innermost scope sees a cancel",
    cancel=lambda k, s, q: replace(
        q, extra=s.extra | {x: s.extra[x] + 1 for x in k.scopes if right.innermost(k, s, x)}
    ),
)
AGAIN = wrong("CancelledError is thrown again", resume=lambda s, q: replace(q, must=s.must))
LATE = wrong("CancelledError is thrown after the last request", leave=lambda s, q: replace(q, must=s.must or q.must))
FAILURES = wrong(
    "a failure becomes a timeout",
    leave=lambda k, s, q, x: (
        replace(q, error=Error.TIMEOUT)
        if (x not in k.groups and s.at[x] == At.ASKED and s.error == Error.FAILURE)
        else q
    ),
)
DROPPED = wrong(
    "a group that is cancelled loses its failures",
    leave=lambda s, q: replace(q, error=s.error) if s.error == Error.CANCELLED and q.count > 0 else q,
)
CIRCLING = wrong(
    "scopes are inside each other",
    enter=lambda k, s, q, x: replace(
        q,
        within=s.within
        | {(x, y) for y in k.scopes if right.innermost(k, s, y)}
        | {(y, x) for y in k.scopes if right.active(s, y) and not right.innermost(k, s, y)},
    ),
)
COUNTING = wrong(
    "a scope counts requests when it is left",
    cancel=lambda k, s, q: replace(q, extra=s.extra | {x: s.extra[x] + 1 for x in k.scopes}),
)
UNCOUNTING = wrong(
    "a scope counts what is taken back when it is left",
    uncancel=lambda k, s, q: replace(q, extra=s.extra | {x: s.extra[x] - 1 for x in k.scopes}),
)
REMEMBERING = wrong(
    "a scope that was left knows of requests",
    leave=lambda s, q, x: replace(q, extra=q.extra | {x: s.extra[x]}),
)
KNOWING = wrong("a scope that was left knows those from before", leave=lambda s, q: replace(q, before=s.before))
ENDING = wrong(
    "the end of a group swallows a cancel",
    resume=lambda k, s, q: replace(q, error=s.error) if any(x in s.ends for x in k.groups) else q,
)
UNNOTED = wrong("a failure is forgotten", fail=lambda s, q: replace(q, failed=s.failed))
UNMARKED = wrong("a group does not note its request", fail=lambda s, q: replace(q, at=s.at))
SWALLOWING = wrong(
    "a timeout swallows one cancel from outside",
    leave=lambda k, s, q, x: (
        replace(q, error=Error.TIMEOUT)
        if (x not in k.groups and s.at[x] == At.ASKED and s.error == Error.CANCELLED) and s.extra[x] == 1
        else q
    ),
)
# But those that know of a request that was taken back see it.
SEEN_INSIDE = wrong(
    "outer scopes do not see a cancel",
    cancel=lambda k, s, q: replace(
        q,
        extra=(
            s.extra
            | {
                x: s.extra[x] + 1
                for x in k.scopes
                if right.innermost(k, s, x) or (right.active(s, x) and s.extra[x] < 0)
            }
        ),
    ),
)
BEYOND = wrong("there are more requests than allowed", cancel=cancel_beyond)
EARLY = wrong("a timeout expires before it is entered", expire=expire_unentered)
UNASKED = wrong(
    "a scope that requested nothing has expired", leave=lambda s, q, x: replace(q, at=s.at | {x: At.EXPIRED})
)
WAITING = wrong("a task that was cancelled waits on", resume=lambda s, q: replace(q, waits=s.must))
BELOW = wrong(
    "a scope takes a request for later",
    enter=lambda s, q, x: replace(q, before=s.before | {x: s.count - 1}, extra=s.extra | {x: 1}),
)
REENTERED = wrong(
    "a scope that was left is entered again",
    enter=in_state(lambda s, x: replace(s, at=s.at | {x: At.NEW}) if s.at[x] == At.LEFT else s),
)
ALONE = wrong(
    "a timeout that alone cancels raises CancelledError",
    leave=lambda k, s, q, x: replace(q, error=s.error) if x not in k.groups and s.extra[x] == 0 else q,
)
UNENTERED = wrong("a task fails before its group is entered", fail=fail_unentered)
WITHDRAWING = wrong("any uncancel withdraws the error", uncancel=lambda q: replace(q, must=False))
INTERRUPTING = wrong(
    "CancelledError is thrown into a task that runs", resume=in_state(lambda s: replace(s, waits=True))
)
UNASKED_FOR = wrong("CancelledError is thrown without a request", resume=lambda q: replace(q, error=Error.CANCELLED))
UNCOUNTED = wrong("a request that is taken back is counted", uncancel=lambda s, q: replace(q, count=s.count))
STILL_OUTSIDE = wrong("what is taken back is from outside", uncancel=lambda s, q: replace(q, outside=s.outside))
UNTHROWN = wrong("the request of a group is not thrown", fail=lambda s, q: replace(q, must=s.must))
UNLISTED = wrong(
    "the first request is not from outside",
    cancel=lambda s, q: replace(q, outside=s.outside) if s.count == 0 else q,
)
RAISING = wrong("a body that waits raises an error", raise_=raise_waiting)
RAISING_LATE = wrong("a body that has ended raises an error", raise_=raise_at_the_end)
UNMARKED_AT_FIRST = wrong(
    "a group does not note its first request", fail=lambda s, q: replace(q, at=s.at) if s.count == 0 else q
)
GROUP_KEEPING = wrong("a group that was left was cancelled", leave=lambda s, q: replace(q, stopped=s.stopped))
GROUP_SWALLOWING = wrong(
    "a cancelled group swallows a cancel from outside",
    leave=lambda s, q, x: replace(q, error=Error.NONE) if x in s.stopped and q.error == Error.CANCELLED else q,
)
GROUP_FORGETTING = wrong(
    "a cancel() before the entry is forgotten", cancel_group=lambda s, q, x: s if s.at[x] == At.NEW else q
)
GROUP_UNTHROWN = wrong(
    "a cancelled group does not interrupt its body", cancel_group=lambda s, q: replace(q, must=s.must)
)
GROUP_UNCOUNTED = wrong(
    "the request of a cancelled group is not counted", cancel_group=lambda s, q: replace(q, count=s.count)
)
GROUP_UNNOTED = wrong(
    "a group does not note that it was cancelled",
    cancel_group=lambda s, q, x: replace(q, stopped=s.stopped) if s.at[x] == At.ACTIVE else q,
)
GROUP_LATE = wrong(
    "a group that an error ends is cancelled",
    cancel_group=in_state(lambda s, x: replace(s, ends=s.ends - {x}), "ends"),
)
GROUP_DEAF = wrong("cancel() of a group does nothing", cancel_group=lambda s: s)
