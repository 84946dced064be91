"""The command line of `loopspec crawl`: its options, which become a `CrawlConfig`, the `CrawlOptions` and the `Output`.

The defaults are those of these classes.  Every error in the options is found before anything is fetched or written.

Source: the chapter's code (500 Lines, "A Web Crawler With asyncio Coroutines", crawl.py): names, meanings and
defaults of the options, except --max-tasks, with the default of its class (10), and the levels of -v.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields, replace
from typing import Any, Final, TypeVar

from ...commands.options import Number, Parser, UsageError, clipped, seconds
from ...commands.outputs import OutputFile
from ...web.http import LIMITS, USER_AGENT
from ...web.proxy import Always, Choose, environment, proxy_of
from ...web.reference import CHECKS
from ...web.url import with_scheme
from ..caps import Caps
from ..checks.formats import add_format
from ..crawler import CrawlConfig
from ..options import TIMES, CrawlOptions
from ..output import Output
from ..polite import MANNERS, Manners
from ..workers import add_shards, check_shards

T = TypeVar("T", CrawlConfig, CrawlOptions, Output)

_MOST: Final = 10_000
_MOST_IN_ALL: Final = 1 << 40
_ENVIRONMENT: Final = "env"
#: A header's name (RFC 9110, 5.6.2), and those that the crawler needs for itself.
_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_OWN_HEADERS: Final = (
    *("accept-encoding", "connection", "content-length", "expect", "host", "te", "trailer"),
    *("transfer-encoding", "proxy-authorization", "upgrade", "user-agent"),
)
_EPILOG: Final = """Exit status: 0: all is well; 1: a URL ended in an error or in a circle of redirects, a fragment is
missing, or the results could not be written; 2: bad usage; 130, 143, 129: stopped by Ctrl-C, SIGTERM, SIGHUP, after
the report."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit: its meaning, with its unit; its default; the least value that --limit takes."""

    meaning: str
    default: int
    least: int


_DEFAULTS: Final = {**asdict(LIMITS), "bytes_s": TIMES.bytes_s}
#: The limits by name: the fields of Limits, and `bytes_s` of Times.
BY_NAME: Final = {
    name: Limit(meaning, _DEFAULTS[name], least)
    for name, least, meaning in (
        ("header_bytes", 1, "largest header block, in bytes"),
        ("body_bytes", 1, "largest document, in bytes"),
        ("framing_bytes", 1, "largest sum of a body's chunk headers, in bytes"),
        ("ratio", 1, "bytes that a byte may decompress to, beyond 1 MiB"),
        ("token_chars", 1, "longest tag, comment, script or text in HTML, in characters"),
        ("links", 1, "links of a page"),
        ("anchors", 1, "anchors of a page, where fragments are checked"),
        ("url_chars", 1, "longest URL, in characters; a longer one is no link"),
        ("bytes_s", 0, "least bytes a second of a response, on average, after 5 s; 0: any"),
    )
}


def read(argv: Sequence[str]) -> tuple[CrawlConfig, CrawlOptions, Output]:
    """What to crawl, how, and where the results go, as the arguments of the command say.

    Raises:
        UsageError: there is no root, or a root or an option cannot be used.
    """
    given = parser().parse_args(argv)
    if given.sort and not (given.json or given.resume):
        raise UsageError("--sort: there is no file to sort; name it by --json or --resume")
    if given.format != "text" and given.verbose:
        raise UsageError("-v prints lines of its own; leave it out, or --format")
    check_shards(given, ("max_pages", "max_hosts", "save"))
    if not given.roots:
        raise UsageError("name at least one URL to start from")
    limits = dict(given.limit)
    groups = {
        "roots": tuple(map(with_scheme, given.roots)),
        "caps": Caps(given.max_pages, given.max_hosts, given.max_seconds),
        "limits": replace(LIMITS, **{name: value for name, value in limits.items() if name != "bytes_s"}),
        "times": replace(TIMES, bytes_s=limits.get("bytes_s", TIMES.bytes_s) or None),
        "manners": Manners(given.per_host, given.delay, given.backoff, given.max_wait),
        "headers": tuple(given.headers),
    }
    values = {**vars(given), **groups}
    try:
        return _made(CrawlConfig, values), _made(CrawlOptions, values), _made(Output, values)
    except ValueError as error:
        raise UsageError(str(error)) from None


