"""Teaching code: the simulated environment: one clock, one network, threads that pass a baton.

The package's web server (`serving.hosting`) runs as tasks of a `Loop` in virtual time; a rung runs outside of it.
While a rung blocks in a socket, a selector or a queue, the environment runs iterations of that loop until the rung can
continue.  So a blocking call moves the clock and takes no real time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...loop import NS_PER_SECOND, Loop
from ...net import NetworkConditions, SimulatedNet
from ...sim.choices import Choices
from ...tasks.callback import Callback
from ...tasks.current import set_running_loop
from ...web.serving.hosting import host
from ...web.serving.site import Site
from .baton import Baton, SimLock, SimQueue, SimThread
from .interfaces import BACKLOG, World
from .sim_socket import SimSockets

#: The cost of a call that finds nothing ready, in virtual nanoseconds: a system call and the loop around it.
ATTEMPT_NS: Final = 50_000

#: How many calls of `select` with a time-out of 0 may find nothing at one instant before they take time.
LOOKS: Final = 1000


class SimulatedWorld(SimSockets, World):
    """A `World` in virtual time, with `site` on its network; call `close` at the end."""

    def __init__(
        self, site: Site, choices: Choices | None = None, conditions: NetworkConditions | None = None
    ) -> None:
        choices = choices or Choices.plain()
        self.loop = Loop(choices)
        super().__init__(SimulatedNet(self.loop, choices, conditions or NetworkConditions()))
        self._baton = Baton(lambda: self._inside(self.loop.turn), choices.schedule, self.meter)
        self._looks = self._looked_at = 0
        self._inside(lambda: host(site, self.net, self.loop, BACKLOG))

    def Thread(  # noqa: N802  # here and below: the standard library's names
        self, *, target: Callable[..., object], args: tuple[Any, ...] = ()
    ) -> SimThread:  # Any: as in the standard library
        return SimThread(self._baton, target=target, args=args)

    def Lock(self) -> SimLock:  # noqa: N802
        return SimLock(self._baton)

    def SimpleQueue(self) -> SimQueue:  # noqa: N802
        return SimQueue(self._baton)

    def time(self) -> float:
        return self.loop.now / NS_PER_SECOND

    def switch(self) -> None:
        self._baton.wait(lambda: True)

    def close(self) -> None:
        """End the threads and the servers."""
        self._baton.close()
        self.loop.close()

    def block(self, seconds: float | None, until: Callable[[], bool]) -> None:
        if seconds is None:
            self._baton.wait(until)
            return
        # Any time that is left is at least 1 ns: a program that waits for the rest of a second may have less left.
        due = self.loop.now + (max(1, round(seconds * NS_PER_SECOND)) if seconds > 0 else 0)
        alarm = Callback(lambda: None)
        self.loop.at(due, alarm)
        try:
            self._baton.wait(lambda: self.loop.now >= due or until())
        finally:
            alarm.cancel()

    def attempt(self) -> None:
        """Let ATTEMPT_NS pass."""
        loop, due = self.loop, self.loop.now + ATTEMPT_NS
        if not loop.ready and self._baton.alone():
            event = loop.next_event()
            if event is None or event > due:
                # Nothing else can happen by then.  A program that polls comes here for each call, and an alarm that
                # `block` sets takes five times as long.
                loop.now = due
                return
        self.block(ATTEMPT_NS / NS_PER_SECOND, lambda: False)

    def looked(self) -> None:
        """Let time pass after LOOKS calls at one instant."""
        if self._looked_at != self.loop.now:
            self._looked_at, self._looks = self.loop.now, 0
        self._looks += 1
        if self._looks > LOOKS:
            self.attempt()
            self._looked_at = self.loop.now

    def _inside(self, call: Callable[[], None]) -> None:
        """Call a function with this loop as the running loop."""
        before = set_running_loop(self.loop)
        try:
            call()
        finally:
            set_running_loop(before)
