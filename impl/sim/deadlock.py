"""The report of a program that cannot continue: its tasks, the line of each wait, its object, and the task that has it.

A parked task's coroutine holds the chain of awaits from its own frame down to the future.  The report shows the
innermost line of the program (`frames.py`), the method of impl or asyncio that waits (`Queue.get`) with its object, and
the tasks that hold a lock (`holders.py`).  A cycle of tasks that wait for each other comes first.  A task without a
name of its own is called by its function.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from types import FrameType
from typing import Any, Final

from ..errors import Blocked, DeadlockError, LivelockError
from .frames import coro_of, frames_of, is_library, parts, place, programs
from .holders import called, cycle, entered, held, may_hold, wanted
from .outcome import ADDRESS

#: A report has no more characters, but for one line; the remaining tasks are counted.
_TEXT_MAX: Final = 4000
#: The tasks of a cycle that it names.
_CYCLE_MAX: Final = 12
#: The characters of one object.
_OBJECT_MAX: Final = 120
#: Among more tasks than these no holder is guessed: a guess reads the code of every task.
_GUESSES_MAX: Final = 200
#: The name of a task that was given none.
_DEFAULT_NAME: Final = re.compile(r"Task-\d+|Thread-\d+( \(.*\))?|(asyncio|ThreadPoolExecutor-\d+)_\d+|\S+ from \S+")


def deadlock(tasks: Iterable[Any]) -> DeadlockError:  # Any: the Host face; ours or a bridge's tasks
    """The error that names `tasks`, in order of creation."""
    waits = _blocked(list(tasks))
    error = DeadlockError(report("nothing can ever happen any more", waits))
    error.blocked = waits
    return error


def livelock(tasks: Iterable[Any], turns: int) -> LivelockError:  # Any: as above
    """Likewise, for tasks that kept running for that many turns while the clock stood still."""
    waits = _blocked(list(tasks))
    error = LivelockError(report(f"{turns} turns have passed while the clock stood still", waits))
    error.blocked = waits
    return error


def restated(error: DeadlockError, tasks: Iterable[Any]) -> DeadlockError:  # Any: as above
    """The error with these tasks."""
    waits = _blocked(list(tasks))
    again = type(error)(report(str(error).partition("\n")[0], waits))
    again.blocked = waits
    return again


def report(head: str, blocked: Sequence[Blocked], names: Sequence[str] | None = None) -> str:
    """The text of such an error: a line for the cycle, if there is one, and a line for each task until it is full.

    Parameters:
        names: of the tasks, in the order of `blocked`; None: `labels` of them.
    """
    names = labels([(each.task, each.function) for each in blocked]) if names is None else names
    found = cycles(blocked, names)
    head = f"{head}\n  a cycle: {found}" if found else head
    return fitted(head, [f"{names[number]} {wait(each, names)}" for number, each in enumerate(blocked)])


def fitted(head: str, lines: Sequence[str]) -> str:
    """A text of a head and of as many lines as fit; the rest are counted."""
    size = len(head)
    for number, line in enumerate(lines):
        if size > _TEXT_MAX:
            lines = [*lines[:number], f"and {len(lines) - number:,} more tasks"]
            break
        size += len(line)
    return "\n  ".join([head, *lines])


def cycles(blocked: Sequence[Blocked], names: Sequence[str]) -> str:
    """The first cycle of tasks that wait for each other, as a sentence; "" if there is none."""
    found = cycle([each.holders for each in blocked])
    steps = []
    for task, holder in zip(found[:_CYCLE_MAX], [*found[1:], *found[:1]], strict=False):
        each = blocked[task]
        lock = (each.called or each.thing) if each.method else ""
        has = f"{lock}, held by " if each.certain else f"{lock}, probably held by "
        steps.append(f"{names[task]} waits for {has if lock else ''}{names[holder]}")
    if len(found) > _CYCLE_MAX:
        steps.append(f"and {len(found) - _CYCLE_MAX:,} more")
    return "; ".join(steps)


def wait(task: Blocked, names: Sequence[str]) -> str:
    """One task's state, as words that follow its name."""
    of = f"{task.method} of" if task.method else ""
    text = " ".join(filter(None, [task.state, of, task.called, task.thing]))
    if task.holders and task.method:
        held_by = "held by" if task.certain else "probably held by"
        text = f"{text}, {held_by} {', '.join(names[holder] for holder in task.holders)}"
    return text


