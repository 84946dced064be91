"""A run of trio as the guard sees it (bridges/asyncio/guard.py): its threads, and the advice of its errors.

1.  trio keeps idle threads, for the calls of any run.  In a simulated run each call has a thread of its own, which is
    simulated as those of threading are (guards/thread_starts.py).  All else of trio.to_thread is trio's own code.
2.  After trio has ended, the threads that are no daemons end, as CPython waits for them, and the others are unwound.
"""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias

import outcome
import trio

from ...errors import DeadlockError, Refusal
from ...sim.end import STEPS_MAX
from ...sim.limits import RunLimits
from ...threads.group import RunThreads, ThreadGroup
from ...threads.thread import running_thread
from ..guards import thread_starts
from ..guards.adoption import adopt
from ..simulation import OutsideSimulation, importing_ends_at
from .order import Order, replace_threads
from .report import Numbers, report

#: A result of a function that a thread runs.
Value: TypeAlias = Any
_SOCKETS: Final = "trio's streams, or trio.socket.socket, which makes a simulated one"

_FUNCTION: Final = "an async function of this program"

#: The advice by the beginning of the audit event; the first that matches applies.
_INSTEAD: Final = {
    "socket.get": "the functions of the module socket",
    "socket.": _SOCKETS,
    "signal.": "trio.move_on_after or trio.fail_after",
    "asyncio.": "trio's functions",
    "": _FUNCTION,
}
_ANOTHER_RUN: Final = "a run of trio in a thread", "trio.from_thread.run, which runs a function in the first run"


class TrioGuest(RunThreads):
    """The part of a run of trio that the guard calls."""

    order: Order
    limits: RunLimits
    #: The refusal of a thread that did not end.
    unending: Refusal | None = None

    def suggestion(self, event: str) -> str:
        """The thing to use instead of the function that raises this audit event: one of trio's."""
        return next(text for begin, text in _INSTEAD.items() if event.startswith(begin))

    def own(self) -> Numbers:
        """The tasks that are not trio's own."""
        raise NotImplementedError

    def group(self) -> ThreadGroup:
        if self.threads is None:
            adopt()
            self.order.kernel = self.kernel
        return super().group()

    def current(self) -> trio.lowlevel.Task | None:
        """The task that runs; None: none does."""
        return trio.lowlevel.current_task() if trio.lowlevel.in_trio_task() else None

    def deadlocked(self) -> DeadlockError:
        error = report(self.own(), self.threads, None)
        assert isinstance(error, DeadlockError)
        return error

    def thread_failed(self, thread: threading.Thread, report: Callable[[], object]) -> None:
        is_search = self.limits.unhandled is not None
        super().thread_failed(thread, (lambda: None) if is_search else report)

    @contextmanager
    def threads_ended(self) -> Iterator[None]:
        """End the threads after the body, in which trio runs."""
        try:
            yield
        finally:
            if self.threads is not None:
                self.kernel.limits = replace(self.limits, unhandled=None)
                self.threads.finish(STEPS_MAX)
                with thread_starts.quiet():
                    self.unending = self.threads.end()


def _start(fn: Callable[[], Value], deliver: Callable[[Value], object], name: str | None) -> bool:
    """Start a thread of a simulated run, and return True; outside of one, return False.

    Parameters: as those of trio.lowlevel.start_thread_soon.
    """
    here = thread_starts.run_of_threads()
    if here is None:
        return False
    around = (cell.cell_contents for cell in fn.__closure__ or ())
    if any(getattr(each, "func", None) is subprocess.Popen for each in around):  # trio starts processes in threads
        raise OutsideSimulation("a subprocess", _FUNCTION)
    named = f"Trio thread {here.count('trio') - 1}" if name is None else name
    threading.Thread(target=partial(_work, fn, deliver), name=named, daemon=True).start()
    return True


def _work(fn: Callable[[], Value], deliver: Callable[[Value], object]) -> None:
    deliver(outcome.capture(fn))


def _check_run() -> None:
    """Raises OutsideSimulation: a thread of a run begins another run of trio."""
    if running_thread() is not None:
        raise OutsideSimulation(*_ANOTHER_RUN)


importing_ends_at(trio.run.__code__)
replace_threads(_start, _check_run)
