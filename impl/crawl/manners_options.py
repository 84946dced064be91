"""The options of `loopspec crawl` about manners: robots.txt, pauses, and the crawler's name for itself."""

from __future__ import annotations

import argparse
import re
from typing import Final

from ..options import Number, Parser, clipped, seconds
from ..web.http import USER_AGENT, Identity
from ..web.url import origin, split
from .crawler import CrawlConfig
from .polite import Manners

_MOST: Final = 10_000
#: A header's name (RFC 9110, 5.6.2), and those that the crawler needs for itself.
_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_OWN_HEADERS: Final = (
    *(
        "accept-encoding",
        "connection",
        "content-length",
        "expect",
        "host",
        "te",
        "trailer",
        "transfer-encoding",
    ),
    *("proxy-authorization", "upgrade", "user-agent"),
)


def add_manners(made: Parser) -> None:
    """Add the options to a parser."""
    usual = Manners()
    made.add_argument(
        "--no-robots", action="store_true", help="ask for no robots.txt, and follow nofollow links"
    )
    made.add_argument(
        "--per-host",
        type=Number(1, _MOST),
        default=usual.per_host,
        metavar="N",
        help=f"URLs of a host in flight at once ({usual.per_host})",
    )
    for name, default, what in (
        ("delay", usual.delay_s, "seconds between requests to a host, or more if its robots.txt says so"),
        ("backoff", usual.backoff_s, "seconds before the second try of a URL, then twice as many, and so on"),
        ("max-wait", usual.wait_max_s, "longest wait that a server may ask for with Retry-After"),
    ):
        made.add_argument(
            f"--{name}", type=_pause, default=default, metavar="S", help=f"{what} ({default:g})"
        )
    made.add_argument("--user-agent", type=_value, default=USER_AGENT, metavar="TEXT", help=f"({USER_AGENT})")
    made.add_argument(
        "--contact", type=_value, metavar="TEXT", help="an address or a URL, added to the user agent"
    )
    made.add_argument(
        "--header",
        type=_header,
        action="append",
        default=[],
        dest="headers",
        metavar="NAME:VALUE",
        help="sent to the origins of the roots, with each request; may be repeated",
    )


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


def manners(options: argparse.Namespace) -> Manners:
    """How polite the crawl is."""
    return Manners(options.per_host, options.delay, options.backoff, options.max_wait)


def identity(options: argparse.Namespace, config: CrawlConfig) -> Identity:
    """How the crawler introduces itself; `--header` is for the origins of the roots."""
    origins = tuple(origin(split(root)) for root in config.canonical_roots())
    contact = f" ({options.contact})" if options.contact else ""
    return Identity(options.user_agent + contact, tuple(options.headers), origins)
