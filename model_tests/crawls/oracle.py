"""The sequential oracle: the result of a crawl of a site, computed directly from the site; also where attempts fail.

It uses no frontier, no schedule and no HTTP, and no HTML where the site defines the links of a page.  The budgets are
the least fixpoint of `step` (CRAWL-6), computed by Kleene iteration: `step` is applied to the empty set, then to its
own result, until nothing changes.  `step` is monotone on a finite lattice, so the iteration ends, and its result does
not depend on any order.  The answer has the form of `results.record.canonical`, which leaves out all that a site does
not determine.

With faults, the outcomes that are possible depend on the attempts at a URL, as each runtime's client takes them.  An
attempt meets the fault of its number, or the resource.  After a transient error the next attempt follows, until the
tries are used up.  So the outcome of a URL is a function of the site, except where timing decides (CRAWL-22): a
response may arrive just before or just after the time limit, and bytes may be read before a reset or be lost by it.
There the resource and the error are both right.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from impl.crawl.frontier import everything
from impl.crawl.record import Record, comparable, record
from impl.web import interpret
from impl.web.http import Response
from impl.web.outcome import TRANSIENT, FetchFailure, Outcome, Page, Redirect
from impl.web.serving.faults import HARMLESS, TIMED
from impl.web.serving.render import html
from impl.web.serving.site import AttemptFault, Broken, Html, Moved, Raw, Site, Struck, resource_at

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


# --- attempts ---------------------------------------------------------------------------------------------------------

#: The attempts at a URL, under every conditions.
TRIES: Final = 2

#: The error of each fault, in our words.  "late" and "reset-after" may also leave the response whole.
ERRORS: Final[Mapping[AttemptFault, str]] = {
    "reset-first": "reset",
    "reset-head": "reset",
    "reset-body": "reset",
    "reset-after": "reset",
    "empty": "incomplete",
    "half-head": "incomplete",
    "half-body": "incomplete",
    "late": "timeout",
    "silent": "timeout",
    "silent-head": "timeout",
    "silent-body": "timeout",
    "garbage": "protocol",
    "garbage-head": "protocol",
    "garbage-coding": "encoding",
    "long-length": "incomplete",
    "two-lengths": "protocol",
    "bad-length": "protocol",
    "bad-chunk": "protocol",
    "no-last-chunk": "incomplete",
    "big-head": "too-large",
    "big-body": "too-large",
}

#: The faults after which the header block is not complete, or may have been lost.
_HEADLESS: Final = ("reset-first", "reset-head", "reset-after", "empty", "half-head")


@dataclass(frozen=True, slots=True)
class ClientTraits:
    """How a runtime's client differs from ours.

    `error_aliases`: its words for our words; `words`: the words for some faults, several where segments decide;
    `repeats`: whether it repeats a request once, within the same try, when its connection ends before the header block.
    """

    error_aliases: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[AttemptFault, tuple[str, ...]] = field(default_factory=dict)
    repeats: bool = False

    def errors(self, fault: AttemptFault | None) -> tuple[str, ...]:
        """Return its words for the error of `fault`: none if there is no error."""
        if fault is None:
            return ()
        ours = (ERRORS[fault],) if fault in ERRORS else ()
        return self.words.get(fault) or tuple(self.error_aliases.get(word, word) for word in ours)


#: The clients that read responses by `impl.web.http`, and use a connection for one request or as our pool does.
OURS: Final = ClientTraits()


def is_timed(site: Site) -> bool:
    """Return whether a time limit decides some attempt."""
    return any(fault in TIMED for faults in site.faults.values() for fault in faults)


def possible(site: Site, url: str, client: ClientTraits) -> list[Outcome]:
    """Return the outcomes of `url` after all attempts: one, unless timing decides."""
    return list(dict.fromkeys(_after(site, url, client, 0, TRIES, client.repeats)))


def possible_when_slow(site: Site, url: str, client: ClientTraits) -> list[Outcome]:
    """Return the outcomes of `url` where any attempt may also exceed its time limit, because the machine is slow."""
    errors = [error for fault in site.faults.get(url, ()) for error in client.errors(fault)]
    return [outcome(site, url), FetchFailure("timeout"), *map(FetchFailure, errors)]


def _after(site: Site, url: str, client: ClientTraits, made: int, tries: int, repeats: bool) -> Iterator[Outcome]:
    """Yield the outcomes of the attempts from number `made` on, with so many tries left."""
    faults = site.faults.get(url, ())
    fault = faults[made] if made < len(faults) else None
    if fault is None or fault in HARMLESS:
        yield outcome(site, url)
    for error in client.errors(fault):
        if repeats and fault in _HEADLESS:
            yield from _after(site, url, client, made + 1, tries, False)
        if repeats and fault in _HEADLESS and fault not in HARMLESS:
            continue
        if tries > 1 and error in TRANSIENT:
            yield from _after(site, url, client, made + 1, tries - 1, client.repeats)
        else:
            yield FetchFailure(error)


def answers(met: Mapping[str, Outcome], outcomes: Callable[[str], list[Outcome]]) -> Callable[[str], Outcome]:
    """Return the outcome of each URL for the oracle: the outcome in the crawl, if that is one of `outcomes`.

    So a crawl is judged by the site that it met: an error where timing decides is right, and the rest of the result
    must follow from it.
    """

    def answer(url: str) -> Outcome:
        right = outcomes(url)
        seen = met.get(url)
        if seen is not None and len(right) > 1:
            row = comparable(record(url, seen, 0))
            right = [one for one in right if comparable(record(url, one, 0)) == row] or right
        return right[0]

    return answer
