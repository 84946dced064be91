"""The order of ready tasks with the freedoms of an implementation."""

from __future__ import annotations

from impl.interfaces import Runnable
from impl.sim.order import AnyOrder


class AnyTask(AnyOrder):
    """An order that lets the tasks that await one future run in any order, too; its callbacks keep theirs.

    "When the Future is done, the execution of the wrapped coroutine resumes" (asyncio.Task): nothing on which is first.
    """

    __slots__ = ()

    def append(self, item: Runnable, /) -> None:
        if item.is_callback:
            super().append(item)
            return
        self._count += 1
        self._size += 1
        self._free.append((self._count, item, (), None))
