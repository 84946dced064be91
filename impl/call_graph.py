"""Call graphs: where a task is, which tasks await it, where those are, and so on to the tasks that nothing awaits.

1.  The frames of a parked task are those that reports of deadlocks show; those of the current task are read from the
    stack.  The awaiters are read from wait queues (tasks/awaiters.py).
2.  A graph has one entry a future, however many tasks it leads to, and is built without recursion.
3.  Tasks may await each other in a circle, through a task group or a gather.  asyncio recurses until RecursionError;
    here the circle ends with an entry that has neither frames nor awaiters, and the text names it (GRAPH-3).

Names and meanings are those of `asyncio` (CPython documentation of 3.15, "Call Graph Introspection").  The text has no
addresses, so equal runs print equal graphs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from types import FrameType
from typing import Any, Final, TextIO

from .sim.frames import coro_of, frame_of, frames_of, is_library
from .tasks.awaiters import awaiters
from .tasks.current import running_loop, running_loop_or_none
from .tasks.future import isfuture

#: The kind of the code of a frame, if it is not a plain function.
_KINDS: Final = {CO_COROUTINE: "async ", CO_ASYNC_GENERATOR: "async generator ", CO_GENERATOR: "generator "}


@dataclass(frozen=True, slots=True)
class FrameCallGraphEntry:
    """A frame of a call stack."""

    frame: FrameType


@dataclass(frozen=True, slots=True)
class FutureCallGraph:
    """A future or task, its call stack (innermost frame first), and the graphs of the tasks that await it."""

    future: Any  # of any runtime
    call_stack: tuple[FrameCallGraphEntry, ...]
    awaited_by: tuple[FutureCallGraph, ...]


def capture_call_graph(
    future: Any = None,  # of any runtime
    /,
    *,
    depth: int = 1,
    limit: int | None = None,
) -> FutureCallGraph | None:
    """Return the call graph of a future or a task; None if none is given and no task runs.

    Parameters:
        future: None: the current task.
        depth: the number of frames that are left out on top of the current task's stack.
        limit: the most frames of each call stack: the outermost if it is positive, the innermost if it is negative;
            0: call stacks are not captured; None: all frames.

    Raises:
        TypeError: it is neither a future nor a task.
        RuntimeError: no future is given, and no loop runs.
    """
    host = running_loop() if future is None else running_loop_or_none()
    current = None if host is None else host.current
    if future is None:
        future = current
    if future is None:
        return None
    if not isfuture(future):
        raise TypeError(f"capture_call_graph() takes a future or a task, not {future!r}")
    frames = _live(sys._getframe(depth), frame_of(coro_of(future))) if future is current else None
    return _graph(future, frames, limit)


def _live(frame: FrameType | None, outermost: FrameType | None) -> list[FrameType]:
    """The frames of the running task; `outermost` is the frame of its coroutine."""
    frames: list[FrameType] = []
    while frame is not None:
        frames.insert(0, frame)
        if frame is outermost:
            break
        frame = frame.f_back
    return frames


def _graph(future: Any, live: list[FrameType] | None, limit: int | None) -> FutureCallGraph:
    """Build the graph, an entry when those of all awaiters are there."""
    begun: dict[int, list[Any]] = {}
    made: dict[int, FutureCallGraph] = {}
    todo = [future]
    while todo:
        at = todo[-1]
        if id(at) not in begun:
            begun[id(at)] = awaiters(at)
            todo.extend(each for each in reversed(begun[id(at)]) if id(each) not in begun)
            continue
        todo.pop()
        if id(at) not in made:
            frames = live if at is future and live is not None else _parked(at)
            awaited_by = (made.get(id(each)) or FutureCallGraph(each, (), ()) for each in begun[id(at)])
            made[id(at)] = FutureCallGraph(at, _stack(frames, limit), tuple(awaited_by))
    return made[id(future)]


def _parked(future: Any) -> list[FrameType]:
    """The frames of a parked task, without the generator that awaits a future (asyncio's is in C)."""
    frames = frames_of(future) if hasattr(future, "get_coro") else []
    last = frames[-1].f_code if frames else None
    return frames[:-1] if last and last.co_name == "__await__" and is_library(last.co_filename) else frames


def _stack(frames: Sequence[FrameType], limit: int | None) -> tuple[FrameCallGraphEntry, ...]:
    """The entries for `frames`, which are given outermost first."""
    if limit is not None:
        frames = frames[:limit] if limit >= 0 else frames[limit:]
    return tuple(FrameCallGraphEntry(frame) for frame in reversed(frames))


def format_call_graph(
    future: Any = None,  # of any runtime
    /,
    *,
    depth: int = 1,
    limit: int | None = None,
) -> str:
    """Return the call graph as text; "" if there is none.  Parameters and errors as capture_call_graph."""
    graph = capture_call_graph(future, depth=depth + 1, limit=limit)
    return "" if graph is None else "\n".join(_lines(graph))


def print_call_graph(
    future: Any = None,  # of any runtime
    /,
    *,
    file: TextIO | None = None,
    depth: int = 1,
    limit: int | None = None,
) -> None:
    """Print the call graph to `file`, by default stdout.  Parameters and errors as capture_call_graph."""
    print(format_call_graph(future, depth=depth + 1, limit=limit), file=file)


def _lines(graph: FutureCallGraph) -> Iterator[str]:
    shown: set[int] = set()
    path: list[FutureCallGraph] = []
    places: dict[int, int] = {}  # of futures on the path, by id
    todo = [(graph, 0)]
    while todo:
        entry, level = todo.pop()
        indent, future = level * "    ", entry.future
        del path[level:]
        place = places.get(id(future), level)
        if place < level and path[place].future is future:
            circle = [*path[place:], entry]
            yield f"{indent}* {_name(future)}: a circle: {' awaited by '.join(_name(each.future) for each in circle)}"
            continue
        again = id(future) in shown and (entry.call_stack or entry.awaited_by)
        yield f"{indent}* {_name(future)}{' (shown above)' if again else ''}"
        if again:
            continue
        shown.add(id(future))
        path.append(entry)
        places[id(future)] = level
        if entry.call_stack:
            yield f"{indent}  + Call stack:"
        for each in entry.call_stack:
            yield f"{indent}  |   {_line(each.frame)}"
        if entry.awaited_by:
            yield f"{indent}  + Awaited by:"
        todo.extend((each, level + 1) for each in reversed(entry.awaited_by))


def _name(future: Any) -> str:
    return f"Task(name={future.get_name()!r})" if hasattr(future, "get_name") else "Future()"


def _line(frame: FrameType) -> str:
    code = frame.f_code
    kind = next((text for flag, text in _KINDS.items() if code.co_flags & flag), "")
    return f"File {code.co_filename!r}, line {frame.f_lineno}, in {kind}{code.co_qualname}()"
