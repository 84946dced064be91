"""Fetch one URL over a network and return its outcome: every error is an outcome (`impl.web.interpret.failure`)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from ..combinators.timeout import timeout
from ..interfaces import Spawner
from ..net import Net
from ..runners.runner import sleep
from ..web.http import ANONYMOUS, LIMITS, Exchange, HttpError, Identity, Limits, Response
from ..web.interpret import failure, reading
from ..web.outcome import Outcome
from ..web.reference import Check
from .pool import UNTIMED, Pool, Routes, Secure, Times, direct

#: Saves the bytes that were sent and received for a canonical URL.
Save = Callable[[str, Exchange], object]


#: Reads the response to a canonical URL.
Read = Callable[[str, Response], Awaitable[Outcome]]


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads responses in this process, with the parameters of `impl.web.interpret.reading`."""

    limits: Limits = LIMITS
    obeys: bool = False
    check: Check | None = None

    async def __call__(self, url: str, response: Response) -> Outcome:
        """Find the links; other tasks, the time limit and signals have their turn after each piece of a page."""
        steps = reading(url, response, self.limits, self.obeys, self.check)
        while True:
            try:
                next(steps)
            except StopIteration as read:
                found: Outcome = read.value
                return found
            await sleep(0)


class Fetcher:
    """Fetches URLs over `net`; an instance is a `Fetch` for the crawler.

    Resolve, connect, request and response together are one *try* under one time limit, besides those of its parts.
    The connections are those of a `Pool`, which keeps them alive.

    Parameters:
        loop: the loop that it runs on.
        timeout_s: the time limit of one try, in seconds; None: no limit.
        limits, times, secure, identity, route: as for `Pool`.
        read: finds the outcome of a response; None: a `Reader` with the same limits.
        save: called with the URL of each response, and with the bytes sent and received, before it is read.
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
        identity: Identity = ANONYMOUS,
        route: Routes = direct,
        read: Read | None = None,
        save: Save | None = None,
    ) -> None:
        self._loop = loop
        self._read = Reader(limits) if read is None else read
        self._save = save
        self._timeout_s = timeout_s
        self._pool = Pool(
            net,
            loop,
            limits=limits,
            times=times,
            secure=secure,
            identity=identity,
            route=route,
            keep=save is not None,
        )

    async def __call__(self, url: str) -> Outcome:
        try:
            async with timeout(self._timeout_s, loop=self._loop):
                return await self._read(url, await self._get(url))
        except (OSError, HttpError) as error:
            return failure(error)

    async def get(self, url: str) -> Response:
        """GET a canonical URL.

        Raises:
            HttpError, OSError: as `Pool.get`; TimeoutError: the try exceeded its limit.
        """
        async with timeout(self._timeout_s, loop=self._loop):
            return await self._get(url)

    async def _get(self, url: str) -> Response:
        response = await self._pool.get(url)
        if self._save is not None and response.exchange is not None:
            self._save(url, response.exchange)
            response = replace(response, exchange=None)  # a long page is read without it
        return response

    async def aclose(self) -> None:
        """Close the connections that are kept alive; no URL can be fetched afterwards."""
        await self._pool.aclose()
