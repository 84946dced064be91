"""Garbage is collected at moments that a run determines, and never within some blocks: programs observe finalizers."""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from warnings import catch_warnings
from weakref import ref

from .frames import frames_of, place_of

#: How many events are between two collections of garbage.
_COLLECT_EVERY: Final = 1 << 18
#: The moves of the clock at which tasks are collected.
_MOVES: Final = 50


@contextmanager
def uncollected() -> Iterator[None]:
    """Collect no garbage for the duration, but where the block asks for it."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def parsed(text: str | bytes, path: str = "<unknown>") -> ast.Module:
    """The syntax tree of a file; no garbage is collected meanwhile.

    A task that is collected may print a traceback, and since 3.11 a traceback parses its lines, too.  CPython 3.11 then
    raises SystemError in the first parse ("AST constructor recursion depth mismatch").

    Raises:
        SyntaxError: the text is not Python.
    """
    with uncollected():
        return ast.parse(text, path)


#: The side that has frozen objects: "us" while `frozen` lasts, "the caller" for good, or "", not known.
_freezer = ""


@contextmanager
def frozen() -> Iterator[None]:
    """Let collections of garbage skip, for the duration, the objects that exist already.

    A caller that has frozen its own objects keeps them so: to thaw them would make each later collection go through all
    of them.  They are counted once only: `gc` counts them one by one, and there may be millions.
    """
    global _freezer
    if not _freezer and gc.get_freeze_count():
        _freezer = "the caller"
    if _freezer:
        yield
        return
    gc.freeze()
    _freezer = "us"
    try:
        yield
    finally:
        gc.unfreeze()
        _freezer = ""


class Collector:
    """Collects garbage at counted events."""

    __slots__ = ("_next",)

    def __init__(self) -> None:
        self._next = _COLLECT_EVERY

    def at(self, event: int) -> None:
        """Collect, if it is time to at the event of that number."""
        if event >= self._next:
            self._next = event + _COLLECT_EVERY
            gc.collect()


class TaskCollector:
    """Collects tasks that nothing but their loop refers to, when the clock is about to move: all of them are parked.

    asyncio holds its tasks weakly, and our loops hold them, so that no run depends on the garbage collector.  This lets
    go of them for the time of a collection.

    Parameters:
        live: returns the tasks that the loop holds, as keys.
        selected: returns other objects that asyncio's loop would hold: the sockets, which lead to their transports.
        note: receives the name of each task that was collected, and the file and the line at which it waited.
        rest: called before: no step is under way.

    Source: CPython documentation, `asyncio.create_task` ("Save a reference to the result of this function").
    """

    __slots__ = ("_live", "_moves", "_note", "_rest", "_selected")

    def __init__(
        self,
        live: Callable[[], dict[Any, None]],  # Any: tasks
        selected: Callable[[], object],
        note: Callable[[str, tuple[str, int]], object],
        rest: Callable[[], object],
    ) -> None:
        self._live, self._selected, self._note, self._rest = live, selected, note, rest
        self._moves = 0

    def collect(self) -> None:
        """Collect, at each of the first moves."""
        self._moves += 1
        if self._moves > _MOVES:
            return
        self._rest()
        live, selected = self._live(), self._selected()
        held = [(ref(each), each.get_name(), place_of(frames_of(each))) for each in live]
        live.clear()
        with catch_warnings(action="ignore"):  # such as those of writers that are not closed
            gc.collect()
        for task, name, place in held:
            if (left := task()) is not None:
                live[left] = None
            # Its end may have woken the task that it was: it lives on, to end with an error.
            if left is None or getattr(left.get_coro(), "cr_frame", left) is None:
                self._note(name, place)
        del selected
