"""A link checker's notes while a page is read: the places of its references, its anchors, and its resources.

The resources are the URLs that its elements load: images, scripts, stylesheets and the like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from turbohtml import Token, TokenType

from .limits import Limits
from .reference import Check, Reference, bare_fragment
from .wire import HttpError

#: The attributes that refer to a resource (HTML standard, 4.2 to 4.8; `background` is obsolete).
_ATTRIBUTES: Final = {
    "audio": ("src",),
    "body": ("background",),
    "embed": ("src",),
    "frame": ("src",),
    "iframe": ("src",),
    "img": ("src", "srcset"),
    "input": ("src",),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "track": ("src",),
    "video": ("src", "poster"),
}
RESOURCE_ELEMENTS: Final = frozenset(_ATTRIBUTES)
#: The links to servers that a browser connects to and asks for nothing.
_HINTS: Final = frozenset(("dns-prefetch", "preconnect"))

_SPACE: Final = " \t\n\f\r"
_CANDIDATE: Final = re.compile(r"[\s,]*(\S+)")
_DESCRIPTORS: Final = re.compile(r"(?:\([^)]*\)?|[^,(])*")


def resources(tag: Token) -> Iterator[str]:
    """The URLs, as they are written, of the resources of an element."""
    rel = (tag.attr("rel") or "").lower().split() if tag.tag == "link" else ()
    if not _HINTS.isdisjoint(rel):
        return
    for name in _ATTRIBUTES.get(tag.tag or "", ()):
        value = tag.attr(name)
        if value is not None and name == "srcset":
            yield from _candidates(value)
        elif value is not None and value.strip(_SPACE):  # an empty src asks for nothing
            yield value


def _candidates(srcset: str) -> Iterator[str]:
    """The URLs of a srcset (HTML standard, 4.8.4.2.1)."""
    at = 0
    while (found := _CANDIDATE.match(srcset, at)) is not None:
        url = found[1].rstrip(",")
        at = found.end()
        if url == found[1] and (rest := _DESCRIPTORS.match(srcset, at)) is not None:
            at = rest.end()
        if url:
            yield url


#: The most characters of a text that are kept, the pieces of it that are looked at, and the characters of each.
TEXT_MAX: Final = 80
_PIECES_MAX: Final = 16
_PIECE_MAX: Final = 4 * TEXT_MAX


class Noted(NamedTuple):
    """The fields of `Page` of the same names."""

    resources: tuple[str, ...]
    references: tuple[Reference, ...]
    anchors: tuple[str, ...]


@dataclass(slots=True)
class _Place:
    element: str
    line: int
    text: str


class Notes:
    """The notes on one page; of several references to one URL, the first counts.

    Parameters:
        limits: more than `links` resources, or more than `anchors` anchors or references, are "too-large".
    """

    def __init__(self, check: Check, limits: Limits) -> None:
        self._check = check
        self._fragments = check.fragments
        #: Whether elements matter although no `a` is open.
        self.thorough = check.resources or check.fragments
        self._limits = limits
        # Dicts as sets: in document order of the first occurrence.
        self._sources: dict[str, None] = {}
        self._anchors: dict[str, None] = {}
        self._places: dict[tuple[str, str], _Place] = {}
        #: The `a` that is open, its end tag may be missing; and its text so far.
        self._open: _Place | None = None
        self._texts: list[str] = []

    @property
    def names(self) -> frozenset[str] | None:
        """The elements to look at; None: all, because any may have an id."""
        if self._check.fragments:
            return None
        return RESOURCE_ELEMENTS | {"a"} if self._check.resources else frozenset(("a", "img"))

    def read(self, token: Token, tag: str | None, line: int) -> bool:
        """Read the next start tag, end tag or text; `tag` is its name.  Return whether texts and end tags matter now.

        Raises:
            HttpError: "too-large".
        """
        if tag is None:
            self._say(token.data)
        else:
            if tag == "a":
                self._close()
            if token.type is TokenType.START_TAG:
                self._element(token, tag, line)
        return self._open is not None and len(self._texts) < _PIECES_MAX

    def _element(self, token: Token, tag: str, line: int) -> None:
        if tag in RESOURCE_ELEMENTS:
            self._source(token, tag, line)
        if self._fragments:
            if (anchor := token.attr("id")) is not None:
                self._anchor(anchor)
            if tag == "a" and (anchor := token.attr("name")) is not None:
                self._anchor(anchor)

    def refer(self, href: str, text: str, tag: Token, line: int) -> bool:
        """Note the place of a reference: `href`, which is `text` without its fragment.

        Return whether an `a` with texts that matter begins.

        Raises:
            HttpError: "too-large".
        """
        key = href, bare_fragment(text) if self._fragments else ""
        if key in self._places or len(key[1]) > self._limits.url_chars:
            return False
        alt = tag.attr("alt")
        place = self._places[key] = _Place(tag.tag or "", line, folded(alt) if alt else "")
        bounded(len(self._places), self._limits.anchors, "references")
        if place.element != "a":
            return False
        self._close()
        self._open = place
        return True

    def finish(self, urls: Mapping[str, str | None]) -> Noted:
        """The notes; `urls` has the canonical URL of each href that counts, None if it has none."""
        self._close()
        references: dict[tuple[str, str], Reference] = {}
        for (href, fragment), place in self._places.items():
            if (url := urls.get(href)) is not None:
                new = Reference(url, fragment, place.element, place.line, place.text)
                references.setdefault((url, fragment), new)
        found = (urls[source] for source in self._sources)
        sources = tuple(dict.fromkeys(url for url in found if url is not None))
        return Noted(sources, tuple(references.values()), tuple(self._anchors))

    @property
    def sources(self) -> tuple[str, ...]:
        """The URLs of resources, as they are written."""
        return tuple(self._sources)

    def _source(self, tag: Token, name: str, line: int) -> None:
        if name == "img":
            self._say(tag.attr("alt"))
        if self._check.resources:
            for source in resources(tag):
                if len(source) <= self._limits.url_chars:
                    self._sources[source] = None
                    bounded(len(self._sources), self._limits.links, "resources")
                    self.refer(source, "", tag, line)

    def _anchor(self, anchor: str) -> None:
        if anchor:
            self._anchors[anchor] = None
            bounded(len(self._anchors), self._limits.anchors, "anchors")

    def _say(self, text: str | None) -> None:
        if text and self._open is not None and len(self._texts) < _PIECES_MAX:
            self._texts.append(text[:_PIECE_MAX])

    def _close(self) -> None:
        if self._open is not None:
            self._open.text = folded("".join(self._texts))
            self._open = None
            self._texts.clear()


def folded(text: str) -> str:
    """A text with its white space collapsed, cut to TEXT_MAX characters."""
    text = " ".join(text[:_PIECE_MAX].split())
    return text if len(text) <= TEXT_MAX else text[: TEXT_MAX - 3] + "..."


def bounded(count: int, most: int, what: str) -> None:
    """Check a number of things that a page holds.

    Raises:
        HttpError: "too-large", they are too many.
    """
    if count > most:
        raise HttpError("too-large", f"more than {most} {what}")
