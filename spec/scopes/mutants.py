"""Mutants of nested scopes: each has one error, which the check must find at a known depth.

Some are asyncio as it was: gh-95289, a group that left its request counted; gh-116720, a cancel from outside that a
failing group lost, and a request that was thrown after it had been taken back.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..kit.bounded import mutant
from ..kit.core import Spec, replace
from . import specification as right
from .specification import At, Const, Error, Nest, Scope, scopes


def enter_from_nought(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-1: Wrong: a scope takes it that nothing was requested before."""
    for t in right.enter(k, s, x):
        yield replace(t, before=s.before | {x: 0})


def enter_from_below(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-1: Wrong: a scope takes one request for later than it was."""
    for t in right.enter(k, s, x):
        yield replace(t, before=s.before | {x: s.count - 1}, extra=s.extra | {x: 1})


def enter_again(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-1: Wrong: a scope that was left is entered again."""
    yield from right.enter(k, replace(s, at=s.at | {x: At.NEW}) if s.at[x] == At.LEFT else s, x)


def enter_beside(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-1: Wrong: a scope is beside those that the task is in."""
    for t in right.enter(k, s, x):
        yield replace(t, within=s.within)


def enter_in_a_circle(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-1: Wrong: a scope is inside the last one, and the others are inside it."""
    for t in right.enter(k, s, x):
        yield replace(
            t,
            within=s.within
            | {(x, y) for y in k.scopes if right.innermost(k, s, y)}
            | {(y, x) for y in k.scopes if right.active(s, y) and not right.innermost(k, s, y)},
        )


def enter_raising(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-1: Wrong: a task that raises an error enters a scope, and raises it no more."""
    yield from right.enter(k, replace(s, error=Error.NONE), x)


def leave_timeout_asking(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a timeout does not take its request back."""
    for t in right.leave(k, s, x):
        yield t if x in k.groups else replace(t, count=s.count)


def leave_group_asking(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a group does not take its request back, and CancelledError is thrown again."""
    for t in right.leave(k, s, x):
        yield replace(t, count=s.count, must=s.count > 0) if x in k.groups else t


def leave_withdrawing(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a scope withdraws what others have requested, too."""
    for t in right.leave(k, s, x):
        yield replace(t, must=False)


def leave_throwing(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a CancelledError that was not thrown is thrown even if no request is left."""
    for t in right.leave(k, s, x):
        yield replace(t, must=s.must or t.must)


def leave_anew(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a scope that was left may be entered again."""
    for t in right.leave(k, s, x):
        yield replace(t, at=s.at | {x: At.NEW})


def leave_expired(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a scope that requested nothing is left as if it had."""
    for t in right.leave(k, s, x):
        yield replace(t, at=s.at | {x: At.EXPIRED})


def leave_cancelled(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a timeout never raises TimeoutError."""
    for t in right.leave(k, s, x):
        yield t if x in k.groups else replace(t, error=s.error)


def leave_cancelled_alone(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a timeout that alone requested a cancel raises CancelledError."""
    for t in right.leave(k, s, x):
        yield replace(t, error=s.error) if x not in k.groups and s.extra[x] == 0 else t


def leave_swallowing(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a timeout that expired takes any CancelledError for its own."""
    for t in right.leave(k, s, x):
        expired = x not in k.groups and s.at[x] == At.ASKED and s.error == Error.CANCELLED
        yield replace(t, error=Error.TIMEOUT) if expired else t


def leave_for_others(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a timeout takes the CancelledError of another scope for its own."""
    for t in right.leave(k, s, x):
        cancelled = x not in k.groups and s.error == Error.CANCELLED
        yield replace(t, error=Error.TIMEOUT) if cancelled else t


def leave_turning_failures(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a timeout that expired raises TimeoutError in place of any error."""
    for t in right.leave(k, s, x):
        failed = x not in k.groups and s.at[x] == At.ASKED and s.error == Error.FAILURE
        yield replace(t, error=Error.TIMEOUT) if failed else t


def leave_failing_only(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a group that fails does not request again what others have requested."""
    for t in right.leave(k, s, x):
        yield replace(t, must=s.must and t.must) if right.fails(k, s, x) else t


def leave_cancelled_group(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a group that was cancelled from outside raises that, and its failures are lost."""
    for t in right.leave(k, s, x):
        yield replace(t, error=s.error) if s.error == Error.CANCELLED and t.count > 0 else t


def leave_quietly(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a group swallows CancelledError."""
    for t in right.leave(k, s, x):
        yield replace(t, error=Error.NONE) if x in k.groups and t.error == Error.CANCELLED else t


def leave_any(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a task may leave a scope before those inside it."""
    yield from right.leave(k, s, x)
    if not s.waits and s.at[x] == At.ACTIVE:
        yield right.out(k, s, x)


def leave_failed(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a group that was left still counts as failed."""
    for t in right.leave(k, s, x):
        yield replace(t, failed=s.failed)


def leave_unfailed(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a group that has failed is never left."""
    if x not in s.failed:
        yield from right.leave(k, s, x)


def end_any(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-28: Wrong: the body of a group ends while the task is in a scope inside it."""
    if x in k.groups and right.active(s, x) and right.in_body(k, s):
        yield replace(s, ends=s.ends | {x})


def end_in_vain(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-28: Wrong: a body that fails does not end."""
    for t in right.end(k, s, x):
        yield t if s.error == Error.NONE else s


def resume_and_wait(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-4: Wrong: a task that was cancelled waits on."""
    for t in right.resume(k, s):
        yield replace(t, waits=s.must)


def resume_in_vain(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-4: Wrong: CancelledError is not thrown into a task that raises an error already."""
    for t in right.resume(k, s):
        yield replace(t, error=s.error) if s.error != Error.NONE else t


def resume_waiting(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-4: Wrong: CancelledError is thrown again and again."""
    for t in right.resume(k, s):
        yield replace(t, must=s.must)


def resume_at_the_end(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-4: Wrong: the end of a group swallows a cancel."""
    for t in right.resume(k, s):
        yield replace(t, error=s.error) if any(x in s.ends for x in k.groups) else t


def wait_running(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-3: Wrong: a task that waits runs on."""
    for _ in right.wait(k, s):
        yield s


def catch_nothing(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-5: Wrong: CancelledError cannot be caught."""
    for t in right.catch(k, s):
        yield s if s.error == Error.CANCELLED else t


def raise_nothing(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-6: Wrong: an error takes the place of none, only."""
    for t in right.raise_(k, s):
        yield t if s.error == Error.NONE else s


def raise_waiting(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-6: Wrong: a body that waits raises an error."""
    if all(x not in s.ends for x in k.scopes):
        yield replace(s, error=Error.FAILURE)


def raise_at_the_end(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-6: Wrong: a body that has ended raises an error."""
    if not s.waits:
        yield replace(s, error=Error.FAILURE)


def catch_and_forget(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-5: Wrong: a body that catches an error withdraws what was requested since."""
    for t in right.catch(k, s):
        yield replace(t, must=False)


def uncancel_in_vain(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-7: Wrong: a request that was taken back is thrown all the same."""
    for t in right.uncancel(k, s):
        yield replace(t, must=s.must)


def uncancel_nothing(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-7: Wrong: no request is taken back."""
    for _ in right.uncancel(k, s):
        yield s


def uncancel_all(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-7: Wrong: what is thrown is withdrawn with any request."""
    for t in right.uncancel(k, s):
        yield replace(t, must=False)


def resume_unasked(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-4: Wrong: CancelledError is thrown although nothing was requested."""
    for t in right.resume(k, s):
        yield replace(t, error=Error.CANCELLED)


def resume_running(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-4: Wrong: CancelledError is thrown into a task that runs."""
    yield from right.resume(k, replace(s, waits=True))


def uncancel_uncounted(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-7: Wrong: a request that is taken back is still counted."""
    for t in right.uncancel(k, s):
        yield replace(t, count=s.count)


def uncancel_unlisted(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-7: Wrong: a request that is taken back is still one from outside."""
    for t in right.uncancel(k, s):
        yield replace(t, outside=s.outside)


def fail_unthrown(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-10: Wrong: the request of a group is counted, and not thrown."""
    for t in right.fail(k, s, x):
        yield replace(t, must=s.must)


def cancel_once(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-8: Wrong: a task that must be cancelled already does not count another request."""
    for t in right.cancel(k, s):
        yield s if s.must else t


def cancel_beyond(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-8: Wrong: there is one request more than the model allows."""
    yield from right.cancel(replace(k, most=k.most + 1), s)


def cancel_unseen(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-8: Wrong: only the innermost scope sees a cancel from outside."""
    for t in right.cancel(k, s):
        yield replace(t, extra=s.extra | {x: s.extra[x] + 1 for x in k.scopes if right.innermost(k, s, x)})


def cancel_for_all(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-8: Wrong: a scope counts requests, whether the task is in it or not."""
    for t in right.cancel(k, s):
        yield replace(t, extra=s.extra | {x: s.extra[x] + 1 for x in k.scopes})


def uncancel_for_all(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-7: Wrong: what is taken back is less in every scope, whether the task is in it or not."""
    for t in right.uncancel(k, s):
        yield replace(t, extra=s.extra | {x: s.extra[x] - 1 for x in k.scopes})


def leave_counting(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a scope that was left still knows of requests."""
    for t in right.leave(k, s, x):
        yield replace(t, extra=t.extra | {x: s.extra[x]})


def leave_knowing(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a scope that was left still knows what was requested before."""
    for t in right.leave(k, s, x):
        yield replace(t, before=s.before)


def expire_uncounted(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-9: Wrong: the request of a timeout is not counted."""
    for t in right.expire(k, s, x):
        yield replace(t, count=s.count)


def expire_in_vain(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-9: Wrong: a timeout that expires does not cancel its task."""
    for t in right.expire(k, s, x):
        yield replace(t, must=s.must)


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


def fail_unnoted(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-10: Wrong: a failure is forgotten."""
    for t in right.fail(k, s, x):
        yield replace(t, failed=s.failed)


def fail_in_vain(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-10: Wrong: a failure does not cancel the body."""
    for t in right.fail(k, s, x):
        yield replace(s, failed=t.failed)


def fail_unmarked(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-10: Wrong: a group does not note that it has requested a cancel."""
    for t in right.fail(k, s, x):
        yield replace(t, at=s.at)


def leave_swallowing_one(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: Wrong: a timeout that expired takes the CancelledError of one other request for its own."""
    for t in right.leave(k, s, x):
        expired = x not in k.groups and s.at[x] == At.ASKED and s.error == Error.CANCELLED
        yield replace(t, error=Error.TIMEOUT) if expired and s.extra[x] == 1 else t


def cancel_seen_inside(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-8: Wrong: of the scopes that know of no request taken back, only the innermost sees one from outside."""
    for t in right.cancel(k, s):
        seen = s.extra | {
            x: s.extra[x] + 1
            for x in k.scopes
            if right.innermost(k, s, x) or (right.active(s, x) and s.extra[x] < 0)
        }
        yield replace(t, extra=seen)


def cancel_unlisted(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-8: Wrong: the first request is not counted among those from outside."""
    for t in right.cancel(k, s):
        yield replace(t, outside=s.outside) if s.count == 0 else t


def fail_unmarked_at_first(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-10: Wrong: a group does not note that it has requested a cancel, if that is the first request."""
    for t in right.fail(k, s, x):
        yield replace(t, at=s.at) if s.count == 0 else t


#: By the property that each breaks.
MUTANTS: dict[str, Spec[Const, Nest]] = {
    "conserved": mutant(scopes, "the request of a timeout is not counted", expire=expire_uncounted),
    "accounted": mutant(scopes, "a scope sees no request from before", enter=enter_from_nought),
    "nested": mutant(scopes, "a scope is beside the others", enter=enter_beside),
    "due": mutant(scopes, "a request that was taken back is thrown", uncancel=uncancel_in_vain),
    "for_a_failure": mutant(scopes, "a group that was left has failed", leave=leave_failed),
    "one_ends": mutant(scopes, "the body of an outer group ends", end=end_any),
    "withdrawn": mutant(scopes, "a scope withdraws the requests of others", leave=leave_withdrawing),
    "onward": mutant(scopes, "a scope is entered again", leave=leave_anew),
    "overdue": mutant(scopes, "a timeout raises CancelledError", leave=leave_cancelled),
    "not_its_own": mutant(scopes, "a timeout swallows a cancel from outside", leave=leave_swallowing),
    "only_expired": mutant(scopes, "a timeout takes a cancel of another for its own", leave=leave_for_others),
    "timeout_takes_back": mutant(scopes, "a timeout leaves its request", leave=leave_timeout_asking),
    "group_takes_back": mutant(scopes, "a group leaves its request", leave=leave_group_asking),
    "neither_lost": mutant(scopes, "a failing group loses a cancel", leave=leave_failing_only),
    "passed_on": mutant(scopes, "a group swallows CancelledError", leave=leave_quietly),
    "entered": mutant(scopes, "a task enters a scope with an error", enter=enter_raising),
    "left_last": mutant(scopes, "a task leaves any scope", leave=leave_any),
    "waits_on": mutant(scopes, "a task that waits runs on", wait=wait_running),
    "caught": mutant(scopes, "CancelledError cannot be caught", catch=catch_nothing),
    "raised": mutant(scopes, "an error takes the place of none only", raise_=raise_nothing),
    "asked_from_outside": mutant(scopes, "a second cancel is not counted", cancel=cancel_once),
    "taken_back": mutant(scopes, "uncancel takes nothing back", uncancel=uncancel_nothing),
    "asked_by_timeout": mutant(scopes, "a timeout expires without effect", expire=expire_in_vain),
    "asked_by_group": mutant(scopes, "a failure does not cancel the body", fail=fail_in_vain),
    "thrown": mutant(scopes, "an error keeps CancelledError out", resume=resume_in_vain),
    "body_ended": mutant(scopes, "a body that fails does not end", end=end_in_vain),
    "frame": mutant(scopes, "a body that catches an error withdraws a request", catch=catch_and_forget),
    "allowed": mutant(scopes, "a group that failed is never left", leave=leave_unfailed),
}
#: Other errors that break a property named above.
UNSEEN = mutant(scopes, "only the innermost scope sees a cancel", cancel=cancel_unseen)
AGAIN = mutant(scopes, "CancelledError is thrown again", resume=resume_waiting)
LATE = mutant(scopes, "CancelledError is thrown after the last request", leave=leave_throwing)
FAILURES = mutant(scopes, "a failure becomes a timeout", leave=leave_turning_failures)
DROPPED = mutant(scopes, "a group that is cancelled loses its failures", leave=leave_cancelled_group)
CIRCLING = mutant(scopes, "scopes are inside each other", enter=enter_in_a_circle)
COUNTING = mutant(scopes, "a scope counts requests when it is left", cancel=cancel_for_all)
UNCOUNTING = mutant(scopes, "a scope counts what is taken back when it is left", uncancel=uncancel_for_all)
REMEMBERING = mutant(scopes, "a scope that was left knows of requests", leave=leave_counting)
KNOWING = mutant(scopes, "a scope that was left knows those from before", leave=leave_knowing)
ENDING = mutant(scopes, "the end of a group swallows a cancel", resume=resume_at_the_end)
UNNOTED = mutant(scopes, "a failure is forgotten", fail=fail_unnoted)
UNMARKED = mutant(scopes, "a group does not note its request", fail=fail_unmarked)
SWALLOWING = mutant(scopes, "a timeout swallows one cancel from outside", leave=leave_swallowing_one)
SEEN_INSIDE = mutant(scopes, "outer scopes do not see a cancel", cancel=cancel_seen_inside)
BEYOND = mutant(scopes, "there are more requests than allowed", cancel=cancel_beyond)
EARLY = mutant(scopes, "a timeout expires before it is entered", expire=expire_unentered)
UNASKED = mutant(scopes, "a scope that requested nothing has expired", leave=leave_expired)
WAITING = mutant(scopes, "a task that was cancelled waits on", resume=resume_and_wait)
BELOW = mutant(scopes, "a scope takes a request for later", enter=enter_from_below)
REENTERED = mutant(scopes, "a scope that was left is entered again", enter=enter_again)
ALONE = mutant(scopes, "a timeout that alone cancels raises CancelledError", leave=leave_cancelled_alone)
UNENTERED = mutant(scopes, "a task fails before its group is entered", fail=fail_unentered)
WITHDRAWING = mutant(scopes, "any uncancel withdraws the error", uncancel=uncancel_all)
INTERRUPTING = mutant(scopes, "CancelledError is thrown into a task that runs", resume=resume_running)
UNASKED_FOR = mutant(scopes, "CancelledError is thrown without a request", resume=resume_unasked)
UNCOUNTED = mutant(scopes, "a request that is taken back is counted", uncancel=uncancel_uncounted)
STILL_OUTSIDE = mutant(scopes, "what is taken back is from outside", uncancel=uncancel_unlisted)
UNTHROWN = mutant(scopes, "the request of a group is not thrown", fail=fail_unthrown)
UNLISTED = mutant(scopes, "the first request is not from outside", cancel=cancel_unlisted)
RAISING = mutant(scopes, "a body that waits raises an error", raise_=raise_waiting)
RAISING_LATE = mutant(scopes, "a body that has ended raises an error", raise_=raise_at_the_end)
UNMARKED_AT_FIRST = mutant(scopes, "a group does not note its first request", fail=fail_unmarked_at_first)
