"""Ctrl-C ends the crawl, and not the report of it.

Theory of operation.  A signal handler may run between any two bytecodes, so this one raises nothing: it hands the
loop the cancel of the crawl's task, which cleans up.  Further ones change nothing, be they impatience or a key that
is held down: the report is printed whole.  Only a crawl that has not ended a second later, because the loop does
not come round (a regular expression that takes for ever), is ended by a KeyboardInterrupt right where it is: once,
so that nobody has to expect a second.

After an interrupt SIGINT is ignored for good, since the process is about to end, and Python would tell of a signal
in its last milliseconds by a traceback.
"""

from __future__ import annotations

import signal
from threading import current_thread, main_thread
from time import monotonic
from types import FrameType, TracebackType
from typing import Any, Final, Self

from ..net.real.loop import SocketLoop
from ..tasks.callback import Callback
from ..tasks.task import Task

#: How long, in seconds, the loop is trusted to come round.
_GRACE_S: Final = 1.0


class Interrupt:
    """Turns SIGINT into a cancel of `crawl`, a task of `loop`, until `over`; ignores it from then on.

    Only in the main thread, and only if Ctrl-C would raise KeyboardInterrupt anyway: another handler is somebody's
    decision.
    """

    def __init__(self, loop: SocketLoop, crawl: Task[Any]) -> None:  # Any: what it returns is not looked at
        self._loop = loop
        self._crawl = crawl
        self._first: float | None = None
        self._over = False
        self._installed = False

    def over(self) -> None:
        """The crawl has ended, however it did."""
        self._over = True

    def __enter__(self) -> Self:
        usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if usual and current_thread() is main_thread():
            self._installed = True
            signal.signal(signal.SIGINT, self._heard)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._installed:
            unheard = self._first is None
            signal.signal(signal.SIGINT, signal.default_int_handler if unheard else signal.SIG_IGN)

    def _heard(self, signum: int, frame: FrameType | None) -> None:
        if self._over:
            return
        now = monotonic()
        if self._first is None:
            self._first = now
            self._loop.hand_over(Callback(self._crawl.cancel))
        elif now - self._first > _GRACE_S:
            self._over = True
            raise KeyboardInterrupt
