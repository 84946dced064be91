"""Handles: the items that asyncio puts into a ready queue, as items of our kernel.

The order `any` (sim/order.py) distinguishes two kinds of callables that `call_soon` receives: a *turn*, which is the
step or the wake-up of a task and may be overtaken, and a plain callback.  A turn is recognized as a method of a task
with one of the names below.  The waker of a callback or a turn is the future that asyncio passes as its only argument.

The step of a C task is an object of a type of its own with the task as `__self__`; the wake-up is a bound method of the
task, as both are of a Python task.  The names are private to asyncio: tested on CPython 3.11 to 3.15.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context
from types import BuiltinMethodType, MethodType
from typing import Any, ClassVar, TypeAlias

from ...interfaces import Runnable

#: An argument of a callback, or the result of a task.
Value: TypeAlias = Any

#: The type of the step of a C task.
_STEP = "TaskStepMethWrapper"
_METHODS = frozenset({"task_wakeup", "_Task__step", "_Task__wakeup", "__step", "__wakeup"})


def turn_of(callback: object) -> asyncio.Task[Value] | None:
    """The task that gets its turn by `callback`, or None for a plain callback."""
    kind = type(callback)
    if kind is BuiltinMethodType or kind is MethodType:
        if callback.__name__ not in _METHODS:  # type: ignore[attr-defined]  # both kinds have one
            return None
    elif kind.__name__ != _STEP:
        return None
    owner = getattr(callback, "__self__", None)
    return owner if isinstance(owner, asyncio.Task) else None


class Called(Runnable):
    """The base of the handles below.  They have the slots, because asyncio's classes have slots too.

    The attributes of asyncio.Handle are never set: this class overrides every method that would read them.
    """

    __slots__ = ()

    is_callback: ClassVar[bool] = True

    fn: Callable[..., object] | None
    args: tuple[Value, ...]
    context: Context

    def run(self) -> None:
        fn = self.fn
        if fn is not None:
            fn(*self.args)

    def waker(self) -> object | None:
        """The only argument, if that is a future."""
        args = self.args
        return args[0] if len(args) == 1 and asyncio.isfuture(args[0]) else None

    def dead(self) -> bool:
        return self.fn is None

    def cancel(self) -> None:
        self.fn, self.args = None, ()  # type: ignore[misc]  # the slots are the subclasses'

    def cancelled(self) -> bool:
        return self.fn is None

    def get_context(self) -> Context:
        """The context that it is run in (asyncio: since 3.12)."""
        return self.context

    def name(self) -> str:
        """The name of the callback, without an address."""
        if self.fn is None:
            return "cancelled"
        named = getattr(self.fn, "__qualname__", None)
        return named if isinstance(named, str) else type(self.fn).__name__

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name()}>"


class Handle(Called, asyncio.Handle):
    """A plain callback (asyncio.Handle); it is run within its context by the kernel."""

    __slots__ = ("args", "context", "fn")

    def __init__(self, fn: Callable[..., object], args: tuple[Value, ...], context: Context) -> None:
        self.fn = fn
        self.args = args
        self.context = context


class Turn(Handle):
    """A task's step or wake-up."""

    __slots__ = ("_live", "task")

    is_callback: ClassVar[bool] = False

    def __init__(
        self,
        fn: Callable[..., object],
        args: tuple[Value, ...],
        context: Context,
        task: asyncio.Task[Value],
        live: dict[asyncio.Task[Value], None],
    ) -> None:
        """`live` holds the tasks that are not done; a task's last turn removes it."""
        self.fn = fn  # without `super().__init__`, which costs time
        self.args = args
        self.context = context
        self.task = task
        self._live = live

    def waker(self) -> object | None:
        """A step has no argument; a wake-up has its future."""
        return self.args[0] if self.args else None

    def run(self) -> None:
        fn = self.fn
        if fn is not None:
            fn(*self.args)
            if self.task.done():  # a task finishes in its own turn (CANCEL-7)
                self._live.pop(self.task, None)
                # On 3.12 the traceback of the task's error holds this frame, which must not hold the task.
                del self, fn


class TimerHandle(Called, asyncio.TimerHandle):
    """A callback with a deadline (asyncio.TimerHandle); equal to itself only."""

    __slots__ = ("args", "context", "due", "fn")

    def __init__(self, due: float, fn: Callable[..., object], args: tuple[Value, ...], context: Context) -> None:
        self.due = due  # in the loop's seconds
        self.fn = fn
        self.args = args
        self.context = context

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    def when(self) -> float:
        return self.due

    def __lt__(self, other: object) -> bool:
        return isinstance(other, TimerHandle) and self.due < other.due


class SleepHandle(TimerHandle):
    """The timer of asyncio.sleep: it only resolves a future."""

    __slots__ = ()

    only_wakes: ClassVar[bool] = True


#: The function that the timer of asyncio.sleep calls: private to asyncio (CPython 3.11 to 3.15).
_SLEEP_ENDS = asyncio.futures._set_result_unless_cancelled  # type: ignore[attr-defined]


def timer_class(callback: object) -> type[TimerHandle]:
    """The class of the handle of a timer that calls `callback`."""
    return SleepHandle if callback is _SLEEP_ENDS else TimerHandle
