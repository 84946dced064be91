"""A crawl in shards by host, on any `concurrent.futures.Executor`: the result is that of one crawl.

1.  The caller's process has the whole frontier.  In each round it gives each shard the queued URLs of its hosts, with
    their budgets.  The shard crawls on from there within its hosts, and returns what it fetched.
2.  A shard knows a part of the offers, so its budgets are at most the right ones: it fetches nothing that the whole
    crawl does not (CRAWL-14).  The outcomes are joined into the whole frontier as they would have been completed, in
    any order (CRAWL-6).  What that queues, links to other shards and redirects with a greater budget, is the next
    round's.  A URL that is known is in no later batch, so each is fetched once.
3.  A worker that dies takes only its batch with it: the batch is crawled again by a new executor.  Then URLs of that
    batch may have been requested twice; each counts once.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass

from ..web.outcome import Outcome
from ..web.url import split
from .crawler import CrawlConfig
from .frontier import Frontier

#: Pumps a frontier until nothing is left to fetch; returns the number of tries of each URL.  An executor must be able
#: to send it.
Pump = Callable[[CrawlConfig, Frontier], Mapping[str, int]]

#: What a shard returns: the outcome of each URL that it fetched, and its tries.
Fetched = dict[str, tuple[Outcome, int]]


@dataclass(frozen=True, slots=True)
class Batch:
    """What one shard is to crawl: `offers` are URLs with budgets, `known` the URLs of the shard that are done."""

    number: int
    shards: int
    offers: tuple[tuple[str, int], ...]
    known: frozenset[str]


def shard_of(url: str, shards: int) -> int:
    """The number of the shard of a canonical URL: that of its host, on every machine."""
    return zlib.crc32(split(url).host.encode()) % shards


def crawl_batch(config: CrawlConfig, pump: Pump, batch: Batch) -> Fetched:
    """Crawl one batch, in a worker."""
    scope = config.scope()

    def allows(url: str) -> bool:
        ours = shard_of(url, batch.shards) == batch.number
        return ours and url not in batch.known and scope.allows(url)

    frontier = Frontier(config.max_redirect, allows)
    for url, budget in batch.offers:
        frontier.offer(url, budget)
    tries = pump(config, frontier)
    return {url: (outcome, tries[url]) for url, outcome in frontier.outcomes.items()}


def crawl_shards(
    config: CrawlConfig, pump: Pump, shards: int, executor: Callable[[], Executor], lives: int = 3
) -> tuple[Frontier, dict[str, int]]:
    """Crawl in `shards` shards; return the frontier of the whole crawl, and the tries of each URL.

    Parameters:
        executor: makes what runs the batches; called again when it is broken.
        lives: how many executors may break before the crawl gives up.

    Raises:
        ValueError: there is no shard.
        BrokenExecutor: `lives` executors broke.
        Exception: what `pump` raised.
    """
    if shards < 1:
        raise ValueError(f"shards is {shards}: it must be at least 1")
    frontier, tries = config.frontier(), dict[str, int]()
    for root in config.canonical_roots():
        frontier.offer(root, config.max_redirect)
    fetched: Fetched = {}
    while frontier.queued:
        left = _batches(frontier, shards)
        while left:
            with executor() as workers:
                futures = [(batch, workers.submit(crawl_batch, config, pump, batch)) for batch in left]
                left = [batch for batch, future in futures if not _ended(future, fetched)]
            if left:
                lives -= 1
            if not lives:
                raise BrokenExecutor(f"workers have died too often; {len(left)} batches are left")
        tries |= _join(frontier, fetched)
    return frontier, tries


def _batches(frontier: Frontier, shards: int) -> list[Batch]:
    """The queued URLs, by shard; a shard without any has no batch."""
    offers: list[list[tuple[str, int]]] = [[] for _ in range(shards)]
    for url in frontier.queued:
        offers[shard_of(url, shards)].append((url, frontier.best[url]))
    return [
        Batch(number, shards, tuple(ours), _known(frontier.outcomes, number, shards))
        for number, ours in enumerate(offers)
        if ours
    ]


def _known(urls: Iterable[str], number: int, shards: int) -> frozenset[str]:
    return frozenset(url for url in urls if shard_of(url, shards) == number)


def _ended(future: Future[Fetched], fetched: Fetched) -> bool:
    """Add what a batch fetched; returns whether it was crawled."""
    try:
        fetched |= future.result()
    except BrokenExecutor:
        return False
    return True


def _join(frontier: Frontier, fetched: Fetched) -> dict[str, int]:
    """Complete what was fetched, as far as the frontier knows that it must be; return the tries."""
    tries: dict[str, int] = {}
    todo = list(frontier.queued)
    while todo:
        url = todo.pop()
        if url in fetched:
            outcome, tries[url] = fetched.pop(url)
            frontier.start(url)
            todo += frontier.complete(url, outcome)
    return tries
