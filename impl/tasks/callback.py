"""Callbacks: the items that call_soon, timers, done callbacks and the network put into the ready queue.

A callback is a function with its arguments and a context.  It is its own handle, as asyncio's Handle is: `cancel()`
empties it, and a cancelled callback that reaches the head of the queue runs nothing.  Errors of the function pass
through `run`; the kernel reports them and continues.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context
from typing import Any, ClassVar

from ..interfaces import Runnable


class Callback(Runnable):
    """A function that the loop will call once, unless it is cancelled before (asyncio.Handle)."""

    __slots__ = ("_args", "_fn", "context")

    is_callback: ClassVar[bool] = True

    def __init__(
        self, fn: Callable[..., object], args: tuple[Any, ...] = (), context: Context | None = None
    ) -> None:  # Any: the arguments are the caller's, as in asyncio.Handle
        self._fn: Callable[..., object] | None = fn
        self._args = args
        self.context = context

    def run(self) -> None:
        fn = self._fn
        if fn is not None:
            fn(*self._args)

    def cancel(self) -> None:
        """Do not call it any more; a second call is harmless."""
        self._fn, self._args = None, ()

    def cancelled(self) -> bool:
        """Whether it was cancelled; it then runs no more (LOOP-5)."""
        return self._fn is None

    def dead(self) -> bool:
        return self._fn is None

    def __repr__(self) -> str:
        name = "cancelled" if self._fn is None else getattr(self._fn, "__qualname__", repr(self._fn))
        return f"<{type(self).__name__} {name}>"


class TimerHandle(Callback):
    """A callback with a deadline (asyncio.TimerHandle)."""

    __slots__ = ("_when",)

    def __init__(
        self, when: float, fn: Callable[..., object], args: tuple[Any, ...], context: Context | None
    ) -> None:  # Any: as above
        super().__init__(fn, args, context)
        self._when = when

    def when(self) -> float:
        """The time, in the loop's seconds, at which it is due."""
        return self._when


class DoneCallback(Callback):
    """A callback of a future: it is called with that future, after it is done."""

    __slots__ = ()

    def waker(self) -> object:
        return self._args[0]

    @property
    def function(self) -> Callable[..., object] | None:
        """The function that it calls; None: it was cancelled."""
        return self._fn

    def calls(self, fn: object) -> bool:
        """Whether it would call `fn` (compared with ==, as remove_done_callback does)."""
        return self._fn == fn
