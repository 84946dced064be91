"""Signals as a request to stop: the first SIGINT cancels a task; a policy decides about later ones.

1.  A signal handler may run between any two bytecodes, even inside the loop's own code, where it must change nothing
    and raise nothing.  So it passes a callback to the loop, which runs it at a safe point.
2.  Handlers are installed in the main thread only, and only if Ctrl-C would otherwise raise KeyboardInterrupt, and
    another signal end the process: any other handler was the program's choice (nohup ignores SIGHUP).  The previous
    handler is restored at the end.

`Interrupts` is the policy of asyncio's Runner, `crawl/interrupt.py` that of the crawl command.

Source: CPython documentation, "Runners" ("Handling Keyboard Interruption"), and Lib/asyncio/runners.py of 3.15; 1 is
ours: asyncio cancels, and raises, in the handler.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, ClassVar, Final, Self

from ...tasks.callback import Callback
from ...tasks.task import Task

#: A terminal that is closed sends it; Windows does not have it.
HANG_UP: Final[list[signal.Signals]] = []
if sys.platform != "win32":
    HANG_UP.append(signal.SIGHUP)

#: The result of the task is not looked at.
AnyTask = Task[Any]


@contextmanager
def held_back(numbers: Iterable[int]) -> Iterator[None]:
    """Within the body these signals wait; Windows does not block signals."""
    if sys.platform == "win32":
        yield
    else:
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def _usual(number: signal.Signals) -> Any:
    """The handler that Python installs.  Any: as for `Signals.restored`."""
    return signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL


class Signals:
    """Calls `arrived` for each signal of `numbers` while the `with` lasts.

    Parameters:
        main: the task to cancel.
        hand_over: adds a callback to the loop; safe in a signal handler.
    """

    numbers: ClassVar[tuple[signal.Signals, ...]] = (signal.SIGINT,)

    def __init__(self, main: AnyTask, hand_over: Callable[[Callback], None]) -> None:
        self.main = main
        self.hand_over = hand_over
        self._installed: list[signal.Signals] = []
        #: How many signals have arrived, and the first of them.
        self.count = 0
        self.first: int | None = None

    def arrived(self) -> None:
        """The policy: one more signal has arrived, and `count` includes it."""
        raise NotImplementedError

    def restored(self, number: signal.Signals) -> Any:
        """The handler to install at the end.  Any: a handler, in the types that `signal.signal` accepts."""
        return _usual(number)

    def __enter__(self) -> Self:
        if current_thread() is main_thread():
            for number in self.numbers:
                if signal.getsignal(number) is _usual(number):
                    signal.signal(number, self._handle)
                    self._installed.append(number)
        return self

    def __exit__(self, *error: object) -> None:
        ours = [number for number in self._installed if signal.getsignal(number) == self._handle]
        if not ours:
            return
        # Blocking handles the signals that have arrived: CPython reports one if its handler changes before it runs.
        with held_back(ours):
            for number in ours:
                signal.signal(number, self.restored(number))

    def _handle(self, signum: int, frame: FrameType | None) -> None:
        self.count += 1
        if self.first is None:
            self.first = signum
        self.arrived()


class Interrupts(Signals):
    """The first signal cancels `main`, which cleans up; the next ones raise KeyboardInterrupt out of the loop.

    If the callback of the previous signal has not run yet, the loop is stuck in user code: the handler raises
    KeyboardInterrupt right there.  `__exit__` raises it for a signal if its callback never ran.
    """

    def __init__(self, main: AnyTask, hand_over: Callable[[Callback], None]) -> None:
        super().__init__(main, hand_over)
        self._pending = False

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        if self._pending:
            raise KeyboardInterrupt

    def arrived(self) -> None:
        if self._pending:
            self._pending = False
            raise KeyboardInterrupt
        self._pending = True
        self.hand_over(Callback(self._take))

    def _take(self) -> None:
        if not self._pending:
            return  # a later signal has raised in its place
        self._pending = False
        if self.count > 1 or not self.main.cancel():
            raise KeyboardInterrupt
