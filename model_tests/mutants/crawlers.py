"""A crawler as small as possible, and wrong ones: those of the chapter (C1 to C9, S0, S4, Q5, T2, L3) and others.

`Crawler` is right: workers around a queue, join, then cancel.  `runtime_of` makes a runtime of such a class, which
can be recorded and compared like any other; a fetch takes a few seconds of virtual time, drawn from the choices of
the conditions.  The outcome of a fetch is the oracle's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import ClassVar

import impl
from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.loop import Loop
from impl.sim.choices import Choices
from impl.web.outcome import FetchFailure, Outcome, Page, Redirect
from impl.web.serving.site import Site

from ..crawls.comparison import CrawlRuntime
from ..crawls.oracle import outcome
from ..programs.runtimes import loop_of
from .mutant import breaks
from .tasks import TaskCancelRaisesInCaller

#: A fetch takes 1 to this many seconds.
SECONDS_MOST = 3


class Crawler:
    """One crawl of a site."""

    new_loop: ClassVar[Callable[[], Loop]] = Loop

    def __init__(self, site: Site, plan: CrawlConfig, frontier: Frontier, choices: Choices) -> None:
        self.site, self.plan, self.frontier, self.choices = site, plan, frontier, choices
        self.workers = plan.max_tasks
        self.queue: impl.Queue[str] = self.new_queue()

    def new_queue(self) -> impl.Queue[str]:
        return impl.Queue()

    async def crawl(self) -> None:
        await self.begin()
        workers = [impl.create_task(self.work()) for _ in range(self.workers)]
        await self.queue.join()
        for worker in workers:
            worker.cancel()

    async def begin(self) -> None:
        """Put the roots."""
        for root in self.plan.roots:
            await self.put(self.frontier.offer(root, self.plan.max_redirect))

    async def work(self) -> None:
        while True:
            await self.visit(await self.queue.get())

    async def visit(self, url: str) -> None:
        self.frontier.start(url)
        await self.complete(url, await self.fetch(url))
        self.queue.task_done()

    async def complete(self, url: str, came: Outcome) -> None:
        """Put the URLs that the outcome leads to."""
        await self.put(self.frontier.complete(url, came))

    async def fetch(self, url: str) -> Outcome:
        await impl.sleep(1 + self.choices.program(SECONDS_MOST))
        return outcome(self.site, url)

    async def put(self, urls: Iterable[str]) -> None:
        for url in urls:
            self.queue.put_nowait(url)


def runtime_of(crawler: type[Crawler]) -> CrawlRuntime:
    """The runtime that crawls by this class."""

    def crawl(site: Site, plan: CrawlConfig, frontier: Frontier, number: int) -> None:
        try:
            crawler.new_loop().run(crawler(site, plan, frontier, Choices.seeded(number)).crawl())
        except impl.CancelledError as error:
            raise RuntimeError("the crawl was cancelled") from error

    return CrawlRuntime("impl", crawl, conditions=4, shrink_attempts=12)


# --- workers ------------------------------------------------------------------------------------------------


@breaks("CRAWL-5", "C1: the chapter's worker; join() then waits for ever", of=Crawler)
class CrawlerDiesOfFailure(Crawler):
    """A failed fetch ends its worker."""

    async def fetch(self, url: str) -> Outcome:
        if isinstance(came := await super().fetch(url), FetchFailure):
            raise OSError(url)
        return came


@breaks("CRAWL-5", "C2: the chapter's worker, in a KeyError", of=Crawler)
class CrawlerDiesOfMissingLocation(Crawler):
    """A redirect without a Location ends its worker."""

    async def fetch(self, url: str) -> Outcome:
        if isinstance(came := await super().fetch(url), FetchFailure) and came.error == "location":
            raise KeyError("location")
        return came


@breaks("CRAWL-5", "C3: the chapter's worker, in parse_links()", of=Crawler)
class CrawlerDiesOfUnreadablePage(Crawler):
    """A page without a charset ends its worker."""

    async def fetch(self, url: str) -> Outcome:
        if isinstance(came := await super().fetch(url), Page) and "charset" not in came.content_type:
            raise LookupError(came.content_type)
        return came


@breaks("CRAWL-21", "C9: the chapter's crawler with max_tasks=0", of=Crawler)
class CrawlerWithoutWorkers(Crawler):
    """No worker is started, and join() waits for ever."""

    def __init__(self, site: Site, plan: CrawlConfig, frontier: Frontier, choices: Choices) -> None:
        super().__init__(site, replace(plan), frontier, choices)
        self.workers = 0


@breaks("CRAWL-16", "contract: as many workers as the plan says", of=Crawler)
class CrawlerStartsTooMany(Crawler):
    """One worker more than the plan says."""

    def __init__(self, site: Site, plan: CrawlConfig, frontier: Frontier, choices: Choices) -> None:
        super().__init__(site, plan, frontier, choices)
        self.workers += 1


@breaks("CRAWL-16", "contract: a worker fetches one URL at a time", of=Crawler)
class CrawlerOverlaps(Crawler):
    """A worker starts the next URL before the fetch of the one before has ended."""

    async def visit(self, url: str) -> None:
        self.frontier.start(url)
        if not self.queue.empty():
            await self.visit(self.queue.get_nowait())
        await self.complete(url, await self.fetch(url))
        self.queue.task_done()


@breaks("CRAWL-12", "T2: the chapter's crawler, which ends at workers[0].cancel()", of=Crawler)
class CrawlerEndsWhenItCancels(Crawler):
    """Its tasks raise CancelledError in the caller of cancel()."""

    new_loop = loop_of(task=TaskCancelRaisesInCaller)


# --- the queue ----------------------------------------------------------------------------------------------


@breaks("CRAWL-18", "S4: what the chapter's work() must not do", of=Crawler)
class CrawlerReportsFirst(Crawler):
    """An item is reported done before the URLs that it led to are put: join() returns early."""

    async def visit(self, url: str) -> None:
        self.frontier.start(url)
        came = await self.fetch(url)
        self.queue.task_done()
        await self.complete(url, came)


@breaks("CRAWL-9", "Q5: the chapter's crawler, whose __init__ calls a coroutine function", of=Crawler)
class CrawlerNeverAwaitsItsPut(Crawler):
    """The roots are put by a coroutine that is never awaited."""

    async def begin(self) -> None:
        for root in self.plan.roots:
            for url in self.frontier.offer(root, self.plan.max_redirect):
                self.queue.put(url).close()


@breaks("CRAWL-21", "L3: the chapter's crawler with a bound on its queue", of=Crawler)
class CrawlerBoundsItsQueue(Crawler):
    """All workers wait for room in the queue, which only they could make."""

    def new_queue(self) -> impl.Queue[str]:
        return impl.Queue(1)

    async def begin(self) -> None:
        impl.create_task(super().begin())
        await impl.sleep(0)

    async def put(self, urls: Iterable[str]) -> None:
        for url in urls:
            await self.queue.put(url)


@breaks("CRAWL-15", "contract: no URL is forgotten", of=Crawler)
class CrawlerForgetsThird(Crawler):
    """Only two of the URLs that a page leads to are put."""

    async def put(self, urls: Iterable[str]) -> None:
        await super().put(list(urls)[:2])


# --- URLs that are seen already -----------------------------------------------------------------------------


class SeenCrawler(Crawler):
    """A crawler with a set of the URLs that it has seen, as the chapter's; it puts the URLs that are not in it."""

    def __init__(self, site: Site, plan: CrawlConfig, frontier: Frontier, choices: Choices) -> None:
        super().__init__(site, plan, frontier, choices)
        self.seen: set[str] = set()

    async def complete(self, url: str, came: Outcome) -> None:
        new = self.frontier.complete(url, came)
        leads = came.links if isinstance(came, Page) else (came.target,) if isinstance(came, Redirect) else ()
        known = self.frontier.best
        await self.put_unseen(dict.fromkeys([*new, *(u for u in leads if u in known and u not in self.seen)]))

    async def put_unseen(self, urls: Iterable[str]) -> None:
        self.seen.update(urls)
        await self.put(urls)


