"""Mutants of the creation of tasks: each has one error, which the check must find at a known depth."""

from __future__ import annotations

from collections.abc import Iterator

from ..kit.bounded import mutant
from ..kit.core import Spec, replace
from . import specification as right
from .specification import At, Births, Const, Task, creation


def start_twice(k: Const, s: Births) -> Iterator[Births]:
    """START-3: Wrong: a loop that runs starts again."""
    yield replace(s, started=True)


def start_never(k: Const, s: Births) -> Iterator[Births]:
    """START-3: Wrong: the loop does not run."""
    for _ in right.start(k, s):
        yield s


def create_eagerly(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-4: Wrong: create_task runs the coroutine, eager start or not."""
    for q in right.create(k, s, t):
        yield right.step_inside(k, s, t) if s.started else q


def create_lazily(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-4: Wrong: eager start is for callbacks only: the tasks that tasks create are scheduled."""
    for q in right.create(k, s, t):
        yield q if s.current == k.loop else replace(s, at=s.at | {t: At.READY})


def create_beside(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-4: Wrong: the first step of a task is not inside that of its creator."""
    for q in right.create(k, s, t):
        yield replace(q, under=s.under)


def create_done(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-4: Wrong: a task may be done when it is created."""
    for q in right.create(k, s, t):
        yield replace(q, at=q.at | {t: At.DONE}) if q.at[t] == At.READY else q


def create_twice(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-4: Wrong: a task that is scheduled is created again."""
    if s.at[t] == At.NEW or s.at[t] == At.READY:
        yield replace(s, at=s.at | {t: At.READY})


def create_begun(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-4: Wrong: a task whose first step is scheduled counts as begun."""
    for q in right.create(k, s, t):
        yield replace(q, begun=s.begun | {t})


def create_unbegun(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-4: Wrong: a task that runs within create_task has not begun."""
    for q in right.create(k, s, t):
        yield replace(q, begun=s.begun)


def create_aside(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-4: Wrong: current_task() within the first step is that of the creator."""
    for q in right.create(k, s, t):
        yield replace(q, current=s.current)


def create_and_leave(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-4: Wrong: create_task gives the turn to the new task."""
    for q in right.create(k, s, t):
        yield replace(q, current=t)


def create_eagerly_again(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-4: Wrong: a task that has begun and is done is created again, eagerly."""
    yield from right.create(k, s, t)
    if s.at[t] == At.DONE and t in s.begun and k.eager and s.started:
        yield right.step_inside(k, s, t)


def create_in_a_task(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-4: Wrong: only tasks create tasks."""
    if s.current != k.loop or not s.started:
        yield from right.create(k, s, t)


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


def step_in_vain(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-5: Wrong: a task that runs is not the current one."""
    for q in right.step(k, s, t):
        yield replace(q, current=k.loop)


def step_unbegun(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-5: Wrong: a task that runs has not begun."""
    for q in right.step(k, s, t):
        yield replace(q, begun=s.begun)


def stillborn_by_chance(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-6: Wrong: a task may end without a cancel, before it begins."""
    if s.started and s.current == k.loop and s.at[t] == At.READY and t not in s.begun:
        yield replace(s, at=s.at | {t: At.DONE})


def stillborn_never(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-6: Wrong: a task that was cancelled before it began is not done."""
    for _ in right.stillborn(k, s, t):
        yield s


def pause_to_the_loop(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-7: Wrong: the end of a step gives the turn to the loop, whatever the step is inside of."""
    for q in right.pause(k, s, t):
        yield replace(q, current=k.loop)


def pause_to_nothing(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-7: Wrong: a task that gives its step up is there no more."""
    for q in right.pause(k, s, t):
        yield replace(q, at=s.at | {t: At.NEW})


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


def cancel_late(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-9: Wrong: a cancel keeps a body from beginning that has begun."""
    if s.at[t] != At.NEW:
        yield replace(s, must=s.must | {t})


def cancel_in_vain(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-9: Wrong: a task that has not begun cannot be cancelled."""
    for _ in right.cancel(k, s, t):
        yield s


def cancel_to_nothing(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-9: Wrong: a task that is cancelled before it began is there no more."""
    for q in right.cancel(k, s, t):
        yield replace(q, at=s.at | {t: At.NEW}) if s.at[t] == At.READY else q


def cancel_back(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-9: Wrong: a second cancel takes the first one back."""
    for q in right.cancel(k, s, t):
        yield replace(s, must=s.must - {t}) if t in s.must else q


def cancel_at_once(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-9: Wrong: a task that has not begun is done when it is cancelled."""
    for q in right.cancel(k, s, t):
        yield replace(q, at=s.at | {t: At.DONE}) if s.at[t] == At.READY and t not in s.begun else q


def create_and_start(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-4: Wrong: with eager start create_task starts a loop that does not run."""
    for q in right.create(k, s, t):
        yield replace(right.step_inside(k, s, t), started=True) if k.eager and not s.started else q


def cancel_into_being(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-9: Wrong: a task that is not there is created by its cancel."""
    yield from right.cancel(k, s, t)
    if s.at[t] == At.NEW:
        yield replace(s, at=s.at | {t: At.READY}, must=s.must | {t})


def cancel_and_begin(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-9: Wrong: a task that is cancelled before its first step counts as begun."""
    for _ in right.cancel(k, s, t):
        yield replace(s, begun=s.begun | {t})


#: By the property that each breaks.
MUTANTS: dict[str, Spec[Const, Births]] = {
    "stacked": mutant(creation, "a first step is inside no other", create=create_beside),
    "begins_once": mutant(creation, "a task that runs has not begun", step=step_unbegun),
    "never_begun": mutant(creation, "a body begins after a cancel", step=step_condemned),
    "none_without_loop": mutant(creation, "one task gets its step before the loop runs", step=step_early),
    "onward": mutant(creation, "an eager task is created again", create=create_eagerly_again),
    "from_the_loop": mutant(creation, "a task gets its step while another runs", step=step_in_between),
    "later": mutant(creation, "create_task runs the coroutine", create=create_eagerly),
    "at_once": mutant(creation, "only callbacks start eagerly", create=create_lazily),
    "stepped": mutant(creation, "a task gets a step before it is created", step=step_uncreated),
    "ended_unbegun": mutant(creation, "a task ends before it begins", stillborn=stillborn_by_chance),
    "goes_on": mutant(creation, "a step gives the turn to the loop", pause=pause_to_the_loop),
    "comes_again": mutant(creation, "a task that gives its step up is done", pause=pause_for_ever),
    "is_done": mutant(creation, "a task that returns has another step", finish=finish_again),
    "cancelled_early": mutant(creation, "an early cancel is lost", cancel=cancel_in_vain),
    "starts": mutant(creation, "the loop does not run", start=start_never),
    "frame": mutant(creation, "an early cancel ends a task at once", cancel=cancel_at_once),
    "allowed": mutant(creation, "only tasks create tasks", create=create_in_a_task),
}
#: Other errors that break a property named above.
LATE = mutant(creation, "a cancel comes too late", cancel=cancel_late)
DONE = mutant(creation, "a task is done when it is created", create=create_done)
BACK = mutant(creation, "a second cancel takes the first one back", cancel=cancel_back)
ABSENT = mutant(creation, "a task that runs is not the current one", step=step_in_vain)
IDLE = mutant(creation, "a task gives up a step before it comes", pause=pause_of_none)
MARKED = mutant(creation, "a scheduled task counts as begun", create=create_begun)
UNMARKED = mutant(creation, "an eager task does not count as begun", create=create_unbegun)
GIVING = mutant(creation, "create_task gives the turn away", create=create_and_leave)
UNENDED = mutant(creation, "a task that cannot begin is not done", stillborn=stillborn_never)
VANISHING = mutant(creation, "a task that gives its step up is gone", pause=pause_to_nothing)
VANISHED = mutant(creation, "a task that is cancelled is gone", cancel=cancel_to_nothing)
TWICE = mutant(creation, "the loop starts twice", start=start_twice)
ASIDE = mutant(creation, "an eager task is not the current one", create=create_aside)
REPEATED = mutant(creation, "a scheduled task is created again", create=create_twice)
STARTING = mutant(creation, "create_task starts the loop", create=create_and_start)
CREATING = mutant(creation, "a cancel creates a task", cancel=cancel_into_being)
BEGINNING = mutant(creation, "a cancel before the first step begins a task", cancel=cancel_and_begin)
