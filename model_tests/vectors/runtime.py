"""asyncio's own loop as a runtime of programs, in virtual time; and the pattern of an adapter for another one.

Theory of operation.  The stock loop asks its selector how long to wait.  This one does not wait: it moves the clock,
and stops the loop where nothing is left to wait for.  So hours pass at once, and a hang is seen as a rest.  It runs on
any Python from 3.6 on.
"""

import asyncio
import selectors
from typing import Any, List, Optional

# Any: loops and namespaces of whatever runtime; the file is read by Python 3.6.


class Clock(selectors.SelectSelector):
    """Never waits; moves the time, in nanoseconds, and stops its loop when it is to wait for ever."""

    loop = None  # type: Any
    now = turns = 0

    def select(self, timeout: Optional[float] = None) -> List[Any]:
        self.turns += 1
        if timeout is None or self.turns > 2000:
            self.loop.stop()
        self.now += round(max(timeout or 0, 0) * 1000000000)
        return []


class Runtime:
    """A loop, the namespace under test, and how to run until nothing can happen: what a player needs."""

    def __init__(self, names: Any = asyncio) -> None:
        self.names = names
        clock = self.clock = Clock()
        loop = asyncio.SelectorEventLoop(clock)  # type: Any
        loop.time = lambda: clock.now / 1000000000  # for this loop only
        self.loop = clock.loop = loop

    def start(self, main: Any) -> Any:
        """The task of the coroutine `main`."""
        return self.loop.create_task(main)

    def rest(self) -> bool:
        """Run until nothing can happen any more; False if turns pass without end."""
        self.loop.run_forever()
        return self.clock.turns <= 2000
