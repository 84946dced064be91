"""Ctrl-C stops the crawl, but not its report."""

from __future__ import annotations

import signal
from time import monotonic
from typing import Any, Final

from ..net.real.interrupts import AnyTask, Signals
from ..net.real.loop import SocketLoop
from ..tasks.callback import Callback

#: The time, in seconds, that the loop has to run the cancel.
_GRACE_S: Final = 1.0


class Interrupt(Signals):
    """Turns SIGINT into a cancel of `crawl`, a task of `loop`, until `over`; ignores it from then on.

    The first SIGINT cancels the crawl.  Further ones, from an impatient user or a key that is held down, have no
    effect: the report is printed whole.  If the crawl has not ended a second later, because the loop is stuck (in a
    regular expression, say), one more raises KeyboardInterrupt in the running code; this happens once.

    After an interrupt SIGINT is ignored for good: the process is about to end, and Python would report a signal in its
    last milliseconds with a traceback.
    """

    def __init__(self, loop: SocketLoop, crawl: AnyTask) -> None:
        super().__init__(crawl, loop.hand_over)
        self._first: float | None = None
        self._over = False

    def over(self) -> None:
        """Ignore further signals: the crawl has ended."""
        self._over = True

    def restored(self) -> Any:
        return signal.default_int_handler if self._first is None else signal.SIG_IGN

    def arrived(self) -> None:
        if self._over:
            return
        now = monotonic()
        if self._first is None:
            self._first = now
            self.hand_over(Callback(self.main.cancel))
        elif now - self._first > _GRACE_S:
            self._over = True
            raise KeyboardInterrupt
