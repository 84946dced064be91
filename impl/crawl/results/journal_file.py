"""The file of a journal: lines are appended, each whole or not at all (append_file.py)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from ..record import Record
from .append_file import AppendedFile, unwritable
from .journal import Journal, JournalError, Seen, Settings, decode, head, line, must_agree, row_of


class JournalFile(AppendedFile):
    """A journal to append to.

    Parameters of `create` and `resume`:
        path, sync: as for `AppendedFile`.
        settings: those of the crawl, for the head.
    """

    @classmethod
    def create(cls, path: str, settings: Settings, *, sync: bool = False) -> JournalFile:
        """Begin a new journal; the former contents of the file are gone.

        Raises:
            FileError: it cannot be written, or another crawl writes it.
        """
        journal = cls(path, os.O_WRONLY, sync)
        journal._begin(settings)
        return journal

    @classmethod
    def resume(
        cls, path: str, settings: Settings, seen: Seen | None = None, *, sync: bool = False
    ) -> tuple[JournalFile, Journal]:
        """Go on with a journal; return it, and its contents.  A torn last line is cut off.  `seen`: as for `decode`.

        A file that does not exist, or has no whole head, is a new journal: the crawl was killed before it.

        Raises:
            FileError: it cannot be read or written, another crawl writes it, or it is not a journal with these
            settings; the file is as before.
        """
        journal = cls(path, os.O_RDWR, sync)
        try:
            found = journal._read(seen)
            if found.settings is None:
                journal._begin(settings)
            else:
                with _naming(path):
                    must_agree(found.settings, settings)
                journal.cut(found.whole)
        except BaseException:
            journal.close()
            raise
        return journal, found

    def append(self, row: Record) -> None:
        """Write the record of a URL that is done.

        Raises:
            FileError: it cannot be written, and nothing of it was.
        """
        self.write(line(row))

    def _read(self, seen: Seen | None) -> Journal:
        if not self.regular:
            raise JournalError(f"{self.path}: it is not a regular file")
        with open(self._descriptor, "rb", closefd=False) as lines, _naming(self.path):
            return decode(lines, seen)

    def _begin(self, settings: Settings) -> None:
        try:
            if self.regular:
                self.cut(0)
            self.write(head(settings))
        except BaseException:
            self.close()
            raise


def read_journal(path: str, seen: Seen | None = None) -> Journal:
    """The contents of a journal; a torn last line is left out.  `seen`: as for `decode`.

    Raises:
        JournalError: the file cannot be read, or is no journal.
    """
    with _naming(path), Path(path).open("rb") as lines:
        return decode(lines, seen)


def sort_journal(source: str, path: str, settings: Settings, rows: Iterable[Record]) -> None:
    """Write the records of the journal `source` in the order of `rows`, with their budgets; `path` may be `source`.

    Lines are read one at a time, so the memory does not grow with their contents.

    Raises:
        FileError: as for `read_journal` and `write_journal`.
    """
    begins: dict[str, int] = {}
    read_journal(source, lambda row, begin: begins.__setitem__(row.url, begin))
    with Path(source).open("rb") as lines:
        write_journal(path, settings, _whole(lines, begins, rows))


def _whole(lines: BinaryIO, begins: Mapping[str, int], rows: Iterable[Record]) -> Iterator[Record]:
    for row in rows:
        if (begin := begins.get(row.url)) is not None:
            lines.seek(begin)
            yield replace(row_of(lines.readline(), begin), budget=row.budget)


def write_journal(path: str, settings: Settings, rows: Iterable[Record]) -> None:
    """Write a whole journal in the order of `rows`; a file of that name is replaced at once, or not at all.

    Raises:
        FileError: it cannot be written.
    """
    path = os.path.realpath(path)  # a symbolic link stays one
    draft = f"{path}.new"
    journal = JournalFile.create(draft, settings)
    try:
        for row in rows:
            journal.append(row)
        journal.close()
        Path(draft).replace(path)
    except BaseException as error:
        journal.close()
        with suppress(OSError):
            Path(draft).unlink()
        if isinstance(error, OSError):
            raise unwritable(path, error) from None
        raise


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Name the file in the errors of reading it."""
    try:
        yield
    except OSError as error:
        raise JournalError(f"cannot read {path}: {error.strerror}") from None
    except JournalError as error:
        raise JournalError(f"{path}: {error}") from None
