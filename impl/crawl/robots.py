"""robots.txt in a crawl: it is fetched before the first URL of its origin, once, and kept.

1.  A URL that may not be fetched has the outcome `Failure("robots")`: it is no broken link.
2.  An origin whose robots.txt cannot be reached lets the crawler fetch nothing (RFC 9309, 2.3.1.4).  If an error of the
    network is why, the URLs of the origin have that error for an outcome.
3.  Redirects from /robots.txt may lead to other hosts; the rules apply to the origin that was asked (2.3.1.2).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from ..sync.locks import Lock
from ..web.http import HttpError, Response
from ..web.interpret import REDIRECTS, failure
from ..web.outcome import TRANSIENT, Failure
from ..web.robots import REDIRECTS_MAX, Robots, robots
from ..web.url import canonical, split
from ..web.url import origin as origin_of

#: GETs a canonical URL; an error is an OSError or an HttpError.
Get = Callable[[str], Awaitable[Response]]

#: How often a robots.txt is asked for, if the network fails.
_TRIES: Final = 3


@dataclass(slots=True, eq=False)
class _Origin:
    lock: Lock = field(default_factory=Lock)
    rules: Robots | None = None
    #: Why there are no rules.
    failed: Failure | None = None


class Gate:
    """The rules of the origins that a crawl has met; `get` fetches their robots.txt."""

    def __init__(self, get: Get) -> None:
        self._get = get
        self._origins: dict[str, _Origin] = {}

    async def refuses(self, url: str) -> Failure | None:
        """Return the outcome of a canonical URL that must not be fetched, or None: it may be."""
        origin = await self._known(url)
        if origin.failed is not None:
            return origin.failed
        return None if origin.rules is None or origin.rules.allows(url) else Failure("robots")

    async def delay_s(self, url: str) -> float:
        """Return the seconds between two requests that the origin of a URL asks for."""
        rules = (await self._known(url)).rules
        return 0.0 if rules is None else rules.delay_s

    async def _known(self, url: str) -> _Origin:
        address = split(url)
        place = origin_of(address)
        origin = self._origins.setdefault(place, _Origin())
        async with origin.lock:
            if origin.rules is None and origin.failed is None:
                await self._ask(f"{place}/robots.txt", origin)
        return origin

    async def _ask(self, url: str, origin: _Origin) -> None:
        for _ in range(_TRIES):
            try:
                origin.rules, origin.failed = await self._rules(url), None
            except (OSError, HttpError) as error:
                origin.failed = failure(error)
                if origin.failed.error in TRANSIENT:
                    continue
            return

    async def _rules(self, url: str) -> Robots:
        for _ in range(REDIRECTS_MAX + 1):
            response = await self._get(url)
            location = response.header(b"location") if response.status in REDIRECTS else None
            target = None if location is None else canonical(location, url)
            if target is None:
                break
            url = target
        return robots(response.status, response.body)
