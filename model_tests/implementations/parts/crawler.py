"""A right crawler as small as possible: workers around a queue, join, then cancel.

`runtime_of` makes a runtime of it, or of a class that derives from it; it can be recorded and compared like any other.
A fetch takes a few seconds of virtual time, drawn from the choices of the conditions; its outcome is the oracle's.
"""

from collections.abc import Callable, Iterable
from typing import ClassVar

import impl
from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.loop import Loop
from impl.sim.choices import Choices
from impl.web.outcome import Outcome
from impl.web.serving.site import Site

from ...crawls.comparison import CrawlRuntime
from ...crawls.oracle import outcome

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
