"""KernelClock: our kernel owns the time of a run of trio, and trio its tasks.

1.  trio calls its clock exactly when no task is runnable, to learn how long it may sleep.  There the kernel moves: it
    runs the events of now, and if they wake no task, advances to the next of its own events, trio's next deadline, or
    the end of a quiet time (trio/order.py, 4), until a task is ready or a deadline has come.  The result is always 0:
    no run sleeps in real time.  Where timers may be late (sim/inject.py), the clock is: then several are due at once.
2.  While tasks are runnable trio does not call it.  Then, once in each pass of trio, the kernel runs a turn of the
    events of this instant: tasks that spin do not starve the network (KERNEL-1).
3.  A run that cannot continue is detected (KERNEL-2, KERNEL-3): no runnable task, no deadline, nothing on the wire; or
    passes that repeat themselves (sim/repetition.py).  Both call `stuck`, which cancels the program.

Only public names of trio: `trio.abc.Clock`, `trio.abc.Instrument`, `trio.lowlevel.current_statistics`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from types import FrameType

import trio

from ...errors import DeadlockError, LivelockError, UnfinishedError
from ...loop import MAX_TIME, NS_PER_SECOND
from ...sim.kernel import Kernel
from ...sim.limits import RunLimits
from ...sim.repetition import checked
from ..virtual_clock import VirtualClock
from .order import Order, end_quiet_time, quiet_time

#: Called with the error of a run that goes round or takes too long, or with None for a deadlock.
Stuck = Callable[[DeadlockError | None], None]


class KernelClock(trio.abc.Clock, trio.abc.Instrument):
    """trio's clock, and the instrument that trio calls in each of its passes."""

    def __init__(self, kernel: Kernel, clock: VirtualClock, order: Order, stuck: Stuck, limits: RunLimits) -> None:
        self._kernel = kernel
        self._clock = clock
        self._order = order
        self._stuck = stuck
        self._limits = limits
        self._bounds = checked(kernel, limits)
        self._left = limits.iterations
        #: Called with each deadline of trio that has come, in virtual nanoseconds.
        self.fired: Callable[[int], object] = lambda due: None
        self._quiet_since = 0
        order.stepped = self._stepped

    # --- trio.abc.Clock ----------------------------------------------------------------------------------

    def start_clock(self) -> None:
        """Do nothing: the kernel's clock is running."""

    def current_time(self) -> float:
        """The virtual time in seconds, from 0.

        Raises:
            LivelockError: the program polls the clock.  trio, which also reads it, does not get this error.
        """
        try:
            return self._clock.read() / NS_PER_SECOND
        except LivelockError:
            if _trio_reads():
                return self._kernel.now / NS_PER_SECOND
            raise

    def deadline_to_sleep_time(self, deadline: float) -> float:
        """Advance the time until a task is runnable, or `deadline` has passed."""
        if trio.lowlevel.current_statistics().run_sync_soon_queue_size:
            return 0  # a function waits in trio's entry queue, which trio runs after its "sleep"
        kernel = self._kernel
        due = deadline_ns(deadline)
        moves = 0
        while True:
            self._turn()
            if due is not None and due <= kernel.now:
                self.fired(due)
                return 0
            if self._order.ready or (self._order.kernel is not None and kernel.ready):
                return 0
            cushion = quiet_time()
            ends = None if cushion is None else self._quiet_since + math.ceil(cushion * NS_PER_SECOND)
            if cushion is not None and ends is not None and ends <= kernel.now:
                self._order.happened()
                end_quiet_time(cushion)
                return 0
            event = kernel.next_event()
            times = [when for when in (event, due, ends) if when is not None]
            if not times and not kernel.ready:
                self._stuck(None)
                return 0
            if not kernel.ready:
                kernel.advance(kernel.later(min(times)))
            moves += 1
            if moves > self._limits.most:
                self._stuck(UnfinishedError(f"not ended after {moves:,} events in which no task ran"))
                return 0

    # --- trio.abc.Instrument -----------------------------------------------------------------------------

    def before_io_wait(self, timeout: float) -> None:
        """A pass of trio begins."""
        if self._order.ready:
            self._turn()
        self._left -= 1
        if self._left:
            return
        try:
            self._left = next(self._bounds)
        except DeadlockError as error:
            # The program is cancelled, and may go round again.
            self._bounds = checked(self._kernel, self._limits)
            self._left = self._limits.iterations
            self._stuck(error)

    def after_io_wait(self, timeout: float) -> None:
        """trio is about to handle the deadlines that have passed."""
        self._order.happened()

    def _stepped(self) -> None:
        self._quiet_since = self._kernel.now

    # --- the kernel --------------------------------------------------------------------------------------

    def _turn(self) -> None:
        """Run the items that are due now, but not those that they make ready; where there are threads, Order does."""
        kernel = self._kernel
        when = kernel.next_event()
        if when is not None and when <= kernel.now:
            kernel.advance(kernel.now)
        if self._order.kernel is not None:
            return
        for _ in range(len(kernel.ready)):
            self._order.happened()
            kernel.step()


def _trio_reads() -> bool:
    """Whether the function that reads the clock, by any function called `current_time`, is trio's."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_name == "current_time":
        frame = frame.f_back
    return frame is not None and frame.f_globals.get("__name__", "").startswith("trio.")


def deadline_ns(deadline: float) -> int | None:
    """The first nanosecond at which `current_time` is at least `deadline` (seconds); None: never."""
    if deadline * NS_PER_SECOND >= MAX_TIME:
        return None
    when = max(0, math.ceil(deadline * NS_PER_SECOND))
    while when / NS_PER_SECOND < deadline:
        when += 1
    return when
