"""Ctrl-C, SIGTERM and, where there is one, SIGHUP stop the crawl, but not its report."""

from __future__ import annotations

import signal
from time import monotonic
from typing import Any, ClassVar, Final

from ..net.real.interrupts import HANG_UP, AnyTask, Signals
from ..net.real.loop import SocketLoop
from ..tasks.callback import Callback

#: The time, in seconds, that the loop has to run the cancel.
_GRACE_S: Final = 1.0


class Interrupt(Signals):
    """Turns a signal into a cancel of `crawl`, a task of `loop`, until `over`; ignores them from then on.

    The first signal cancels the crawl.  Further ones, from an impatient user or a key that is held down, have no
    effect: the report is printed whole.  If the crawl has not ended a second later, because the loop is stuck (in a
    regular expression, say), one more raises KeyboardInterrupt in the running code; this happens once.

    After an interrupt SIGINT and the first signal are ignored for good: the process is about to end.  Python would
    report a SIGINT in its last milliseconds with a traceback, and one more SIGTERM, from a supervisor that sends two,
    would end the process with another status, perhaps within the report.
    """

    numbers: ClassVar = (signal.SIGINT, signal.SIGTERM, *HANG_UP)

    def __init__(self, loop: SocketLoop, crawl: AnyTask) -> None:
        super().__init__(crawl, loop.hand_over)
        self._since: float | None = None
        self._over = False

    @property
    def status(self) -> int:
        """The exit status that a shell gives to the first signal; that of Ctrl-C if there was none."""
        return 128 + (self.first or signal.SIGINT)

    def over(self) -> None:
        """Ignore further signals: the crawl has ended."""
        self._over = True

    def restored(self, number: signal.Signals) -> Any:
        ignored = self.first is not None and number in {signal.SIGINT, self.first}
        return signal.SIG_IGN if ignored else super().restored(number)

    def arrived(self) -> None:
        if self._over:
            return
        now = monotonic()
        if self._since is None:  # not the count: a signal may arrive within the handler of another
            self._since = now
            self.hand_over(Callback(self.main.cancel))
        elif now - self._since > _GRACE_S:
            self._over = True
            raise KeyboardInterrupt
