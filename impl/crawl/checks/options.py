"""The options of `loopspec crawl` and `report` about the checks, and about the format of the result."""

from __future__ import annotations

import argparse

from ...options import Parser, seconds
from ...web.reference import CHECKS
from .formats import FORMATS, TEXT


def add_checks(parser: Parser) -> None:
    """Add the options of a crawl to `parser`."""
    parser.add_argument(
        "--check",
        choices=tuple(CHECKS),
        default="links",
        help="links; fragments: also that #fragments exist; all: also images, scripts, stylesheets (links)",
    )
    parser.add_argument(
        "--slow", type=seconds, metavar="S", help="name the URLs whose answer took longer, in seconds"
    )
    add_format(parser)


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add the option --format to `parser`."""
    parser.add_argument(
        "--format",
        choices=(TEXT, *FORMATS),
        default=TEXT,
        help=f"format of what is printed at the end ({TEXT})",
    )
