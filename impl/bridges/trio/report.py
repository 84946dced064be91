"""The report of a run of trio that can never go on: each task, the line where it waits, and the reason of its wait.

`Task.iter_await_frames` (public) gives the frames of a parked task, from its own down to the one that waits.  The
report shows the innermost line of the program (`sim/frames.py`).  The frames below it show the reason of the wait: the
method and its object; for a socket, the socket; for a nursery, its tasks.  Tasks are numbered in order of creation;
trio's own are left out.  The threads follow, and the task that blocks the thread of the loop, as in the reports of
asyncio (sim/deadlock.py).

A task that waits for the real world, a descriptor, may wake up at any time.  That is no deadlock, but
OutsideSimulation.
"""

from __future__ import annotations

import inspect
import os
from types import FrameType
from typing import Final

import trio

from ...errors import DeadlockError
from ...sim.deadlock import cycles, deadlock, described, fitted, labels, wait
from ...sim.frames import place, programs
from ...threads.group import ThreadGroup
from ..simulation import OutsideSimulation, active, origin_of
from .sockets import TrioSimSocket

_TRIO: Final = os.path.join(os.path.dirname(os.path.abspath(str(trio.__file__))), "")

#: Where trio waits for the real world, by the names of its functions: the resource, and its replacement.
_REAL: Final = {
    "wait_readable": ("a real descriptor", "sockets of trio.socket, made within the run"),
    "wait_writable": ("a real descriptor", "sockets of trio.socket, made within the run"),
}

#: Tasks that are not done, and their numbers.
Numbers = dict[trio.lowlevel.Task, int]


def report(numbers: Numbers, threads: ThreadGroup | None, why: DeadlockError | None) -> Exception:
    """The error of a run that cannot continue (`why` is None), or `why` with the tasks and threads."""
    waits: list[str] = []
    inner: list[str] = []  # of tasks without a line of the program: they wait for threads, mostly
    blocking = _blocking(threads)
    for task, number in sorted(numbers.items(), key=lambda each: each[1]):
        if task is blocking:
            continue
        frames = [frame for frame, _ in task.iter_await_frames()]
        outside = next(filter(None, map(_outside, frames)), None)
        if outside is not None and why is None:
            return OutsideSimulation(*outside, *origin_of(reversed(frames)))
        (inner if threads and _is_trios(frames) else waits).append(_wait(task, number, frames, numbers))
    head = "nothing can ever happen any more" if why is None else str(why)
    if threads is not None:
        found, lines = _threads(threads, numbers)
        head, waits = f"{head}\n  a cycle: {found}" if found else head, [*waits, *lines, *inner]
    return (DeadlockError if why is None else type(why))(fitted(head, waits))


class _View:
    """A task, as sim/deadlock.py reads it."""

    def __init__(self, task: trio.lowlevel.Task) -> None:
        self.coro, self.get_name = task.coro, lambda: task.name
        self.waits_for: object = task


class _Blocking(_View):
    """The task that runs, and blocks the thread of the loop."""

    def __init__(self, task: trio.lowlevel.Task, thing: object) -> None:
        super().__init__(task)
        self.waits_for = thing

    def suspended_frames(self) -> list[FrameType]:
        return active()


def _threads(group: ThreadGroup, numbers: Numbers) -> tuple[str, list[str]]:
    """The cycle of threads that wait for each other, and the line of each one and of a task that blocks the loop's."""
    threads, here = group.left(), _blocking(group)
    views = [_Blocking(task, group.holds) if task is here else _View(task) for task in numbers]
    blocked = deadlock([*threads, *views]).blocked
    names = labels([(each.task, each.function) for each in blocked[: len(threads)]])
    names += [f"task {number}" for number in numbers.values()]
    shown = [n for n in range(len(blocked)) if n < len(threads) or isinstance(views[n - len(threads)], _Blocking)]
    return cycles(blocked, names), [f"{names[n]} {wait(blocked[n], names)}" for n in shown]


def _blocking(group: ThreadGroup | None) -> trio.lowlevel.Task | None:
    """The task that blocks the thread of the loop, until a thread wakes it."""
    return None if group is None or group.holds is None else trio.lowlevel.current_task()


def _outside(frame: FrameType) -> tuple[str, str] | None:
    """The real resource that this frame waits for, and its replacement; None: it waits for none."""
    return _REAL.get(frame.f_code.co_name) if frame.f_code.co_filename.startswith(_TRIO) else None


def _wait(task: trio.lowlevel.Task, number: int, frames: list[FrameType], numbers: Numbers) -> str:
    name = f"task {number}, {task.name},"
    if inspect.getcoroutinestate(task.coro) == inspect.CORO_CREATED:
        return f"{name} has not begun"
    if _is_trios(frames):
        return f"{name} waits for {_what(frames, numbers)}"  # a function of trio's, given to a nursery
    last = programs(frames) or 0
    below = frames[last + 1 :]
    return f"{name} waits {place(frames[last])} for {_what(below, numbers) if below else 'its turn'}"


def _is_trios(frames: list[FrameType]) -> bool:
    """Whether a task has no line of the program."""
    last = programs(frames)
    return last is None or frames[last].f_code.co_filename.startswith(_TRIO)


def _what(below: list[FrameType], numbers: Numbers) -> str:
    """Describe the object that the frames below the program's wait for."""
    owners = [frame.f_locals.get("self") for frame in below]
    nursery = next((owner for owner in owners if isinstance(owner, trio.Nursery)), None)
    if nursery is not None:
        members = ", ".join(str(numbers[child]) for child in sorted(nursery.child_tasks, key=numbers.__getitem__))
        return f"the tasks of its nursery: {members or 'none'}"
    named = [frame for frame in below if not frame.f_code.co_name.startswith("__")] or below
    method = named[0]
    sock = next((owner for owner in owners if isinstance(owner, TrioSimSocket)), None)
    owner = sock or method.f_locals.get("self")
    name = method.f_code.co_qualname
    if owner is None:
        return name
    holder = owner.statistics().owner if isinstance(owner, trio.Lock) else None
    held_by = f", held by task {numbers[holder]}" if holder is not None and holder in numbers else ""
    return f"{name} of {described(owner)}{held_by}"
