"""Wrong tasks that only the specification of tasks was asked to catch; as in `mutants.py`, one method is replaced.

Theory of operation.  A request to cancel travels: through the tasks that are awaited, and from a task that could not
be told yet to what it parks on.  Each of these loses it at another place of that way.
"""

from __future__ import annotations

from typing import Any, Final

from impl.tasks.future import PENDING
from impl.tasks.task import Task

from .mutants import Mutant, wrong_task

# `Any` in this file: as in the methods that are replaced.


class KeepsItAtParking(Task[Any]):
    """A request that was not thrown yet is not handed on to what the task parks on: it stays with the task."""

    def _park(self, got: object) -> None:
        request, self._request = self._request, None
        super()._park(got)
        self._request = request


class DropsItAtParking(Task[Any]):
    """A request that was not thrown yet is dropped when the task parks."""

    def _park(self, got: object) -> None:
        self._request = None
        super()._park(got)


class StopsAtTheFirst(Task[Any]):
    """A request that comes to a task by one that awaits it goes no further: it is to be thrown when it runs."""

    def cancel(self, msg: Any = None) -> bool:
        inner = self._waiting
        if self._stage == PENDING and isinstance(inner, Task) and inner._stage == PENDING:
            self._cancels += 1
            inner._cancels += 1
            inner._request = self.Cancelled()
            return True
        return super().cancel(msg)


WRONG_TASKS: Final[tuple[Mutant, ...]] = (
    wrong_task(KeepsItAtParking, "CANCEL-3", "bpo-34872, its other half"),
    wrong_task(DropsItAtParking, "CANCEL-3", "contract: a request is never lost"),
    wrong_task(StopsAtTheFirst, "CANCEL-1", "bpo-34872, for chains of three"),
)
