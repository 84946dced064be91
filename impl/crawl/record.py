"""The result of a crawl as records: one per URL, sorted, the same on every schedule and every runtime.

A `Record` holds all that a crawl found out about one URL.  Two implementations that crawl the same site must agree on
`canonical`, which leaves out the values that a site does not determine:
-   `tries`, because a network may fail once and succeed the next time;
-   `size` and `content_type` of a URL that is not a page: nothing in the crawl depends on them, and the part of a body
    that arrives before it breaks off depends on segments;
-   `status` where the response was not complete: whether its head arrives before a reset depends on timing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Literal

from ..web.outcome import Failure, Outcome, Page, Redirect
from .frontier import Frontier

#: The errors that include a status: the response was complete.
_WHOLE = ("status", "location")


@dataclass(frozen=True, slots=True)
class Record:
    """The result of one URL; the fields are the keys of a line of JSON, in this order.

    `links` are sorted and distinct; `budget` is the greatest number of redirects that were left; `size` is in bytes;
    `tries` counts the attempts, 0 where they are not compared.
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


def record(url: str, outcome: Outcome, budget: int, tries: int = 0) -> Record:
    """The record of one URL."""
    kind: Literal["page", "redirect", "error"]
    target: str | None = None
    links: tuple[str, ...] = ()
    error: str | None = None
    match outcome:
        case Page():
            kind, links = "page", tuple(sorted(set(outcome.links)))
        case Redirect():
            kind, target = "redirect", outcome.target
        case Failure():
            kind, error = "error", outcome.error
    status, size, content_type = outcome.status, outcome.size, outcome.content_type
    return Record(url, kind, status, target, links, budget, size, content_type, error, tries)


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
    if whole.outcome == "page":
        return replace(whole, tries=0)
    status = whole.status if whole.error is None or whole.error in _WHOLE else None
    return replace(whole, status=status, size=0, content_type="", tries=0)


def outcome_of(row: Record) -> Outcome:
    """The outcome from which `record` made `row`, with its links sorted."""
    match row:
        case Record(outcome="page", status=int(status)):
            return Page(row.links, status, row.size, row.content_type)
        case Record(outcome="redirect", status=int(status), target=str(target)):
            return Redirect(target, status, row.size, row.content_type)
    return Failure(row.error or "", row.status, row.size, row.content_type)


def json_line(row: Record) -> str:
    """`row` as one line of JSON, ASCII only, with its line feed; None becomes null."""
    return json.dumps(asdict(row)) + "\n"


def json_lines(rows: Iterable[Record]) -> Iterator[str]:
    """Each record as one line of JSON."""
    return map(json_line, rows)
