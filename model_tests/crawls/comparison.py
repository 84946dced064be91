"""Several arms crawl the same sites; what each finds must be what the oracle says.

Theory of operation.  An arm is a function that pumps a frontier over a site until nothing is left; the result is
read from the frontier afterwards, so no arm has a say in how it is counted.  What the frontier is made of may
be given: the check of the check puts a wrong one in.

*Conditions* are numbered, and the number alone decides them: how many workers, what is in scope, and whatever
the arm varies by itself.  In scope are, in turn, all hosts that the site has and the hosts of its roots only;
so the way out of a site is crawled too.  A directory has one host, and its links to the world are never followed.

A difference is shrunk under many conditions of the arm that showed it: a small site shows a wrong schedule
only now and then.  What is shrunk stays of its kind, so that a URL that is lost does not end as a number that
is wrong.  Order is never compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Final

from impl.crawl.crawler import Plan
from impl.crawl.frontier import Frontier
from impl.crawl.record import Record, canonical
from impl.crawl.scope import Scope
from impl.web.site import Site

from .oracle import oracle
from .sites import shrink

#: In scope or not, by canonical URL.
Allows = Callable[[str], bool]

#: Makes the frontier of a crawl from the redirect limit and the scope.
NewFrontier = Callable[[int, Allows], Frontier]

#: Pumps the frontier over the site until nothing is left, by the plan, under conditions of that number.
Crawl = Callable[[Site, Plan, Frontier, int], None]

#: Workers, in turn.
_WORKERS: Final = (10, 3, 1)
_TRIES: Final = 2


@dataclass(frozen=True, slots=True)
class Arm:
    """A runtime that crawls.

    `usual`: conditions under which every site is crawled; `hard`: those that are tried, while a site is made
    smaller, before it is said to show nothing; `alike`: errors that the arm's own tools tell by the word of
    another one, and those words: the oracle's records are read so for it; `real`: whether it is one on real
    sockets, which takes real time.
    """

    name: str
    crawl: Crawl
    usual: int
    hard: int
    alike: Mapping[str, str] = field(default_factory=dict)
    real: bool = False

    def sees(self, rows: list[Record]) -> list[Record]:
        """`rows` as far as this arm can tell them apart."""
        return [
            row if row.error is None else replace(row, error=self.alike.get(row.error, row.error))
            for row in rows
        ]


class Kind(IntEnum):
    """In what two results differ, the gravest last."""

    BUDGET = 1  # a number of redirects only
    OUTCOME = 2  # what became of a URL
    FETCHED = 3  # which URLs were fetched
    RAISED = 4  # the crawl did not come to its end


@dataclass(frozen=True, slots=True)
class Difference:
    """An arm found something else than the oracle; `error`: what the arm raised, instead of ending."""

    site: Site
    arm: Arm
    number: int  # of the conditions
    expected: list[Record]
    found: list[Record]
    error: Exception | None

    def kind(self) -> Kind:
        if self.error is not None:
            return Kind.RAISED
        if [row.url for row in self.expected] != [row.url for row in self.found]:
            return Kind.FETCHED
        if _without_budgets(self.expected) != _without_budgets(self.found):
            return Kind.OUTCOME
        return Kind.BUDGET

    def conditions(self) -> str:
        """The conditions in words."""
        scope = "hosts of the roots" if _narrow(self.number) else "all hosts"
        return f"conditions {self.number}: {workers(self.number)} workers, {scope} in scope"


@dataclass(slots=True)
class Comparison:
    """What came of comparing: how many sites, how many crawls by arms, and those of the crawls that differ."""

    sites: int = 0
    runs: int = 0
    differences: list[Difference] = field(default_factory=list)

    def add(self, other: Comparison) -> None:
        self.sites += other.sites
        self.runs += other.runs
        self.differences += other.differences

    def __str__(self) -> str:
        return f"{self.sites} sites, {self.runs} runs, {len(self.differences)} differences"


def compare(sites: Iterable[Site], arms: Sequence[Arm], frontier: NewFrontier = Frontier) -> Comparison:
    """Crawl each site by each arm under its usual conditions."""
    total = Comparison()
    for site in sites:
        for arm in arms:
            total.differences += differences(site, arm, range(arm.usual), frontier)
            total.runs += arm.usual
        total.sites += 1
    return total


def differences(
    site: Site, arm: Arm, numbers: Iterable[int], frontier: NewFrontier = Frontier
) -> Iterator[Difference]:
    """Crawl `site` under each of these conditions and give what differs from the oracle, one by one."""
    expected: dict[bool, list[Record]] = {}
    for number in numbers:
        narrow = _narrow(number)
        allows = scope(site, number)
        if narrow not in expected:
            expected[narrow] = arm.sees(oracle(site, allows))
        pumped = frontier(site.limit, allows)
        error = None
        try:
            arm.crawl(site, plan(site, number), pumped, number)
        except Exception as raised:
            error = raised
        found = arm.sees(canonical(pumped))
        if error is not None or found != expected[narrow]:
            yield Difference(site, arm, number, expected[narrow], found, error)


def plan(site: Site, number: int) -> Plan:
    """What every arm crawls `site` by, under conditions `number`; the scope is the frontier's."""
    return Plan(site.roots, max_redirect=site.limit, max_tries=_TRIES, max_tasks=workers(number))


def scope(site: Site, number: int) -> Allows:
    """What is in scope: every other number the hosts of the roots, else all hosts of the site."""
    return Scope(site.roots if _narrow(number) else (*site.roots, *site.resources)).allows


def workers(number: int) -> int:
    return _WORKERS[number % len(_WORKERS)]


def _narrow(number: int) -> bool:
    return number % 2 == 1


def _without_budgets(rows: list[Record]) -> list[Record]:
    return [replace(row, budget=0) for row in rows]


def smallest(found: Difference, frontier: NewFrontier = Frontier) -> Difference:
    """A difference of the same arm and kind on a site that has none smaller, in the sense of `sites.smaller`.

    A site with several roots keeps two at least.
    """
    arm, kind = found.arm, found.kind()
    roots = min(len(found.site.roots), 2)

    def shows(site: Site) -> bool:
        nonlocal found
        if len(site.roots) < roots:
            return False
        numbers = [found.number, *(number for number in range(arm.hard) if number != found.number)]
        same = (other for other in differences(site, arm, numbers, frontier) if other.kind() is kind)
        again = next(same, None)
        if again is not None:
            found = again
        return again is not None

    shrink(found.site, shows)
    return found
