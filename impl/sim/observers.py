"""Several observers of one loop, which has one slot."""

from __future__ import annotations

from ..interfaces import Item, Observer, Runnable, Watched


class Observers(Observer):
    """Passes the events of one loop to several observers, in order."""

    __slots__ = ("_all",)

    def __init__(self, *observers: Observer) -> None:
        self._all = observers

    def bind(self, clock: Watched) -> None:
        for each in self._all:
            each.bind(clock)

    def created(self, thing: object) -> None:
        for each in self._all:
            each.created(thing)

    def taken(self, item: Runnable) -> None:
        for each in self._all:
            each.taken(item)

    def ran(self, item: Runnable) -> None:
        for each in self._all:
            each.ran(item)

    def resolved(self, future: object) -> None:
        for each in self._all:
            each.resolved(future)

    def cancel_requested(self, task: object) -> None:
        for each in self._all:
            each.cancel_requested(task)

    def cancel_delivered(self, task: object) -> None:
        for each in self._all:
            each.cancel_delivered(task)

    def queue(self, queue: object, what: Item) -> None:
        for each in self._all:
            each.queue(queue, what)

    def timer(self, when: int, target: Runnable) -> None:
        for each in self._all:
            each.timer(when, target)

    def opened(self, conn: object, local: str, remote: str) -> None:
        for each in self._all:
            each.opened(conn, local, remote)

    def carried(self, conn: object, data: bytes) -> None:
        for each in self._all:
            each.carried(conn, data)

    def closed(self, conn: object, how: str) -> None:
        for each in self._all:
            each.closed(conn, how)

    def hosted(self, name: str, address: str) -> None:
        for each in self._all:
            each.hosted(name, address)

    def sent(self, conn: object, size: int) -> None:
        for each in self._all:
            each.sent(conn, size)

    def struck(self, host: str, fault: str) -> None:
        for each in self._all:
            each.struck(host, fault)
