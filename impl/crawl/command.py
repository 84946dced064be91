"""`loopspec crawl`: crawl real sites, with the options of the chapter's crawler.

The same crawler as everywhere, on the loop of real sockets.  All errors in the options are found before anything is
fetched or written: one line on standard error, exit status 2.

Ctrl-C ends the crawl, not the command: it reports and writes the results so far, exit status 130.

Source: the chapter's code (500 Lines, "A Web Crawler With asyncio Coroutines", crawl.py): names, meanings and
defaults of the options, except --max-tasks, whose default is that of its class (10), and the levels of -v.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from time import monotonic_ns
from typing import Final

from ..errors import CancelledError, DeadlockError
from ..loop import NS_PER_SECOND
from ..net.real.loop import SocketLoop
from ..net.real.sockets import SocketNet
from ..net.tls import default_context, tls_client
from ..options import Number, Parser, UsageError
from ..tasks.task import Task
from ..web.http import LIMITS
from ..web.outcome import Outcome
from ..web.url import with_scheme
from .console import open_json, tell, write_json
from .crawler import CrawlConfig, Crawler
from .fetch import Fetcher
from .interrupt import Interrupt
from .progress import ProgressLine
from .report import report

#: The options that are fields of the plan, by the same names.
_PLANNED: Final = ("exclude", "strict", "max_redirect", "max_tries", "max_tasks")
_MOST: Final = 10_000
_BODY_MOST: Final = 1 << 40
_TIMEOUT_S: Final = 30.0


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status: 0, 2 for bad usage, 130 after Ctrl-C, 1 for a crawl that is stuck."""
    try:
        return _run(_parser().parse_args(argv))
    except UsageError as error:
        print(f"loopspec crawl: {error}", file=sys.stderr)
        return 2


def _parser() -> Parser:
    parser = Parser("loopspec crawl", "Crawl real sites, with the options of the chapter's crawler.")
    # Not "+": an unknown option would then be reported as a missing URL.
    parser.add_argument("roots", nargs="*", metavar="URL", help="where to start; without a scheme: http://")
    for name, least, what in (
        ("redirect", 0, "redirects to follow from a root or link (10)"),
        ("tries", 1, "tries for a URL, on network errors (4)"),
        ("tasks", 1, "URLs in flight at once (10)"),
    ):
        number = Number(least, _MOST)
        parser.add_argument(f"--max-{name}", type=number, default=argparse.SUPPRESS, metavar="N", help=what)
        # The spelling of the original.
        parser.add_argument(
            f"--max_{name}", type=number, default=argparse.SUPPRESS, metavar="N", help=argparse.SUPPRESS
        )
    parser.add_argument("--exclude", metavar="REGEX", help="leave out URLs in which this is found")
    hosts = parser.add_mutually_exclusive_group()
    hosts.add_argument(
        "--strict", action="store_true", default=True, help="only hosts of the roots, modulo www. (default)"
    )
    hosts.add_argument(
        "--lenient", action="store_false", dest="strict", help="all hosts registered together with a root's"
    )
    parser.add_argument(
        "--timeout", type=_seconds, default=_TIMEOUT_S, metavar="S", help="seconds for a whole try (30)"
    )
    parser.add_argument(
        "--max-body",
        type=Number(1, _BODY_MOST),
        default=LIMITS.body_bytes,
        metavar="BYTES",
        help=f"largest document ({LIMITS.body_bytes})",
    )
    parser.add_argument("--json", metavar="FILE", help="write a line of JSON for each URL")
    loudness = parser.add_mutually_exclusive_group()
    loudness.add_argument(
        "-v", "--verbose", action="count", default=0, help="a line for each URL as it is done"
    )
    loudness.add_argument(
        "-q", "--quiet", action="store_true", help="no progress line on a terminal: only the report"
    )
    return parser


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"a number of seconds greater than 0, not {text!r}")
    return seconds


def _run(options: argparse.Namespace) -> int:
    plan = _plan(options)
    output = open_json(options.json)
    frontier = plan.frontier()
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
    limits = replace(LIMITS, body_bytes=options.max_body)
    secure = partial(tls_client, context=default_context())
    fetcher = Fetcher(SocketNet(loop), loop, timeout_s=options.timeout, limits=limits, secure=secure)
    crawler = Crawler(plan, fetcher, done, frontier)
    crawl = loop.create_task(_program(crawler, fetcher, line), name="crawl")
    with Interrupt(loop, crawl) as interrupt:
        status = _ended(loop, crawl, interrupt)
        elapsed_ns = monotonic_ns() - began
        try:
            write_json(output, crawler.records())
        finally:
            _say(crawler, elapsed_ns, options.verbose)
    return status


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
    if not frontier.idle:
        left = f"in flight {len(frontier.in_flight):,}, queued {len(frontier.queued):,}"
        print(f"loopspec crawl: ended early; {left}", file=sys.stderr)


def _plan(options: argparse.Namespace) -> CrawlConfig:
    if not options.roots:
        raise UsageError("name at least one URL to start from")
    given = {name: value for name, value in vars(options).items() if name in _PLANNED}
    try:
        return CrawlConfig(tuple(with_scheme(root) for root in options.roots), **given)
    except ValueError as error:
        raise UsageError(str(error)) from None


async def _program(crawler: Crawler, fetcher: Fetcher, line: ProgressLine | None) -> None:
    try:
        async with line or nullcontext():
            await crawler.crawl()
    finally:
        await fetcher.aclose()
