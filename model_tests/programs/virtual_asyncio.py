"""asyncio in virtual time: the stock loop, with its C tasks and futures, and a clock that jumps.

`select(timeout)` advances the clock by `timeout` instead of waiting, and `time()` reads that clock.  So timers with
distinct deadlines fire in exactly their order, and a program of minutes takes no time.  A `select` without a timeout
means that nothing is ready and no timer is set: `Hang` is raised out of `run_forever`, after which the loop may run
again.  The clock is an int of nanoseconds, so that the floats of asyncio's deadlines accumulate no error.
"""

import asyncio
import selectors


class Hang(Exception):
    """Nothing is ready and no timer is set: stock asyncio would block for ever."""


class _Selector(selectors.SelectSelector):
    """A selector that advances the clock instead of waiting."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0  # nanoseconds

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Advance the clock by `timeout` seconds; no descriptor is ever ready.

        Raises:
            Hang: there is nothing to wait for.
        """
        if timeout is None:
            raise Hang("nothing is ready and no timer is set")
        if timeout > 0:
            self.now += round(timeout * 1_000_000_000)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """A stock event loop with a virtual clock that starts at 0."""

    def __init__(self) -> None:
        self._virtual = _Selector()
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now / 1_000_000_000
