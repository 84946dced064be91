"""The option --proxy of `loopspec crawl`."""

from __future__ import annotations

import argparse

from ..options import Parser
from ..web.proxy import Always, Choose, environment, proxy_of

_ENVIRONMENT = "env"


def add_proxy(made: Parser) -> None:
    """Add the option to a parser; its value is a `Choose`."""
    made.add_argument(
        "--proxy",
        type=_choose,
        metavar="env|URL",
        help="fetch through that http:// proxy; env: those of http_proxy, https_proxy and all_proxy, less no_proxy; "
        "it looks names up, and has to guard private addresses (no proxy, whatever the environment says)",
    )


def _choose(text: str) -> Choose:
    try:
        if text == _ENVIRONMENT:
            return environment()
        return Always(proxy_of(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
