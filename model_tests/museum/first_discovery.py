"""Three frontiers that a schedule can lead astray; the checks must catch each of them.

Theory of operation.  Each is the real frontier with one rule taken away, so that a check that lets it pass
does not test that rule.
-   `FirstDiscovery` is the chapter's crawler (500 Lines, "A Web Crawler With asyncio Coroutines"): a URL
    that is in `seen_urls` is never offered again, so its first discovery fixes its budget for ever (against
    CRAWL-2).  Smallest site with one root: r links to a and b, a links to c, b redirects to c, c redirects
    to d, limit 1.  If a completes first, c has budget 1 and d is fetched; if b does, c has budget 0 and d is
    lost.  With two roots a and b do not need r, and four URLs suffice.
-   `ReadAtStart` follows a redirect with the budget it had when its fetch began (against CRAWL-3): what was
    raised while it was in flight is lost.
-   `NoPropagation` raises the budget of a fetched redirect and leaves it at that (against CRAWL-4).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from impl.crawl.frontier import Frontier, everything


class FirstDiscovery(Frontier):
    """The chapter's rule: whoever finds a URL first says with what budget."""

    def _join(self, url: str, budget: int) -> list[str]:
        return [] if url in self.best else super()._join(url, budget)


class ReadAtStart(Frontier):
    """The budget of a redirect is read when its fetch starts."""

    def __init__(self, limit: int, allows: Callable[[str], bool] = everything) -> None:
        super().__init__(limit, allows)
        self._at_start: dict[str, int] = {}

    def start(self, url: str) -> None:
        super().start(url)
        self._at_start[url] = self.best[url]

    def _follow(self, url: str, budget: int) -> list[str]:
        return super()._follow(url, self._at_start[url])


class NoPropagation(Frontier):
    """What a redirect led to is not looked up again when its budget is raised."""

    def _join(self, url: str, budget: int) -> list[str]:
        if url not in self.best:
            return super()._join(url, budget)
        self.best[url] = max(budget, self.best[url])
        return []


SPECIMENS: Final[tuple[type[Frontier], ...]] = (FirstDiscovery, ReadAtStart, NoPropagation)