def parser() -> Parser:
    """The parser of the command line."""
    made = Parser("loopspec crawl", "Crawl real sites, with the options of the chapter's crawler.")
    made.epilog = _EPILOG
    made.formatter_class = _Lines
    for kind in (CrawlConfig, CrawlOptions, Output):
        made.set_defaults(**{each.name: each.default for each in fields(kind) if each.default is not MISSING})
    # Not "+": an unknown option would then be reported as a missing URL.
    made.add_argument("roots", nargs="*", metavar="URL", help="where to start; without a scheme: http://")
    _add_plan(made)
    _add_fetches(made)
    _add_manners(made)
    add_shards(made)
    _add_output(made)
    return made


class _Lines(argparse.HelpFormatter):
    """A formatter that keeps the line ends of an option's help."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return [line for part in text.splitlines() for line in argparse.HelpFormatter._split_lines(self, part, width)]


def _made(kind: type[T], values: Mapping[str, Any]) -> T:  # Any: of many types
    """An instance of a dataclass, with the values that have the names of its fields."""
    return kind(**{each.name: values[each.name] for each in fields(kind)})


def _add_plan(made: Parser) -> None:
    """Add the options that say which URLs are crawled, and how many at once."""
    add = made.add_argument
    for name, least, what in (
        ("redirect", 0, "redirects to follow from a root or link"),
        ("tries", 1, "tries for a URL, on network errors"),
        ("tasks", 1, "URLs in flight at once"),
    ):
        number = Number(least, _MOST)
        add(f"--max-{name}", type=number, metavar="N", help=f"{what} (%(default)s)")
        # The spelling of the original.
        add(f"--max_{name}", type=number, metavar="N", help=argparse.SUPPRESS)
    add("--exclude", metavar="REGEX", help="leave out URLs in which this is found")
    add("--include", metavar="REGEX", help="besides the roots, only URLs in which this is found")
    add("--depth", type=Number(0, _MOST), metavar="N", help="links to follow from a root (any number)")
    hosts = made.add_mutually_exclusive_group()
    hosts.add_argument("--strict", action="store_true", help="only hosts of the roots, modulo www. (default)")
    hosts.add_argument(
        "--lenient", action="store_false", dest="strict", help="all hosts registered together with a root's"
    )
    for name, what in (("pages", "URLs to fetch"), ("hosts", "hosts to fetch from")):
        add(f"--max-{name}", type=Number(1, _MOST_IN_ALL), metavar="N", help=f"{what} in all (any number)")
    add("--max-seconds", type=seconds, metavar="S", help="seconds after which the crawl is cut (never)")


def _add_fetches(made: Parser) -> None:
    """Add the options that say how a URL is fetched, and what is checked."""
    add = made.add_argument
    add("--timeout", type=seconds, metavar="S", help="seconds for a whole try (%(default)g)")
    add(
        "--check",
        choices=tuple(CHECKS),
        help="links; fragments: also that #fragments exist; all: also images, scripts, stylesheets (%(default)s)",
    )
    add("--slow", type=seconds, metavar="S", help="name the URLs whose answer took longer, in seconds")
    listed = "".join(f"\n{name}={each.default}: {each.meaning}" for name, each in BY_NAME.items())
    add(
        "--limit",
        type=_limit,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"set a limit of each response; may be repeated; the names, with their defaults:{listed}",
    )
    add(
        "--private",
        action="store_true",
        help="also go to private and loopback addresses, where a public root leads there",
    )
    add(
        "--proxy",
        type=_choose,
        metavar="env|URL",
        help="fetch through that http:// proxy; env: those of http_proxy, https_proxy and all_proxy, less no_proxy; "
        "it looks names up, and has to guard private addresses (no proxy, whatever the environment says)",
    )


def _add_manners(made: Parser) -> None:
    """Add the options about manners: robots.txt, pauses, and the crawler's name for itself."""
    add = made.add_argument
    add(
        "--no-robots",
        action="store_false",
        dest="robots",
        help="ask for no robots.txt, and follow nofollow links",
    )
    add(
        "--per-host",
        type=Number(1, _MOST),
        default=MANNERS.per_host,
        metavar="N",
        help="URLs of a host in flight at once (%(default)s)",
    )
    for name, default, what in (
        ("delay", MANNERS.delay_s, "seconds between requests to a host, or more if its robots.txt says so"),
        (
            "backoff",
            MANNERS.backoff_s,
            "seconds before the second try of a URL, then twice as many, and so on",
        ),
        ("max-wait", MANNERS.wait_max_s, "longest wait that a server may ask for with Retry-After"),
    ):
        add(f"--{name}", type=_pause, default=default, metavar="S", help=f"{what} (%(default)g)")
    add("--user-agent", type=_value, metavar="TEXT", help=f"the crawler's name for itself ({USER_AGENT})")
    add("--contact", type=_value, metavar="TEXT", help="an address or a URL, added to the user agent")
    add(
        "--header",
        type=_header,
        action="append",
        default=[],
        dest="headers",
        metavar="NAME:VALUE",
        help="sent to the origins of the roots, with each request; may be repeated",
    )


