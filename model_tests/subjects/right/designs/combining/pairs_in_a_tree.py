"""The children stand at the leaves of a tree of futures, and each inner future joins two lists.

The documentation fixes the order of the results and leaves free the way they take to the outer future.
"""

from __future__ import annotations

import asyncio
from typing import Any

from ..combining_base import children_of


class _Node(asyncio.Future[list[Any]]):
    def __init__(self, parts: list[asyncio.Future[Any]], keep: bool, leaf: bool) -> None:
        super().__init__(loop=parts[0].get_loop() if parts else None)
        self._parts, self._keep, self._leaf = parts, keep, leaf
        self._asked: list[Any] = []
        self._left, self._values = len(parts), dict[int, list[Any]]()
        for part in parts:
            part.add_done_callback(self._look)

    def _look(self, part: asyncio.Future[Any]) -> None:
        self._left -= 1
        try:
            self._values[id(part)] = [part.result()] if self._leaf else part.result()
        except BaseException as error:
            self._values[id(part)] = [error]
            if not self.done() and not self._asked and not (self._keep and self._leaf):
                self.set_exception(error)
        if not self.done() and not self._left:
            if self._asked:
                super().cancel(self._asked[0])
            else:
                self.set_result([value for one in self._parts for value in self._values[id(one)]])

    def cancel(self, msg: Any = None) -> bool:
        if self.done():
            return False
        self._asked = [msg]
        for part in self._parts:
            part.cancel(msg)
        return True


def gather(*coros_or_futures: Any, return_exceptions: bool = False) -> asyncio.Future[list[Any]]:
    keep = return_exceptions
    level: list[asyncio.Future[Any]] = [_Node([one], keep, True) for one in children_of(coros_or_futures)]
    while len(level) > 1:
        level = [_Node(level[place : place + 2], keep, False) for place in range(0, len(level), 2)]
    if not level:
        level = [_Node([], keep, False)]
        level[0].set_result([])
    return level[0]
