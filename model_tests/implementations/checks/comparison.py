"""Column comparison: the mutant gives another result than the reference on something drawn by a seed.

For asyncio's names that is a random program; for a frontier or a crawler the crawl of a random site, which must agree
with the oracle.
"""

from functools import cache
from typing import Any, Final

from impl.crawl.frontier import Frontier
from impl.sim.choices import Choices

from ...conformance.loops.garbage import left_behind
from ...conformance.normal import played
from ...crawls.compare import IMPL, drawn
from ...crawls.comparison import differences
from ...crawls.oracle import oracle
from ...programs.generate import seeded
from ...programs.runtimes import Line, Ours, observe
from ...refinement.machines.crawl import crawled, expected_cut
from ..mutant import Mutant
from ..parts.crawler import runtime_of

#: A finding, as JSON.
Found = dict[str, Any]
PROGRAMS: Final = 400
SITES: Final = 60


@cache
def expected(seed: int, timers: bool) -> list[Line]:
    """The lines that the reference produces for a random program."""
    return observe(seeded(seed, timers=timers), "impl")


def find(mutant: Mutant) -> Found | None:
    """The first seed; of programs, those with timers last."""
    if mutant.replaces in ("Stream", "Conn"):
        return None
    crawls = mutant.replaces in ("Frontier", "Crawler")
    with left_behind():
        for timers in (False,) if crawls else (False, True):
            for seed in range(SITES if crawls else PROGRAMS):
                found = {"seed": seed} | ({"timers": True} if timers else {})
                if differs(mutant, found):
                    return found
    return None


def again(mutant: Mutant, found: Found) -> bool:
    return differs(mutant, found)


def differs(mutant: Mutant, found: Found) -> bool:
    """Whether it shows at that seed."""
    seed = found["seed"]
    if mutant.replaces == "Crawler":
        runtime = runtime_of(mutant.wrong)
        with left_behind():  # workers that have ended with an error
            return any(True for _ in differences(drawn(seed), runtime, range(runtime.conditions)))
    if mutant.replaces == "Frontier":
        return crawl_differs(mutant.wrong, seed)
    names, timers = mutant.names(), found.get("timers", False)
    seen = played(lambda: observe(seeded(seed, timers=timers), Ours(names, names.new_event_loop())))
    return seen != expected(seed, timers)


def crawl_differs(wrong: type[Frontier], seed: int) -> bool:
    """Whether a crawl by this frontier finds something else, or is cut elsewhere, than the oracle says."""
    site = drawn(seed)
    if any(True for _ in differences(site, IMPL, range(IMPL.conditions), wrong)):
        return True
    frontier = crawled(site, Choices.seeded(seed).schedule, wrong)
    return frontier.cut() != expected_cut(site, oracle(site))
