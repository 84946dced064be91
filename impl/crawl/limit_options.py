"""The options of `loopspec crawl` for the cost of a site: one for each limit of a response or of the whole crawl."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Final

from ..options import Number, Parser, seconds
from ..web.limits import LIMITS, Limits
from .caps import Caps
from .pool import Times

_MOST: Final = 1 << 40
_BYTES_S: Final = 100

#: The option after "--max-", the field of Limits, the unit, the thing that is limited.
_LIMITS: Final = (
    ("header", "header_bytes", "BYTES", "largest header block"),
    ("body", "body_bytes", "BYTES", "largest document"),
    ("framing", "framing_bytes", "BYTES", "largest sum of a body's chunk headers"),
    ("ratio", "ratio", "N", "bytes that a byte may decompress to, beyond 1 MiB"),
    ("token", "token_chars", "N", "longest tag, comment, script or text in HTML"),
    ("links", "links", "N", "links of a page"),
    ("anchors", "anchors", "N", "anchors of a page, where fragments are checked"),
    ("url", "url_chars", "N", "longest URL; a longer one is no link"),
)


def add_limits(parser: Parser) -> None:
    """Add the options to `parser`."""
    for name, field, unit, what in _LIMITS:
        most = getattr(LIMITS, field)
        parser.add_argument(
            f"--max-{name}",
            type=Number(1, _MOST),
            default=most,
            metavar=unit,
            help=f"{what} ({most})",
        )
    parser.add_argument(
        "--min-rate",
        type=Number(0, _MOST),
        default=_BYTES_S,
        metavar="BYTES",
        help=f"bytes a second of a response, on average, after 5 s; 0: any ({_BYTES_S})",
    )

    for name, what in (("pages", "URLs to fetch"), ("hosts", "hosts to fetch from")):
        parser.add_argument(
            f"--max-{name}", type=Number(1, _MOST), metavar="N", help=f"{what} in all (any number)"
        )
    parser.add_argument(
        "--max-seconds", type=seconds, metavar="S", help="seconds after which the crawl is cut (never)"
    )


def caps(options: argparse.Namespace) -> Caps:
    """The caps on the whole crawl."""
    return Caps(options.max_pages, options.max_hosts, options.max_seconds)


def limits(options: argparse.Namespace) -> Limits:
    """The limits of a response."""
    return replace(LIMITS, **{field: getattr(options, f"max_{name}") for name, field, _, _ in _LIMITS})


def times(options: argparse.Namespace) -> Times:
    """The time limits of a response, besides --timeout."""
    return Times(bytes_s=options.min_rate or None)
