"""Teaching code: rung 12, a Task that can be cancelled: `cancel` throws an error into its coroutine.

Teaches: a suspended generator can be resumed with an error, which is raised at the `yield`.  So `finally` and `with`
clean up, and a coroutine that catches the error may continue.  A cancel is an ordinary step, made with a future that
has failed.
Changed against rung 11: `Task.cancel`, and the flag `cancelled`.  `run` cancels nothing, because its fetches end by
themselves; the workers of rung 14 are cancelled, which would otherwise wait for work for ever.
Still wrong: nothing can wait for a Task and receive its result (rung 13).

Against the text's sketch, where `cancel` is a bare `throw`:
- The error ends in the Task, not in the caller of `cancel`; `cancelled` records it (T1).  So all ten workers can be
  cancelled (T2).
- A coroutine that catches the error and returns has returned (T3); one that waits in its cleanup is resumed (T4).
- A cancelled Task is removed from the callbacks of the future that it waited for (T5).
- Cancelling a Task that has ended does nothing (T8).  A running Task gets the error at its next `yield`, because
  nothing can be thrown into a generator that is executing (F8).
- A CancelledError that the coroutine raises by itself is an error like any other (T11).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Coordinating Coroutines".
"""

from __future__ import annotations

from functools import partial
from inspect import GEN_CLOSED, GEN_RUNNING, getgeneratorstate
from typing import Any

from ...errors import CancelledError
from . import delegating, yielding
from .futures import Future, failed
from .yielding import Coroutine


class Task(yielding.Task):
    """Runs a coroutine and can cancel it."""

    def __init__(self, coroutine: Coroutine[Any]) -> None:  # Any: as below
        self.cancelled = False  # it has ended by a cancel
        self._asked = False  # cancel has been called
        self._due = False  # the error is to be thrown at the next `yield`
        super().__init__(coroutine)

    def cancel(self) -> bool:
        """Raise CancelledError in the coroutine where it waits; returns False if it has ended already."""
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
        """Whether this is the error of a call of `cancel`."""
        return self._asked and isinstance(error, CancelledError)


#: Fetch the pages, all at once.
run = partial(delegating.run, task=Task)
