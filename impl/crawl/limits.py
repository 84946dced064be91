"""The option --limit NAME=VALUE of `loopspec crawl`: the names, and what each of them limits."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final

from ..commands.options import Number, clipped
from ..web.limits import LIMITS, Limits
from .pool import Times

_MOST: Final = 1 << 40

#: The time limits of a response, besides that of a whole try.
TIMES: Final = Times(bytes_s=100)


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


def limit(text: str) -> tuple[str, int]:
    """An argparse type: NAME=VALUE, with a name of BY_NAME."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"NAME=VALUE, not {clipped(text)}; a NAME is {_names()}")
    if name not in BY_NAME:
        raise argparse.ArgumentTypeError(f"no limit is named {clipped(name)}; a NAME is {_names()}")
    try:
        return name, Number(BY_NAME[name].least, _MOST)(value)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{name}: {error}") from None


def limits_of(given: Mapping[str, int]) -> Limits:
    """The limits of a response: the defaults, but for those that are given by name."""
    return replace(LIMITS, **{name: value for name, value in given.items() if name != "bytes_s"})


def times_of(given: Mapping[str, int]) -> Times:
    """The time limits of a response, likewise."""
    return replace(TIMES, bytes_s=given.get("bytes_s", TIMES.bytes_s) or None)


def _names() -> str:
    *names, last = BY_NAME
    return f"{', '.join(names)} or {last}"
