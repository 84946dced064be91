"""The output that the crawl commands share: a line for each URL, and the file of records."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from ..commands.options import UsageError
from ..web.outcome import FetchFailure, Outcome, Page, Redirect
from .record import Record, json_lines


def tell(seconds: float, url: str, outcome: Outcome) -> None:
    """Print the outcome of `url`, `seconds` after the crawl began."""
    match outcome:
        case Page():
            what = f"{len(outcome.links)} links"
        case Redirect():
            what = f"-> {outcome.target}"
        case FetchFailure():
            what = outcome.error
    print(f"{seconds:9.3f} s  {outcome.status or '---'}  {url}  {what}")


def print_lines(lines: Iterable[str]) -> None:
    """Print lines; a character that the terminal does not have is shown escaped."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    for line in lines:
        print(line)
    sys.stdout.flush()


def open_json(path: str | None) -> TextIO | None:
    """Open the file of the option --json, and empty it; None if the option was not given.

    It is opened before the crawl, so that most errors are found before any work.

    Raises:
        UsageError: the file cannot be written.
    """
    if path is None:
        return None
    try:
        return Path(path).open("w", encoding="ascii")
    except OSError as error:
        raise _unwritable(path, error) from None


def write_json(output: TextIO | None, rows: Iterable[Record]) -> None:
    """Write a line for each record, and close the file; does nothing without a file.

    Raises:
        UsageError: the file cannot be written (a full disk); reported in the same way, after the crawl.
    """
    if output is None:
        return
    try:
        with output:
            output.writelines(json_lines(rows))
    except OSError as error:
        raise _unwritable(output.name, error) from None


def _unwritable(path: str, error: OSError) -> UsageError:
    return UsageError(f"--json: cannot write {path}: {error.strerror}")
