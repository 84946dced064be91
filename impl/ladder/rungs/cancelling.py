"""Teaching code: rung 12, a Task that can be stopped: `cancel` throws an error into it, where it waits.

What it teaches: a generator that is suspended can be resumed with an error.  It is raised at the `yield`, so `finally`
and `with` do their work, and whoever catches it may go on.  A cancel is a step like any other, made with a future that
has failed.
What changed against rung 11: `Task.cancel`, and `cancelled` says what came of it.  `run` cancels nobody, as its
fetches end by themselves; the first to be cancelled are the workers of rung 14, who would wait for work for ever.
What is still wrong with it: who waits for a Task, to take what it returns, waits in vain (rung 13).

Against the text's sketch, whose `cancel` is a bare `throw`:
- The error ends in the Task, not in whoever cancels, and `cancelled` says so (T1): all ten workers can be stopped (T2).
- Whoever catches it and returns has returned (T3); whoever waits in his cleanup is resumed (T4).
- A Task that has been cancelled is no longer in the line of the future that it waited for (T5).
- A Task that has ended is left alone (T8); one that runs gets the error at its next `yield`, as nothing can be thrown
  into a generator that is executing (F8).
- A CancelledError of its own making is an error like any other (T11).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Coordinating Coroutines".
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from inspect import GEN_CLOSED, GEN_RUNNING, getgeneratorstate
from typing import Any

from ...crawl.outcome import Outcome
from ...errors import CancelledError
from ..world.interfaces import World
from . import yielding
from .delegating import note
from .futures import Future, failed
from .yielding import Coroutine, Loop, parked


class Task(yielding.Task):
    """Runs a coroutine, and can stop it."""

    def __init__(self, coroutine: Coroutine[Any]) -> None:  # Any: as below
        self.cancelled = False  # it has ended, and by a cancel
        self._asked = False  # there has been a cancel
        self._due = False  # it is to be thrown at the next `yield`
        super().__init__(coroutine)

    def cancel(self) -> bool:
        """Raise CancelledError in the coroutine, where it waits; False: it has ended already."""
        state = getgeneratorstate(self.coroutine)
        if state == GEN_CLOSED:
            return False
        self._asked = True
        if state == GEN_RUNNING:
            self._due = True
        else:
            self._waits_for.remove_done_callback(self.step)
            self.step(failed(CancelledError()))
        return True

    def resume(self, future: Future[Any]) -> Future[Any]:  # Any: as below
        self._waits_for = super().resume(future)
        if self._due:
            self._due = False
            self._waits_for = failed(CancelledError())
        return self._waits_for

    def ended(self, result: object, error: BaseException | None) -> None:
        self.cancelled = self.is_stopped_by(error)
        if not self.cancelled:
            super().ended(result, error)

    def is_stopped_by(self, error: BaseException | None) -> bool:
        """Is this the error of a cancel that somebody has asked for?"""
        return self._asked and isinstance(error, CancelledError)


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch them, all at once."""
    done: dict[str, Outcome] = {}
    with closing(Loop(world)) as loop:
        for url in urls:
            Task(note(loop, url, done))
        loop.run()
    return {url: done[url] for url in urls}


def waiting_unit() -> object:
    """A suspended generator, its Task, and the Future that it waits for."""
    future = Future[None]()
    Task(parked(future))
    return future
