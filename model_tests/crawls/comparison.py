"""Several runtimes crawl the same sites; the result of each must equal the oracle's.

An *runtime* is a runtime with a crawler: a function that pumps a frontier over a site until nothing is left.  The
result is read from the frontier afterwards, so a runtime cannot influence how it is counted.  The frontier's class
is a parameter; the test of the comparison passes a wrong one.

*Conditions* are numbered, and the number alone determines them: how many workers, the scope, and everything that the
runtime varies by itself.  The scope alternates between all hosts of the site and the hosts of its roots only; so links
that leave the site are crawled too.  A directory has one host, and its links to the outside are never followed.

A difference is shrunk under many conditions of the runtime that showed it, because a small site shows a wrong schedule
only sometimes.  A shrunk difference keeps its kind, so that a lost URL does not end as a wrong number.  Order is never
compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import partial
from typing import Final

from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.crawl.record import Record, canonical
from impl.crawl.scope import Scope
from impl.web.outcome import Outcome
from impl.web.serving.faults import Attempts
from impl.web.serving.site import AttemptFault, Site

from .oracle import OURS, TRIES, ClientTraits, answers, is_timed, oracle, possible, possible_when_slow
from .sites import shrink

#: Whether a canonical URL is in scope.
Allows = Callable[[str], bool]

#: A function that makes the frontier of a crawl from the redirect limit and the scope.
NewFrontier = Callable[[int, Allows], Frontier]

#: A function that crawls the site by the plan, under conditions of that number, until nothing is left in the frontier.
Crawl = Callable[[Site, CrawlConfig, Frontier, int], None]

#: The numbers of workers, used in rotation.
_WORKERS: Final = (10, 3, 1)


@dataclass(frozen=True, slots=True)
class CrawlRuntime:
    """A runtime with a crawler.

    `conditions`: the conditions under which every site is crawled.  `shrink_attempts`: those that are tried while a
    site is shrunk, before it counts as showing no difference.  `client`: how the runtime's own tools report errors and
    repeat requests; the oracle's records are translated so for the runtime.  `real`: whether it runs on real sockets,
    in real time.
    """

    name: str
    crawl: Crawl
    conditions: int
    shrink_attempts: int
    client: ClientTraits = OURS
    real: bool = False

    @property
    def error_aliases(self) -> Mapping[str, str]:
        """Return its words for our errors, where they differ."""
        return self.client.error_aliases

    def possible(self, site: Site, url: str) -> list[Outcome]:
        """Return the outcomes that it may have for `url`: one, unless timing decides."""
        slow = self.real and is_timed(site)
        return (possible_when_slow if slow else possible)(site, url, self.client)

    def sees(self, rows: list[Record]) -> list[Record]:
        """Return `rows` as far as this runtime can distinguish them."""
        return [
            row if row.error is None else replace(row, error=self.error_aliases.get(row.error, row.error))
            for row in rows
        ]


class DifferenceKind(IntEnum):
    """The kind of difference between two results, the gravest last."""

    BUDGET = 1  # a number of redirects only
    OUTCOME = 2  # the outcome of a URL
    FETCHED = 3  # which URLs were fetched
    RAISED = 4  # the crawl raised an error


@dataclass(frozen=True, slots=True)
class ResultDifference:
    """A runtime's result differs from the oracle's; `error` is the exception that the runtime raised, if any."""

    site: Site
    runtime: CrawlRuntime
    number: int  # the number of the conditions
    expected: list[Record]
    found: list[Record]
    error: Exception | None

    def kind(self) -> DifferenceKind:
        if self.error is not None:
            return DifferenceKind.RAISED
        if [row.url for row in self.expected] != [row.url for row in self.found]:
            return DifferenceKind.FETCHED
        if _without_budgets(self.expected) != _without_budgets(self.found):
            return DifferenceKind.OUTCOME
        return DifferenceKind.BUDGET

    def conditions(self) -> str:
        """Describe the conditions in words."""
        scope = "hosts of the roots" if _narrow(self.number) else "all hosts"
        return f"conditions {self.number}: {workers(self.number)} workers, {scope} in scope"


@dataclass(slots=True)
class Comparison:
    """The result of a comparison: the number of sites and of crawls, the crawls that differ, the faults that struck."""

    sites: int = 0
    runs: int = 0
    differences: list[ResultDifference] = field(default_factory=list)
    struck: Counter[AttemptFault] = field(default_factory=Counter)

    def add(self, other: Comparison) -> None:
        self.sites += other.sites
        self.runs += other.runs
        self.differences += other.differences
        self.struck += other.struck

    def __str__(self) -> str:
        return f"{self.sites} sites, {self.runs} runs, {len(self.differences)} differences"


def compare(sites: Iterable[Site], runtimes: Sequence[CrawlRuntime], frontier: NewFrontier = Frontier) -> Comparison:
    """Crawl each site by each runtime under its usual conditions."""
    total = Comparison()
    for site in sites:
        for runtime in runtimes:
            total.differences += differences(site, runtime, range(runtime.conditions), frontier, total.struck)
            total.runs += runtime.conditions
        total.sites += 1
    return total


def differences(
    site: Site,
    runtime: CrawlRuntime,
    numbers: Iterable[int],
    frontier: NewFrontier = Frontier,
    struck: Counter[AttemptFault] | None = None,
) -> Iterator[ResultDifference]:
    """Crawl `site` under each of these conditions and yield the differences from the oracle.

    `struck` counts the faults that struck.
    """
    for number in numbers:
        allows = scope(site, number)
        pumped = frontier(site.limit, allows)
        attempts = Attempts(site)
        error = None
        try:
            runtime.crawl(attempts.site() if site.faults else site, plan(site, number), pumped, number)
        except Exception as raised:
            error = raised
        if struck is not None:
            struck.update(attempts.struck)
        expected = expectation(site, runtime, allows, pumped.outcomes)
        found = runtime.sees(canonical(pumped))
        if error is not None or found != expected:
            yield ResultDifference(site, runtime, number, expected, found, error)


def expectation(site: Site, runtime: CrawlRuntime, allows: Allows, met: Mapping[str, Outcome]) -> list[Record]:
    """Return the records that the runtime must have found; `met` decides where timing does."""
    if not site.faults:
        return runtime.sees(oracle(site, allows))
    return runtime.sees(oracle(site, allows, answers(met, partial(runtime.possible, site))))


def plan(site: Site, number: int) -> CrawlConfig:
    """Return every runtime's plan of a crawl of `site` under conditions `number`; the scope is the frontier's."""
    return CrawlConfig(site.roots, max_redirect=site.limit, max_tries=TRIES, max_tasks=workers(number))


def scope(site: Site, number: int) -> Allows:
    """Return the scope: under odd conditions the hosts of the roots, else all hosts of the site."""
    return Scope(site.roots if _narrow(number) else (*site.roots, *site.resources)).allows


def workers(number: int) -> int:
    return _WORKERS[number % len(_WORKERS)]


def _narrow(number: int) -> bool:
    return number % 2 == 1


def _without_budgets(rows: list[Record]) -> list[Record]:
    return [replace(row, budget=0) for row in rows]


def smallest(found: ResultDifference, frontier: NewFrontier = Frontier) -> ResultDifference:
    """Return a difference of the same runtime and kind on a site without a smaller one, in the sense of
    `sites.smaller`.

    A site with several roots keeps at least two.
    """
    runtime, kind = found.runtime, found.kind()
    roots = min(len(found.site.roots), 2)

    def shows(site: Site) -> bool:
        nonlocal found
        if len(site.roots) < roots:
            return False
        numbers = [
            found.number,
            *(number for number in range(runtime.shrink_attempts) if number != found.number),
        ]
        same = (other for other in differences(site, runtime, numbers, frontier) if other.kind() is kind)
        again = next(same, None)
        if again is not None:
            found = again
        return again is not None

    shrink(found.site, shows)
    return found
