"""The places that refer to each URL: of those that matter for a report, the least, so the order of the crawl does not.

1.  Each URL, with each fragment, keeps its `PLACES_MAX` least places and their number.  That is a join, as all of the
    crawl is (impl/crawl/frontier.py): any order of records gives the same.
2.  The places of a page that is there, with the fragment asked for, are dropped when that is known, and not kept from
    then on.  So memory grows with the URLs that are queued, redirected or broken, and not with the links of a site.
3.  Of anchors, 8 bytes of a digest are kept.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from urllib.parse import unquote

from ...web.charset import media_type
from ...web.interpret import HTML_TYPES
from ..frontier import everything
from ..record import Record

#: A URL has at most this many places in a report; the rest is counted.
PLACES_MAX: Final = 10
_DIGEST_BYTES: Final = 8


class ReferringPlace(NamedTuple):
    """A place that refers to a URL: in `page`, by the `element` of `line` (`Reference`), with a text.

    A redirect is a place, too: without element, line 0.
    """

    page: str
    line: int = 0
    element: str = ""
    text: str = ""


@dataclass(slots=True)
class Places:
    """The least places, sorted; and how many there are in all."""

    least: list[ReferringPlace] = field(default_factory=list)
    count: int = 0

    def add(self, place: ReferringPlace) -> None:
        self.count += 1
        if len(self.least) < PLACES_MAX or place < self.least[-1]:
            insort(self.least, place)
            del self.least[PLACES_MAX:]


class PlaceIndex:
    """The places of a crawl; whole records are added as their URLs are done, in any order, each once.

    `allows`: the scope of the crawl; other URLs are never fetched, so their places do not matter.
    """

    def __init__(self, allows: Callable[[str], bool] = everything) -> None:
        self._allows = allows
        #: By URL and fragment; those of "", one a page, are all that refer to the URL.
        self._places: dict[str, dict[str, Places]] = {}
        #: Of pages: the digests of their anchors, sorted; None: it is not HTML, so any fragment is as good.
        self._anchors: dict[str, array[int] | None] = {}

    def add(self, row: Record) -> None:
        """Add the record of a URL that is done, and the places of its references."""
        if row.outcome == "page":
            html = media_type(row.content_type) in HTML_TYPES
            self._anchors[row.url] = array("Q", sorted(map(_digest, row.anchors))) if html else None
            kept = self._places.pop(row.url, {})
            if kept := {asked: places for asked, places in kept.items() if not self.has(row.url, asked)}:
                self._places[row.url] = kept
        referred: set[str] = set()  # for membership only
        for url, fragment, element, line, text in row.references:
            asked = () if url in referred else ("",)
            referred.add(url)
            if fragment:
                asked = (*asked, fragment)
            missing = [each for each in asked if not self.has(url, each)]
            if missing and self._allows(url):
                of_url, place = self._places.setdefault(url, {}), ReferringPlace(row.url, line, element, text)
                for each in missing:
                    if each not in of_url:
                        of_url[each] = Places()
                    of_url[each].add(place)

    def has(self, url: str, fragment: str) -> bool:
        """Whether `url` is a page, as far as is known, with that fragment (HTML standard, 7.4.6.4)."""
        if url not in self._anchors:
            return False
        anchors = self._anchors[url]
        if not fragment or anchors is None:
            return True
        return any(_is_in(anchors, _digest(each)) for each in (fragment, unquote(fragment, errors="replace")))

    def is_page(self, url: str) -> bool:
        return url in self._anchors

    def __contains__(self, url: str) -> bool:
        return url in self._places

    def __iter__(self) -> Iterator[tuple[str, str, Places]]:
        """The URLs and fragments that are referred to, and not known to be there, with their places.

        Those of a URL without a fragment are one a page, its first, whatever fragments are asked for there.
        """
        for url, by_fragment in self._places.items():
            for fragment, places in by_fragment.items():
                yield url, fragment, places


def _digest(anchor: str) -> int:
    text = anchor.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=_DIGEST_BYTES).digest(), "big")


def _is_in(numbers: array[int], number: int) -> bool:
    at = bisect_left(numbers, number)
    return at < len(numbers) and numbers[at] == number
