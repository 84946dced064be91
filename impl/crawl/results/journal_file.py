"""The file of a journal: lines are appended, each whole or not at all.

1.  A line is one write to the operating system, so a kill of the process at any moment leaves whole lines.  If a write
    fails, because the disk is full, the part of the line that was written is cut off.
2.  With `sync`, each line also reaches the disk (fsync) before the crawl goes on: then a power failure loses none, and
    a line costs some milliseconds.
3.  A journal is locked while it is written: two crawls cannot mix their records.  The lock ends with the process.
4.  Pipes and devices cannot be cut off, locked or resumed; they only receive the lines.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Final

from .journal import Journal, JournalError, Seen, Settings, decode, head, line, must_agree, row_of
from .record import Record

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
_HELD: Final = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
_EVERYONE: Final = 0o666  # less the umask


class JournalFile:
    """A journal to append to; the parameters of `create` and `resume` are its own.

    Parameters:
        path: the file, which is made if it does not exist.
        settings: those of the crawl, for the head.
        sync: whether each line reaches the disk at once.
    """

    def __init__(self, path: str, flags: int, sync: bool) -> None:
        self.path = path
        self._sync = sync
        try:
            self._descriptor = os.open(path, flags, _EVERYONE)
            self.regular = stat.S_ISREG(os.fstat(self._descriptor).st_mode)
        except OSError as error:
            raise _unwritable(path, error) from None
        if self.regular:
            self._lock()
        self._size = 0

    @classmethod
    def create(cls, path: str, settings: Settings, *, sync: bool = False) -> JournalFile:
        """Begin a new journal; what the file held is gone.

        Raises:
            JournalError: it cannot be written, or another crawl writes it.
        """
        journal = cls(path, _NEW, sync)
        journal._begin(settings)
        return journal

    @classmethod
    def resume(
        cls, path: str, settings: Settings, seen: Seen | None = None, *, sync: bool = False
    ) -> tuple[JournalFile, Journal]:
        """Go on with a journal; return it, and what it held.  A torn last line is cut off.  `seen`: as for `decode`.

        A file that does not exist, or whose head is not whole, is a new journal: the crawl was killed before it.

        Raises:
            JournalError: it cannot be read or written, another crawl writes it, or it is not a journal with these
            settings; the file is as before.
        """
        journal = cls(path, _HELD, sync)
        try:
            found = journal._read(seen)
            if found.settings is None:
                journal._begin(settings)
            else:
                with _naming(path):
                    must_agree(found.settings, settings)
                journal._cut(found.whole)
        except BaseException:
            journal.close()
            raise
        return journal, found

    def append(self, row: Record) -> None:
        """Write the record of a URL that is done.

        Raises:
            JournalError: it cannot be written, and nothing of it was.
        """
        self._write(line(row))

    def close(self) -> None:
        """Close the file; its lines are written already.  Closing twice is harmless."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _lock(self) -> None:
        try:
            fcntl.lockf(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):  # POSIX allows either
            self.close()
            raise JournalError(f"another crawl is writing {self.path}") from None
        except OSError:
            pass  # a file system without locks

    def _read(self, seen: Seen | None) -> Journal:
        if not self.regular:
            raise JournalError(f"{self.path}: it is not a regular file")
        with open(self._descriptor, "rb", closefd=False) as lines, _naming(self.path):
            return decode(lines, seen)

    def _begin(self, settings: Settings) -> None:
        try:
            if self.regular:
                self._cut(0)
            self._write(head(settings))
        except BaseException:
            self.close()
            raise

    def _cut(self, size: int) -> None:
        try:
            os.ftruncate(self._descriptor, size)
        except OSError as error:
            raise _unwritable(self.path, error) from None
        self._size = size

    def _write(self, text: bytes) -> None:
        rest = memoryview(text)
        try:
            while rest:  # more than once only for a pipe, or a disk that is nearly full
                rest = rest[os.write(self._descriptor, rest) :]
            if self._sync and self.regular:
                os.fsync(self._descriptor)
        except OSError as error:
            if self.regular:
                with suppress(OSError):
                    os.ftruncate(self._descriptor, self._size)
            raise _unwritable(self.path, error) from None
        self._size += len(text)


def read_journal(path: str, seen: Seen | None = None) -> Journal:
    """What a journal holds; a torn last line is left out.  `seen`: as for `decode`.

    Raises:
        JournalError: the file cannot be read, or is no journal.
    """
    with _naming(path), Path(path).open("rb") as lines:
        return decode(lines, seen)


def sort_journal(source: str, path: str, settings: Settings, rows: Iterable[Record]) -> None:
    """Write the records of the journal `source` in the order of `rows`, with their budgets; `path` may be `source`.

    Lines are read one at a time, so the memory does not grow with what they hold.

    Raises:
        JournalError: as for `read_journal` and `write_journal`.
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
        JournalError: it cannot be written.
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
            raise _unwritable(path, error) from None
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


def _unwritable(path: str, error: OSError) -> JournalError:
    return JournalError(f"cannot write {path}: {error.strerror}")
