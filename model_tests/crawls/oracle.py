"""The sequential oracle: the result of a crawl of a site, computed directly from the site.

It uses no frontier, no schedule and no HTTP, and no HTML where the site defines the links of a page.  The budgets are
the least fixpoint of `step` (CRAWL-6), computed by Kleene iteration: `step` is applied to the empty set, then to its
own result, until nothing changes.  `step` is monotone on a finite lattice, so the iteration ends, and its result does
not depend on any order.  The answer has the form of `results.record.canonical`, which leaves out all that a site does
not determine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from impl.crawl.frontier import everything
from impl.crawl.record import Record, comparable, record
from impl.web import interpret
from impl.web.http import Response
from impl.web.outcome import FetchFailure, Outcome, Page, Redirect
from impl.web.serving.render import html
from impl.web.serving.site import Broken, Html, Moved, Raw, Site, Struck, resource_at

#: The Content-Type of the pages that a site makes itself.
_HTML: Final = "text/html; charset=utf-8"

#: The error that each fault must be recorded as, besides "status".
_ERRORS: Final = {
    "refused": "refused",
    "no-such-host": "no-such-host",
    "reset": "reset",
    "incomplete": "incomplete",
    "silent": "timeout",
    "garbage": "protocol",
}


def oracle(
    site: Site,
    allows: Callable[[str], bool] = everything,
    answer: Callable[[str], Outcome] | None = None,
) -> list[Record]:
    """Return the canonical result of a crawl of `site`, sorted by URL; `answer` replaces `outcome`, by URL."""
    answer = answer or partial(outcome, site)
    outcomes: dict[str, Outcome] = {}
    best: dict[str, int] = {}
    while (better := step(site, best, outcomes, allows)) != best:
        best = better
        outcomes |= {url: answer(url) for url in best if url not in outcomes}
    return [comparable(record(url, outcomes[url], budget)) for url, budget in sorted(best.items())]


def step(
    site: Site, best: Mapping[str, int], outcomes: Mapping[str, Outcome], allows: Callable[[str], bool]
) -> dict[str, int]:
    """Return the budgets that follow at once from `best`; `outcomes` has all URLs of `best`."""
    found: dict[str, int] = {}

    def join(url: str, budget: int) -> None:
        if allows(url):
            found[url] = max(budget, found.get(url, 0))

    for root in site.roots:
        join(root, site.limit)
    for url, budget in best.items():
        match outcomes[url]:
            case Page(onward):
                for link in onward:
                    join(link, site.limit)
            case Redirect(target) if budget > 0:
                join(target, budget - 1)
    return found


def outcome(site: Site, url: str) -> Outcome:
    """Return the outcome of every fetch of `url` that no fault of an attempt strikes."""
    resource = resource_at(site, url)
    match resource:
        case Html(onward):
            return Page(tuple(dict.fromkeys(onward)), 200, len(html(url, resource)), _HTML)
        case Raw(body, content_type):
            # Only the document itself defines its links.
            return interpret.outcome(url, Response(200, ((b"content-type", content_type.encode()),), body))
        case Moved(target, status):
            return Redirect(target, status)
        case Broken("status", status):
            return FetchFailure("status", status)
        case Broken("no-location"):
            return FetchFailure("location", 302)
        case Broken(fault):
            return FetchFailure(_ERRORS[fault])
        case Struck():
            raise ValueError(f"{url}: a site is not made of attempts; give its faults")
