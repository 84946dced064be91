"""Content codings undone (RFC 9110, 8.4.1), with a bound on what comes out.

Theory of operation.
1.  `Content` collects a body.  It hands the coded bytes on in blocks of a fixed size, counted from the body's
    beginning; so what comes of them is a function of the bytes, and not of the segments in which they came.
2.  Each coding is an `_Inflater` around zlib, which gives back blocks of bounded size, one at a time, through
    all the codings of a list.  Each counts what it has made: the one that goes over the limit ends the whole
    as "too-large", having made no more than the limit and a block.  So does the inner one of a bomb in a bomb.
3.  What browsers and common clients accept is accepted: several gzip members (RFC 1952, 2.2), padding after
    the last one, "deflate" without its zlib wrapper, an empty body as the coding of nothing.
4.  Data that is not of its coding, and a coding that is not known, is "encoding".  Data that stops before the
    coding's own end is "incomplete": a body without a length, broken off, can be known by nothing else.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import Final

from .wire import HttpError

#: What a client may say that it accepts; Brotli and Zstandard need more than the standard library.
ACCEPTED: Final = "gzip, deflate"

#: A list of more codings is refused; so does urllib3, and curl.
MOST_CODINGS: Final = 5

_CODED_BLOCK: Final = 4096
_BLOCK: Final = 65536

# What zlib calls the three formats (wbits).
_ZLIB: Final = 15
_RAW: Final = -15
_GZIP: Final = 31


def _gzip(head: bytes, first: bool) -> int | None:
    return _GZIP if first or head == b"\x1f\x8b" else None


def _deflate(head: bytes, first: bool) -> int | None:
    """RFC 9110 means the zlib format by "deflate", some servers raw deflate (a note there, 8.4.1.2)."""
    wrapped = head[0] & 0x8F == 8 and int.from_bytes(head) % 31 == 0  # RFC 1950, 2.2
    return (_ZLIB if wrapped else _RAW) if first else None


#: By the first two bytes, and whether the body begins there: zlib's wbits, or None if all that follows is padding.
_Begin = Callable[[bytes, bool], int | None]

_CODINGS: Final[Mapping[str, _Begin]] = {"gzip": _gzip, "x-gzip": _gzip, "deflate": _deflate}


def codings(field: str) -> tuple[str, ...]:
    """The codings that a Content-Encoding names, in the order in which they were applied.

    Raises:
        HttpError: "encoding", one is unknown, or they are too many.
    """
    names = (name.strip().lower() for name in field.split(","))
    found = tuple(name for name in names if name not in ("", "identity"))
    unknown = [name for name in found if name not in _CODINGS]
    if unknown or len(found) > MOST_CODINGS:
        raise HttpError("encoding", f"cannot undo {field!r}; {ACCEPTED} is what was asked for")
    return found


class Content:
    """A body, decoded as it comes.

    Parameters:
        applied: its codings, as `codings` gives them.
        limit: how many bytes each of them may come to.
    """

    def __init__(self, applied: tuple[str, ...], limit: int) -> None:
        self._inflaters = [_Inflater(_CODINGS[name], limit) for name in reversed(applied)]
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
        """The content: the body was whole.

        Raises:
            HttpError: "encoding" or "too-large"; "incomplete", it breaks off.
        """
        self._decode(bytes(self._coded))
        if not all(inflater.whole for inflater in self._inflaters):
            raise HttpError("incomplete", "the body stops before its content coding does")
        return b"".join(self._pieces)

    def _decode(self, block: bytes) -> None:
        blocks: Iterable[bytes] = (block,)
        for inflater in self._inflaters:
            blocks = inflater.inflate(blocks)
        self._pieces += blocks


class _Inflater:
    """One coding undone."""

    def __init__(self, begin: _Begin, limit: int) -> None:
        self._begin = begin
        self._limit = limit
        self._made = 0
        self._head = b""  # the first byte of a format, as long as it is alone
        self._format: zlib._Decompress | None = None
        self._first = True
        self._padding = False

    @property
    def whole(self) -> bool:
        """Whether this may be the end: nothing came at all, or the format has said so."""
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
        """Begin the next format, or see that none follows."""
        wbits = self._begin(head, self._first)
        self._first = False
        if wbits is None:
            self._padding = True
        else:
            self._format = zlib.decompressobj(wbits)

    def _one(self, inflating: zlib._Decompress, coded: bytes) -> Generator[bytes, None, bytes]:
        """Inflate up to the end of `coded` or of the format; returns what follows the format."""
        block = b""
        # A full block may leave output within zlib after all input is taken.
        while not inflating.eof and (coded or len(block) == _BLOCK):
            try:
                block = inflating.decompress(coded, _BLOCK)
            except zlib.error as error:
                raise HttpError("encoding", str(error)) from error
            coded = inflating.unconsumed_tail
            self._made += len(block)
            if self._made > self._limit:
                raise HttpError("too-large", f"a content coding comes to more than {self._limit} bytes")
            yield block
        if inflating.eof:
            self._format = None
        return inflating.unused_data
