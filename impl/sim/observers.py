"""Several observers of one loop, which has one slot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..interfaces import Observer


class Observers(Observer):
    """Passes the events of one loop to several observers, in order."""

    __slots__ = ("_all",)

    def __init__(self, *observers: Observer) -> None:
        self._all = observers


def _passed_on(event: str) -> Callable[..., None]:
    def method(self: Observers, *about: Any) -> None:  # Any: the arguments of any event
        for each in self._all:
            getattr(each, event)(*about)

    return method


for _event in vars(Observer):
    if not _event.startswith("_"):
        setattr(Observers, _event, _passed_on(_event))
