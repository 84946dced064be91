"""The output of the crawl commands: the options, the lines, and the file of results with its errors as one line."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self

from ..commands.options import UsageError
from ..web.outcome import FetchFailure, Outcome, Page, Redirect
from .checks.formats import TEXT
from .crawler import CrawlState
from .record import Record
from .results.append_file import FileError
from .results.journal import Journal, JournalError, Seen, Settings
from .results.journal_file import JournalFile, sort_journal

_NOTHING: Final = Journal(None, [], 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What `loopspec crawl` writes and prints.

    Parameters:
        json: the name of the journal to write; None: none is written.
        resume: the name of the journal to go on from, in the place of a new one.
        flush: where a line must be before the crawl goes on: "os" or "disk".
        save: the directory of a WARC archive of all responses; None: none is written.
        sort: whether the lines of the journal are sorted by URL at the end.
        format: of the report: "text", or a name of `impl.crawl.checks.formats.FORMATS`.
        exit_zero: whether the exit status is 0 although there are broken links or errors.
        verbose: whether a line is printed for each URL as it is done.
        quiet: whether a terminal has no progress line.
    """

    json: str | None = None
    resume: str | None = None
    flush: str = "os"
    save: str | None = None
    sort: bool = False
    format: str = TEXT
    exit_zero: bool = False
    verbose: bool = False
    quiet: bool = False

    @property
    def sync(self) -> bool:
        """Whether a line, or a response, must be on the disk before the crawl goes on."""
        return self.flush == "disk"


class Results:
    """The journal that `output` names, if any; closed at the end of its context.

    `found` has its contents, empty for a new one; `seen` is called with each of its records; `head` has the settings of
    the crawl.

    Raises:
        UsageError: the file cannot be used; it is as before.
    """

    def __init__(self, output: Output, head: Settings, seen: Seen | None = None) -> None:
        self.found = _NOTHING
        self._option = "--json" if output.resume is None else "--resume"
        self._path = output.json or output.resume
        self._head = head
        self._sorts = output.sort
        self._journal: JournalFile | None = None
        if self._path is None:
            return
        sync = output.sync
        try:
            if output.resume is None:
                self._journal = JournalFile.create(self._path, head, sync=sync)
            else:
                self._journal, self.found = JournalFile.resume(self._path, head, seen, sync=sync)
        except FileError as error:
            raise self._usage(error) from None
        if self._sorts and not self._journal.regular:
            self._journal.close()
            raise UsageError(f"--sort: {self._path} is not a regular file")

    def resume(self, crawler: CrawlState) -> str | None:
        """Have `crawler` go on from the file's contents; return a line about that, None for a new crawl.

        Raises:
            UsageError: the file is not a whole journal.
        """
        if self._option != "--resume":
            return None
        try:
            crawler.resume(self.found.rows)
        except JournalError as error:
            raise self._usage(f"{self._path}: {error}") from None
        torn = f"; its torn last line of {self.found.torn:,} bytes is dropped" if self.found.torn else ""
        return f"{len(self.found.rows):,} URLs are recorded in {self._path}{torn}"

    def add(self, row: Record) -> None:
        """Write the record of a URL that is done.

        Raises:
            FileError: it cannot be written.
        """
        if self._journal is not None:
            self._journal.append(row)

    def sort(self, rows: Sequence[Record]) -> None:
        """Sort the file as `rows`, the final records, are, if --sort was given.

        Raises:
            FileError: they cannot be written; the file is as before.
        """
        if self._sorts and self._path is not None:
            sort_journal(self._path, self._path, self._head, rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._journal is not None:
            self._journal.close()

    def _usage(self, error: object) -> UsageError:
        return UsageError(f"{self._option}: {error}")


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
