"""KernelClock: our kernel owns the time of a run of trio, and trio its tasks.

Theory of operation.
1.  trio asks its clock how long it may sleep exactly when no task is runnable.  There the kernel moves: it runs what
    is due now, and if that wakes nobody, advances to the next of its own events, trio's next deadline, or the end of
    a quiet time (trio/order.py, 4); and so on until a task may go or a deadline has come.  The answer is always 0:
    nothing ever sleeps in reality.
2.  While tasks are runnable trio does not ask.  Then, once in each of its passes, the kernel runs a turn of what is
    due at this instant: tasks that spin do not starve the network (KERNEL-1).
3.  What cannot go on is observed (KERNEL-2, KERNEL-3): no runnable task, no deadline, nothing on the wire; or passes
    without end at one instant.  Both are told to `stuck`, which is to make something happen: it cancels the program.

Only public names of trio: `trio.abc.Clock`, `trio.abc.Instrument`, `trio.lowlevel.current_statistics`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import trio

from ...loop import NEVER, NS
from ...sim.kernel import TURNS_MAX, Kernel
from .order import Order, end_quiet_time, quiet_time

#: Called with the number of turns at one instant that were too many, or with None: nothing can happen any more.
Stuck = Callable[[int | None], None]


class KernelClock(trio.abc.Clock, trio.abc.Instrument):
    """trio's clock, and the instrument that looks at each of its passes."""

    def __init__(self, kernel: Kernel, order: Order, stuck: Stuck, turns_max: int = TURNS_MAX) -> None:
        self._kernel = kernel
        self._order = order
        self._stuck = stuck
        self._turns_max = turns_max
        self._turns = 0
        self._instant = 0  # at which `_turns` were counted
        self._quiet_since = 0
        order.stepped = self._stepped

    # --- trio.abc.Clock ----------------------------------------------------------------------------------

    def start_clock(self) -> None:
        """It runs already."""

    def current_time(self) -> float:
        """The virtual time in seconds, from 0."""
        return self._kernel.now / NS

    def deadline_to_sleep_time(self, deadline: float) -> float:
        """Let time pass until a task may go, or `deadline` has come."""
        if trio.lowlevel.current_statistics().run_sync_soon_queue_size:
            return 0  # somebody has called trio's token: trio looks there when it has "slept"
        kernel = self._kernel
        due = deadline_ns(deadline)
        while True:
            self._turn()
            if self._order.ready or (due is not None and due <= kernel.now):
                return 0
            cushion = quiet_time()
            ends = None if cushion is None else self._quiet_since + math.ceil(cushion * NS)
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
                kernel.advance(min(times))
            if self._spins():
                self._stuck(self._turns_max)
                return 0

    # --- trio.abc.Instrument -----------------------------------------------------------------------------

    def before_io_wait(self, timeout: float) -> None:
        """A pass of trio begins."""
        if self._order.ready:
            self._turn()
        if self._spins():
            self._stuck(self._turns_max)

    def after_io_wait(self, timeout: float) -> None:
        """Now trio looks for deadlines that have come."""
        self._order.happened()

    def _stepped(self) -> None:
        self._quiet_since = self._kernel.now

    # --- the kernel --------------------------------------------------------------------------------------

    def _turn(self) -> None:
        """Run what is due now, and not what becomes due by that."""
        kernel = self._kernel
        when = kernel.next_event()
        if when is not None and when <= kernel.now:
            kernel.advance(kernel.now)
        for _ in range(len(kernel.ready)):
            self._order.happened()
            kernel.step()

    def _spins(self) -> bool:
        """Count a turn; whether there were too many at one instant."""
        if self._instant != self._kernel.now:
            self._instant, self._turns = self._kernel.now, 0
        self._turns += 1
        if self._turns <= self._turns_max:
            return False
        self._turns = 0
        return True


def deadline_ns(deadline: float) -> int | None:
    """The first nanosecond at which `deadline` (seconds) has come, as `current_time` tells it; None: never."""
    if deadline * NS >= NEVER:
        return None
    when = max(0, math.ceil(deadline * NS))
    while when / NS < deadline:
        when += 1
    return when
