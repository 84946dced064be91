"""Mutants of the creation of tasks: each has one error, which the check must find at a known depth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..kit.core import Spec, replace
from ..kit.mutants import mutant, only_where
from . import specification as right
from .specification import At, Births, Const, Task, creation

wrong = partial(mutant, creation)


def start_twice(k: Const, s: Births) -> Iterator[Births]:
    """START-3: Wrong: a loop that runs starts again."""
    yield replace(s, started=True)


def create_twice(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-4: Wrong: a task that is scheduled is created again."""
    if s.at[t] == At.NEW or s.at[t] == At.READY:
        yield replace(s, at=s.at | {t: At.READY})


def create_eagerly_again(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-4: Wrong: a task that has begun and is done is created again, eagerly."""
    yield from right.create(k, s, t)
    if s.at[t] == At.DONE and t in s.begun and k.eager and s.started:
        yield right.step_inside(k, s, t)


def step_in_between(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-5: Wrong: a task gets its step while another runs."""
    if s.started and s.at[t] == At.READY and t not in s.must:
        yield right.step_inside(k, s, t)


def step_condemned(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-5: Wrong: the first body begins in spite of a cancel that came before."""
    yield from right.step(k, s, t)
    if right.condemned(k, s, t) and all(u not in s.begun for u in k.tasks):
        yield right.step_inside(k, s, t)


def step_early(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-5: Wrong: one task gets its step before the loop runs."""
    yield from right.step(k, s, t)
    if s.at[t] == At.READY and t not in s.must and all(u not in s.begun for u in k.tasks):
        yield right.step_inside(k, s, t)


def step_uncreated(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-5: Wrong: the loop gives a task its step that is not there."""
    yield from right.step(k, s, t)
    if s.started and s.current == k.loop and s.at[t] == At.NEW:
        yield right.step_inside(k, s, t)


def stillborn_by_chance(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-6: Wrong: a task may end without a cancel, before it begins."""
    if s.started and s.current == k.loop and s.at[t] == At.READY and t not in s.begun:
        yield replace(s, at=s.at | {t: At.DONE})


def pause_of_none(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-7: Wrong: while no task runs, one gives a step up that it has yet to get."""
    yield from right.pause(k, s, t)
    if s.current == k.loop and s.at[t] == At.READY:
        yield s


def pause_for_ever(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-7: Wrong: a task that gives its step up is done."""
    yield from right.finish(k, s, t)


def finish_again(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-8: Wrong: a task that returns has another step."""
    yield from right.pause(k, s, t)


def cancel_into_being(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-9: Wrong: a task that is not there is created by its cancel."""
    yield from right.cancel(k, s, t)
    if s.at[t] == At.NEW:
        yield replace(s, at=s.at | {t: At.READY}, must=s.must | {t})


#: By the property that each breaks.
MUTANTS: dict[str, Spec[Const, Births]] = {
    "running_steps_are_nested": wrong("a first step is inside no other", create=lambda s, q: replace(q, under=s.under)),
    "begins_once": wrong("a task that runs has not begun", step=lambda s, q: replace(q, begun=s.begun)),
    "never_begun": wrong("a body begins after a cancel", step=step_condemned),
    "none_without_loop": wrong("one task gets its step before the loop runs", step=step_early),
    "created_once_done_once": wrong("an eager task is created again", create=create_eagerly_again),
    "from_the_loop": wrong("a task gets its step while another runs", step=step_in_between),
    "first_step_in_later_turn": wrong(
        "create_task runs the coroutine",
        create=lambda k, s, q, t: right.step_inside(k, s, t) if s.started else q,
    ),
    "at_once": wrong(
        "only callbacks start eagerly",
        create=lambda k, s, q, t: q if s.current == k.loop else replace(s, at=s.at | {t: At.READY}),
    ),
    "only_due_tasks_get_steps": wrong("a task gets a step before it is created", step=step_uncreated),
    "ended_unbegun": wrong("a task ends before it begins", stillborn=stillborn_by_chance),
    "goes_on": wrong("a step gives the turn to the loop", pause=lambda k, q: replace(q, current=k.loop)),
    "comes_again": wrong("a task that gives its step up is done", pause=pause_for_ever),
    "is_done": wrong("a task that returns has another step", finish=finish_again),
    "cancelled_early": wrong("an early cancel is lost", cancel=lambda s: s),
    "stopped_loop_starts": wrong("the loop does not run", start=lambda s: s),
    "frame": wrong(
        "an early cancel ends a task at once",
        cancel=lambda s, q, t: replace(q, at=s.at | {t: At.DONE}) if s.at[t] == At.READY and t not in s.begun else q,
    ),
    "allowed": wrong("only tasks create tasks", create=only_where(lambda k, s: s.current != k.loop or not s.started)),
}
#: Other errors that break a property named above.
# It keeps a body from beginning that has begun.
LATE = wrong("a cancel comes too late", cancel=lambda s, t: replace(s, must=s.must | {t}))
DONE = wrong(
    "a task is done when it is created",
    create=lambda q, t: replace(q, at=q.at | {t: At.DONE}) if q.at[t] == At.READY else q,
)
BACK = wrong(
    "a second cancel takes the first one back",
    cancel=lambda s, q, t: replace(s, must=s.must - {t}) if t in s.must else q,
)
ABSENT = wrong("a task that runs is not the current one", step=lambda k, q: replace(q, current=k.loop))
IDLE = wrong("a task gives up a step before it comes", pause=pause_of_none)
MARKED = wrong("a scheduled task counts as begun", create=lambda s, q, t: replace(q, begun=s.begun | {t}))
UNMARKED = wrong("an eager task does not count as begun", create=lambda s, q: replace(q, begun=s.begun))
GIVING = wrong("create_task gives the turn away", create=lambda q, t: replace(q, current=t))
UNENDED = wrong("a task that cannot begin is not done", stillborn=lambda s: s)
VANISHING = wrong("a task that gives its step up is gone", pause=lambda s, q, t: replace(q, at=s.at | {t: At.NEW}))
VANISHED = wrong(
    "a task that is cancelled is gone",
    cancel=lambda s, q, t: replace(q, at=s.at | {t: At.NEW}) if s.at[t] == At.READY else q,
)
TWICE = wrong("the loop starts twice", start=start_twice)
ASIDE = wrong("an eager task is not the current one", create=lambda s, q: replace(q, current=s.current))
REPEATED = wrong("a scheduled task is created again", create=create_twice)
STARTING = wrong(
    "create_task starts the loop",
    create=lambda k, s, q, t: replace(right.step_inside(k, s, t), started=True) if k.eager and not s.started else q,
)
CREATING = wrong("a cancel creates a task", cancel=cancel_into_being)
BEGINNING = wrong("a cancel before the first step begins a task", cancel=lambda s, t: replace(s, begun=s.begun | {t}))
