"""Politeness: how often, and how many at once, a crawl asks one host, and when it asks again.

1.  At most `per_host` URLs of a host are in flight, and two requests to it begin at least `delay_s` apart, or as far
    apart as its robots.txt asks.
2.  A host that answers 429 or 503 with Retry-After (RFC 9110, 10.2.3; RFC 6585, 4) gets no request before that time,
    and the URL is tried again; if it asks for more than `wait_max_s`, the status is the outcome.
3.  After an error of the network the next try of a URL waits: `backoff_s`, doubled with each try, and up to as much
    again, drawn from the choices of the run, so that crawlers that failed together do not come back together.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from ..runners.runner import sleep
from ..sim.choices import Choices
from ..sync.locks import Semaphore
from ..web.outcome import TRANSIENT, FetchFailure, Outcome
from ..web.url import split

_JITTER: Final = 1000


@dataclass(frozen=True, slots=True)
class Manners:
    """How polite a crawl is; times in seconds.

    per_host: URLs of a host in flight at once; delay_s: from the begin of one request to the next of that host;
    backoff_s: before the second try of a URL; wait_max_s: the longest wait that a server may ask for.
    """

    per_host: int = 8
    delay_s: float = 0.0
    backoff_s: float = 0.5
    wait_max_s: float = 60.0


#: The manners of a crawl, unless others are given.
MANNERS: Final = Manners()


@dataclass(slots=True, eq=False)
class _Host:
    slots: Semaphore
    #: No request begins before.
    free_at: float


class Polite:
    """A fetch that keeps the manners; an instance is a `Fetch`, and its `again` an `Again`, for the crawler.

    Parameters:
        fetch: fetches a URL once.
        time: the loop's clock, in seconds.
        choices: the source of the jitter.
        asked: the seconds between two requests that the origin of a URL asks for.
        waits: by host, the seconds until it may be asked.
    """

    def __init__(
        self,
        fetch: Callable[[str], Awaitable[Outcome]],
        time: Callable[[], float],
        choices: Choices,
        manners: Manners,
        asked: Callable[[str], Awaitable[float]] | None = None,
        waits: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        self._fetch = fetch
        self._time = time
        self._draw = choices.schedule
        self._manners = manners
        self._asked = asked
        self._hosts = {name: self._new(time() + wait) for name, wait in waits.items()}

    def waits(self) -> dict[str, float]:
        """The seconds from now until a host may be asked, by host."""
        now = self._time()
        return {name: host.free_at - now for name, host in self._hosts.items() if host.free_at > now}

    async def __call__(self, url: str) -> Outcome:
        host = self._host(url)
        async with host.slots:
            asked = 0.0 if self._asked is None else await self._asked(url)
            await self._turn(host, max(self._manners.delay_s, asked))
            outcome = await self._fetch(url)
        wait = _asks_to_wait(outcome)
        if wait is not None:
            host.free_at = max(host.free_at, self._time() + min(wait, self._manners.wait_max_s))
        return outcome

    async def again(self, url: str, tries: int, outcome: Outcome) -> bool:
        """Whether to try a URL again after that many tries; waits before that."""
        wait = _asks_to_wait(outcome)
        if wait is not None:
            return wait <= self._manners.wait_max_s  # its host is waited for
        if not (isinstance(outcome, FetchFailure) and outcome.error in TRANSIENT):
            return False
        await sleep(self._manners.backoff_s * 2 ** (tries - 1) * (1 + self._draw(_JITTER) / _JITTER))
        return True

    async def _turn(self, host: _Host, delay_s: float) -> None:
        """Wait until a request to the host may begin, and begin it."""
        while (wait := host.free_at - self._time()) > 0:
            await sleep(wait)
        host.free_at = self._time() + delay_s

    def _host(self, url: str) -> _Host:
        name = split(url).host
        if name not in self._hosts:
            self._hosts[name] = self._new(0.0)
        return self._hosts[name]

    def _new(self, free_at: float) -> _Host:
        return _Host(Semaphore(self._manners.per_host), free_at)


def _asks_to_wait(outcome: Outcome) -> float | None:
    return outcome.retry_after_s if isinstance(outcome, FetchFailure) else None
