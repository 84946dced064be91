"""asyncio's own loop in virtual time as a runtime of programs, on Python 3.6 and later; a model for adapters."""

import asyncio
import contextlib
import selectors
from typing import Any, Iterator, List, Optional

# `Any` in this file: loops and namespaces of any runtime; Python 3.6 reads the file.


#: How many iterations may pass before a program counts as one that goes on without end.
TURNS_MAX = 2000
#: How many iterations in a row without a wait are counted as such: a program that does not poll has fewer.  After them
#: tasks are taken to ask again and again, and are not counted until it is certain that this is in vain.
ASKING = 50
#: After so many in a row time goes on: by then all that needs no time has happened.
MOVING = 2000
#: After so many in a row it is in vain: a second has passed, PASSING in every EVERY iterations since MOVING.  The next
#: timer comes, if there is one; if not, iterations are counted again, up to TURNS_MAX.
IN_VAIN = 6000
#: Seconds that pass at once, and the iterations for which they do: a timer comes between others that ask, in its order.
PASSING = 0.002
EVERY = 8


class Clock(selectors.SelectSelector):
    """A selector that never waits: it advances the time, in nanoseconds, and stops its loop if it would block.

    While tasks ask again and again (`while not done: await sleep(0)`), time goes on, too, by PASSING seconds in EVERY
    iterations, until a timer is due.  If none is due after IN_VAIN iterations, the time is that of the next timer.  If
    there is no timer either, the loop is stopped after TURNS_MAX more, with the time at which they began to ask.
    """

    loop = None  # type: Any
    #: The time, the iterations that are counted, those in a row that do not wait, and the time as they began to ask.
    now = turns = spins = still = 0
    #: The time of a timer that is due, in seconds: 0.1 + 0.2 is later than the nanoseconds say.
    due = 0.0

    def select(self, timeout: Optional[float] = None) -> List[Any]:
        self.spins = self.spins + 1 if timeout == 0 else 0
        if self.spins < ASKING or self.spins > IN_VAIN:
            self.turns += 1
        if self.spins == MOVING:
            self.still = self.now
        if timeout is None or self.turns > TURNS_MAX:
            self.loop.stop()
            if self.spins > IN_VAIN:
                self.now = self.still  # nothing came of it
        wait = max(timeout or 0, 0)
        if self.spins > MOVING:
            wait = self.passed([when - self.loop.time() for when in self.times()])
        self.now += max(round(wait * 1000000000), wait > 0)  # a wait moves the clock, however short it is
        if wait > 0:
            self.due = max([when for when in self.times() if when < self.now / 1000000000 + 1e-9], default=self.due)
        return []

    def time(self) -> float:
        """Return the time in seconds."""
        return max(self.now / 1000000000, self.due)

    def times(self) -> List[float]:
        """Return the times of the timers, in seconds."""
        timers = getattr(self.loop, "_scheduled", ())
        return [timer.when() if hasattr(timer, "when") else timer._when for timer in timers]  # when() is new in 3.7

    def passed(self, timers: List[float]) -> float:
        """Return the seconds that pass while tasks ask; the next timer comes after a second of that."""
        late = self.spins > IN_VAIN
        if timers and (late or round(min(timers), 6) <= PASSING):  # a sum of delays is not exact
            self.spins = 0
            return max(min(timers), 0)
        return 0 if late or self.spins % EVERY else PASSING


class Runtime:
    """The needs of a player: a loop, the namespace under test, and a way to run until the loop is idle."""

    def __init__(self, names: Any = asyncio) -> None:
        self.names = names
        clock = self.clock = Clock()
        loop = asyncio.SelectorEventLoop(clock)  # type: Any
        loop.time = clock.time  # for this loop only
        self.loop = clock.loop = loop

    def eager(self) -> None:
        """Have the loop take the first step of a task within create_task."""
        self.loop.set_task_factory(self.names.eager_task_factory)

    def start(self, main: Any) -> Any:
        """Start and return the task of the coroutine `main`."""
        return self.loop.create_task(main)

    def time(self) -> float:
        """Return the time in seconds, from any beginning; lines have it since that of main."""
        return float(self.loop.time())

    @contextlib.contextmanager
    def looking(self) -> Iterator[None]:
        """Have the loop count as running, as a thing may ask for it when it is looked at."""
        before = asyncio._get_running_loop()
        asyncio._set_running_loop(self.loop)
        try:
            yield
        finally:
            asyncio._set_running_loop(before)

    def rest(self) -> bool:
        """Run until the loop is idle; return False if iterations pass without end."""
        self.loop.run_forever()
        return self.clock.turns <= TURNS_MAX
