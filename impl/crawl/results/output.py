"""The file of results that `loopspec crawl` writes or goes on from: its options, and its errors as one line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

from ...options import UsageError
from ..crawler import CrawlState
from .appended import FileError
from .journal import Journal, JournalError, Seen, Settings
from .journal_file import JournalFile, sort_journal
from .record import Record

_NOTHING: Final = Journal(None, [], 0, 0)


class Results:
    """The journal that the options name, if any; closed at the end of its context.

    `found` has its contents, empty for a new one; `seen` is called with each of its records.  The
    options are --json, --resume, --flush and --sort; `head` has the settings of the crawl.

    Raises:
        UsageError: the file cannot be used; it is as before.
    """

    def __init__(self, options: argparse.Namespace, head: Settings, seen: Seen | None = None) -> None:
        self.found = _NOTHING
        self._option = "--json" if options.resume is None else "--resume"
        self._path: str | None = options.json or options.resume
        self._head = head
        self._sorts = options.sort
        self._journal: JournalFile | None = None
        if self._path is None:
            return
        sync = options.flush == "disk"
        try:
            if options.resume is None:
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._journal is not None:
            self._journal.close()

    def _usage(self, error: object) -> UsageError:
        return UsageError(f"{self._option}: {error}")
