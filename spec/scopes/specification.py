"""The scopes of a task that request its cancel and take the request back: asyncio's timeout and TaskGroup, nested.

A timeout requests the cancel of its task at its deadline, a group when a task of it fails or when it is cancelled
itself (`TaskGroup.cancel`).  Each counts this one request and takes it back (`uncancel`) when the task leaves the
scope; other requests are not its own.  So a scope has to know whether the CancelledError that leaves it is its own
alone: then a timeout turns it into TimeoutError, and a group drops it.  A group raises the failures in any case, and
requests the cancel again if a request of others is left.

There is one task.  It runs, or it waits (`waits`) for something outside.  Deadlines and failures come only while it
waits, cancels from outside at any moment.  `error` is the error that the task is about to raise; its body may catch it,
raise another, and wait meanwhile.  At its end a group waits for its tasks: there the task keeps the error that it
raises already, and CancelledError takes the place of none.

`extra` is history: the requests that others have made since the task entered a scope, less those taken back.

Rules end with [source; standing], as in `task/loop.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from ..kit.core import Map, Spec, replace

Scope = NewType("Scope", int)


class At(StrEnum):
    """The place of a scope: not entered, entered, entered and with a request of its own, left without or with one."""

    NEW = "new"
    ACTIVE = "active"
    ASKED = "asked"
    LEFT = "left"
    EXPIRED = "expired"


class Error(StrEnum):
    """The error that the task raises: none, CancelledError, TimeoutError, another error or a group of them."""

    NONE = "none"
    CANCELLED = "cancelled"
    TIMEOUT = "timeout"
    FAILURE = "failure"


@dataclass(frozen=True)
class Const:
    """The constants: the scopes, and the groups among them; the others are timeouts.

    `most` bounds the requests from outside in finite models only.
    """

    scopes: frozenset[Scope]
    groups: frozenset[Scope]
    most: int


@dataclass(frozen=True)
class Nest:
    """The state of the task and its scopes.

    `must`: CancelledError is thrown when the task has waited.  `count`: cancelling().  `outside`: the requests from
    outside that are left.  `before`: cancelling() when a scope was entered.  (x, y) in `within`: x is inside y.
    `failed`: the groups with a task that has failed.  `stopped`: the groups that were cancelled, before their entry or
    within.  `ends`: the group with a body that has ended, and that was not left yet.
    """

    waits: bool
    must: bool
    count: int
    outside: int
    error: Error
    at: Map[Scope, At]
    before: Map[Scope, int]
    extra: Map[Scope, int]
    within: frozenset[tuple[Scope, Scope]]
    failed: frozenset[Scope]
    stopped: frozenset[Scope]
    ends: frozenset[Scope]


scopes: Spec[Const, Nest] = Spec("scopes", Nest, universe={Scope: "scopes"})


def active(s: Nest, x: Scope) -> bool:
    """Whether the task is in x."""
    return s.at[x] == At.ACTIVE or s.at[x] == At.ASKED


def innermost(k: Const, s: Nest, x: Scope) -> bool:
    """Whether x is the scope that the task leaves next."""
    return active(s, x) and all((y, x) not in s.within for y in k.scopes)


def own(s: Nest, x: Scope) -> int:
    """The requests of x that it has not taken back."""
    return 1 if s.at[x] == At.ASKED else 0


def in_body(k: Const, s: Nest) -> bool:
    """Whether the task runs code of its own."""
    return not s.waits and all(x not in s.ends for x in k.scopes)


def fails(k: Const, s: Nest, x: Scope) -> bool:
    """Whether the group x raises a group of failures: of its tasks, or of its body."""
    return x in k.groups and (x in s.failed or s.error == Error.TIMEOUT or s.error == Error.FAILURE)


def others(k: Const, s: Nest, x: Scope, change: int) -> Map[Scope, int]:
    """The requests of others, when x makes one or takes one back."""
    return s.extra | {y: s.extra[y] + change for y in k.scopes if active(s, y) and y != x}


def ask(k: Const, s: Nest, x: Scope) -> Nest:
    """x requests the cancel of its task."""
    return replace(s, must=True, count=s.count + 1, at=s.at | {x: At.ASKED}, extra=others(k, s, x, 1))


def out(k: Const, s: Nest, x: Scope) -> Nest:
    """The task is out of x, which has taken its request back; the last one withdraws a CancelledError that was not
    thrown."""
    return replace(
        s,
        must=s.must and s.count > own(s, x),
        count=s.count - own(s, x),
        at=s.at | {x: At.EXPIRED if s.at[x] == At.ASKED else At.LEFT},
        before=s.before | {x: 0},
        extra=others(k, s, x, -own(s, x)) | {x: 0},
        within=s.within - {(y, z) for y in k.scopes for z in k.scopes if y == x or z == x},
        failed=s.failed - {x},
        stopped=s.stopped - {x},
        ends=s.ends - {x},
    )


def shuts_down(s: Nest, x: Scope) -> bool:
    """Whether x, which was entered, requests nothing more: it has, it was left, or an error ends its body."""
    return s.at[x] != At.ACTIVE or (s.error != Error.NONE and x in s.ends)


# Where steps must be possible.


def running(k: Const, s: Nest) -> bool:
    """Whether the task runs."""
    return not s.waits


def waiting(k: Const, s: Nest) -> bool:
    """Whether the task waits."""
    return s.waits


def may_catch(k: Const, s: Nest) -> bool:
    """Whether the body raises an error."""
    return in_body(k, s) and s.error != Error.NONE


def may_uncancel(k: Const, s: Nest) -> bool:
    """Whether the body runs, and a request from outside is left."""
    return in_body(k, s) and s.outside > 0


def may_cancel(k: Const, s: Nest) -> bool:
    """Whether the model allows another request from outside."""
    return s.outside < k.most


def may_enter(k: Const, s: Nest, x: Scope) -> bool:
    """Whether the task runs, raises nothing, and x was not entered."""
    return in_body(k, s) and s.error == Error.NONE and s.at[x] == At.NEW


def may_leave(k: Const, s: Nest, x: Scope) -> bool:
    """Whether the task runs, and x is the scope that it leaves next: a group after the end of its body."""
    return not s.waits and innermost(k, s, x) and (x in k.groups) == (x in s.ends)


def may_end(k: Const, s: Nest, x: Scope) -> bool:
    """Whether the task runs in the body of the group x."""
    return x in k.groups and in_body(k, s) and innermost(k, s, x)


def may_expire(k: Const, s: Nest, x: Scope) -> bool:
    """Whether the task waits in the timeout x, which has not expired."""
    return s.waits and s.at[x] == At.ACTIVE and x not in k.groups


def may_fail(k: Const, s: Nest, x: Scope) -> bool:
    """Whether the task waits in the group x."""
    return s.waits and active(s, x) and x in k.groups


def is_group(k: Const, s: Nest, x: Scope) -> bool:
    """Whether x is a group."""
    return x in k.groups


@scopes.assume
def groups_among_them(k: Const) -> bool:
    """SCOPE-11: There is a scope, and groups are scopes.  [the meaning of this specification's constants; defined]"""
    return any(True for x in k.scopes) and all(x in k.scopes for x in k.groups) and k.most >= 0


@scopes.init
def outside_of_all(k: Const, s: Nest) -> bool:
    """SCOPE-12: The task is in no scope, and was not cancelled.  [asyncio.Task.cancelling; documented]"""
    return (
        not s.waits
        and not s.must
        and s.count == 0
        and s.outside == 0
        and s.error == Error.NONE
        and all(
            s.at[x] == At.NEW
            and s.before[x] == 0
            and s.extra[x] == 0
            and x not in s.failed
            and x not in s.stopped
            and x not in s.ends
            and all((x, y) not in s.within for y in k.scopes)
            for x in k.scopes
        )
    )


# --- The task ----------------------------------------------------------------------------------------------------


@scopes.action(changes="must count at[x] before[x] extra within", whenever=may_enter)
def enter(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-1: The task enters a scope, inside those that it is in.  A group that was cancelled before requests the
    cancel of the task now.
    [asyncio.timeout, asyncio.TaskGroup; documented]"""
    if s.error == Error.NONE and s.at[x] == At.NEW and in_body(k, s):
        entered = replace(
            s,
            at=s.at | {x: At.ACTIVE},
            before=s.before | {x: s.count},
            within=s.within | {(x, y) for y in k.scopes if active(s, y)},
        )
        if x in s.stopped:
            yield ask(k, entered, x)
        else:
            yield entered


@scopes.action(changes="ends[x]", whenever=may_end)
def end(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-28: The body of a group ends, with an error or without; the task may have to wait for those of the group.
    [asyncio.TaskGroup, and asyncio/taskgroups.py, `__aexit__`; documented]"""
    if x in k.groups and innermost(k, s, x) and in_body(k, s):
        yield replace(s, ends=s.ends | {x})


@scopes.action(changes="must count error at[x] before[x] extra within failed[x] stopped[x] ends[x]", whenever=may_leave)
def leave(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-2: The task leaves the scope, which takes its request back.  A timeout raises TimeoutError in place of a
    CancelledError that no other has requested; a group that has failed raises that, and repeats the requests of
    others; a group that was cancelled drops a CancelledError if no request is left.
    [asyncio/timeouts.py and asyncio/taskgroups.py, `__aexit__`; settled]"""
    if not s.waits and innermost(k, s, x) and (x in s.ends or x not in k.groups):
        left = out(k, s, x)
        if fails(k, s, x):
            yield replace(left, error=Error.FAILURE, must=left.count > 0)
        elif x not in k.groups and s.at[x] == At.ASKED and s.error == Error.CANCELLED and left.count <= s.before[x]:
            yield replace(left, error=Error.TIMEOUT)
        elif x in s.stopped and s.error == Error.CANCELLED and left.count == 0:
            yield replace(left, error=Error.NONE)
        else:
            yield left


@scopes.action(changes="waits", whenever=running)
def wait(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-3: The task waits.  [asyncio.Task, "suspends the execution of the coroutine"; documented]"""
    if not s.waits:
        yield replace(s, waits=True)


@scopes.action(changes="waits must error", whenever=waiting)
def resume(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-4: The task runs again; if it was cancelled, CancelledError is thrown into it.  The end of a group takes it
    only for an error that there was none of.
    [asyncio.Task.cancel, "arranges for a CancelledError exception to be thrown", and asyncio/taskgroups.py,
    `__aexit__`; settled]"""
    if s.waits:
        takes = s.must and (s.error == Error.NONE or all(x not in s.ends for x in k.scopes))
        yield replace(s, waits=False, must=False, error=Error.CANCELLED if takes else s.error)


@scopes.action(changes="error", whenever=may_catch)
def catch(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-5: The body catches an error, and goes on.  [a coroutine; documented]"""
    if s.error != Error.NONE and in_body(k, s):
        yield replace(s, error=Error.NONE)


@scopes.action(changes="error", whenever=in_body)
def raise_(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-6: The body raises an error of its own.  [a coroutine; documented]"""
    if in_body(k, s):
        yield replace(s, error=Error.FAILURE)


@scopes.action(changes="must count outside extra", whenever=may_uncancel)
def uncancel(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-7: The body takes a request from outside back; the last one withdraws a CancelledError that was not thrown.
    [asyncio.Task.uncancel, and gh-116720; documented]"""
    if s.outside > 0 and in_body(k, s):
        yield replace(
            s,
            must=s.must and s.count > 1,
            count=s.count - 1,
            outside=s.outside - 1,
            extra=s.extra | {x: s.extra[x] - 1 for x in k.scopes if active(s, x)},
        )


# --- The requests to cancel it --------------------------------------------------------------------------------------


@scopes.action(changes="must count outside extra", whenever=may_cancel)
def cancel(k: Const, s: Nest) -> Iterator[Nest]:
    """SCOPE-8: The task is cancelled from outside.  [asyncio.Task.cancel; documented]"""
    if s.outside < k.most:
        yield replace(
            s,
            must=True,
            count=s.count + 1,
            outside=s.outside + 1,
            extra=s.extra | {x: s.extra[x] + 1 for x in k.scopes if active(s, x)},
        )


@scopes.action(changes="must count at[x] extra", whenever=may_expire)
def expire(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-9: At its deadline a timeout requests the cancel of its task, once.
    [asyncio.timeout, and asyncio/timeouts.py, `_on_timeout`; documented]"""
    if s.waits and s.at[x] == At.ACTIVE and x not in k.groups:
        yield ask(k, s, x)


@scopes.action(changes="must count at[x] extra failed[x]", whenever=may_fail)
def fail(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-10: A task of a group fails: the group requests the cancel of the task that is in it, once; not if that
    raises an error at its end.
    [asyncio.TaskGroup, and asyncio/taskgroups.py, `_on_task_done`; documented]"""
    if s.waits and active(s, x) and x in k.groups:
        failed = replace(s, failed=s.failed | {x})
        if shuts_down(s, x):
            yield failed
        else:
            yield ask(k, failed, x)


@scopes.action(changes="must count at[x] extra stopped[x]", whenever=is_group)
def cancel_group(k: Const, s: Nest, x: Scope) -> Iterator[Nest]:
    """SCOPE-34: A group is cancelled: it requests the cancel of the task that is in it, once, or of the task that will
    enter it.  If it shuts down, or has no task left at its end, then nothing happens.
    [asyncio.TaskGroup.cancel, and asyncio/taskgroups.py, `cancel`; documented]"""
    if x in k.groups:
        if s.at[x] == At.NEW:
            yield replace(s, stopped=s.stopped | {x})
        elif shuts_down(s, x):
            yield s
        else:
            yield ask(k, replace(s, stopped=s.stopped | {x}), x)
            if x in s.ends:
                yield s


# --- The properties ------------------------------------------------------------------------------------------------


@scopes.invariant
def all_requests_are_counted(k: Const, s: Nest) -> bool:
    """SCOPE-13: Every request from outside that is left is counted, and that of every scope that the task is in.
    [asyncio.Task.cancelling; documented]"""
    return s.outside >= 0 and s.count >= s.outside + sum(1 for x in k.scopes if s.at[x] == At.ASKED)


@scopes.invariant
def count_grows_with_requests(k: Const, s: Nest) -> bool:
    """SCOPE-14: In a scope cancelling() is its value before, plus the requests that were made since; of others nothing
    is known.
    [asyncio.Task.cancelling; documented]"""
    return all(
        (s.before[x] >= 0 and s.count == s.before[x] + s.extra[x] + own(s, x))
        if active(s, x)
        else (s.before[x] == 0 and s.extra[x] == 0)
        for x in k.scopes
    )


@scopes.invariant
def scopes_are_nested(k: Const, s: Nest) -> bool:
    """SCOPE-15: Two scopes that the task is in are one inside the other.
    [asyncio.timeout, "can be safely nested"; documented]"""
    return all(
        ((x, y) in s.within or (y, x) in s.within) == (x != y and active(s, x) and active(s, y))
        and ((x, y) not in s.within or (y, x) not in s.within)
        and all((x, y) not in s.within or (y, z) not in s.within or (x, z) in s.within for z in k.scopes)
        for x in k.scopes
        for y in k.scopes
    )


@scopes.invariant
def no_throw_without_request(k: Const, s: Nest) -> bool:
    """SCOPE-16: CancelledError is to be thrown only while a request is counted.
    [asyncio.Task.uncancel; documented]"""
    return not s.must or s.count > 0


@scopes.invariant
def for_a_failure(k: Const, s: Nest) -> bool:
    """SCOPE-17: Only a group that the task is in has failed, and a group requests a cancel only when it has, or when it
    was cancelled.  One that was cancelled has requested it, unless it was not entered.
    [asyncio.TaskGroup; documented]"""
    return (
        all(x in k.groups and active(s, x) for x in s.failed)
        and all(x in k.groups and (s.at[x] == At.ASKED or s.at[x] == At.NEW) for x in s.stopped)
        and all(s.at[x] != At.ASKED or x in s.failed or x in s.stopped for x in k.groups)
    )


@scopes.invariant
def one_ends(k: Const, s: Nest) -> bool:
    """SCOPE-29: A body that has ended is that of the group that the task leaves next.
    [the meaning of this specification's state; defined]"""
    return all(x in k.groups and innermost(k, s, x) for x in s.ends)


@scopes.step
def due_error_is_thrown(k: Const, s: Nest, t: Nest) -> bool:
    """SCOPE-18: A CancelledError that is to be thrown is thrown, unless no request is left; the end of a group may
    raise another error.
    [asyncio.Task.cancel and uncancel, and gh-116720; documented]"""
    ends = any(x in s.ends for x in k.groups)
    thrown = t.error == Error.CANCELLED or (ends and t.error != Error.NONE)
    return not s.must or t.must or t.count == 0 or (s.waits and not t.waits and thrown)


@scopes.step
def entered_once_left_once(k: Const, s: Nest, t: Nest) -> bool:
    """SCOPE-19: A scope is entered once and left once; one that requested a cancel expired.
    [asyncio.timeout, "has already been entered"; documented]"""
    return all(
        s.at[x] == t.at[x]
        or (s.at[x] == At.NEW and (t.at[x] == At.ACTIVE or x in s.stopped))
        or (s.at[x] == At.ACTIVE and (t.at[x] == At.ASKED or t.at[x] == At.LEFT))
        or (s.at[x] == At.ASKED and t.at[x] == At.EXPIRED)
        for x in k.scopes
    )


@scopes.step_of(leave)
def deadline_raises_timeout(k: Const, s: Nest, t: Nest, x: Scope) -> bool:
    """TIMEOUT-1: At its deadline a block that waits is cancelled, and raises TimeoutError in place of CancelledError.
    [Coroutines and Tasks, Timeouts; documented]"""
    alone = s.at[x] == At.ASKED and s.error == Error.CANCELLED and s.extra[x] <= 0
    return x in k.groups or not alone or t.error == Error.TIMEOUT


@scopes.step_of(leave)
def not_its_own(k: Const, s: Nest, t: Nest, x: Scope) -> bool:
    """TIMEOUT-2: A cancel from outside stays a CancelledError.  [asyncio/timeouts.py; gh-116720; settled]"""
    asked = s.error == Error.CANCELLED and s.extra[x] > 0
    return x in k.groups or not asked or t.error == Error.CANCELLED


@scopes.step_of(leave)
def only_expired(k: Const, s: Nest, t: Nest, x: Scope) -> bool:
    """TIMEOUT-6: Among nested timeouts, only the one that expired raises TimeoutError.
    [Coroutines and Tasks, Timeouts: they can be safely nested; documented]"""
    return (
        x in k.groups
        or t.error == s.error
        or (t.error == Error.TIMEOUT and s.error == Error.CANCELLED and s.at[x] == At.ASKED)
    )


@scopes.step_of(leave)
def timeout_takes_back(k: Const, s: Nest, t: Nest, x: Scope) -> bool:
    """TIMEOUT-8: After a timeout cancelling() is as before, but for the requests of others.
    [Coroutines and Tasks, Task.uncancel; documented]"""
    return x in k.groups or t.count == s.before[x] + s.extra[x]


@scopes.step_of(leave)
def group_takes_back(k: Const, s: Nest, t: Nest, x: Scope) -> bool:
    """GROUP-9: After a group cancelling() is as before, but for the requests of others.
    [gh-95289; settled]"""
    return x not in k.groups or t.count == s.before[x] + s.extra[x]


@scopes.step_of(leave)
def neither_lost(k: Const, s: Nest, t: Nest, x: Scope) -> bool:
    """GROUP-5: If a failure and a cancel from outside coincide, neither is lost: the group raises the failure, and the
    next await the cancel.
    [Coroutines and Tasks, Task Groups; gh-116720; documented]"""
    failed = x in s.failed or s.error == Error.TIMEOUT or s.error == Error.FAILURE
    return x not in k.groups or not failed or (t.error == Error.FAILURE and t.must == (t.count > 0))


@scopes.step_of(leave)
def passed_on(k: Const, s: Nest, t: Nest, x: Scope) -> bool:
    """SCOPE-20: Without failures a group that was not cancelled raises the error of its body.
    [Coroutines and Tasks, Task Groups; documented]"""
    fine = x not in s.failed and x not in s.stopped
    return x not in k.groups or t.error == s.error or not fine or s.error == Error.TIMEOUT


@scopes.step_of(leave)
def without_cancelled_error(k: Const, s: Nest, t: Nest, x: Scope) -> bool:
    """GROUP-10: A group that was cancelled, without a failure, is left without an error; but a CancelledError is raised
    while others request one.
    [Coroutines and Tasks, TaskGroup.cancel; gh-155433; documented]"""
    failed = x in s.failed or s.error == Error.TIMEOUT or s.error == Error.FAILURE
    raises = s.error == Error.CANCELLED and t.count > 0
    return x not in s.stopped or failed or t.error == (Error.CANCELLED if raises else Error.NONE)


@scopes.step_of(enter)
def entered_innermost(k: Const, s: Nest, t: Nest, x: Scope) -> bool:
    """SCOPE-21: A scope is entered inside those that the task is in, and requests a cancel only if it is a group that
    was cancelled before.
    [asyncio.timeout, asyncio.TaskGroup; documented]"""
    asks = x in s.stopped
    return (
        may_enter(k, s, x)
        and innermost(k, t, x)
        and t.at[x] == (At.ASKED if asks else At.ACTIVE)
        and t.count == s.count + (1 if asks else 0)
        and t.must == (s.must or asks)
        and t.before[x] == s.count
        and t.extra[x] == 0
    )


@scopes.step_of(leave)
def left_last(k: Const, s: Nest, t: Nest, x: Scope) -> bool:
    """SCOPE-22: The scope that was entered last is left first.
    [asyncio.timeout, "can be safely nested"; documented]"""
    return may_leave(k, s, x) and not active(t, x)


@scopes.step_of(wait)
def waits_on(k: Const, s: Nest, t: Nest) -> bool:
    """SCOPE-31: A task that waits does not run.  [asyncio.Task; documented]"""
    return t.waits and not s.waits


@scopes.step_of(catch)
def no_error_if_caught(k: Const, s: Nest, t: Nest) -> bool:
    """SCOPE-32: A body that catches its error raises none.  [a coroutine; documented]"""
    return may_catch(k, s) and t.error == Error.NONE


@scopes.step_of(raise_)
def raised_error_is_kept(k: Const, s: Nest, t: Nest) -> bool:
    """SCOPE-33: A body that raises an error raises that one.  [a coroutine; documented]"""
    return not s.waits and all(x not in s.ends for x in k.scopes) and t.error == Error.FAILURE


@scopes.step_of(cancel)
def asked_from_outside(k: Const, s: Nest, t: Nest) -> bool:
    """SCOPE-23: A cancel from outside is counted, and CancelledError will be thrown; every scope that the task is in
    knows of it.  There are no more than the model allows.
    [asyncio.Task.cancel and cancelling; documented]"""
    return (
        t.must
        and t.count == s.count + 1
        and t.outside == s.outside + 1
        and t.outside <= k.most
        and all(not active(s, x) or t.extra[x] == s.extra[x] + 1 for x in k.scopes)
    )


@scopes.step_of(uncancel)
def taken_back(k: Const, s: Nest, t: Nest) -> bool:
    """SCOPE-24: uncancel() of the body takes one request from outside back.
    [asyncio.Task.uncancel; documented]"""
    return (
        may_uncancel(k, s)
        and t.count == s.count - 1
        and t.outside == s.outside - 1
        and t.must == (s.must and t.count > 0)
    )


@scopes.step_of(expire)
def asked_by_timeout(k: Const, s: Nest, t: Nest, x: Scope) -> bool:
    """SCOPE-25: A timeout that expires requests the cancel of its task.  [asyncio.timeout; documented]"""
    return may_expire(k, s, x) and t.must and t.count == s.count + 1 and t.at[x] == At.ASKED


@scopes.step_of(fail)
def asked_by_group(k: Const, s: Nest, t: Nest, x: Scope) -> bool:
    """SCOPE-26: The first failure in a group requests the cancel of the task that is in the group, unless that task is
    leaving the group with an error.
    [asyncio.TaskGroup; documented]"""
    asks = s.at[x] == At.ACTIVE and (s.error == Error.NONE or x not in s.ends)
    return (
        may_fail(k, s, x)
        and x in t.failed
        and t.at[x] == (At.ASKED if asks else s.at[x])
        and t.count == s.count + (1 if asks else 0)
        and t.must == (s.must or asks)
    )


@scopes.step_of(cancel_group)
def cancelled_once(k: Const, s: Nest, t: Nest, x: Scope) -> bool:
    """GROUP-11: The first cancel() of a group requests the cancel of its body; before the entry it takes effect at the
    entry.  On a group that shuts down or is over, it has no effect.
    [Coroutines and Tasks, TaskGroup.cancel; documented]"""
    asks = t.at[x] != s.at[x]
    due = not shuts_down(s, x)
    return (
        x in k.groups
        and (t.at[x] == At.ASKED and due if asks else not due or x in s.ends)
        and t.count == s.count + (1 if asks else 0)
        and t.must == (s.must or asks)
        and (x in t.stopped) == (x in s.stopped or asks or s.at[x] == At.NEW)
    )


@scopes.step_of(resume)
def cancel_is_thrown_once(k: Const, s: Nest, t: Nest) -> bool:
    """SCOPE-27: A task that was cancelled gets CancelledError when it has waited, once; any other none.  At the end of
    a group its error stays.
    [asyncio.Task.cancel, and asyncio/taskgroups.py, `__aexit__`; settled]"""
    kept = s.error != Error.NONE and any(x in s.ends for x in k.groups)
    return s.waits and not t.waits and not t.must and t.error == (Error.CANCELLED if s.must and not kept else s.error)


@scopes.step_of(end)
def body_ended(k: Const, s: Nest, t: Nest, x: Scope) -> bool:
    """SCOPE-30: The body that ends is that of the group that was entered last.  [asyncio.TaskGroup; documented]"""
    return may_end(k, s, x) and x in t.ends
