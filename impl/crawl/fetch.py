"""Fetch one URL over a network, and say what became of it: every error is an outcome.

Theory of operation.  `impl.crawl.pool` makes the connections, keeps them alive and pumps HTTP over them.  Resolve,
connect, request and response together make one *try*, under one time limit, besides those of its parts.  The
exceptions of the network are turned into outcomes by `impl.web.interpret.failure`, one table for every network.
"""

from __future__ import annotations

from ..combinators.timeout import timeout
from ..interfaces import Spawner
from ..net import Net
from ..web.http import LIMITS, HttpError, Limits
from ..web.interpret import failure, outcome
from ..web.outcome import Outcome
from .pool import UNTIMED, Pool, Secure, Times


class Fetcher:
    """Fetches URLs over `net`; an instance is a `Fetch` for the crawler.

    Parameters:
        loop: the loop that it runs on.
        timeout_s: seconds that one try may take; None: no limit.
        limits, times, secure: as `Pool` takes them.
    """

    def __init__(
        self,
        net: Net,
        loop: Spawner,
        *,
        timeout_s: float | None = 30.0,
        limits: Limits = LIMITS,
        times: Times = UNTIMED,
        secure: Secure | None = None,
    ) -> None:
        self._loop = loop
        self._timeout_s = timeout_s
        self._pool = Pool(net, loop, limits=limits, times=times, secure=secure)

    async def __call__(self, url: str) -> Outcome:
        try:
            async with timeout(self._timeout_s, loop=self._loop):
                return outcome(url, await self._pool.get(url))
        except (OSError, HttpError) as error:
            return failure(error)

    async def aclose(self) -> None:
        """Close the connections that are kept alive; nothing can be fetched afterwards."""
        await self._pool.aclose()
