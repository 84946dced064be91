"""Teaching code: rung 16, the chapter's crawler: ten workers, a queue, and the set of URLs seen.

Teaches: all rungs together.  The crawl is one coroutine, which waits until the queue has been processed.  Workers put
the links of a page and the target of a redirect, so the crawl ends when nothing is left to find.
Changed against rung 15: the pages are not known beforehand.  An item is a URL and the number of redirects that may
still be followed from it: `max_redirect` for a root or a link, one less after each redirect.
Still wrong: `FirstDiscovery`, the text's own rule.  A URL that has been seen is never offered again, so its first
finder fixes its number of redirects.  A page behind a redirect is lost or found depending on latencies (defect S1;
`two_schedules.py` shows it) or, even with one worker, on the order of a page's links (S2); the order of the result
differs even where no page is lost (S3).  `impl/crawl/frontier.py` keeps the best number of each URL, and its result is
the same under all schedules.
Also, `put` runs a waiting worker inside `offer` (S0, see `futures.py`).  This is harmless here, because a URL is marked
as seen before it is put.  The text marks all links of a page after putting them, and would fetch some twice if a fetch
ever ended without waiting.

Against the text's sketch: an error, a redirect without a target and a page in an unknown charset are outcomes, and the
worker continues (C1, C2, C3); a worker that fails nevertheless ends the crawl with its error.  Roots are in the set of
URLs seen (C4, C5, C8).  Links and targets are canonical URLs, and other hosts are left out (C6).  A redirect that may
not be followed is kept in `cut` (C7).  A crawl needs a worker (C9).  Workers are cancelled, because StopIteration
cannot be thrown into a generator (K10).  As in the text, an item is reported done after its links have been put, or
`join` would return too early (S4), and the queue has no bound (L3).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Coordinating Coroutines".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Final

from ...crawl.scope import Scope
from ...web.outcome import Outcome, Page, Redirect
from ..world import World
from .delegating import fetch
from .join_queue import JoinableQueue
from .running import EventLoop
from .task_future import Task
from .yielding import Coroutine, Loop

MAX_REDIRECT: Final = 10
MAX_TASKS: Final = 10

#: An item of the queue: a URL, and how many redirects may be followed from it.
Item = tuple[str, int]


def at_least(least: int, name: str, number: int) -> int:
    """Return the number; raises ValueError when it is less than `least`."""
    if number < least:
        raise ValueError(f"{name} must be {least} or more, not {number}")
    return number


class FirstDiscovery:
    """The URLs found so far, and the rule: a URL is put once, with the number of redirects of its first finder.

    `done` maps each fetched URL to its outcome; `cut` maps each redirect that might not be followed to its target.
    """

    def __init__(
        self,
        put: Callable[[Item], None],
        roots: Sequence[str],
        max_redirect: int,
        allows: Callable[[str], bool] | None,
    ) -> None:
        """The roots are canonical URLs; `allows` selects the URLs to fetch (None: those of the roots' hosts).

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
        """Put the URL, unless it has been seen or is not allowed."""
        if url not in self.seen and self.allows(url):
            self.seen.add(url)  # first, because `put` may run a worker that looks here
            self.put((url, left))

    def follow(self, url: str, left: int, outcome: Outcome) -> None:
        """Store the outcome of a URL, and offer its links or its target."""
        self.done[url] = outcome
        match outcome:
            case Page(links):
                for link in links:
                    self.offer(link, self.max_redirect)
            case Redirect(target) if left > 0:
                self.offer(target, left - 1)
            case Redirect(target):
                self.cut[url] = target


class Start:
    """What a crawler begins with; `found` holds the result."""

    def __init__(
        self,
        loop: Loop,
        roots: Sequence[str],
        max_redirect: int = MAX_REDIRECT,
        max_tasks: int = MAX_TASKS,
        allows: Callable[[str], bool] | None = None,
    ) -> None:
        """As `FirstDiscovery`; raises ValueError also when `max_tasks` is 0."""
        self.loop = loop
        self.max_tasks = at_least(1, "max_tasks", max_tasks)
        self.queue = JoinableQueue[Item]()
        self.found = FirstDiscovery(self.queue.put_nowait, roots, max_redirect, allows)

    def main(self) -> Coroutine[None]:
        """The crawl, for a Task."""
        raise NotImplementedError


class Crawler(Start):
    """Crawls from the roots."""

    def main(self) -> Coroutine[None]:
        """Crawl until nothing is left to fetch; raises the error of a worker that fails."""
        joined = Task(self.queue.join())
        workers = [Task(self.work()) for _ in range(self.max_tasks)]
        for worker in workers:
            # The worker has failed, and its item is never done.
            worker.add_done_callback(lambda _: joined.cancel())
        try:
            yield from joined
        finally:
            for worker in [worker for worker in workers if not worker.cancel()]:
                worker.result()  # raise its error

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
    kind: type[Start] = Crawler,
) -> dict[str, Outcome]:
    """Follow links and redirects from the roots; returns the outcome of each URL, in the order of the fetches."""
    with closing(EventLoop(world)) as loop:
        crawler = kind(loop, roots, max_redirect, max_tasks, allows)
        loop.run_until_complete(crawler.main())
    return crawler.found.done


def run(world: World, urls: Sequence[str], kind: type[Start] = Crawler) -> dict[str, Outcome]:
    """Fetch the pages, ten at a time, and no links."""
    return crawl(world, urls, allows=frozenset(urls).__contains__, kind=kind)
