"""asyncio's own loop in virtual time as a runtime of programs, on Python 3.6 and later; a model for adapters."""

import asyncio
import selectors
from typing import Any, List, Optional

# `Any` in this file: loops and namespaces of any runtime; Python 3.6 reads the file.


class Clock(selectors.SelectSelector):
    """A selector that never waits: it advances the time, in nanoseconds, and stops its loop if it would block.

    While tasks ask again and again (`while not done: await sleep(0)`), time goes on, too, by two milliseconds in eight
    iterations.
    """

    loop = None  # type: Any
    now = turns = spins = still = 0

    def select(self, timeout: Optional[float] = None) -> List[Any]:
        self.spins = self.spins + 1 if timeout == 0 else 0
        if self.spins < 50 or self.spins > 6000:
            self.turns += 1
        if self.spins == 2000:
            self.still = self.now
        if timeout is None or self.turns > 2000:
            self.loop.stop()
            if self.spins > 6000:
                self.now = self.still  # nothing came of it
        wait = max(timeout or 0, 0)
        if self.spins > 2000:
            wait = self.passed(
                [timer.when() - self.loop.time() for timer in getattr(self.loop, "_scheduled", ())]
            )
        self.now += max(round(wait * 1000000000), wait > 0)  # a wait moves the clock, however short it is
        return []

    def passed(self, timers: List[float]) -> float:
        """Return the seconds that pass while tasks ask; the next timer comes after a second of that."""
        late = self.spins > 6000
        if timers and (late or min(timers) <= 0.002):
            self.spins = 0
            return max(min(timers), 0)
        return 0 if late or self.spins % 8 else 0.002


class Runtime:
    """The needs of a player: a loop, the namespace under test, and a way to run until the loop is idle."""

    def __init__(self, names: Any = asyncio) -> None:
        self.names = names
        clock = self.clock = Clock()
        loop = asyncio.SelectorEventLoop(clock)  # type: Any
        loop.time = lambda: clock.now / 1000000000  # for this loop only
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

    def rest(self) -> bool:
        """Run until the loop is idle; return False if iterations pass without end."""
        self.loop.run_forever()
        return self.clock.turns <= 2000
