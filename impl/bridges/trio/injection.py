"""Cancels and timeouts of a run of trio, drawn after each step of a task, as those of asyncio (sim/inject.py).

1.  trio cancels scopes, not tasks.  So a task is cancelled by the innermost scope around it, which may be that of its
    nursery: its sisters are cancelled with it, as when the program itself does so.
2.  A timeout is a scope that has a deadline.  The first one is cancelled alone, at its deadline, as if all else had
    stalled until then.  `trio.sleep` is such a scope, too, and never ends early.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

import trio

from ...sim.choices import Choices, Freedom
from ...sim.inject import CANCEL, CANCEL_WOKEN, EXPIRE, Injection, interruption
from ...sim.kernel import Kernel
from .clock import deadline_ns
from .order import scopes
from .report import Numbers

#: A scope with a deadline, and a task within it.
Timeout: TypeAlias = tuple[trio.CancelScope, trio.lowlevel.Task]


class InjectedCancels(trio.abc.Instrument):
    """Interrupts the program's tasks.

    Parameters:
        inject: the cancels and timeouts.
        choices: the source of the draws.
        kernel: has the time, which an injected timeout moves.
        own: the program's tasks that are not done, and their numbers.
    """

    def __init__(self, inject: Injection, choices: Choices, kernel: Kernel, own: Callable[[], Numbers]) -> None:
        self._inject = inject
        self._choices = choices
        self._kernel = kernel
        self._own = own
        #: The tasks that are cancelled before their next step.
        self._window: list[trio.lowlevel.Task] = []
        #: Called with the deadline of each timeout that expires, in virtual nanoseconds.
        self.fired: Callable[[int], object] = lambda due: None

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        if task in self._window:
            self._window.remove(task)
            self._cancel(task)

    def after_task_step(self, task: trio.lowlevel.Task) -> None:
        own = self._own()
        if task not in own:  # it is done, or is trio's own
            return
        function = getattr(task.coro, "__name__", "")
        names = self._inject.names(task.name, task.name.rpartition(".")[2], function)
        first = self._first(own) if self._inject.timeouts else None
        drawn = interruption(self._choices.faults, names, first is not None)
        if drawn == CANCEL:
            self._cancel(task)
        elif drawn == CANCEL_WOKEN:
            self._window.append(task)
        elif drawn == EXPIRE and first is not None:
            self._expire(*first)

    def _cancel(self, task: trio.lowlevel.Task) -> None:
        if (scope := next(_open(task), None)) is not None:
            self._choices.tell(Freedom.CANCELLED, task)
            scope.cancel()

    def _first(self, own: Numbers) -> Timeout | None:
        """The timeout that is due first; of several at once, that of the task which was made first, innermost first."""
        timeouts = ((scope, task) for task in own for scope in _open(task) if scope.deadline < math.inf)
        return min(timeouts, key=lambda timeout: timeout[0].deadline, default=None)

    def _expire(self, scope: trio.CancelScope, task: trio.lowlevel.Task) -> None:
        due = deadline_ns(scope.deadline)
        assert due is not None
        self._kernel.now = max(self._kernel.now, due)
        self.fired(due)
        self._choices.tell(Freedom.AROUND, task)
        scope.cancel()


def _open(task: trio.lowlevel.Task) -> Iterator[trio.CancelScope]:
    """Yield the scopes that can still be cancelled, the innermost first, without that of a sleep."""
    asleep = any(frame.f_code is trio.sleep_until.__code__ for frame, _ in task.iter_await_frames())
    return (scope for scope in islice(scopes(task), asleep, None) if not scope.cancel_called)