@breaks(
    "CRAWL-1", "C4, C5, C8: the chapter's crawler, for links, redirects and a redirect to itself", of=Crawler
)
class CrawlerForgetsItsRoots(SeenCrawler):
    """The roots are not among the URLs that were seen, and are fetched again when something leads to them."""


@breaks("CRAWL-1", "S0: the chapter's fetch(), in which a put runs a worker at once", of=Crawler)
class CrawlerNotesSeenTooLate(SeenCrawler):
    """URLs are put first, another worker runs, and then they are noted as seen."""

    async def begin(self) -> None:
        self.seen.update(self.plan.roots)
        await super().begin()

    async def put_unseen(self, urls: Iterable[str]) -> None:
        await self.put(urls)
        await impl.sleep(SECONDS_MOST)
        self.seen.update(urls)


@breaks("CRAWL-1", "contract: a URL is fetched once", of=Crawler)
class CrawlerFetchesTwice(Crawler):
    """A page puts its links again that were fetched already."""

    async def complete(self, url: str, came: Outcome) -> None:
        await super().complete(url, came)
        if isinstance(came, Page):
            await self.put(link for link in came.links if link in self.frontier.outcomes)


# --- outcomes -----------------------------------------------------------------------------------------------


@breaks("CRAWL-3", "C6: the chapter's crawler, which takes a Location as it stands", of=Crawler)
class CrawlerKeepsRelativeLocation(Crawler):
    """The target of a redirect is not joined to the URL of its page."""

    async def fetch(self, url: str) -> Outcome:
        came = await super().fetch(url)
        if isinstance(came, Redirect):
            return replace(came, target="/" + came.target.partition("://")[2].partition("/")[2])
        return came


@breaks("CRAWL-11", "contract: an error that another try may cure is tried again", of=Crawler)
class CrawlerGivesUp(Crawler):
    """The first error of a fetch counts, although another try would give the page."""

    async def fetch(self, url: str) -> Outcome:
        came = await super().fetch(url)
        return (
            FetchFailure("reset")
            if isinstance(came, Page) and not self.choices.program(SECONDS_MOST)
            else came
        )
