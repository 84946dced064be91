"""`loopspec crawl`: crawl real sites, with the options of the chapter's crawler.

The same crawler as everywhere, on the loop of real sockets.  All errors in the options are found before anything is
fetched or written: one line on standard error, exit status 2.

Ctrl-C ends the crawl, not the command: it reports and writes the results so far, exit status 130.
The options are in `options`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from time import monotonic_ns

from ..errors import CancelledError, DeadlockError
from ..loop import NS_PER_SECOND
from ..net import Net
from ..net.public import PublicNet, is_local
from ..net.real.loop import SocketLoop
from ..net.real.sockets import SocketNet
from ..net.tls import default_context, tls_client
from ..options import UsageError
from ..tasks.task import Task
from ..web.outcome import Outcome
from ..web.url import split
from .console import open_json, tell, write_json
from .crawler import CrawlConfig, Crawler
from .fetch import Fetcher
from .interrupt import Interrupt
from .limit_options import limits, times
from .options import parser, plan
from .progress import ProgressLine
from .report import report


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status: 0, 2 for bad usage, 130 after Ctrl-C, 1 for a crawl that is stuck."""
    try:
        return _run(parser().parse_args(argv))
    except UsageError as error:
        print(f"loopspec crawl: {error}", file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    config = plan(options)
    output = open_json(options.json)
    frontier = config.frontier()
    line = None
    if not options.verbose and not options.quiet and sys.stderr.isatty():
        line = ProgressLine(frontier, sys.stderr)
    began = monotonic_ns()

    def done(url: str, outcome: Outcome) -> None:
        if options.verbose:
            tell((monotonic_ns() - began) / NS_PER_SECOND, url, outcome)
        elif line is not None:
            line.tell(url, outcome)

    loop = SocketLoop()
    secure = partial(tls_client, context=default_context())
    fetcher = Fetcher(
        _net(options, config, loop),
        loop,
        timeout_s=options.timeout,
        limits=limits(options),
        times=times(options),
        secure=secure,
    )
    crawler = Crawler(config, fetcher, done, frontier)
    crawl = loop.create_task(_program(crawler, fetcher, line), name="crawl")
    with Interrupt(loop, crawl) as interrupt:
        status = _ended(loop, crawl, interrupt)
        elapsed_ns = monotonic_ns() - began
        try:
            write_json(output, crawler.records())
        finally:
            _say(crawler, elapsed_ns, options.verbose)
    return status


def _net(options: argparse.Namespace, config: CrawlConfig, loop: SocketLoop) -> Net:
    """The network: without --private only public addresses, and the private ones that are written as roots."""
    net = SocketNet(loop)
    if options.private:
        return net
    return PublicNet(net, filter(is_local, (split(root).host for root in config.canonical_roots())))


def _ended(loop: SocketLoop, crawl: Task[None], interrupt: Interrupt) -> int:
    """Run the crawl to its end; return the exit status."""
    try:
        loop.run(crawl)
    except (KeyboardInterrupt, CancelledError):
        return 130
    except DeadlockError as stuck:
        print(f"loopspec crawl: a defect of loopspec: {str(stuck).splitlines()[0]}", file=sys.stderr)
        return 1
    finally:
        interrupt.over()
    return 0


def _say(crawler: Crawler, elapsed_ns: int, after_lines: bool) -> None:
    """Print the report; on standard error, the number of URLs that were not fetched."""
    frontier = crawler.frontier
    if after_lines:
        print()
    print("\n".join(report(crawler.records(), frontier.cut(), elapsed_ns)), flush=True)
    if by := crawler.cut.by():
        known = len(frontier.in_flight) + len(frontier.queued)
        print(f"\ncut by {', '.join(by)}: {known:,} known URLs left")
    elif not frontier.idle:
        left = f"in flight {len(frontier.in_flight):,}, queued {len(frontier.queued):,}"
        print(f"loopspec crawl: ended early; {left}", file=sys.stderr)


async def _program(crawler: Crawler, fetcher: Fetcher, line: ProgressLine | None) -> None:
    try:
        async with line or nullcontext():
            await crawler.crawl()
    finally:
        await fetcher.aclose()
