"""Handles: what asyncio puts into a ready queue, as items of our kernel.

Theory of operation.  `call_soon` gets a callable and does not say what it is.  Two kinds matter to the order `any`
(order.py): a *turn*, the step or the wake-up of a task, which may be overtaken, and everything else, which is plain.
A turn is told by what asyncio passes: a method of a task, by one of the names below.  What a callback, or a turn, was
woken by is the future that asyncio passes as its only argument.

The C task's step is an object of a type of its own that has the task as `__self__`; its wake-up is a bound method of
the task, as are both of the Python task.  The names are asyncio's own affair: seen on CPython 3.11, 3.12 and 3.13.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context
from types import BuiltinMethodType, MethodType
from typing import Any, ClassVar

from ...interfaces import Runnable

# Any in this file: arguments are the caller's, results of tasks too.

#: How the step of a C task is called: a type, not a method.
_STEP = "TaskStepMethWrapper"
_METHODS = frozenset({"task_wakeup", "_Task__step", "_Task__wakeup", "__step", "__wakeup"})


def turn_of(callback: object) -> asyncio.Task[Any] | None:
    """The task whose turn `callback` is, or None: it is plain."""
    kind = type(callback)
    if kind is BuiltinMethodType or kind is MethodType:
        if callback.__name__ not in _METHODS:  # type: ignore[attr-defined]  # both kinds have one
            return None
    elif kind.__name__ != _STEP:
        return None
    owner = getattr(callback, "__self__", None)
    return owner if isinstance(owner, asyncio.Task) else None


class Called(Runnable):
    """What the handles below have in common; the slots are theirs, for asyncio's classes have slots too.

    asyncio.Handle's own attributes are never set: every method that would read them is here.
    """

    __slots__ = ()

    plain: ClassVar[bool] = True

    fn: Callable[..., object] | None
    args: tuple[Any, ...]
    context: Context

    def run(self) -> None:
        fn = self.fn
        if fn is not None:
            fn(*self.args)

    def woken_by(self) -> object | None:
        """The future that it is told of, if that is its only argument."""
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
        """What is called, without an address."""
        if self.fn is None:
            return "cancelled"
        named = getattr(self.fn, "__qualname__", None)
        return named if isinstance(named, str) else type(self.fn).__name__

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name()}>"


class Handle(Called, asyncio.Handle):
    """A plain callback (asyncio.Handle); it is run within its context by the kernel."""

    __slots__ = ("args", "context", "fn")

    def __init__(self, fn: Callable[..., object], args: tuple[Any, ...], context: Context) -> None:
        self.fn = fn
        self.args = args
        self.context = context


class Turn(Handle):
    """A task's step or wake-up."""

    __slots__ = ("_live", "task")

    plain: ClassVar[bool] = False

    def __init__(
        self,
        fn: Callable[..., object],
        args: tuple[Any, ...],
        context: Context,
        task: asyncio.Task[Any],
        live: dict[asyncio.Task[Any], None],
    ) -> None:
        """`live` holds the tasks that are not done: it is taken out of it in its last turn."""
        self.fn = fn  # each by itself: `super().__init__` costs
        self.args = args
        self.context = context
        self.task = task
        self._live = live

    def woken_by(self) -> object | None:
        """A step has no argument; a wake-up has its future."""
        return self.args[0] if self.args else None

    def run(self) -> None:
        fn = self.fn
        if fn is not None:
            fn(*self.args)
            if self.task.done():  # a task ends in its turn (CANCEL-7)
                self._live.pop(self.task, None)


class TimerHandle(Called, asyncio.TimerHandle):
    """A callback with a deadline (asyncio.TimerHandle); two are equal only if they are one."""

    __slots__ = ("args", "context", "due", "fn")

    def __init__(
        self, due: float, fn: Callable[..., object], args: tuple[Any, ...], context: Context
    ) -> None:
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
