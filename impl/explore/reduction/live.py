"""The tasks of a loop that are not done, as a dictionary that records its accesses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .footprint import log

# Any in this file: tasks of either runtime.


class LiveTasks(dict[Any, None]):
    """Adding and removing tasks commute; looking at all of them does not.

    Parameters:
        owner: the object that the accesses are to.
    """

    def __init__(self, owner: object) -> None:
        super().__init__()
        self._owner = owner

    def __setitem__(self, task: Any, value: None) -> None:
        log.add(self._owner, "live")
        super().__setitem__(task, value)

    def __delitem__(self, task: Any) -> None:
        log.add(self._owner, "live")
        super().__delitem__(task)

    def pop(self, task: Any, *default: Any) -> Any:
        log.add(self._owner, "live")
        return super().pop(task, *default)

    def __iter__(self) -> Iterator[Any]:
        log.read(self._owner, "live")
        return super().__iter__()

    def unseen(self) -> list[Any]:
        """The tasks, without an access."""
        return list(dict.keys(self))
