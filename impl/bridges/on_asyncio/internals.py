"""Inside: the attributes that asyncio's own code, its C tasks and CPython's tests read from a future or a task.

None of them is documented.  `_asyncio_future_blocking` is how a task of asyncio distinguishes `yield from` from
`yield`; `_source_traceback` is shown when debugging; asyncio's `repr`, its introspection or its tests read the others.
All are views of the state of our classes, never a second copy.
"""

from __future__ import annotations

import sys
import types
from asyncio import base_futures, base_tasks, format_helpers
from contextvars import Context
from typing import TYPE_CHECKING, Any, ClassVar

from ...tasks.awaiters import awaiters
from ...tasks.callback import DoneCallback
from ...tasks.future import CANCELLED, FAILED, PENDING, RESULT
from ...tasks.future import Future as OurFuture
from ...tasks.task import Task as OurTask

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from .host import AsyncioSpawner

# Any in this file: views of attributes that asyncio leaves untyped.

# The types of their underscored names are unknown.
_shows: Any = base_futures
_traces: Any = base_tasks

_NAMES = {PENDING: "PENDING", RESULT: "FINISHED", FAILED: "FINISHED", CANCELLED: "CANCELLED"}


def creation(loop: AbstractEventLoop) -> Any:
    """The stack at a future's creation, for asyncio's debug mode; None unless `loop` is in that mode."""
    return format_helpers.extract_stack(sys._getframe(2)) if loop.get_debug() else None


class InsideFuture(OurFuture[Any]):
    """The views of a future."""

    _asyncio_future_blocking = False
    _source_traceback: Any = None
    _stage = PENDING  # for instances without a call of __init__

    _host: AsyncioSpawner

    __class_getitem__: ClassVar[Any] = classmethod(types.GenericAlias)

    @property
    def _loop(self) -> Any:
        return self._host.loop if hasattr(self, "_host") else None

    @property
    def _state(self) -> str:
        return _NAMES[self._stage]

    @property
    def _result(self) -> Any:
        return self._value if self._stage == RESULT else None

    @property
    def _exception(self) -> BaseException | None:
        return self._value.error if self._stage == FAILED else None

    @property
    def _cancel_message(self) -> Any:
        return self._value if self._stage == CANCELLED else None

    @_cancel_message.setter
    def _cancel_message(self, msg: Any) -> None:
        self._value = msg

    @property
    def _callbacks(self) -> list[tuple[Any, Context | None]]:
        return [
            (waiter._fn if isinstance(waiter, DoneCallback) else waiter.run, waiter.context)
            for waiter in self._waiters()
        ]

    @property
    def _asyncio_awaited_by(self) -> frozenset[Any] | None:
        return frozenset(awaiters(self)) or None

    @property
    def _log_traceback(self) -> bool:
        return self._stage == FAILED and not self._value.seen

    @_log_traceback.setter
    def _log_traceback(self, on: bool) -> None:
        if on:
            raise ValueError("_log_traceback can only be set to False")
        if self._stage == FAILED:
            self._value.seen = True

    def _make_cancelled_error(self) -> BaseException:
        return self._cancelled_error()

    def __repr__(self) -> str:
        shown: str = _shows._future_repr(self)
        return shown


class InsideTask(InsideFuture, OurTask[Any]):
    """The views of a task."""

    _log_destroy_pending = False  # as with _stage

    @property
    def _fut_waiter(self) -> Any:
        return self._waiting

    @property
    def _cancel_message(self) -> Any:
        request = self._request
        return super()._cancel_message if request is None else request.args[0] if request.args else None

    @_cancel_message.setter
    def _cancel_message(self, msg: Any) -> None:
        self._request = self.Cancelled(msg)

    @property
    def _must_cancel(self) -> bool:
        return self._request is not None

    def print_stack(self, *, limit: int | None = None, file: Any = None) -> None:
        _traces._task_print_stack(self, limit, file)

    def __repr__(self) -> str:
        shown: str = _traces._task_repr(self)
        return shown