def _add_output(made: Parser) -> None:
    """Add the options about files, the report and the exit status."""
    add = made.add_argument
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
    add(
        "--flush",
        choices=("os", "disk"),
        help="where a line must be before the crawl goes on: os outlives a kill, disk a power failure (%(default)s)",
    )
    add(
        "--save",
        metavar="DIR",
        help="write what the servers sent to DIR/crawl-00000.warc.gz (WARC/1.1), which must not exist",
    )
    add("--sort", action="store_true", help="at the end, sort the lines of the file by URL")
    add_format(made)
    add("--exit-zero", action="store_true", help="exit status 0 although there are broken links or errors")
    loudness = made.add_mutually_exclusive_group()
    loudness.add_argument("-v", "--verbose", action="store_true", help="a line for each URL as it is done")
    loudness.add_argument("-q", "--quiet", action="store_true", help="no progress line on a terminal: only the report")


def _limit(text: str) -> tuple[str, int]:
    """An argparse type: NAME=VALUE, with a name of BY_NAME."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"NAME=VALUE, not {clipped(text)}; a NAME is {_names()}")
    if name not in BY_NAME:
        raise argparse.ArgumentTypeError(f"no limit is named {clipped(name)}; a NAME is {_names()}")
    try:
        return name, Number(BY_NAME[name].least, _MOST_IN_ALL)(value)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{name}: {error}") from None


def _names() -> str:
    *names, last = BY_NAME
    return f"{', '.join(names)} or {last}"


def _pause(text: str) -> float:
    return 0.0 if text.strip("0.") == "" and text[:1] == "0" else seconds(text)


def _value(text: str) -> str:
    if not text.strip() or not text.isascii() or not text.isprintable():
        raise argparse.ArgumentTypeError(f"printable ASCII text, not {clipped(text)}")
    return text.strip()


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not (colon and _TOKEN.fullmatch(name)):
        raise argparse.ArgumentTypeError(f"NAME:VALUE, not {clipped(text)}")
    if name.lower() in _OWN_HEADERS:
        raise argparse.ArgumentTypeError(f"a header that the crawler does not set itself, not {name}")
    return name, _value(value)


def _choose(text: str) -> Choose:
    try:
        if text == _ENVIRONMENT:
            return environment()
        return Always(proxy_of(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
