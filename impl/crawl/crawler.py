"""The crawler: workers take URLs from a queue, fetch them and put in the URLs that they find; then join, then cancel.

The pure frontier makes all decisions; this file only runs them.  `max_tasks` workers share our Queue, as in the
chapter.  A worker reports an item done only after it has put in the URLs that the item led to.  So the count of
unfinished items reaches zero exactly when the queue is empty and no worker is busy (defect S4 of the chapter's class:
reporting first lets join return early).

Network errors and program errors are kept apart.  An error of a fetch is returned as a `FetchFailure`, and the fetch is
repeated if another try may succeed.  A *raised* exception is a defect of the program: it ends the crawl with that
exception, so no worker dies in silence while join waits for it.

Source: the chapter (500 Lines, "A Web Crawler With asyncio Coroutines"); names of parameters are those of its code.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..combinators.timeout import timeout
from ..errors import CancelledError
from ..runners.runner import create_task
from ..sync.queue import Queue
from ..tasks.task import Task
from ..web.outcome import TRANSIENT, FetchFailure, Outcome, bare
from ..web.url import canonical
from .caps import UNCAPPED, Caps, Cut
from .frontier import Frontier
from .record import Record, record, records
from .results.journal import replay
from .scope import Scope

# Any: no result of a task is read.
AnyTask = Task[Any]

#: Fetches one URL, once; network errors are returned as a Failure.
Fetch = Callable[[str], Awaitable[Outcome]]

#: Returns the outcome of a URL that must not be fetched, or None.
Refuses = Callable[[str], Awaitable[Outcome | None]]

#: Returns whether a URL is tried again after that many tries, the last with that outcome; it may wait before.
Again = Callable[[str, int, Outcome], Awaitable[bool]]


async def at_once(url: str, tries: int, outcome: Outcome) -> bool:
    """Try again, without a pause, where another try may succeed."""
    return isinstance(outcome, FetchFailure) and outcome.error in TRANSIENT


@dataclass(frozen=True, slots=True)
class CrawlConfig:
    """The parameters of a crawl, the same for every implementation.

    roots: URLs; exclude: a regular expression for URLs to leave out, roots included; include: one for the
    URLs to crawl, besides the roots; strict: hosts equal to a root's
    modulo "www.", else registered together (scope.py); max_redirect: redirects followed from a root or link;
    max_tries: attempts a URL; max_tasks: workers; depth: links to
    follow from a root, None for any number; caps: where to stop in all.

    Raises:
        ValueError: no root, a root that is not an http(s) URL, a bad regular expression, a number that is too small.
    """

    roots: tuple[str, ...]
    exclude: str | None = None
    include: str | None = None
    strict: bool = True
    max_redirect: int = 10
    max_tries: int = 4
    max_tasks: int = 10
    depth: int | None = None
    caps: Caps = UNCAPPED

    def __post_init__(self) -> None:
        if not self.roots:
            raise ValueError("there is no root to start from")
        for root in self.roots:
            if canonical(root) is None:
                raise ValueError(
                    f"a root must be an http or https URL, with a port that browsers do not block: {root!r}"
                )
        for name, least in (("max_redirect", 0), ("max_tries", 1), ("max_tasks", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be {least} or more, not {getattr(self, name)}")
        self.scope()
        self.frontier()

    def canonical_roots(self) -> tuple[str, ...]:
        return tuple(url for root in self.roots if (url := canonical(root)) is not None)

    def scope(self) -> Scope:
        return Scope(self.canonical_roots(), self.exclude, self.strict, self.include)

    def frontier(self) -> Frontier:
        """A new, empty frontier for this plan."""
        return Frontier(self.max_redirect, self.scope().allows, self.depth)


class CrawlState:
    """The state of every crawl: `frontier` and `tries` hold its result so far, `cut` the URLs that its caps left out.

    A new `frontier` replaces the plan's.
    """

    def __init__(self, plan: CrawlConfig, frontier: Frontier | None = None) -> None:
        self.plan = plan
        self.frontier = plan.frontier() if frontier is None else frontier
        self.tries: dict[str, int] = {}
        self.cut = Cut(plan.caps)

    def records(self) -> list[Record]:
        """The records of all fetched URLs, sorted by URL."""
        return records(self.frontier, self.tries)

    def record(self, url: str, outcome: Outcome, slow_ms: int | None = None) -> Record:
        """The record of one fetched URL, with the best budget that is known now."""
        return record(url, outcome, self.frontier.best[url], self.tries[url], slow_ms)

    def resume(self, rows: Sequence[Record]) -> None:
        """Go on, before `crawl`, from the records of a crawl that was stopped: their URLs are done.

        Raises:
            JournalError: `rows` are not all the records that such a crawl had made (journal.py).
        """
        self._offer_roots()
        replay(self.frontier, rows)
        self.tries.update((row.url, row.tries) for row in rows)

    def _offer_roots(self) -> None:
        for root in self.plan.canonical_roots():
            self.frontier.offer(root, self.plan.max_redirect)


class Crawler(CrawlState):
    """A crawl by workers of one loop.

    `progress(url, outcome)` is called as each URL is done, with the references and anchors of a page, which the
    frontier does not keep; a new `frontier` replaces the plan's; `refuses` is asked
    once before a URL is fetched, `again` before each further try; a URL that `admits` refuses, by default those beyond
    the caps, stays queued.
    """

    def __init__(
        self,
        plan: CrawlConfig,
        fetch: Fetch,
        progress: Callable[[str, Outcome], object] | None = None,
        frontier: Frontier | None = None,
        *,
        refuses: Refuses | None = None,
        again: Again = at_once,
        admits: Callable[[str], bool] | None = None,
    ) -> None:
        super().__init__(plan, frontier)
        self._fetch = fetch
        self._refuses = refuses
        self._again = again
        self._admits = self.cut.admits if admits is None else admits
        self._progress = progress
        self._over = False
        self._failed: BaseException | None = None

    async def crawl(self) -> None:
        """Crawl until nothing is left to fetch, or the caps leave nothing to start.

        Raises:
            Exception: any exception that `fetch` or `progress` raises.
        """
        queue: Queue[str] = Queue()
        self._offer_roots()
        for url in self.frontier.queued:
            queue.put_nowait(url)
        joined = create_task(queue.join(), name="join")
        workers = [
            create_task(self._work(queue), name=f"worker-{number}") for number in range(1, self.plan.max_tasks + 1)
        ]
        for worker in workers:
            worker.add_done_callback(lambda done: self._worker_ended(done, joined))
        try:
            async with timeout(self.plan.caps.seconds):
                await joined
        except TimeoutError:
            self.cut.late = True
        except CancelledError:
            if self._failed is None:
                raise
            raise self._failed from None
        finally:
            self._over = True
            joined.cancel()
            for worker in workers:
                worker.cancel()

    async def _work(self, queue: Queue[str]) -> None:
        while True:
            url = await queue.get()
            if not self._admits(url):
                queue.task_done()  # the URL stays queued in the frontier
                continue
            self.frontier.start(url)
            outcome = await self._try(url)
            for found in self.frontier.complete(url, bare(outcome)):
                queue.put_nowait(found)
            if self._progress is not None:
                self._progress(url, outcome)  # before the join can return: its error ends the crawl
            queue.task_done()

    async def _try(self, url: str) -> Outcome:
        """Fetch until an outcome is final or the tries are used up; return the last outcome."""
        self.tries[url] = 0
        refused = None if self._refuses is None else await self._refuses(url)
        if refused is not None:
            return refused
        for number in range(1, self.plan.max_tries + 1):
            self.tries[url] = number
            outcome = await self._fetch(url)
            if number == self.plan.max_tries or not await self._again(url, number, outcome):
                break
        return outcome

    def _worker_ended(self, worker: AnyTask, joined: AnyTask) -> None:
        """End the crawl if a worker ends early: it has failed, and the join might wait for ever."""
        if not self._over and self._failed is None:
            cancelled = worker.cancelled()
            self._failed = RuntimeError(f"{worker!r} was cancelled") if cancelled else worker.exception()
            joined.cancel()
