"""The crawler: workers take URLs from a queue, fetch them and put in the URLs that they find; then join, then cancel.

The pure frontier makes all decisions; this file only runs them.  `max_tasks` workers share our Queue, as in the
chapter.  A worker reports an item done only after it has put in the URLs that the item led to.  So the count of
unfinished items reaches zero exactly when the queue is empty and no worker is busy (defect S4 of the chapter's class:
reporting first lets join return early).

Network errors and program errors are kept apart.  An error of a fetch is returned as a `Failure`, and the fetch is
repeated if another try may succeed.  A *raised* exception is a defect of the program: it ends the crawl with that
exception, so no worker dies in silence while join waits for it.

Source: the chapter (500 Lines, "A Web Crawler With asyncio Coroutines"); names of parameters are those of its code.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from ..errors import CancelledError
from ..runners import create_task
from ..sync.queue import Queue
from ..tasks.task import Task
from ..web.outcome import Failure, Outcome
from ..web.url import canonical
from .frontier import Frontier
from .record import Record, records
from .scope import Scope

# Any: no result of a task is read.
AnyTask = Task[Any]

#: Fetches one URL, once; network errors are returned as a Failure.
Fetch = Callable[[str], Awaitable[Outcome]]

#: Errors after which another try may succeed.
TRANSIENT = ("no-such-host", "refused", "reset", "incomplete", "timeout")


@dataclass(frozen=True, slots=True)
class CrawlConfig:
    """The parameters of a crawl, the same for every implementation.

    roots: URLs; exclude: a regular expression for URLs to leave out, roots included; strict: hosts equal to a root's
    modulo "www.", else registered together (scope.py); max_redirect: redirects followed from a root or link;
    max_tries: attempts a URL; max_tasks: workers.

    Raises:
        ValueError: no root, a root that is not an http(s) URL, a bad regular expression, a number that is too small.
    """

    roots: tuple[str, ...]
    exclude: str | None = None
    strict: bool = True
    max_redirect: int = 10
    max_tries: int = 4
    max_tasks: int = 10

    def __post_init__(self) -> None:
        if not self.roots:
            raise ValueError("there is no root to start from")
        for root in self.roots:
            if canonical(root) is None:
                raise ValueError(f"a root must be an http or https URL: {root!r}")
        for name, least in (("max_redirect", 0), ("max_tries", 1), ("max_tasks", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be {least} or more, not {getattr(self, name)}")
        self.scope()

    def canonical_roots(self) -> tuple[str, ...]:
        return tuple(url for root in self.roots if (url := canonical(root)) is not None)

    def scope(self) -> Scope:
        return Scope(self.canonical_roots(), self.exclude, self.strict)

    def frontier(self) -> Frontier:
        """A new, empty frontier for this plan."""
        return Frontier(self.max_redirect, self.scope().allows)


#: The old name, for one release.
Plan = CrawlConfig


class Crawler:
    """One crawl; `frontier` and `tries` hold its result so far.

    `progress(url, outcome)` is called as each URL is done; a new `frontier` replaces the plan's.
    """

    def __init__(
        self,
        plan: CrawlConfig,
        fetch: Fetch,
        progress: Callable[[str, Outcome], object] | None = None,
        frontier: Frontier | None = None,
    ) -> None:
        self.plan = plan
        self.frontier = plan.frontier() if frontier is None else frontier
        self.tries: dict[str, int] = {}
        self._fetch = fetch
        self._progress = progress
        self._over = False
        self._failed: BaseException | None = None

    def records(self) -> list[Record]:
        """The records of all fetched URLs, sorted by URL."""
        return records(self.frontier, self.tries)

    async def crawl(self) -> None:
        """Crawl until nothing is left to fetch.

        Raises:
            Exception: any exception that `fetch` raises.
        """
        queue: Queue[str] = Queue()
        for root in self.plan.canonical_roots():
            self.frontier.offer(root, self.plan.max_redirect)
        for url in self.frontier.queued:  # the roots, and what the frontier already had
            queue.put_nowait(url)
        joined = create_task(queue.join(), name="join")
        workers = [
            create_task(self._work(queue), name=f"worker-{number}")
            for number in range(1, self.plan.max_tasks + 1)
        ]
        for worker in workers:
            worker.add_done_callback(lambda done: self._worker_ended(done, joined))
        try:
            await joined
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
            self.frontier.start(url)
            outcome = await self._try(url)
            for found in self.frontier.complete(url, outcome):
                queue.put_nowait(found)
            queue.task_done()
            if self._progress is not None:
                self._progress(url, outcome)

    async def _try(self, url: str) -> Outcome:
        """Fetch until an outcome is final or the tries are used up; return the last outcome."""
        for number in range(1, self.plan.max_tries + 1):
            self.tries[url] = number
            outcome = await self._fetch(url)
            if not (isinstance(outcome, Failure) and outcome.error in TRANSIENT):
                break
        return outcome

    def _worker_ended(self, worker: AnyTask, joined: AnyTask) -> None:
        """End the crawl if a worker ends early: it has failed, and the join might wait for ever."""
        if not self._over and self._failed is None:
            cancelled = worker.cancelled()
            self._failed = RuntimeError(f"{worker!r} was cancelled") if cancelled else worker.exception()
            joined.cancel()
