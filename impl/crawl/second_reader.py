"""Read the pages that were fetched in this process, and long ones in a second one, too.

Reading is more than half of the work of a crawl of long pages, and it needs nothing but the response.  So a second
processor, if there is one, takes its share: a long page goes to another process unless that has enough to do, and is
read here otherwise.  The process begins with the first long page; until it is ready, and when it has died, all pages
are read here.  A very long page is, too: the process reads one page after the other, so those behind it would wait for
all of it, and might exceed their time; here the pages take turns.  The links of a page do not depend on where it is
read.
"""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import ExitStack
from typing import Final

from ..combinators.shield import wrap_future
from ..interfaces import Spawner
from ..web.http import Response
from ..web.interpret import outcome
from ..web.outcome import Outcome
from .fetch import Reader
from .processes import processes

#: The bytes of a body from which on it is worth the way to another process.
LONG: Final = 16 * 1024
#: The bytes of a body up to which it does not hold up those behind it: a second at most.
LONGEST: Final = 1024 * 1024
#: The pages that the other process has at most, so that it has one to read while this one reads, too.
MOST: Final = 8


class SecondReader:
    """Reads responses as `here` does, long ones in a second process where that is sooner.

    Parameters:
        loop: the loop that waits for the process.
    """

    def __init__(self, here: Reader, loop: Spawner) -> None:
        self._here = here
        self._loop = loop
        self._process = ExitStack()
        self._executor: Executor | None = None
        self._begun = False
        #: Whether the process has begun, and is there.
        self.ready = False
        self._waiting = 0

    async def __call__(self, url: str, response: Response) -> Outcome:
        """Return the outcome of a response."""
        if not LONG <= len(response.body) <= LONGEST or (executor := self._free()) is None:
            return await self._here(url, response)
        here = self._here
        self._waiting += 1
        try:
            found = executor.submit(outcome, url, response, here.limits, here.obeys, here.check)
            result: Outcome = await wrap_future(found, loop=self._loop)
            return result
        except BrokenExecutor:
            self.ready = False
        finally:
            self._waiting -= 1
        return await here(url, response)

    def _free(self) -> Executor | None:
        """The process, if it can take a page; the first call starts it."""
        if not self._begun:
            self._begun = True
            try:
                executor = self._process.enter_context(processes(1, patient=False))
                executor.submit(outcome, "", Response(404, (), b"")).add_done_callback(self._started)
            except OSError:
                return None  # the system allows no more processes
            self._executor = executor
        return self._executor if self.ready and self._waiting < MOST else None

    def _started(self, first: Future[Outcome]) -> None:
        self.ready = not first.cancelled() and first.exception() is None

    def close(self) -> None:
        """End the process, also in the middle of a page."""
        self.ready = False
        self._process.close()
