"""A link checker's findings in the records of a crawl: a pure function of them, and of the places of references.

`Checker` sees each record of one crawl as its URL is done, and returns its findings at the end.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Final, NamedTuple

from ...web.outcome import Outcome
from ..frontier import everything
from ..record import Record
from .places import PLACES_MAX, PlaceIndex, Places, ReferringPlace

#: The error of a URL that was not fetched because its owner does not want it: it is not broken.
NOT_ASKED: Final = "robots"
#: The problem of a page that is there, without the fragment.
NO_FRAGMENT: Final = "no-fragment"
#: The problem of redirects that lead back to where they began.
CIRCLE: Final = "circle"
_NONE_SLOW: Final[Mapping[str, int]] = MappingProxyType({})


class LinkSource(NamedTuple):
    """A place that refers to a broken URL, by way of the redirects `via`."""

    place: ReferringPlace
    via: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """A URL that leads to nothing, with "#" and its fragment if only that is missing.

    problem: the status, the error, NO_FRAGMENT or CIRCLE; sources: the least, sorted; count: of all.
    """

    url: str
    problem: str
    sources: tuple[LinkSource, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings; all is sorted by URL.

    broken: URLs that ended in an error; missing: fragments; circles: redirect cycles; chains: URLs of each chain of
    two redirects or more, from its begin; mixed: (page, resource) where the page is https and the resource http; slow:
    (URL, milliseconds).
    """

    broken: tuple[BrokenLink, ...]
    missing: tuple[BrokenLink, ...]
    circles: tuple[tuple[str, ...], ...]
    chains: tuple[tuple[str, ...], ...]
    mixed: tuple[tuple[str, str], ...]
    slow: tuple[tuple[str, int], ...]

    def problems(self) -> dict[str, BrokenLink]:
        """The problem of a URL itself, by URL; a circle has one problem, at its least URL."""
        circles = {circle[0]: BrokenLink(circle[0], CIRCLE, (), 0) for circle in self.circles}
        return circles | {each.url: each for each in self.broken}


def findings(rows: Sequence[Record], index: PlaceIndex, slow: Mapping[str, int] = _NONE_SLOW) -> Findings:
    """Look for all that a report names.

    Parameters:
        rows: bare records, sorted by URL.
        index: the places of their references.
        slow: the milliseconds of URLs that were slow.
    """
    moved = {row.url: row for row in rows if row.target is not None}
    problems = {
        row.url: str(row.status) if row.error == "status" else row.error
        for row in rows
        if row.error is not None and row.error != NOT_ASKED
    }
    found: dict[tuple[str, str], _Sources] = {(url, ""): _Sources() for url in problems}
    for url, asked, places in chain(index, _unreferred(moved, index)):
        end, fragment, via = _end(moved, url, asked)
        if asked and (end in problems or fragment != asked):
            continue  # its place is one of the URL without a fragment, too
        if end in problems:
            found[end, ""].add(places, via)
        elif index.is_page(end) and not index.has(end, fragment):
            found.setdefault((end, fragment), _Sources()).add(places, via)
    told = [
        BrokenLink(f"{url}#{asked}" if asked else url, problems.get(url, NO_FRAGMENT), *sources.least())
        for (url, asked), sources in sorted(found.items(), key=lambda item: item[0])
    ]
    return Findings(
        tuple(each for each in told if each.problem != NO_FRAGMENT),
        tuple(each for each in told if each.problem == NO_FRAGMENT),
        tuple(redirect_cycles(rows)),
        tuple(_chains(moved)),
        tuple(_mixed(rows)),
        tuple(sorted(slow.items())),
    )


class _Sources:
    """The sources of a broken URL."""

    def __init__(self) -> None:
        self._sources: list[LinkSource] = []
        self._count = 0

    def add(self, places: Places, via: tuple[str, ...]) -> None:
        self._sources += [LinkSource(place, via) for place in places.least]
        self._count += places.count

    def least(self) -> tuple[tuple[LinkSource, ...], int]:
        return tuple(sorted(self._sources)[:PLACES_MAX]), self._count


