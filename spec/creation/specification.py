"""create_task of asyncio, and eager start: when the first step of a new task is taken.

In `spec/task` all tasks are there from the start.  Here tasks and callbacks create tasks.  A loop schedules the first
step of a new task; one with eager start takes it within create_task, inside the step of the code that creates it.  So
steps may be nested: `current` is the task of the innermost, or `loop` where no task runs.

The first parameter of an action is the task that it is about.  Rules end with [source; standing], as in `task/loop.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from ..kit.core import Map, Spec, replace

Task = NewType("Task", int)


class At(StrEnum):
    """The place of a task: not created, with a step that is scheduled, in a step, or done."""

    NEW = "new"
    READY = "ready"
    RUNS = "runs"
    DONE = "done"


@dataclass(frozen=True)
class Const:
    """The constants: the tasks, whether the loop has eager start, and `loop`, which is no task."""

    tasks: frozenset[Task]
    eager: bool
    loop: Task


@dataclass(frozen=True)
class Births:
    """The state: where every task is, and which run.

    `begun`: the tasks with a body that has begun.  `must`: those that were cancelled before.  `under`: for a task in a
    step, the task with the step around it, or `loop`.  `started`: whether the loop runs.
    """

    at: Map[Task, At]
    begun: frozenset[Task]
    must: frozenset[Task]
    under: Map[Task, Task]
    current: Task
    started: bool


creation: Spec[Const, Births] = Spec("creation", Births, universe={Task: "tasks loop"})


def step_inside(k: Const, s: Births, t: Task) -> Births:
    """A step of t begins, inside that of the code that runs."""
    return replace(
        s,
        at=s.at | {t: At.RUNS},
        begun=s.begun | {t},
        under=s.under | {t: s.current},
        current=t,
    )


def gives_back(k: Const, s: Births, t: Task, to: At) -> Births:
    """The step of t ends: the code that it is inside of goes on."""
    return replace(s, at=s.at | {t: to}, under=s.under | {t: k.loop}, current=s.under[t])


# Where steps must be possible.


def stopped(k: Const, s: Births) -> bool:
    """Whether the loop has not begun to run."""
    return not s.started


def uncreated(k: Const, s: Births, t: Task) -> bool:
    """Whether t is not there."""
    return s.at[t] == At.NEW


def due(k: Const, s: Births, t: Task) -> bool:
    """Whether the loop may give t its step."""
    return s.started and s.current == k.loop and s.at[t] == At.READY and t not in s.must


def condemned(k: Const, s: Births, t: Task) -> bool:
    """Whether the loop may end t, which was cancelled before it began."""
    return s.started and s.current == k.loop and s.at[t] == At.READY and t in s.must


def runs(k: Const, s: Births, t: Task) -> bool:
    """Whether t has the innermost step."""
    return s.current == t


def created(k: Const, s: Births, t: Task) -> bool:
    """Whether t is there."""
    return s.at[t] != At.NEW


@creation.assume
def some_tasks(k: Const) -> bool:
    """START-1: There is a task, and the loop is none.  [the meaning of this specification's constants; defined]"""
    return k.loop not in k.tasks and any(True for t in k.tasks)


@creation.init
def none_created(k: Const, s: Births) -> bool:
    """START-2: A new loop has no tasks, and does not run.  [asyncio.new_event_loop; documented]"""
    return (
        s.current == k.loop
        and not s.started
        and all(s.at[t] == At.NEW and t not in s.begun and t not in s.must and s.under[t] == k.loop for t in k.tasks)
    )


@creation.action(changes="started", whenever=stopped)
def start(k: Const, s: Births) -> Iterator[Births]:
    """START-3: The loop runs.  [asyncio.loop.run_forever; documented]"""
    if not s.started:
        yield replace(s, started=True)


@creation.action(changes="at[t] begun[t] under[t] current", whenever=uncreated)
def create(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-4: create_task schedules the first step of a task; a loop with eager start takes it within the call, if it
    runs.
    [asyncio.create_task, asyncio.eager_task_factory; documented]"""
    if s.at[t] == At.NEW:
        if k.eager and s.started:
            yield step_inside(k, s, t)
        else:
            yield replace(s, at=s.at | {t: At.READY})


@creation.action(changes="at[t] begun[t] under[t] current", whenever=due)
def step(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-5: The loop gives a task its step.  [asyncio.Task; documented]"""
    if s.started and s.current == k.loop and s.at[t] == At.READY and t not in s.must:
        yield step_inside(k, s, t)


@creation.action(hidden=True, changes="at[t]", whenever=condemned)
def stillborn(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-6: A task that was cancelled before it began is done, and its body never begins.
    [asyncio.Task.cancel, and CancelledError thrown into a coroutine that has not begun; settled]"""
    if s.started and s.current == k.loop and s.at[t] == At.READY and t in s.must:
        yield replace(s, at=s.at | {t: At.DONE})


@creation.action(changes="at[t] under[t] current", whenever=runs)
def pause(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-7: A task gives its step up, and has another coming; the code that it is inside of goes on.
    [asyncio.eager_task_factory, "only scheduled on the event loop if they block"; documented]"""
    if s.current == t:
        yield gives_back(k, s, t, At.READY)


@creation.action(changes="at[t] under[t] current", whenever=runs)
def finish(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-8: A task returns; one with eager start may do so within create_task.
    [asyncio.eager_task_factory, "if they complete synchronously, they are never scheduled"; documented]"""
    if s.current == t:
        yield gives_back(k, s, t, At.DONE)


@creation.action(changes="must[t]", whenever=created)
def cancel(k: Const, s: Births, t: Task) -> Iterator[Births]:
    """START-9: A cancel before a task has begun keeps its body from beginning; CANCEL-1 says what a later one does.
    [asyncio.Task.cancel; documented]"""
    if s.at[t] != At.NEW:
        yield s if t in s.begun else replace(s, must=s.must | {t})


@creation.invariant
def running_steps_are_nested(k: Const, s: Births) -> bool:
    """START-10: The steps that run are inside each other: the innermost is the current task's, and inside of each is
    one at most.
    [the meaning of this specification's state; defined]"""
    return (
        (s.current == k.loop or any(x == s.current and s.at[x] == At.RUNS for x in k.tasks))
        and all(s.at[x] != At.RUNS or s.under[x] != s.current for x in k.tasks)
        and all(
            (s.under[x] == k.loop or (s.at[x] == At.RUNS and s.at[s.under[x]] == At.RUNS))
            and (x == y or s.at[x] != At.RUNS or s.at[y] != At.RUNS or s.under[x] != s.under[y])
            for x in k.tasks
            for y in k.tasks
        )
    )


@creation.invariant
def begins_once(k: Const, s: Births) -> bool:
    """START-12: A task that runs has begun, one that is not there has not, and one that is done has unless it was
    cancelled before.
    [asyncio.create_task; documented]"""
    return all(
        (t not in s.begun or s.at[t] != At.NEW)
        and (s.at[t] != At.RUNS or t in s.begun)
        and (s.at[t] != At.DONE or t in s.begun or t in s.must)
        for t in k.tasks
    )


@creation.invariant
def never_begun(k: Const, s: Births) -> bool:
    """START-13: Only a task that was created is cancelled, and no body begins after a cancel that came before.
    [asyncio.Task.cancel; documented]"""
    return all(t not in s.must or (s.at[t] != At.NEW and t not in s.begun) for t in k.tasks)


@creation.invariant
def none_without_loop(k: Const, s: Births) -> bool:
    """START-14: Before the loop runs, no task begins.  [asyncio.create_task; documented]"""
    return s.started or all(t not in s.begun for t in k.tasks)


@creation.step
def created_once_done_once(k: Const, s: Births, t: Births) -> bool:
    """START-15: A task is created once, runs when it has a step coming, or within its creation, and is done once.
    [asyncio.create_task; documented]"""
    return all(
        s.at[x] == t.at[x]
        or (s.at[x] == At.NEW and (t.at[x] == At.READY or t.at[x] == At.RUNS))
        or (s.at[x] == At.READY and (t.at[x] == At.RUNS or t.at[x] == At.DONE))
        or (s.at[x] == At.RUNS and (t.at[x] == At.READY or t.at[x] == At.DONE))
        for x in k.tasks
    )


@creation.step
def from_the_loop(k: Const, s: Births, t: Births) -> bool:
    """START-16: A task that was created before gets a step only from the loop, when no task runs.  So without
    eager start no step is inside another.
    [Developing with asyncio, "While a Task is running in the event loop, no other Tasks can run in the same thread";
    documented]"""
    return all(s.at[x] != At.READY or t.at[x] != At.RUNS or s.current == k.loop for x in k.tasks)


@creation.step_of(create)
def first_step_in_later_turn(k: Const, s: Births, t: Births, x: Task) -> bool:
    """TASK-6: Without eager start create_task runs nothing of the coroutine: its first step is taken in a later turn.
    [Coroutines and Tasks, Creating Tasks; documented]"""
    return (k.eager and s.started) or (
        s.at[x] == At.NEW and t.at[x] == At.READY and x not in t.begun and t.current == s.current
    )


@creation.step_of(create)
def at_once(k: Const, s: Births, t: Births, x: Task) -> bool:
    """TASK-14: A loop with eager start takes a task's first step within create_task.
    [Coroutines and Tasks, Eager Task Factory; documented]"""
    return not k.eager or not s.started or (x in t.begun and t.current == x and t.under[x] == s.current)


@creation.step_of(step)
def only_due_tasks_get_steps(k: Const, s: Births, t: Births, x: Task) -> bool:
    """START-17: The loop gives a step to a task that has one coming, and then that one runs.
    [asyncio.Task; documented]"""
    return s.at[x] == At.READY and t.current == x


@creation.step_of(stillborn)
def ended_unbegun(k: Const, s: Births, t: Births, x: Task) -> bool:
    """START-18: Only a task that was cancelled before it began ends without a step.
    [asyncio.Task.cancel; settled]"""
    return condemned(k, s, x) and t.at[x] == At.DONE


@creation.step_of(pause, finish)
def goes_on(k: Const, s: Births, t: Births, x: Task) -> bool:
    """START-19: Only the innermost step ends, and then the code that it is inside of goes on.
    [asyncio.eager_task_factory; documented]"""
    return runs(k, s, x) and t.current == s.under[x]


@creation.step_of(pause)
def comes_again(k: Const, s: Births, t: Births, x: Task) -> bool:
    """START-20: A task that gives its step up has another coming.  [asyncio.sleep; documented]"""
    return t.at[x] == At.READY


@creation.step_of(finish)
def is_done(k: Const, s: Births, t: Births, x: Task) -> bool:
    """START-21: A task that returns is done.  [asyncio.Task; documented]"""
    return t.at[x] == At.DONE


@creation.step_of(cancel)
def cancelled_early(k: Const, s: Births, t: Births, x: Task) -> bool:
    """START-22: A cancel before the first step is remembered.  [asyncio.Task.cancel; documented]"""
    return created(k, s, x) and (x in s.begun or x in t.must)


@creation.step_of(start)
def stopped_loop_starts(k: Const, s: Births, t: Births) -> bool:
    """START-23: A loop that does not run starts.  [asyncio.loop.run_forever; documented]"""
    return t.started and not s.started
