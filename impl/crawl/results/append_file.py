"""A file of results: data is appended to it, each piece whole or not at all.

1.  A piece is one write to the operating system, so a kill of the process at any moment leaves whole pieces.  If a
    write fails, because the disk is full, the part of the piece that was written is cut off.
2.  With `sync`, each piece also reaches the disk (fsync) before the crawl goes on: then a power failure loses none, and
    a piece costs some milliseconds.
3.  The file is locked while it is written: two crawls cannot mix their results.  The lock ends with the process.
    On Windows it is not locked: a lock there keeps others from reading the file, too.
4.  Pipes and devices cannot be cut off or locked; they only receive the pieces.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from typing import Final

if sys.platform == "win32":
    _APPEND: Final = os.O_CREAT | os.O_APPEND | os.O_BINARY
else:
    import fcntl

    _APPEND: Final = os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
_EVERYONE: Final = 0o666  # less the umask


class FileError(ValueError):
    """A file of results cannot be used; the text is one line."""


class AppendedFile:
    """A file to append to, which is made if it does not exist.

    Parameters:
        flags: of `os.open`, besides those for appending.
        sync: whether each piece reaches the disk at once.

    Raises:
        FileError: it cannot be written, or another crawl writes it.
    """

    def __init__(self, path: str, flags: int, sync: bool) -> None:
        self.path = path
        self._sync = sync
        self._size = 0
        try:
            self._descriptor = os.open(path, _APPEND | flags, _EVERYONE)
            self.regular = stat.S_ISREG(os.fstat(self._descriptor).st_mode)
        except OSError as error:
            raise unwritable(path, error) from None
        if self.regular:
            self._lock()

    def write(self, data: bytes) -> None:
        """Append `data`.

        Raises:
            FileError: it cannot be written, and nothing of it was.
        """
        rest = memoryview(data)
        try:
            while rest:  # more than once only for a pipe, or a disk that is nearly full
                rest = rest[os.write(self._descriptor, rest) :]
            if self._sync and self.regular:
                os.fsync(self._descriptor)
        except OSError as error:
            if self.regular:
                with suppress(OSError):
                    os.ftruncate(self._descriptor, self._size)
            raise unwritable(self.path, error) from None
        self._size += len(data)

    def cut(self, size: int) -> None:
        """Keep the first `size` bytes.

        Raises:
            FileError: that is not possible.
        """
        try:
            os.ftruncate(self._descriptor, size)
        except OSError as error:
            raise unwritable(self.path, error) from None
        self._size = size

    def close(self) -> None:
        """Close the file; its contents are written already.  Closing twice is harmless."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _lock(self) -> None:
        if sys.platform != "win32":
            try:
                fcntl.lockf(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except (BlockingIOError, PermissionError):  # POSIX allows either
                self.close()
                raise FileError(f"another crawl is writing {self.path}") from None
            except OSError:
                pass  # a file system without locks


def unwritable(path: str, error: OSError) -> FileError:
    """The error of a file that cannot be written."""
    return FileError(f"cannot write {path}: {error.strerror}")
