"""robots.txt in a crawl: it is fetched before the first URL of its origin, once, and kept.

1.  A URL that may not be fetched has the outcome `Failure("robots")`: it is no broken link.
2.  An origin with an unreachable robots.txt lets the crawler fetch nothing (RFC 9309, 2.3.1.4).  If an error of the
    network is why, the URLs of the origin have that error for an outcome.
3.  Redirects from /robots.txt may lead to other hosts; the rules apply to the origin that was asked (2.3.1.2).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeAlias

from ..sync.locks import Lock
from ..web.http import HttpError, Response
from ..web.interpret import REDIRECTS, failure
from ..web.outcome import TRANSIENT, FetchFailure
from ..web.robots import REDIRECTS_MAX, Robots, robots
from ..web.url import canonical, split
from ..web.url import origin as origin_of

#: GETs a canonical URL; an error is an OSError or an HttpError.
Get = Callable[[str], Awaitable[Response]]

#: How often a robots.txt is asked for, if the network fails.
_TRIES: Final = 3


#: The rules of an origin, or why they are not known.
Answer: TypeAlias = Robots | FetchFailure


@dataclass(slots=True, eq=False)
class _Origin:
    answer: Answer | None = None
    lock: Lock = field(default_factory=Lock)


class Gate:
    """The rules of the origins that a crawl has met.

    Parameters:
        get: fetches their robots.txt.
        known: by origin, those that are not asked for again.
    """

    def __init__(self, get: Get, known: Mapping[str, Answer] = MappingProxyType({})) -> None:
        self._get = get
        self._origins = {place: _Origin(answer) for place, answer in known.items()}

    def known(self) -> dict[str, Answer]:
        """The answers so far, by origin."""
        return {place: origin.answer for place, origin in self._origins.items() if origin.answer is not None}

    async def refuses(self, url: str) -> FetchFailure | None:
        """Return the outcome of a canonical URL that must not be fetched, or None: it may be."""
        answer = await self._answer(url)
        if isinstance(answer, FetchFailure):
            return answer
        return None if answer.allows(url) else FetchFailure("robots")

    async def delay_s(self, url: str) -> float:
        """Return the seconds between two requests that the origin of a URL asks for."""
        answer = await self._answer(url)
        return 0.0 if isinstance(answer, FetchFailure) else answer.delay_s

    async def _answer(self, url: str) -> Answer:
        address = split(url)
        place = origin_of(address)
        origin = self._origins.setdefault(place, _Origin())
        async with origin.lock:
            if origin.answer is None:
                origin.answer = await self._ask(f"{place}/robots.txt")
        return origin.answer

    async def _ask(self, url: str) -> Answer:
        for _ in range(_TRIES):
            try:
                return await self._rules(url)
            except (OSError, HttpError) as error:
                failed = failure(error)
                if failed.error not in TRANSIENT:
                    break
        return failed

    async def _rules(self, url: str) -> Robots:
        for _ in range(REDIRECTS_MAX + 1):
            response = await self._get(url)
            location = response.header(b"location") if response.status in REDIRECTS else None
            target = None if location is None else canonical(location, url)
            if target is None:
                break
            url = target
        return robots(response.status, response.body)
