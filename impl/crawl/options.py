"""The options of `loopspec crawl`: their names, values and defaults, and the objects that they make.

Every error in them is found before anything is fetched or written.

Source: the chapter's code (500 Lines, "A Web Crawler With asyncio Coroutines", crawl.py): names, meanings and
defaults of the options, except --max-tasks, with the default of its class (10), and the levels of -v.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Final

from ..options import Number, Parser, UsageError, seconds
from ..outputs import OutputFile
from ..web.url import with_scheme
from .checks.options import add_checks
from .crawler import CrawlConfig
from .limit_options import add_limits, caps
from .manners_options import add_manners
from .proxy_options import add_proxy
from .results.journal import Settings
from .workers import add_shards, check_shards

#: The options that are fields of the plan, by the same names.
_PLANNED: Final = ("exclude", "include", "depth", "strict", "max_redirect", "max_tries", "max_tasks")
_MOST: Final = 10_000
_TIMEOUT_S: Final = 30.0

#: The options that the result does not depend on, or that no file may hold; and the roots, which the plan has in
#: canonical form.
_WITHOUT_EFFECT: Final = frozenset(
    (
        *(
            "format",
            "roots",
            "max_tasks",
            "one_process",
            "json",
            "resume",
            "flush",
            "save",
            "sort",
            "exit_zero",
            "verbose",
            "quiet",
        ),
        *("per_host", "delay", "backoff", "max_wait", "contact"),
        *("caps", "max_pages", "max_hosts", "max_seconds"),  # a crawl that was cut may go on
        *("headers", "proxy"),  # they may hold a password
        *("shards", "dask"),
    )
)
_EPILOG: Final = """Exit status: 0: all is well; 1: a URL ended in an error or in a circle of redirects, a fragment is
missing, or the results could not be written; 2: bad usage; 130, 143, 129: stopped by Ctrl-C, SIGTERM, SIGHUP, after
the report."""


def parser() -> Parser:
    """The parser of the command line."""
    made = Parser("loopspec crawl", "Crawl real sites, with the options of the chapter's crawler.")
    made.epilog = _EPILOG
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
        "--include", metavar="REGEX", help="besides the roots, only URLs in which this is found"
    )
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
    add_checks(made)
    add_limits(made)
    made.add_argument(
        "--private",
        action="store_true",
        help="also go to private and loopback addresses, where a public root leads there",
    )
    add_proxy(made)
    add_manners(made)
    add_shards(made)
    _add_journal(made)
    loudness = made.add_mutually_exclusive_group()
    loudness.add_argument("-v", "--verbose", action="store_true", help="a line for each URL as it is done")
    loudness.add_argument(
        "-q", "--quiet", action="store_true", help="no progress line on a terminal: only the report"
    )
    return made


def _add_journal(made: Parser) -> None:
    files = made.add_mutually_exclusive_group()
    files.add_argument(
        "--json",
        type=OutputFile(),
        metavar="FILE",
        help="write the result as JSON, a line for each URL as it is done",
    )
    files.add_argument(
        "--resume",
        metavar="FILE",
        help="go on from that file after a kill at any moment, and fetch no URL again",
    )
    made.add_argument(
        "--flush",
        choices=("os", "disk"),
        default="os",
        help="where a line must be before the crawl goes on: os outlives a kill, disk a power failure (os)",
    )
    made.add_argument(
        "--save",
        metavar="DIR",
        help="write what the servers sent to DIR/crawl-00000.warc.gz (WARC/1.1), which must not exist",
    )
    made.add_argument("--sort", action="store_true", help="at the end, sort the lines of the file by URL")
    made.add_argument(
        "--exit-zero", action="store_true", help="exit status 0 although there are broken links or errors"
    )


def plan(options: argparse.Namespace) -> CrawlConfig:
    """The plan that the options make.

    Raises:
        UsageError: there is no root, or a root or an option cannot be used.
    """
    if options.sort and not (options.json or options.resume):
        raise UsageError("--sort: there is no file to sort; name it by --json or --resume")
    if options.format != "text" and options.verbose:
        raise UsageError("-v prints lines of its own; leave it out, or --format")
    check_shards(options, ("max_pages", "max_hosts", "save"))
    if not options.roots:
        raise UsageError("name at least one URL to start from")
    given = {name: value for name, value in vars(options).items() if name in _PLANNED}
    try:
        return CrawlConfig(tuple(with_scheme(root) for root in options.roots), caps=caps(options), **given)
    except ValueError as error:
        raise UsageError(str(error)) from None


def settings(options: argparse.Namespace, config: CrawlConfig) -> Settings:
    """All that the result depends on, for the head of the journal; an option not named above counts."""
    given = {**vars(options), **asdict(config)}
    given = {name: value for name, value in given.items() if name not in _WITHOUT_EFFECT}
    return {"roots": sorted(set(config.canonical_roots())), **dict(sorted(given.items()))}
