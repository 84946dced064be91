"""The resources that an element of a page loads: images, scripts, stylesheets and the like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from turbohtml import Token

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
