"""The callbacks that count the children of gather: they commute, unless one of them decides.

n tasks under one gather end in n! orders that no program can tell apart: a callback of gather adds one to a count that
only gather reads, and the last one resolves the outer future.  So these callbacks are a group of the ready queue
(ready.py), and their footprint is an addition to the outer future; items that the last one makes ready come after all.

A child that has failed decides the outcome of a gather, unless exceptions are results: its callback is an ordinary one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

from ...combinators.gather import _Gathering
from ...interfaces import Promise, Runnable
from ...tasks.callback import DoneCallback
from ...tasks.future import RESULT, Future
from .footprint import log
from .ready import NamedReady, Steps


class Counting:
    """The gatherings of one run."""

    def __init__(self) -> None:
        self._counted: dict[Hashable, Steps] = {}
        #: The ready queue of the run.
        self.ready: NamedReady | None = None

    def group_of(self, item: Runnable) -> Hashable | None:
        """The group of a callback: the name of its gathering, if it only counts."""
        if type(item) is not DoneCallback:
            return None
        with log.aside():
            fn = item._fn
            gathering = getattr(fn, "__self__", None)
            if type(gathering) is not _Gathering or getattr(fn, "__name__", "") != "_ended":
                return None
            child: Promise = item._args[0]
            counts = _only_counts(gathering, child)
        return ("gather", log.made(gathering).name) if counts else None

    def ended(self, gathering: _Gathering, child: Promise, real: Callable[[_Gathering, Promise], None]) -> None:
        """A child of a gathering has ended; `real` is gather's own callback."""
        ready = self.ready
        with log.aside():
            counts = ready is not None and _only_counts(gathering, child)
            outer = gathering._outer
        if not counts or ready is None:
            real(gathering, child)
            return
        name = log.made(gathering).name
        counted = self._counted[name] = self._counted.get(name, 0) | ready.now()
        before, ready.also_after = ready.also_after, counted
        with log.aside():
            real(gathering, child)
        ready.also_after = before
        log.read(child, "_stage")
        log.read(gathering, "requested")
        log.add(gathering, "_left")
        if outer is not None:
            for slot in ("_stage", "_line", "_value"):
                log.add(outer, slot)


def _only_counts(gathering: _Gathering, child: Promise) -> bool:
    """Whether the end of this child cannot decide the outcome before the others have ended."""
    if not isinstance(child, Future):
        return False
    return child._stage == RESULT or gathering._return_exceptions


@contextmanager
def counting(run: Callable[[], Counting]) -> Iterator[None]:
    """Within the block, gather's callbacks are those of the run that goes on, which `run` returns."""
    real = _Gathering._ended

    def _ended(gathering: _Gathering, child: Promise) -> None:
        run().ended(gathering, child, real)

    _Gathering._ended = _ended  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        _Gathering._ended = real  # type: ignore[method-assign]
