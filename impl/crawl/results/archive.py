"""The archive of a crawl: its servers' responses, byte for byte, in a WARC file, which `--save` asks for.

1.  The file begins with a warcinfo record.  Each response adds two, in one piece (append_file.py): the response as it
    came over the wire, with the framing of a chunked body and its content coding, and the request.  All tries that had
    a response have records, and so do redirects, errors and robots.txt; a try without a complete response has none.
2.  The values of headers that may be secret are left out of a request (`Client`).
3.  A file that exists is never changed.

Source: ISO 28500:2017 (WARC/1.1).  The library warcio makes the records; this is the only module that imports it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any, Final, Self

from ...commands.options import UsageError
from ...web.http import Exchange
from .append_file import AppendedFile, FileError

NAME: Final = "crawl-00000.warc.gz"
_VERSION: Final = "WARC/1.1"
_NEW: Final = os.O_WRONLY | os.O_EXCL

#: A record of warcio, which has no types.
_Record = Any


class Archive:
    """The file NAME in `directory`, which is made if it does not exist; closed at the end of its context.

    If the context ends with a UsageError, nothing was fetched, and the file is removed.

    Parameters:
        about: the fields of the warcinfo record.
        sync: as for `AppendedFile`.

    Raises:
        UsageError: the file exists or cannot be written.
        ModuleNotFoundError: warcio is not installed.
    """

    def __init__(self, directory: str, about: Mapping[str, str], *, sync: bool = False) -> None:
        from warcio.warcwriter import WARCWriter  # here, because most crawls save nothing

        self._path = Path(directory, NAME)
        self._made = BytesIO()
        self._writer = WARCWriter(self._made, gzip=True, warc_version=_VERSION)
        self._file = _opened(self._path, sync)
        try:
            self._writer.write_record(self._writer.create_warcinfo_record(NAME, about))
            self._append()
        except FileError as error:
            self._discard()
            raise UsageError(f"--save: {error}") from None

    def add(self, url: str, exchange: Exchange) -> None:
        """Write the records of a request and its response.

        Raises:
            FileError: they cannot be written; the file has all those before.
        """
        response = self._record(url, "response", exchange.head, exchange.body)
        self._writer.write_request_response_pair(self._record(url, "request", exchange.request), response)
        self._append()

    def _record(self, url: str, kind: str, head: bytes, body: bytes = b"") -> _Record:
        return self._writer.create_warc_record(url, kind, BytesIO(body), len(body), http_headers=_Head(head))

    def _append(self) -> None:
        made = self._made.getvalue()
        self._made.seek(0)
        self._made.truncate()
        self._file.write(made)

    def _discard(self) -> None:
        self._file.close()
        with suppress(OSError):
            self._path.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, *trace: object) -> None:
        if isinstance(error, UsageError):
            self._discard()
        self._file.close()


class _Head:
    """A header block as warcio's records hold it; warcio's own class would write its fields anew."""

    def __init__(self, head: bytes) -> None:
        self.headers_buff = head

    def compute_headers_buffer(self, header_filter: object) -> None:
        """The bytes are there."""


def _opened(path: Path, sync: bool) -> AppendedFile:
    try:
        path.parent.mkdir(exist_ok=True)
        if path.exists():
            raise UsageError(f"--save: {path} exists; name another directory")
        return AppendedFile(str(path), _NEW, sync)
    except OSError as error:
        raise UsageError(f"--save: cannot write {path}: {error.strerror}") from None
    except FileError as error:
        raise UsageError(f"--save: {error}") from None
