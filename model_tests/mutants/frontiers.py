"""Wrong frontiers: the result of the crawl depends on the schedule, or loses a URL.

`FrontierFirstDiscoveryWins` is the crawler of the chapter (500 Lines, "A Web Crawler With asyncio Coroutines"): a URL
in `seen_urls` is never offered again.  Smallest site with one root: r links to a and b, a links to c, b redirects to c,
c redirects to d, limit 1.  If a completes first, c has budget 1 and d is fetched; if b does, c has budget 0 and d is
lost.  With two roots a and b do not need r, and four URLs suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from impl.crawl.frontier import Frontier, Offer, everything
from impl.web.outcome import Outcome, Page

from .mutant import breaks


@breaks("CRAWL-2", "S1, S2: the chapter's crawler; S2 is the same with one worker, by the order of the links")
class FrontierFirstDiscoveryWins(Frontier):
    """The first discovery of a URL fixes its budget."""

    def join(self, offers: Iterable[Offer]) -> list[str]:
        return super().join(offer for offer in offers if offer[0] not in self.best)


@breaks("CRAWL-3", "contract: a budget that is raised during the fetch counts")
class FrontierReadsBudgetAtStart(Frontier):
    """A redirect is followed with the budget that its URL had when its fetch started."""

    def __init__(self, limit: int, allows: Callable[[str], bool] = everything) -> None:
        super().__init__(limit, allows)
        self._at_start: dict[str, int] = {}

    def start(self, url: str) -> None:
        super().start(url)
        self._at_start[url] = self.best[url]

    def complete(self, url: str, outcome: Outcome) -> list[str]:
        if url not in self.in_flight:
            return super().complete(url, outcome)
        now, self.best[url] = self.best[url], self._at_start[url]
        found = super().complete(url, outcome)
        self.best[url] = max(now, self.best[url])
        return found


@breaks("CRAWL-4", "contract: a raised budget goes on to the target")
class FrontierDoesNotPropagate(Frontier):
    """Raising the budget of a fetched redirect does not raise the budget of its target."""

    def join(self, offers: Iterable[Offer]) -> list[str]:
        unknown = []
        for url, budget, depth in offers:
            if url in self.best:
                self.best[url] = max(budget, self.best[url])
            else:
                unknown.append((url, budget, depth))
        return super().join(unknown)


@breaks("CRAWL-6", "S3: the chapter's num_new_urls, which depends on which page is answered first")
class FrontierRecordsNewLinksOnly(Frontier):
    """Only those links of a page are recorded that no other page has had before."""

    def complete(self, url: str, outcome: Outcome) -> list[str]:
        found = super().complete(url, outcome)
        if isinstance(outcome, Page):
            self.outcomes[url] = replace(outcome, links=tuple(found))
        return found


@breaks("CRAWL-15", "C7: the chapter's crawler, which forgets a redirect that it may not follow")
class FrontierForgetsCut(Frontier):
    """A redirect is not reported if its target was cut."""

    def cut(self) -> list[tuple[str, str]]:
        return []
