"""The crawler of real sites, put together as the options say: limits, manners, and the addresses that it may go to.

`RealShard` crawls a batch of a crawl in shards with it.  A batch ends after some seconds: it starts no more URLs, and
ends with those in flight.  So the whole crawl knows of all but the last seconds, however it ends.
"""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Final

from ..net import Net
from ..net.public import PublicNet, is_local
from ..net.real.loop import SocketLoop
from ..net.real.sockets import SocketNet
from ..net.tls import default_context, tls_client
from ..options import processors
from ..sim.choices import Choices
from ..web.outcome import Outcome
from ..web.reference import CHECKS
from ..web.url import split
from .checks.checker import Stopwatch
from .crawler import CrawlConfig, Crawler
from .fetch import Fetcher, Reader, Save
from .frontier import Frontier
from .limit_options import limits, times
from .manners_options import identity, manners
from .polite import Polite
from .results.record import Record
from .robots import Gate
from .route import Routes, direct, routes
from .second_reader import SecondReader
from .shards import NOTHING, Fetched, ShardNotes

#: Seconds after which a batch starts no more URLs.
BATCH_S: Final = 5.0


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

    options: argparse.Namespace
    batch_s: float = BATCH_S

    def __call__(self, config: CrawlConfig, frontier: Frontier, notes: ShardNotes) -> Fetched:
        rows: list[Record] = []

        def done(row: Record, _: Outcome) -> None:
            rows.append(row)

        with closing(SocketLoop()) as loop:
            until = loop.time() + self.batch_s

            def admits(url: str) -> bool:
                return not frontier.outcomes or loop.time() < until

            crawl = real_crawl(self.options, config, loop, done, frontier, notes, admits)
            loop.run(crawl.crawl())
            return Fetched(rows, crawl.notes())


def real_crawl(
    options: argparse.Namespace,
    config: CrawlConfig,
    loop: SocketLoop,
    done: Callable[[Record, Outcome], object],
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

    reader = Reader(limits(options), not options.no_robots, CHECKS[options.check])
    alone = options.one_process or options.shards is not None or processors() == 1
    second = None if alone else SecondReader(reader, loop)
    net, route = _ways(options, config, SocketNet(loop))
    fetcher = Fetcher(
        net,
        loop,
        timeout_s=options.timeout,
        limits=limits(options),
        times=times(options),
        secure=partial(tls_client, context=default_context()),
        identity=identity(options, config),
        route=route,
        read=reader if second is None else second,
        save=save,
    )
    gate = None if options.no_robots else Gate(fetcher.get, notes.rules)
    choices = Choices.seeded(secrets.randbits(32))
    polite = Polite(
        watch.timing(fetcher),
        loop.time,
        choices,
        manners(options),
        gate.delay_s if gate else None,
        notes.waits,
    )
    refuses = gate.refuses if gate else None
    crawler = Crawler(config, polite, progress, frontier, refuses=refuses, again=polite.again, admits=admits)
    return RealCrawl(crawler, fetcher, second, polite, gate)


def _ways(options: argparse.Namespace, config: CrawlConfig, net: Net) -> tuple[Net, Routes]:
    """The direct way and the one through proxies: without --private to public addresses only, and to the private ones
    that are written as roots.
    """
    hosts = (split(root).host for root in config.canonical_roots())
    trusted = frozenset(filter(is_local, hosts))

    def refuses(host: str) -> bool:
        return not options.private and is_local(host) and host not in trusted

    route = direct if options.proxy is None else routes(net, options.proxy, refuses)
    return net if options.private else PublicNet(net, trusted), route