def _unreferred(moved: Mapping[str, Record], index: PlaceIndex) -> Iterator[tuple[str, str, Places]]:
    """The targets of redirects that nothing refers to, roots: the redirect itself is their place."""
    targets = frozenset(row.target for row in moved.values())  # for membership only
    for url, row in moved.items():
        if url not in index and url not in targets and row.target is not None:
            yield row.target, row.fragment, Places([ReferringPlace(url)], 1)


def _end(moved: Mapping[str, Record], url: str, fragment: str) -> tuple[str, str, tuple[str, ...]]:
    """Where a reference leads to; the redirects on the way.  A circle ends where it begins again.

    A Location without a fragment keeps that of the reference (RFC 9110, 10.2.2).
    """
    via: dict[str, None] = {}
    while url not in via and (row := moved.get(url)) is not None and row.target is not None:
        via[url] = None
        url, fragment = row.target, row.fragment or fragment
    return url, fragment, tuple(via)


def _chains(moved: Mapping[str, Record]) -> Iterator[tuple[str, ...]]:
    """The chains of two redirects or more that do not begin within another; a circle has no begin."""
    targets = frozenset(row.target for row in moved.values())  # for membership only
    for url in sorted(moved):
        if url not in targets:
            end, _, via = _end(moved, url, "")
            if len(via) > 1:
                yield (*via, end)


def _mixed(rows: Iterable[Record]) -> Iterator[tuple[str, str]]:
    for row in rows:
        if row.url.startswith("https:"):
            yield from ((row.url, each) for each in row.resources if each.startswith("http:"))


def redirect_cycles(rows: Iterable[Record]) -> list[tuple[str, ...]]:
    """The redirect cycles among the records: each once, from its least URL back to it, sorted."""
    onward = {row.url: row.target for row in rows if row.target is not None}
    cycles: list[tuple[str, ...]] = []
    settled: set[str] = set()  # used for membership only
    for start in sorted(onward):
        walk: dict[str, None] = {}
        url: str | None = start
        while url is not None and url not in settled and url not in walk:
            walk[url] = None
            url = onward.get(url)
        if url is not None and url in walk:  # the walk has returned to `url`
            path = list(walk)
            ring = path[path.index(url) :]
            least = ring.index(min(ring))
            cycles.append((*ring[least:], *ring[: least + 1]))
        settled.update(walk)
    return sorted(cycles)


class Checker:
    """`allows`: the scope of the crawl."""

    def __init__(self, allows: Callable[[str], bool] = everything) -> None:
        self._index = PlaceIndex(allows)
        self._slow: dict[str, int] = {}

    def see(self, row: Record) -> None:
        """Take the record of a URL that is done, with its references and anchors; each once, in any order."""
        self._index.add(row)
        if row.slow_ms is not None:
            self._slow[row.url] = row.slow_ms

    def found(self, rows: Sequence[Record]) -> Findings:
        """The findings; `rows`: the records of all URLs that were seen, sorted."""
        return findings(rows, self._index, self._slow)


class Stopwatch:
    """Measures how long the last try of each URL takes, and keeps URLs that take longer than `slow_s` seconds.

    Parameters:
        time: the loop's clock, in seconds.
        slow_s: None: nothing is slow.
    """

    def __init__(self, time: Callable[[], float], slow_s: float | None) -> None:
        self._time = time
        self._slow_s = slow_s
        self._slow_ms: dict[str, int] = {}

    def timing(self, fetch: Callable[[str], Awaitable[Outcome]]) -> Callable[[str], Awaitable[Outcome]]:
        """The fetch, timed."""

        async def timed(url: str) -> Outcome:
            began = self._time()
            outcome = await fetch(url)
            seconds = self._time() - began
            self._slow_ms.pop(url, None)
            if self._slow_s is not None and seconds > self._slow_s:
                self._slow_ms[url] = round(seconds * 1000)
            return outcome

        return timed

    def slow_ms(self, url: str) -> int | None:
        """The milliseconds of a URL that is done, if it was slow; asked once."""
        return self._slow_ms.pop(url, None)
