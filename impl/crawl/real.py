"""The crawler of real sites, put together as the options say: limits, manners, and the addresses that it may go to."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Callable
from functools import partial

from ..net import Net
from ..net.public import PublicNet, is_local
from ..net.real.loop import SocketLoop
from ..net.real.sockets import SocketNet
from ..net.tls import default_context, tls_client
from ..sim.choices import Choices
from ..web.outcome import Outcome
from ..web.reference import CHECKS
from ..web.url import split
from .checks.checker import Stopwatch
from .crawler import CrawlConfig, Crawler
from .fetch import Fetcher, Save
from .frontier import Frontier
from .limit_options import limits, times
from .manners_options import identity, manners
from .polite import Polite
from .robots import Gate
from .route import Routes, direct, routes


def real_crawler(
    options: argparse.Namespace,
    config: CrawlConfig,
    loop: SocketLoop,
    done: Callable[[str, Outcome], object],
    frontier: Frontier,
    watch: Stopwatch,
    save: Save | None = None,
) -> tuple[Crawler, Fetcher]:
    """Return the crawler, and the fetcher that is to be closed after it.

    Parameters:
        done: called with each URL that is done, and its outcome.
        watch: times each try.
        save: called with each URL, and what was sent and received.
    """
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
        save=save,
        obeys=not options.no_robots,
        check=CHECKS[options.check],
    )
    gate = None if options.no_robots else Gate(fetcher.get)
    choices = Choices.seeded(secrets.randbits(32))
    polite = Polite(
        watch.timing(fetcher), loop.time, choices, manners(options), gate.delay_s if gate else None
    )
    refuses = gate.refuses if gate else None
    return Crawler(config, polite, done, frontier, refuses=refuses, again=polite.again), fetcher


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
