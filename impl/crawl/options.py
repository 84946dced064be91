"""The options of `loopspec crawl`: their names, values and defaults, and what they make.

Every error in them is found before anything is fetched or written.

Source: the chapter's code (500 Lines, "A Web Crawler With asyncio Coroutines", crawl.py): names, meanings and
defaults of the options, except --max-tasks, whose default is that of its class (10), and the levels of -v.
"""

from __future__ import annotations

import argparse
from typing import Final

from ..options import Number, Parser, UsageError
from ..web.url import with_scheme
from .crawler import CrawlConfig
from .limit_options import add_limits, caps, seconds

#: The options that are fields of the plan, by the same names.
_PLANNED: Final = ("exclude", "depth", "strict", "max_redirect", "max_tries", "max_tasks")
_MOST: Final = 10_000
_TIMEOUT_S: Final = 30.0


def parser() -> Parser:
    """The parser of the command line."""
    made = Parser("loopspec crawl", "Crawl real sites, with the options of the chapter's crawler.")
    # Not "+": an unknown option would then be reported as a missing URL.
    made.add_argument("roots", nargs="*", metavar="URL", help="where to start; without a scheme: http://")
    for name, least, what in (
        ("redirect", 0, "redirects to follow from a root or link (10)"),
        ("tries", 1, "tries for a URL, on network errors (4)"),
        ("tasks", 1, "URLs in flight at once (10)"),
    ):
        number = Number(least, _MOST)
        made.add_argument(f"--max-{name}", type=number, default=argparse.SUPPRESS, metavar="N", help=what)
        # The spelling of the original.
        made.add_argument(
            f"--max_{name}", type=number, default=argparse.SUPPRESS, metavar="N", help=argparse.SUPPRESS
        )
    made.add_argument("--exclude", metavar="REGEX", help="leave out URLs in which this is found")
    made.add_argument(
        "--depth", type=Number(0, _MOST), metavar="N", help="links to follow from a root (any number)"
    )
    hosts = made.add_mutually_exclusive_group()
    hosts.add_argument(
        "--strict", action="store_true", default=True, help="only hosts of the roots, modulo www. (default)"
    )
    hosts.add_argument(
        "--lenient", action="store_false", dest="strict", help="all hosts registered together with a root's"
    )
    made.add_argument(
        "--timeout", type=seconds, default=_TIMEOUT_S, metavar="S", help="seconds for a whole try (30)"
    )
    add_limits(made)
    made.add_argument(
        "--private",
        action="store_true",
        help="also go to private and loopback addresses, where a public root leads there",
    )
    made.add_argument("--json", metavar="FILE", help="write a line of JSON for each URL")
    loudness = made.add_mutually_exclusive_group()
    loudness.add_argument(
        "-v", "--verbose", action="count", default=0, help="a line for each URL as it is done"
    )
    loudness.add_argument(
        "-q", "--quiet", action="store_true", help="no progress line on a terminal: only the report"
    )
    return made


def plan(options: argparse.Namespace) -> CrawlConfig:
    """The plan that the options make.

    Raises:
        UsageError: there is no root, or a root or an option cannot be used.
    """
    if not options.roots:
        raise UsageError("name at least one URL to start from")
    given = {name: value for name, value in vars(options).items() if name in _PLANNED}
    try:
        return CrawlConfig(tuple(with_scheme(root) for root in options.roots), caps=caps(options), **given)
    except ValueError as error:
        raise UsageError(str(error)) from None