def labels(tasks: Sequence[tuple[str, str]]) -> list[str]:
    """The names of these tasks for a reader: their own, or else those of their functions; equal ones are numbered.

    Parameters:
        tasks: for each, its name and the name of the function that it runs, which may be "".
    """
    found = [function if function and _DEFAULT_NAME.fullmatch(name) else name for name, function in tasks]
    count, many = Counter[str](), Counter(found)
    for number, label in enumerate(found):
        if many[label] > 1:
            count[label] += 1
            found[number] = f"{label} {count[label]}"
    return found


def described(thing: object) -> str:
    """Its repr, without an address and of limited length."""
    try:
        text = ADDRESS.sub("", repr(thing))
    except Exception:
        text = f"<{type(thing).__name__}>"
    return text if len(text) <= _OBJECT_MAX else f"{text[:_OBJECT_MAX]}..."


def _blocked(tasks: list[Any]) -> tuple[Blocked, ...]:  # Any: as above
    chains = [[] if hasattr(task, "suspended_frames") else list(parts(coro_of(task))) for task in tasks]
    frames = list(map(frames_of, tasks))
    locks = [wanted(each) for each in frames]
    holders = held(list(map(entered, chains)), [lock for lock in locks if lock is not None])
    places = {id(coro_of(task)): n for n, task in enumerate(tasks)}
    return tuple(_one(n, task, frames, locks, holders, places) for n, task in enumerate(tasks))


def _one(
    number: int,
    task: Any,  # Any: as above
    frames: list[list[FrameType]],
    locks: list[object | None],
    holders: dict[int, list[int]],
    places: dict[int, int],
) -> Blocked:
    own, lock, waiting = frames[number], locks[number], task.waits_for
    function = getattr(task, "__name__", "") if hasattr(task, "suspended_frames") else ""
    function = function or next((each.f_code.co_name for each in own if not is_library(each.f_code.co_filename)), "")
    where = f" {place(own[programs(own) or 0])}" if own else ""  # a coroutine of a class may show no line
    if waiting is None:
        return Blocked(task.get_name(), function, f"is ready{where}")
    state = f"waits{where} for"
    method, thing = _waits_in(own, waiting if lock is None else None)
    name = (called(thing, own) or "") if method else ""
    having: list[int] = []
    certain = True
    if lock is not None:
        having = holders[id(lock)]
        owner = getattr(lock, "owner", None)  # a lock of threading knows its holder
        if owner is not None and (other := places.get(id(coro_of(owner)))) is not None:
            having = [other]
        if not having and len(frames) <= _GUESSES_MAX:
            certain = False
            others = [n for n in range(len(frames)) if locks[n] is not lock]
            having = [n for n in others if any(may_hold(frame, lock) for frame in frames[n])]
    elif hasattr(waiting, "get_coro") and (other := places.get(id(waiting.get_coro()))) is not None:
        having = [other]
    return Blocked(task.get_name(), function, state, method, name, described(thing), tuple(having), certain)


def _waits_in(frames: list[FrameType], waiting: object) -> tuple[str, object]:
    """The outermost method of a library, and its object; "" and the future, if there is none.

    `async with lock` waits in a call of its `__aenter__`.
    """
    methods = [
        frame
        for frame in frames
        if is_library(frame.f_code.co_filename) and "self" in frame.f_locals and frame.f_locals["self"] is not waiting
    ]
    named = [frame for frame in methods if not frame.f_code.co_name.startswith("__")]
    for frame in named or methods:
        owner = frame.f_locals["self"]
        return f"{type(owner).__name__}.{frame.f_code.co_name}", owner
    return "", waiting
