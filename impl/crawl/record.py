"""The result of a crawl as records: one per URL, sorted, the same on every schedule and every runtime.

A `Record` holds all that a crawl found out about one URL.  Two implementations that crawl the same site must agree on
`canonical`, which leaves out the values that a site does not determine:
-   `tries`, because a network may fail once and succeed the next time;
-   `size` and `content_type` of a URL that is not a page: nothing in the crawl depends on them, and the part of a body
    that arrives before it breaks off depends on segments;
-   `status` where the response was not complete: whether its head arrives before a reset depends on timing;
-   `slow_ms`, a time;
-   the notes of a link checker: not the findings of a crawl, but their places.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Final, Literal

from ..web.outcome import FetchFailure, Outcome, Page, Redirect
from ..web.reference import Reference
from .frontier import Frontier

#: The errors that include a status: the response was complete.
_WHOLE = ("status", "location")


@dataclass(frozen=True, slots=True)
class Record:
    """The result of one URL; the fields are the keys of a line of JSON, in this order.

    `links` are sorted and distinct; `budget` is the greatest number of redirects that were left; `size` is in bytes;
    `tries` counts the attempts, 0 where they are not compared.  `resources` (sorted, distinct), `references`,
    `anchors` and `fragment` are those of the outcome, where they are checked; `slow_ms`: the milliseconds of the last
    try, if they were more than the user wants to wait.
    """

    url: str
    outcome: Literal["page", "redirect", "error"]
    status: int | None
    target: str | None
    links: tuple[str, ...]
    budget: int
    size: int
    content_type: str
    error: str | None
    tries: int
    resources: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    anchors: tuple[str, ...] = ()
    fragment: str = ""
    slow_ms: int | None = None

    def bare(self) -> Record:
        """The record as far as the crawl needs it: without references and anchors."""
        return replace(self, references=(), anchors=()) if self.references or self.anchors else self


#: The keys of a line of JSON, in order.
KEYS: Final = tuple(field.name for field in fields(Record))


def record(url: str, outcome: Outcome, budget: int, tries: int = 0, slow_ms: int | None = None) -> Record:
    """The record of one URL."""
    status, size, content_type = outcome.status, outcome.size, outcome.content_type
    row = Record(url, "error", status, None, (), budget, size, content_type, None, tries, slow_ms=slow_ms)
    match outcome:
        case Page():
            return replace(
                row,
                outcome="page",
                links=tuple(sorted(set(outcome.links))),
                resources=tuple(sorted(set(outcome.resources))),
                references=outcome.references,
                anchors=outcome.anchors,
            )
        case Redirect():
            return replace(row, outcome="redirect", target=outcome.target, fragment=outcome.fragment)
    return replace(row, error=outcome.error)


def records(frontier: Frontier, tries: Mapping[str, int]) -> list[Record]:
    """One record per fetched URL, sorted by URL; `tries` maps URLs to attempts."""
    best = frontier.best
    return [record(url, outcome, best[url], tries[url]) for url, outcome in sorted(frontier.outcomes.items())]


def canonical(frontier: Frontier) -> list[Record]:
    """The records that two implementations must agree on, sorted by URL; see the head for the omissions."""
    best = frontier.best
    return [comparable(record(url, outcome, best[url])) for url, outcome in sorted(frontier.outcomes.items())]


def comparable(whole: Record) -> Record:
    """`whole` without the values that the site does not determine."""
    whole = replace(whole.bare(), tries=0, resources=(), fragment="", slow_ms=None)
    if whole.outcome == "page":
        return whole
    status = whole.status if whole.error is None or whole.error in _WHOLE else None
    return replace(whole, status=status, size=0, content_type="")


def outcome_of(row: Record) -> Outcome:
    """The outcome that `record` made `row` of, with its links sorted."""
    match row:
        case Record(outcome="page", status=int(status)):
            noted = row.resources, row.references, row.anchors
            return Page(row.links, status, row.size, row.content_type, *noted)
        case Record(outcome="redirect", status=int(status), target=str(target)):
            return Redirect(target, status, row.size, row.content_type, row.fragment)
    return FetchFailure(row.error or "", row.status, row.size, row.content_type)


def json_line(row: Record) -> str:
    """`row` as one line of JSON, ASCII only, with its line feed; None becomes null."""
    return json.dumps({key: getattr(row, key) for key in KEYS}) + "\n"


def json_lines(rows: Iterable[Record]) -> Iterator[str]:
    """Each record as one line of JSON."""
    return map(json_line, rows)
