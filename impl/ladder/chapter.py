"""Teaching code: rung 16, the chapter's crawler whole: ten workers, a queue, and what has been seen.

What it teaches: all of it together.  The crawl is one coroutine, which waits until the queue is worked off; workers
put what they find, a page's links and a redirect's target, so the crawl ends when there is nothing left to find.
What changed against rung 15: nobody knows the pages beforehand.  An item is a URL and the number of redirects that may
still be followed from it: `max_redirect` for a root or a link, one less at every redirect.
What is still wrong with it: `FirstDiscovery`, the text's own rule, named here.  A URL that has been seen is never
offered again, so whoever finds it first says how far it may lead.  A page behind a redirect is lost or found as the
network pleases (the text's defect S1; `two_schedules.py` shows it), or as a page orders its links, with one worker
too (S2); and who found what, in which order, differs even where nothing is lost (S3).  `impl/crawl/frontier.py` lets
the best number win, whenever it turns up, and its result is one for all schedules.
And `put` runs a waiting worker inside `offer` (S0): see `futures.py`.  Here that does no harm, as a URL is noted as
seen before it is put; the text notes a page's links when all are put, and would fetch some twice if a fetch ever ended
without waiting.  `impl/tasks/future.py` defers the callbacks.

Against the text's sketch: an error, a redirect that leads nowhere, a page in no known charset are outcomes, and the
worker lives (C1, C2, C3); a worker that fails all the same ends the crawl, and says why.  Roots are seen like any other
URL (C4, C5, C8).  Links and targets are canonical, and those of other hosts are left alone (C6).  A redirect that could
not be followed any further is kept in `cut` (C7).  Without a worker there is no crawl (C9).  Workers end by a
CancelledError, since a StopIteration cannot be thrown into a generator (K10).  As in the text an item is done when what
it led to has been put, or `join` would return too early (S4), and the queue has no bound (L3).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Coordinating Coroutines".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Final

from ..crawl.outcome import Outcome, Page, Redirect
from ..crawl.scope import Scope
from .delegating import fetch
from .join_queue import JoinableQueue, waiting_unit
from .running import EventLoop
from .task_future import Task
from .world import World
from .yielding import Coroutine, Loop

__all__ = ["Crawler", "FirstDiscovery", "crawl", "run", "waiting_unit"]

MAX_REDIRECT: Final = 10
MAX_TASKS: Final = 10

#: What is put in the queue: a URL, and how many redirects may be followed from it.
Item = tuple[str, int]


def at_least(least: int, name: str, number: int) -> int:
    """The number; raises ValueError when it is smaller."""
    if number < least:
        raise ValueError(f"{name} must be {least} or more, not {number}")
    return number


class FirstDiscovery:
    """What has been found so far, and the rule: a URL is put once, with the number that its first finder gives it.

    `done` says what became of each URL that was fetched; `cut` maps each redirect that was not followed, because no
    more might be, to its target.
    """

    def __init__(
        self,
        put: Callable[[Item], None],
        roots: Sequence[str],
        max_redirect: int,
        allows: Callable[[str], bool] | None,
    ) -> None:
        """The roots are canonical URLs; `allows`: which URLs to fetch, else those of the roots' hosts.

        Raises:
            ValueError: a root is not canonical, or the number of redirects is negative.
        """
        self.put = put
        self.max_redirect = at_least(0, "max_redirect", max_redirect)
        self.allows = allows or Scope(tuple(roots)).allows
        self.seen: set[str] = set()
        self.done: dict[str, Outcome] = {}
        self.cut: dict[str, str] = {}
        for root in roots:
            self.offer(root, max_redirect)

    def offer(self, url: str, left: int) -> None:
        """Somebody has found this URL."""
        if url not in self.seen and self.allows(url):
            self.seen.add(url)  # first, as `put` wakes a worker who looks here
            self.put((url, left))

    def follow(self, url: str, left: int, outcome: Outcome) -> None:
        """Keep what became of this URL, and offer what it leads to."""
        self.done[url] = outcome
        match outcome:
            case Page(links):
                for link in links:
                    self.offer(link, self.max_redirect)
            case Redirect(target) if left > 0:
                self.offer(target, left - 1)
            case Redirect(target):
                self.cut[url] = target


class Crawler:
    """Crawls from some roots; `found` is what it finds."""

    def __init__(
        self,
        loop: Loop,
        roots: Sequence[str],
        max_redirect: int = MAX_REDIRECT,
        max_tasks: int = MAX_TASKS,
        allows: Callable[[str], bool] | None = None,
    ) -> None:
        """As `FirstDiscovery`; raises ValueError when there is no worker, too."""
        self.loop = loop
        self.max_tasks = at_least(1, "max_tasks", max_tasks)
        self.queue = JoinableQueue[Item]()
        self.found = FirstDiscovery(self.queue.put_nowait, roots, max_redirect, allows)

    def crawl(self) -> Coroutine[None]:
        """Crawl until nothing is left to fetch; raises what a worker raises."""
        joined = Task(self.queue.join())
        workers = [Task(self.work()) for _ in range(self.max_tasks)]
        for worker in workers:
            worker.add_done_callback(lambda _: joined.cancel())  # it has failed: nobody works off its item
        try:
            yield from joined
        finally:
            for worker in [worker for worker in workers if not worker.cancel()]:
                worker.result()  # raises why

    def work(self) -> Coroutine[None]:
        """One worker."""
        while True:
            url, left = yield from self.queue.get()
            outcome = yield from fetch(self.loop, url)
            self.found.follow(url, left, outcome)
            self.queue.task_done()


def crawl(
    world: World,
    roots: Sequence[str],
    max_redirect: int = MAX_REDIRECT,
    max_tasks: int = MAX_TASKS,
    allows: Callable[[str], bool] | None = None,
) -> dict[str, Outcome]:
    """Follow links and redirects from the roots, as `Crawler` takes them: what became of each URL, in order."""
    with closing(EventLoop(world)) as loop:
        crawler = Crawler(loop, roots, max_redirect, max_tasks, allows)
        loop.run_until_complete(crawler.crawl())
    return crawler.found.done


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch them, ten at a time, and nothing else that they lead to."""
    return crawl(world, urls, allows=frozenset(urls).__contains__)
