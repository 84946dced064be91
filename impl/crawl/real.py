"""A crawl of real sites, put together as its options say: limits, manners, and the addresses that it may go to.

    from impl.crawl.crawler import CrawlConfig
    from impl.crawl.options import CrawlOptions
    from impl.crawl.real import crawl

    crawler = crawl(CrawlConfig(("https://a.test/",), depth=2), CrawlOptions(check="fragments", timeout=10))
    for row in crawler.records():
        print(row.url, row.outcome, row.status)

`RealShard` crawls a batch of a crawl in shards.  A batch ends after some seconds: it starts no more URLs, and
ends with those in flight.  So the whole crawl knows of all but the last seconds, however it ends.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Coroutine
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from ..commands.options import processors
from ..net import Net
from ..net.real.loop import SocketLoop
from ..net.real.sockets import SocketNet
from ..net.tls import default_context, tls_client
from ..net.wrappers import PublicNet, is_local
from ..sim.choices import Choices
from ..web.outcome import Outcome
from ..web.reference import CHECKS
from ..web.url import split
from .checks.findings import Stopwatch
from .crawler import CrawlConfig, Crawler, CrawlState
from .fetch import Fetcher, Reader, Save
from .frontier import Frontier
from .options import USUAL, CrawlOptions
from .polite import Polite
from .pool import Routes, direct, routes
from .record import Record, outcome_of
from .robots import Gate
from .second_reader import SecondReader
from .shards import NOTHING, Fetched, MakeExecutor, ShardedCrawler, ShardNotes
from .workers import make_executor

#: Seconds after which a batch starts no more URLs.
BATCH_S: Final = 5.0

#: Called with the record of each URL that is done, and its outcome.
Done = Callable[[Record, Outcome], object]

#: Crawls, on a loop.  Any: as Loop.create_task.
Program = Callable[[], Coroutine[Any, Any, None]]


def crawl(config: CrawlConfig, options: CrawlOptions = USUAL, done: Done = lambda row, outcome: None) -> CrawlState:
    """Crawl real sites, on a loop of its own; return the crawler, which has the result.

    Parameters:
        config: the URLs to crawl.
        options: how they are crawled.
        done: called with the record of each URL that is done, and its outcome.

    Raises:
        UsageError: Dask is wanted, and is not installed or does not answer.
        ValueError: shards are wanted, and a cap on pages or hosts.
        BrokenExecutor: the workers of the shards die again and again.
        Exception: any exception that `done` raises.
    """
    executor = executor_of(options)
    with closing(SocketLoop()) as loop:
        crawler, program = make_crawl(config, options, loop, done, config.frontier(), executor)
        loop.run(program())
    return crawler


def executor_of(options: CrawlOptions) -> MakeExecutor | None:
    """The executors of a crawl in shards; None: it has no shards.  Raises UsageError as `make_executor`."""
    return None if options.shards is None else make_executor(options.shards, options.dask)


def make_crawl(
    config: CrawlConfig,
    options: CrawlOptions,
    loop: SocketLoop,
    done: Done,
    frontier: Frontier,
    executor: MakeExecutor | None = None,
    save: Save | None = None,
) -> tuple[CrawlState, Program]:
    """Return the crawler that fills `frontier`, and the function that crawls with it on `loop`.

    Parameters:
        done: called with the record of each URL that is done, and its outcome.
        executor: the executors of its shards; None: it has none.
        save: as for `real_crawl`; not for shards.
    """
    if executor is None or options.shards is None:
        real = real_crawl(config, options, loop, done, frontier, save=save)
        return real.crawler, real.crawl
    sharded = ShardedCrawler(
        config,
        RealShard(options),
        options.shards,
        executor,
        lambda row: done(row, outcome_of(row)),
        frontier,
    )
    return sharded, sharded.crawl


@dataclass(frozen=True, slots=True)
class RealCrawl:
    """A crawler of real sites, and its state."""

    crawler: Crawler
    fetcher: Fetcher
    second: SecondReader | None
    polite: Polite
    gate: Gate | None

    async def crawl(self) -> None:
        """Crawl as `Crawler.crawl`, and close all connections."""
        with self.second or nullcontext():
            try:
                await self.crawler.crawl()
            finally:
                await self.fetcher.aclose()

    def notes(self) -> ShardNotes:
        """The notes of the crawl on its hosts."""
        return ShardNotes({} if self.gate is None else self.gate.known(), self.polite.waits())


@dataclass(frozen=True, slots=True)
class RealShard:
    """Crawls batches, in a worker: a `Pump`."""

    options: CrawlOptions
    batch_s: float = BATCH_S

    def __call__(self, config: CrawlConfig, frontier: Frontier, notes: ShardNotes) -> Fetched:
        rows: list[Record] = []

        def done(row: Record, _: Outcome) -> None:
            rows.append(row)

        with closing(SocketLoop()) as loop:
            until = loop.time() + self.batch_s

            def admits(url: str) -> bool:
                return not frontier.outcomes or loop.time() < until

            crawl = real_crawl(config, self.options, loop, done, frontier, notes, admits)
            loop.run(crawl.crawl())
            return Fetched(rows, crawl.notes())


def real_crawl(
    config: CrawlConfig,
    options: CrawlOptions,
    loop: SocketLoop,
    done: Done,
    frontier: Frontier,
    notes: ShardNotes = NOTHING,
    admits: Callable[[str], bool] | None = None,
    save: Save | None = None,
) -> RealCrawl:
    """Return the crawler that fills `frontier` on `loop`.

    Parameters:
        done: called with the record of each URL that is done, and its outcome.
        notes: the facts known about the hosts.
        admits: as for Crawler.
        save: called with each URL, and the bytes sent and received.
    """
    watch = Stopwatch(loop.time, options.slow)

    def progress(url: str, outcome: Outcome) -> None:
        done(crawler.record(url, outcome, watch.slow_ms(url)), outcome)

    reader = Reader(options.limits, options.robots, CHECKS[options.check])
    alone = options.one_process or options.shards is not None or processors() == 1
    second = None if alone else SecondReader(reader, loop)
    net, route = _ways(config, options, SocketNet(loop))
    fetcher = Fetcher(
        net,
        loop,
        timeout_s=options.timeout,
        limits=options.limits,
        times=options.times,
        secure=partial(tls_client, context=default_context()),
        identity=options.identity(config),
        route=route,
        read=reader if second is None else second,
        save=save,
    )
    gate = Gate(fetcher.get, notes.rules) if options.robots else None
    choices = Choices.seeded(secrets.randbits(32))
    polite = Polite(
        watch.timing(fetcher),
        loop.time,
        choices,
        options.manners,
        gate.delay_s if gate else None,
        notes.waits,
    )
    refuses = gate.refuses if gate else None
    crawler = Crawler(config, polite, progress, frontier, refuses=refuses, again=polite.again, admits=admits)
    return RealCrawl(crawler, fetcher, second, polite, gate)


def _ways(config: CrawlConfig, options: CrawlOptions, net: Net) -> tuple[Net, Routes]:
    """The direct way and the one through proxies: without --private to public addresses only, and to the private ones
    that are written as roots.
    """
    hosts = (split(root).host for root in config.canonical_roots())
    trusted = frozenset(filter(is_local, hosts))

    def refuses(host: str) -> bool:
        return not options.private and is_local(host) and host not in trusted

    route = direct if options.proxy is None else routes(net, options.proxy, refuses)
    return net if options.private else PublicNet(net, trusted), route
