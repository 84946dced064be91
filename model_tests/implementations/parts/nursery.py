"""A right task group, of a design of its own."""

import asyncio
import sys
from asyncio import CancelledError, Future
from collections.abc import Collection
from typing import Any

_Task = asyncio.Task[Any]


class Nursery(asyncio.TaskGroup):
    """A right group, of its own design, with steps that can be replaced."""

    __repr__ = object.__repr__

    def __init__(self) -> None:
        super().__init__()
        self._stage = "new"
        self._host: Any = None
        self._children: dict[_Task, None] = {}
        self._faults: list[BaseException] = []
        self._fatal: BaseException | None = None
        self._empty: Future[None] | None = None
        #: the children were cancelled; the host's cancel was requested, by this group; before the entry
        self._stopping = self._asked = self._early = False

    async def __aenter__(self) -> Any:
        if self._stage != "new":
            raise RuntimeError("the group has already been entered")
        self._host = asyncio.current_task()
        if self._host is None:
            raise RuntimeError("the group cannot determine the parent task")
        self._stage = "open"
        if self._early:
            self._abort_all(ask=True)
        return self

    def create_task(self, coro: Any, *, name: Any = None, context: Any = None, **keywords: Any) -> Any:
        if self._stage == "new" or self._stopping or (self._stage == "leaving" and not self._children):
            coro.close()
            raise RuntimeError("the group is not active")
        loop: Any = asyncio.get_running_loop()
        task = loop.create_task(coro, name=name, context=context, **keywords)
        self._children[task] = None
        task.add_done_callback(self._ended)
        if self._stopping and not task.done():
            task.cancel()
        return task

    def _abort_all(self, ask: bool) -> None:
        self._stopping = True
        for task in list(self._children):
            task.cancel()
        if ask and not self._asked:
            self._asked = True
            self._host.cancel()

    def _pending(self) -> Collection[_Task]:
        return self._children

    def _ended(self, task: _Task) -> None:
        self._children.pop(task, None)
        if self._empty is not None and not self._empty.done() and not self._pending():
            self._empty.set_result(None)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        self._faults.append(error)
        if self._fatal is None and isinstance(error, SystemExit | KeyboardInterrupt):
            self._fatal = error
        if not self._stopping and self._host is not None:
            self._abort_all(ask=True)

    def _take_back(self) -> bool:
        """Take the group's request back, and return whether no other is left."""
        return bool(self._host.uncancel() == 0)

    def _is_bare(self, error: BaseException) -> bool:
        """Return whether this error of the body is raised itself, if it is the only one."""
        return isinstance(error, GeneratorExit)

    async def __aexit__(self, et: Any, exc: Any, tb: Any) -> Any:
        self._stage = "leaving"
        outside = exc if isinstance(exc, CancelledError) else None
        later = None
        if self._fatal is None and isinstance(exc, SystemExit | KeyboardInterrupt):
            self._fatal = exc
        if exc is not None and not self._stopping:
            self._abort_all(ask=False)
        try:
            while self._pending():
                self._empty = asyncio.get_running_loop().create_future()
                try:
                    await self._empty
                except CancelledError as error:
                    later = error
                    if not self._stopping:
                        outside = error
                        self._abort_all(ask=False)
            self._finish(exc, outside, later)
            return True
        finally:
            self._host = self._fatal = self._empty = exc = outside = later = None
            self._faults = []

    def _finish(self, exc: Any, outside: Any, later: Any) -> None:
        others = self._host.cancelling() > 0
        try:
            if self._fatal is not None:
                raise self._fatal
            if self._asked:
                others = not self._take_back()
                outside = (outside or later) if others else None
            if outside is not None and not self._faults:
                raise outside
            if exc is not None and not isinstance(exc, CancelledError):
                if not self._faults and self._is_bare(exc):
                    raise exc
                self._faults.append(exc)
            if self._faults:
                if others:
                    self._host.uncancel()
                    self._host.cancel()
                raise BaseExceptionGroup("unhandled errors in a TaskGroup", self._faults) from None
        finally:
            exc = outside = later = None

    if sys.version_info >= (3, 15):

        def cancel(self) -> None:
            self._early = self._stage == "new"
            if not self._early and not self._stopping and (self._stage == "open" or self._children):
                self._abort_all(ask=True)
