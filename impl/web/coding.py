"""Decode content codings (RFC 9110, 8.4.1), with a limit on the size of the output.

1.  `Content` collects a body.  It passes the coded bytes on in blocks of a fixed size, counted from the beginning of
    the body; so the result depends on the bytes alone, and not on their segments.
2.  Each coding is an `_Inflater` around zlib, which returns blocks of bounded size, one at a time, through all the
    codings of a list.  Each inflater counts its output.  If one exceeds the limit, or the ratio, decoding ends with
    "too-large", after at most the limit and one block of output; this includes the inner inflater of nested bombs.
3.  Data that browsers and common clients accept is accepted: several gzip members (RFC 1952, 2.2), padding after the
    last one, "deflate" without its zlib wrapper, an empty body in any coding.
4.  Data that is not in its declared coding, or an unknown coding, is "encoding".  Data that stops before the coding's
    own end is "incomplete": for a body without a length, that is the only sign that it was cut off.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import Final

from .limits import LIMITS
from .wire import HttpError

#: The codings for Accept-Encoding; Brotli and Zstandard need more than the standard library.
ACCEPTED: Final = "gzip, deflate"

#: A longer list of codings is refused, as urllib3 and curl do.
MOST_CODINGS: Final = 5

#: Up to here a ratio says nothing: a small file of zeros compresses by a factor of a thousand.
UNJUDGED: Final = 1 << 20

_CODED_BLOCK: Final = 4096
_BLOCK: Final = 65536

# zlib's codes for the three formats (wbits).
_ZLIB: Final = 15
_RAW: Final = -15
_GZIP: Final = 31


def _gzip(head: bytes, first: bool) -> int | None:
    return _GZIP if first or head == b"\x1f\x8b" else None


def _deflate(head: bytes, first: bool) -> int | None:
    """By "deflate", RFC 9110 means the zlib format; some servers send raw deflate (see its note in 8.4.1.2)."""
    wrapped = head[0] & 0x8F == 8 and int.from_bytes(head) % 31 == 0  # RFC 1950, 2.2
    return (_ZLIB if wrapped else _RAW) if first else None


#: From the first two bytes, and whether the body begins there: zlib's wbits, or None if the rest is padding.
_Begin = Callable[[bytes, bool], int | None]

_CODINGS: Final[Mapping[str, _Begin]] = {"gzip": _gzip, "x-gzip": _gzip, "deflate": _deflate}


def codings(field: str) -> tuple[str, ...]:
    """The codings that a Content-Encoding names, in the order of their application.

    Raises:
        HttpError: "encoding", a coding is unknown, or there are too many.
    """
    names = (name.strip().lower() for name in field.split(","))
    found = tuple(name for name in names if name not in ("", "identity"))
    unknown = [name for name in found if name not in _CODINGS]
    if unknown or len(found) > MOST_CODINGS:
        raise HttpError("encoding", f"cannot undo {field!r}; {ACCEPTED} is what was asked for")
    return found


class Content:
    """A body, decoded as it arrives.

    Parameters:
        applied: its codings, as `codings` returns them.
        limit: the most bytes that each of them may produce.
        ratio: the most bytes that each may produce for a byte of the body, beyond `UNJUDGED` bytes.
    """

    def __init__(self, applied: tuple[str, ...], limit: int, ratio: int = LIMITS.ratio) -> None:
        self._inflaters = [_Inflater(_CODINGS[name]) for name in reversed(applied)]
        self._limit = limit
        self._ratio = ratio
        self._taken = 0
        self._coded = bytearray()
        self._pieces: list[bytes] = []

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the body.

        Raises:
            HttpError: "encoding" or "too-large".
        """
        if not self._inflaters:
            self._pieces.append(data)
            return
        self._coded += data
        while len(self._coded) >= _CODED_BLOCK:
            self._decode(bytes(self._coded[:_CODED_BLOCK]))
            del self._coded[:_CODED_BLOCK]

    def finish(self) -> bytes:
        """Return the content; call this after the last byte of the body.

        Raises:
            HttpError: "encoding" or "too-large"; "incomplete", the coded data breaks off.
        """
        self._decode(bytes(self._coded))
        if not all(inflater.whole for inflater in self._inflaters):
            raise HttpError("incomplete", "the body stops before its content coding does")
        return b"".join(self._pieces)

    def _decode(self, block: bytes) -> None:
        self._taken += len(block)
        blocks: Iterable[bytes] = (block,)
        for inflater in self._inflaters:
            inflater.limit = min(self._limit, max(UNJUDGED, self._ratio * self._taken))
            blocks = inflater.inflate(blocks)
        self._pieces += blocks


class _Inflater:
    """The decoder of one coding."""

    def __init__(self, begin: _Begin) -> None:
        self._begin = begin
        self.limit = 0  # the most bytes that it may have made by now
        self._made = 0
        self._head = b""  # the first byte of a format, until the second arrives
        self._format: zlib._Decompress | None = None
        self._first = True
        self._padding = False

    @property
    def whole(self) -> bool:
        """Whether the data may end here: no byte arrived, or the format has ended."""
        return self._format is None and not (self._first and self._head)

    def inflate(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        for block in blocks:
            yield from self._inflate(block)

    def _inflate(self, coded: bytes) -> Iterator[bytes]:
        coded, self._head = self._head + coded, b""
        while coded and not self._padding:
            if self._format is not None:
                coded = yield from self._one(self._format, coded)
            elif len(coded) == 1:
                self._head, coded = coded, b""
            else:
                self._open(coded[:2])

    def _open(self, head: bytes) -> None:
        """Begin the next format, or the padding if none follows."""
        wbits = self._begin(head, self._first)
        self._first = False
        if wbits is None:
            self._padding = True
        else:
            self._format = zlib.decompressobj(wbits)

    def _one(self, inflating: zlib._Decompress, coded: bytes) -> Generator[bytes, None, bytes]:
        """Inflate up to the end of `coded` or of the format; return the bytes after the format."""
        block = b""
        # After a full block, zlib may still hold output although all input is taken.
        while not inflating.eof and (coded or len(block) == _BLOCK):
            try:
                block = inflating.decompress(coded, _BLOCK)
            except zlib.error as error:
                raise HttpError("encoding", str(error)) from error
            coded = inflating.unconsumed_tail
            self._made += len(block)
            if self._made > self.limit:
                raise HttpError("too-large", f"a content coding expands to more than {self.limit} bytes")
            yield block
        if inflating.eof:
            self._format = None
        return inflating.unused_data
