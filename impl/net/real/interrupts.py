"""Interrupts: Ctrl-C as a request to stop.

Theory of operation.
1.  A signal handler may run between any two bytecodes, also in the middle of the loop's own: there it must change
    nothing and raise nothing.  So it hands the loop a callback, and the loop takes it where all is in order.
2.  The first one cancels the main task, which cleans up.  The next ones raise KeyboardInterrupt out of the loop.
3.  A handler that finds its predecessor's callback not taken yet knows that the loop does not come round: some
    callback never returns.  It raises KeyboardInterrupt right there.
4.  Only in the main thread, and only if Ctrl-C would raise KeyboardInterrupt anyway: another handler is somebody's
    decision.  At the end the handler of before is back.

Source: CPython documentation, "Runners" ("Handling Keyboard Interruption"), and Lib/asyncio/runners.py of 3.13; 1 and
3 are ours: asyncio cancels, and raises, in the handler.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from threading import current_thread, main_thread
from types import FrameType, TracebackType
from typing import Any, Self

from ...tasks.callback import Callback
from ...tasks.task import Task


class Interrupts:
    """Turns SIGINT into a cancel of `main` while the `with` lasts.

    Parameters:
        main: the task to cancel.
        hand_over: how the loop is given a callback from a signal handler.
    """

    def __init__(self, main: Task[Any], hand_over: Callable[[Callback], None]) -> None:  # Any: as it returns
        self._main = main
        self._hand_over = hand_over
        self._installed = False
        self._untaken = False
        #: How many have come.
        self.count = 0

    def __enter__(self) -> Self:
        usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if usual and current_thread() is main_thread():
            signal.signal(signal.SIGINT, self._arrived)
            self._installed = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Restore the handler.

        Raises:
            KeyboardInterrupt: one came too late for the loop to take it.
        """
        if self._installed and signal.getsignal(signal.SIGINT) == self._arrived:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self._untaken:
            raise KeyboardInterrupt

    def _arrived(self, signum: int, frame: FrameType | None) -> None:
        self.count += 1
        if self._untaken:
            self._untaken = False
            raise KeyboardInterrupt
        self._untaken = True
        self._hand_over(Callback(self._take))

    def _take(self) -> None:
        if not self._untaken:
            return  # the next one has raised in its stead
        self._untaken = False
        if self.count > 1 or not self._main.cancel():
            raise KeyboardInterrupt
