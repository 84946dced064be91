"""Futures, tasks, and the order of ready tasks, with the freedoms of an implementation."""

from collections.abc import Callable, Generator
from contextvars import Context
from typing import Any, TypeVar

import impl
from impl.interfaces import Runnable
from impl.sim.order import AnyOrder

from .draws import drawn

T = TypeVar("T")


class Future(impl.Future[T]):
    """A future that may take a turn at an await although it is done, against FUT-4, which is settled."""

    __slots__ = ()

    def __await__(self) -> Generator[Any, None, T]:
        if self.done() and drawn():
            yield None  # gives up the turn
        return (yield from super().__await__())

    __iter__ = __await__


# Any in this class: a callback takes the future itself.
class WithdrawnFuture(impl.Future[T]):
    """A future that can withdraw callbacks until they have been called, as one does that calls them in one handle."""

    def add_done_callback(self, fn: Callable[[Any], object], *, context: Context | None = None) -> None:
        entry = [fn]  # it is emptied when the callback is called, or withdrawn

        def call(future: Any) -> None:
            while entry:
                entry.pop()(future)

        self._entries.append(entry)
        super().add_done_callback(call, context=context)

    @property
    def _entries(self) -> list[list[Callable[[Any], object]]]:
        """An entry for each callback."""
        entries: list[Any] = vars(self).setdefault("entries", [])
        return entries

    def remove_done_callback(self, fn: Callable[[Any], object]) -> int:
        if self.done() and not drawn():
            return 0
        removed = [entry for entry in self._entries if entry == [fn]]
        for entry in removed:
            entry.clear()
        return len(removed)


class Task(impl.Task[T]):
    """A task that was asked to cancel, and that awaits a future which was cancelled, too: either message will do."""

    __slots__ = ()

    def _to_throw(self) -> BaseException:
        request = self._request
        error = super()._to_throw()
        if request is None or error is request or not isinstance(error, impl.CancelledError):
            return error
        return request if drawn() else error


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
