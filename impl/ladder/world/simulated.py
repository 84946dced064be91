"""Teaching code: the simulated environment: one clock, one network, threads that pass a baton.

The package's web server (`serving.hosting`) runs as tasks of a `Loop` in virtual time; a rung runs outside of it.
While a rung blocks in a socket, a selector or a queue, the environment runs iterations of that loop until the rung can
continue.  So a blocking call moves the clock and takes no real time.

Any, throughout: the arguments of a thread and the items of a queue, as in the standard library.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final

from ...loop import NS_PER_SECOND, Loop
from ...net import NetworkConditions, SimulatedNet
from ...sim.choices import Choices
from ...tasks.callback import Callback
from ...tasks.current import set_running_loop
from ...web.serving.hosting import host
from ...web.serving.site import Site
from .baton import Baton
from .interfaces import BACKLOG, Meter
from .sim_selector import SimSelector
from .sim_socket import SimSockets

#: The cost of a call that finds nothing ready, in virtual nanoseconds: a system call and the loop around it.
ATTEMPT_NS: Final = 50_000

#: How many calls of `select` with a time-out of 0 may find nothing at one instant before they take time.
LOOKS: Final = 1000


class SimulatedWorld:
    """A `World` in virtual time, with `site` on its network; call `close` at the end."""

    def __init__(
        self, site: Site, choices: Choices | None = None, conditions: NetworkConditions | None = None
    ) -> None:
        choices = choices or Choices.plain()
        self.meter = Meter()
        self.loop = Loop(choices)
        self.net = SimulatedNet(self.loop, choices, conditions or NetworkConditions())
        self._baton = Baton(self._turn, choices.schedule, self.meter)
        self._looks = self._looked_at = 0
        self.socket = SimSockets(self.net, self._wait, self._attempt, self.meter)
        self._inside(lambda: host(site, self.net, self.loop, BACKLOG))

    @property
    def selectors(self) -> SimulatedWorld:
        return self

    @property
    def threading(self) -> SimulatedWorld:
        return self

    @property
    def queue(self) -> SimulatedWorld:
        return self

    def DefaultSelector(self) -> SimSelector:  # noqa: N802  # here and below: the standard library's names
        return SimSelector(self.socket, self._wait, self._looked)

    def Thread(self, *, target: Callable[..., object], args: tuple[Any, ...] = ()) -> SimThread:  # noqa: N802
        return SimThread(self._baton, target, args)

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

    def _wait(self, seconds: float | None, until: Callable[[], bool]) -> None:
        """Run threads and the loop until `until()` holds, or for so many seconds."""
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

    def _attempt(self) -> None:
        """Let ATTEMPT_NS pass, after a call that found nothing ready."""
        loop, due = self.loop, self.loop.now + ATTEMPT_NS
        if not loop.ready and self._baton.alone():
            event = loop.next_event()
            if event is None or event > due:
                # Nothing else can happen by then.  A program that polls comes here for each call, and an alarm that
                # `_wait` sets takes five times as long.
                loop.now = due
                return
        self._wait(ATTEMPT_NS / NS_PER_SECOND, lambda: False)

    def _looked(self) -> None:
        """Count a `select` with a time-out of 0 that found nothing; after LOOKS at one instant, let time pass."""
        if self._looked_at != self.loop.now:
            self._looked_at, self._looks = self.loop.now, 0
        self._looks += 1
        if self._looks > LOOKS:
            self._attempt()
            self._looked_at = self.loop.now

    def _turn(self) -> None:
        self._inside(self.loop.turn)

    def _inside(self, call: Callable[[], None]) -> None:
        """Call a function with this loop as the running loop."""
        before = set_running_loop(self.loop)
        try:
            call()
        finally:
            set_running_loop(before)


class SimThread:
    """`threading.Thread` of the simulated environment."""

    def __init__(self, baton: Baton, target: Callable[..., object], args: tuple[Any, ...]) -> None:
        self._baton = baton
        self._target = target
        self._args = args
        self._ended: Callable[[], bool] | None = None

    def start(self) -> None:
        """Raises RuntimeError the second time, as in the standard library."""
        if self._ended is not None:
            raise RuntimeError("threads can only be started once")
        self._ended = self._baton.start(self._target, self._args)

    def join(self) -> None:
        """Raises RuntimeError before `start`, as in the standard library."""
        if self._ended is None:
            raise RuntimeError("cannot join thread before it is started")
        self._baton.wait(self._ended)


class SimLock:
    """`threading.Lock` of the simulated environment."""

    def __init__(self, baton: Baton) -> None:
        self._baton = baton
        self._held = False

    def acquire(self) -> bool:
        self._baton.wait(lambda: not self._held)
        self._held = True
        return True

    def release(self) -> None:
        """Raises RuntimeError when it is not locked, as in the standard library."""
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.release()


class SimQueue:
    """`queue.SimpleQueue` of the simulated environment."""

    def __init__(self, baton: Baton) -> None:
        self._baton = baton
        self._items: deque[Any] = deque()

    def put(self, item: Any) -> None:
        self._items.append(item)

    def get(self) -> Any:
        self._baton.wait(lambda: bool(self._items))
        return self._items.popleft()
