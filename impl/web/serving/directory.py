"""A directory of real files as a site: `http://site.test/`, starting at its index.html.

A `Directory` is a mapping from URLs to resources that reads a file at each lookup.
-   A path that ends in / means its index.html.  A path without a regular file is missing, so it is answered with 404.
    A query is ignored.
-   Nothing outside the directory is served.  A path is split at its slashes first and decoded segment by segment
    *afterwards*, so %2F makes no new segment.  A segment that would lead elsewhere (`.`, `..`, an encoded separator) is
    missing.  The path is resolved with all symbolic links followed, and the result must be inside.
-   Of a file that is larger than a client takes (`Limits.body_bytes`), one byte more than that is read: it is
    "too-large" to every client, and its rest would only fill the memory.
-   Content types come from the table below, not from the machine's: the same files give the same site everywhere.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from ..limits import LIMITS
from ..url import split
from .site import Broken, Raw, Resource, Site

ORIGIN: Final = "http://site.test"
INDEX: Final = "index.html"

CONTENT_TYPES: Final = {
    ".htm": "text/html",
    ".html": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".xml": "application/xml",
    ".css": "text/css",
    ".csv": "text/csv",
    ".js": "text/javascript",
    ".json": "application/json",
    ".md": "text/markdown",
    ".py": "text/x-python",
    ".txt": "text/plain",
    ".gif": "image/gif",
    ".ico": "image/vnd.microsoft.icon",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".gz": "application/gzip",
    ".pdf": "application/pdf",
    ".zip": "application/zip",
}
UNKNOWN_TYPE: Final = "application/octet-stream"

#: The characters that quote keeps: those of a path that the WHATWG URL standard does not percent-encode.
_SAFE = "!$&'()*+,:;=@[]|~"


class Directory(Mapping[str, Resource]):
    """The files below a directory by URL.

    Iteration lists each regular file once, under its shortest URL; other spellings of it (a query, a needless
    percent-encoding, `/index.html` for `/`, a way through a linked directory) are found all the same.
    """

    def __init__(self, path: str | Path) -> None:
        """Raises ValueError: `path` is no directory, or has no index.html."""
        self.root = Path(path).resolve()
        if not self.root.is_dir():
            raise ValueError(f"not a directory: {path}")
        if self._file(f"{ORIGIN}/") is None:
            raise ValueError(f"the directory has no {INDEX}, where its site would start: {path}")

    def __getitem__(self, url: str) -> Resource:
        file = self._file(url)
        if file is None:
            raise KeyError(url)
        try:
            with file.open("rb") as opened:
                body = opened.read(LIMITS.body_bytes + 1)
        except OSError:
            return Broken("status", 403)
        return Raw(body, CONTENT_TYPES.get(file.suffix.lower(), UNKNOWN_TYPE))

    def __contains__(self, url: object) -> bool:
        return isinstance(url, str) and self._file(url) is not None

    def __iter__(self) -> Iterator[str]:
        return (_url(name) for name in self._names())

    def __len__(self) -> int:
        return len(self._names())

    def digest(self) -> bytes:
        """SHA-256 over the sorted names of the files and their contents: equal for equal sites.

        Raises:
            OSError: a file cannot be read.
        """
        whole = hashlib.sha256()
        for name in self._names():
            raw = name.encode("utf-8", "surrogateescape")
            with (self.root / name).open("rb") as file:
                whole.update(b"%d:%b" % (len(raw), raw) + hashlib.file_digest(file, "sha256").digest())
        return whole.digest()

    def _names(self) -> list[str]:
        """The files as paths below the root, with / between the segments, sorted."""
        names = (
            (Path(folder) / name).relative_to(self.root).as_posix()
            for folder, _, files in os.walk(self.root)
            for name in files
        )
        return sorted(name for name in names if self._file(_url(name)) is not None)

    def _file(self, url: str) -> Path | None:
        """The regular file inside the root that `url` means, or None."""
        try:
            address = split(url)
        except ValueError:
            return None
        if f"{address.scheme}://{address.authority}" != ORIGIN:
            return None
        path, _, _ = address.target.partition("?")
        segments = [unquote(segment, errors="surrogateescape") for segment in path[1:].split("/")]
        if segments[-1] == "":
            segments[-1] = INDEX
        if not all(map(_plain, segments)):
            return None
        real = Path(os.path.realpath(self.root.joinpath(*segments)))
        return real if real.is_relative_to(self.root) and real.is_file() else None


def directory_site(path: str | Path) -> Site:
    """The site of a directory; its one root is `http://site.test/`.

    Raises:
        ValueError: `path` is no directory, or has no index.html.
    """
    return Site(Directory(path), (f"{ORIGIN}/",))


def _plain(segment: str) -> bool:
    """Whether a decoded segment is a plain file name, here and on Windows."""
    return segment not in ("", ".", "..") and not any(char in segment for char in "/\\\0")


def _url(name: str) -> str:
    path = quote(name, safe=f"/{_SAFE}", errors="surrogateescape")
    return f"{ORIGIN}/{path.removesuffix(INDEX) if Path(name).name == INDEX else path}"
