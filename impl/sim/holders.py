"""The holder of a lock, and the program's name for it: found in the frames of parked tasks, when a report needs it.

No primitive records its holder, since that would slow each acquire.  A task that is inside `async with lock` has
`lock.__aexit__` on the stack of its frame, and the garbage collector's view of a parked coroutine shows it
(`gc.get_referents`, CPython 3.11 to 3.15): as a bound method, or since 3.14 as the function and then the lock.  A task
that has called `lock.acquire()` itself is a guess from its code: the last of `acquire` and `release` before the line
where it waits.
"""

from __future__ import annotations

import dis
import gc
from collections.abc import Iterable, Iterator, Sequence
from types import AsyncGeneratorType, BuiltinMethodType, FrameType, MethodType
from typing import Any

from .frames import attributes, frame_of, is_library, variables_of

# Any in this file: coroutines, generators, and the objects of the program.


def wanted(frames: Sequence[FrameType]) -> object | None:
    """The lock, or semaphore, that the innermost `acquire` of a library waits for; None: there is none."""
    for frame in reversed(frames):
        if frame.f_code.co_name == "acquire" and is_library(frame.f_code.co_filename):
            return frame.f_locals.get("self")
    return None


def entered(chain: Iterable[Any]) -> list[object]:
    """The objects of the `async with` blocks that a parked task is in; `chain` are its `parts`."""
    blocks: list[object] = []
    outside = []
    for coro in chain:
        frame = frame_of(coro)
        # The block that is being entered has its exit on the stack, too; a condition gives its lock away to wait.
        if frame is not None and frame.f_code.co_name in ("__aenter__", "wait", "wait_for"):
            outside.append(frame.f_locals.get("self"))
        blocks += _exited_by(gc.get_referents(coro))
    for thing in outside:
        place = next((n for n in reversed(range(len(blocks))) if blocks[n] is thing), None)
        if place is not None:
            del blocks[place]
    return blocks


def _exited_by(stack: Sequence[Any]) -> Iterator[object]:
    """The objects that an `__aexit__` on a stack will exit."""
    for thing, following in zip(stack, [*stack[1:], None], strict=True):
        if isinstance(thing, MethodType | BuiltinMethodType) and thing.__name__ == "__aexit__":
            yield thing.__self__
        elif any(kind.__dict__.get("__aexit__") is thing for kind in type(following).__mro__):
            yield following


def held(blocks: Sequence[Iterable[object]], locks: Iterable[object]) -> dict[int, list[int]]:
    """For each lock, by its id, the tasks that are inside `async with` of it, or of an object that has it.

    Such an object has it as an attribute, or is an asynccontextmanager inside `async with` of it.

    Parameters:
        blocks: for each task, the result of `entered`; the tasks are places in this list.
    """
    found: dict[int, list[int]] = {id(lock): [] for lock in locks}
    for task, each in enumerate(blocks):
        for block in each:
            things = [block, *attributes(block).values()]
            for generator in [thing for thing in things if isinstance(thing, AsyncGeneratorType)]:
                things += entered([generator])
            for thing in things:
                having = found.get(id(thing))
                if having is not None and task not in having[-1:]:
                    having.append(task)
    return found


def may_hold(frame: FrameType, lock: object) -> bool:
    """Whether the frame's code has called `acquire`, and not `release`, before the place where it waits."""
    if is_library(frame.f_code.co_filename) or called(lock, [frame]) is None:
        return False
    last = None
    for step in dis.get_instructions(frame.f_code):
        if step.offset >= frame.f_lasti:
            break
        if step.argval in ("acquire", "release"):
            last = step.argval
    return last == "acquire"


def called(thing: object, frames: Iterable[FrameType]) -> str | None:
    """The program's name of an object, as its frames have it: `lock`, `self.lock`, `locks['a']`; None: no name."""
    spaces = [variables_of(frame) for frame in frames if not is_library(frame.f_code.co_filename)]
    for space in spaces:
        for name, value in space.items():
            if value is thing:
                return name
    for space in spaces:
        for name, value in space.items():
            for attribute, part in attributes(value).items():
                if part is thing:
                    return f"{name}.{attribute}"
            if isinstance(value, dict | list | tuple):
                for key, part in value.items() if isinstance(value, dict) else enumerate(value):
                    if part is thing:
                        return f"{name}[{key!r}]"
    return None


def cycle(waits: Sequence[Sequence[int]]) -> list[int]:
    """The first cycle of tasks that wait for each other, or an empty list.

    Parameters:
        waits: for each task, those that it waits for; tasks are places in this list.
    """
    done: set[int] = set()
    for start in range(len(waits)):
        path, left = [start], [iter(waits[start])]
        while path and start not in done:
            other = next((task for task in left[-1] if task not in done), None)
            if other is None:
                done.add(path.pop())
                left.pop()
            elif other in path:
                return path[path.index(other) :]
            else:
                path.append(other)
                left.append(iter(waits[other]))
    return []
