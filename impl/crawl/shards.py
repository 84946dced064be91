"""A crawl in shards by host, on any `concurrent.futures.Executor`: the result is that of one crawl.

1.  The caller's process has the whole frontier.  A shard that is free gets a *batch*: the queued URLs of its hosts,
    with their budgets and depths, and the notes on the hosts (`ShardNotes`).  It crawls on from there within its
    hosts, and returns the records of its URLs; it may stop early, and then the rest is in its next batch.
2.  A shard knows a part of the offers, so its budgets are at most the right ones, and its depths at least: it fetches
    nothing that the whole crawl does not (CRAWL-14).  The records are joined into the whole frontier as those of a
    journal are, in any order (CRAWL-6).  URLs that the join queues, links to other shards and redirects with a greater
    budget, are in the next batches.  A URL that is done is in no later batch, so each is fetched once.
3.  A worker that dies takes only batches with it: they are crawled again, by a new executor.  Then URLs of those
    batches may have been requested twice; each counts once.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final

from ..combinators.shield import wrap_future
from ..combinators.timeout import timeout
from ..combinators.wait import ALL_COMPLETED, FIRST_COMPLETED, wait
from ..net.real.loop import SocketLoop
from ..web.url import split
from .caps import UNCAPPED
from .crawler import CrawlConfig, CrawlState
from .frontier import Frontier, Offer
from .record import Record
from .results.journal import replay
from .robots import Answer

#: How many executors in a row may break before one joins a batch.
LIVES: Final = 3

#: Makes the runner of the batches, and closes it at the end of the context; an Executor is such a context.
MakeExecutor = Callable[[], AbstractContextManager[Executor]]

# Any: wrap_future's type for futures of any loop.
_Running = dict[Any, int]


@dataclass(frozen=True, slots=True)
class ShardNotes:
    """The notes of a shard on its hosts, for its next batch.

    rules: the robots.txt of each origin, or why there is none; waits: the seconds until a host may be asked.
    """

    rules: Mapping[str, Answer] = field(default_factory=dict)
    waits: Mapping[str, float] = field(default_factory=dict)


NOTHING: Final = ShardNotes()


@dataclass(frozen=True, slots=True)
class Fetched:
    """The result of a batch: whole records, in order of completion; notes; the virtual time that it took."""

    rows: Sequence[Record]
    notes: ShardNotes = NOTHING
    elapsed_ns: int = 0


#: Pumps a frontier until nothing is left to fetch, or for a while; an executor must be able to send it.
Pump = Callable[[CrawlConfig, Frontier, ShardNotes], Fetched]


@dataclass(frozen=True, slots=True)
class Batch:
    """The work of one shard: it crawls from `offers` on, and leaves out `known`, its URLs that are done."""

    number: int
    shards: int
    offers: tuple[Offer, ...]
    known: frozenset[str]
    notes: ShardNotes


def shard_of(url: str, shards: int) -> int:
    """The number of the shard of a canonical URL: that of its host, on every machine."""
    return zlib.crc32(split(url).host.encode()) % shards


def crawl_batch(config: CrawlConfig, pump: Pump, batch: Batch) -> Fetched:
    """Crawl one batch, in a worker."""
    scope = config.scope()

    def allows(url: str) -> bool:
        ours = shard_of(url, batch.shards) == batch.number
        return ours and url not in batch.known and scope.allows(url)

    frontier = Frontier(config.max_redirect, allows, config.depth)
    frontier.join(batch.offers)
    return pump(config, frontier, batch.notes)


class ShardedCrawler(CrawlState):
    """One crawl in shards; a SocketLoop runs it.

    Parameters:
        pump: crawls a batch, in a worker.
        shards: how many, each with one batch at a time.
        executor: makes the runner of the batches; called again when it is broken.
        progress: called with the record of each URL when its batch is joined.
        frontier: a new one, in the place of the plan's.
        lives: as LIVES.
        in_rounds: whether all shards wait for the slowest before the next batches.  Then the URLs of a batch do not
            depend on real time, and `elapsed_ns` is the time of a crawl with shards that run at once.

    Raises:
        ValueError: there is no shard, or the plan has a cap on pages or hosts: a shard counts its own only.
    """

    def __init__(
        self,
        plan: CrawlConfig,
        pump: Pump,
        shards: int,
        executor: MakeExecutor,
        progress: Callable[[Record], object] = lambda row: None,
        frontier: Frontier | None = None,
        *,
        lives: int = LIVES,
        in_rounds: bool = False,
    ) -> None:
        if shards < 1:
            raise ValueError(f"shards is {shards}: it must be at least 1")
        if plan.caps.pages is not None or plan.caps.hosts is not None:
            raise ValueError("a cap on pages or hosts is for a crawl in one process: leave out the shards")
        super().__init__(plan, frontier)
        self.elapsed_ns = 0
        self._pump = pump
        self._executor = executor
        self._progress = progress
        self._lives = lives
        self._return_when = ALL_COMPLETED if in_rounds else FIRST_COMPLETED
        self._notes = [NOTHING] * shards
        #: The known URLs of each shard, which are the first `_placed` of all.
        self._urls: list[list[str]] = [[] for _ in range(shards)]
        self._placed = 0

    async def crawl(self) -> None:
        """Crawl until nothing is left to fetch, or the time of the caps is over.

        Raises:
            BrokenExecutor: the executors break, and join nothing.
            Exception: any exception that the pump or `progress` raises.
        """
        self._offer_roots()
        try:
            async with timeout(self.plan.caps.seconds):
                await self._crawl()
        except TimeoutError:
            self.cut.late = True

    async def _crawl(self) -> None:
        lives = self._lives
        while self.frontier.queued:
            done = len(self.frontier.outcomes)
            try:
                with self._executor() as workers:
                    await self._crawl_on(workers)
            except BrokenExecutor:
                lives = lives - 1 if len(self.frontier.outcomes) == done else self._lives
                if not lives:
                    left = len(self.frontier.queued)
                    raise BrokenExecutor(f"workers have died too often; {left:,} URLs are left") from None

    async def _crawl_on(self, workers: Executor) -> None:
        """Crawl on one executor."""
        config = replace(self.plan, caps=UNCAPPED)
        running: _Running = {}
        try:
            while True:
                for batch in self._batches(running):
                    future = workers.submit(crawl_batch, config, self._pump, batch)
                    running[wrap_future(future)] = batch.number
                if not running:
                    return
                await wait(running, return_when=self._return_when)
                self._join_ended(running)
        finally:
            for each in running:
                each.cancel()

    def _batches(self, running: _Running) -> Iterator[Batch]:
        """A batch for each shard that is free and has queued URLs."""
        best, depth, done = self.frontier.best, self.frontier.depth, self.frontier.outcomes
        shards = len(self._urls)
        for url in islice(best, self._placed, None):
            self._urls[shard_of(url, shards)].append(url)
        self._placed = len(best)
        busy = set(running.values())  # for membership only
        for number, urls in enumerate(self._urls):
            offers = () if number in busy else tuple((u, best[u], depth[u]) for u in urls if u not in done)
            if offers:
                known = frozenset(url for url in urls if url in done)
                yield Batch(number, shards, offers, known, self._notes[number])

    def _join_ended(self, running: _Running) -> None:
        """Join the batches that have ended, and take them out of `running`.

        Raises:
            BrokenExecutor: a worker has died; the others' batches are joined.
            Exception: the error of a batch.
        """
        broken, longest = None, 0
        for future in [each for each in running if each.done()]:
            number = running.pop(future)
            try:
                fetched: Fetched = future.result()
            except BrokenExecutor as error:
                broken = error
                continue
            longest = max(longest, fetched.elapsed_ns)
            self._notes[number] = fetched.notes
            self._join(fetched.rows)
        self.elapsed_ns += longest
        if broken is not None:
            raise broken

    def _join(self, rows: Sequence[Record]) -> None:
        self.tries.update((row.url, row.tries) for row in rows)
        replay(self.frontier, [row.bare() for row in rows])
        for row in rows:
            self._progress(replace(row, budget=self.frontier.best[row.url]))


def crawl_shards(
    config: CrawlConfig,
    pump: Pump,
    shards: int,
    executor: MakeExecutor,
    *,
    lives: int = LIVES,
    in_rounds: bool = False,
) -> ShardedCrawler:
    """Crawl in shards, on a loop of its own; return the crawler, which has the result.

    Parameters and errors are those of ShardedCrawler and its `crawl`.
    """
    crawler = ShardedCrawler(config, pump, shards, executor, lives=lives, in_rounds=in_rounds)
    with closing(SocketLoop()) as loop:
        loop.run(crawler.crawl())
    return crawler
