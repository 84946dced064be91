"""The option of `loopspec crawl` and `report` about the format of the result."""

from __future__ import annotations

import argparse

from .formats import FORMATS, TEXT


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add the option --format to `parser`."""
    parser.add_argument(
        "--format",
        choices=(TEXT, *FORMATS),
        default=TEXT,
        help=f"format of what is printed at the end ({TEXT})",
    )
