"""The bounded models of the crawl and of the chapter's loop, with pinned counts; and the mutants to refute.

Together they show: with the chapter's rule, the fetched set of a site with one root is the same under every schedule up
to 4 URLs, and not with 5; with two roots, up to 3, and not with 4.  With our rule it is always the least solution.  A
family of all sites has one site of each class under renaming (`sites.py`); its title also gives the number of all
sites, which `--full` checks one by one.  The chapter's loop refines the crawl on the sites of its bounded models, so
the same is true of it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..kit.bounded import Counts, Fails, Holds, Instance, Refines, only
from ..kit.core import Spec, replace
from ..kit.model import Model
from . import mutants
from .fifo import FifoCrawl, crawl_fifo, view
from .models import crawl_model, fifo_model, fifo_over, over
from .sites import Shape, classes, constants, site, universe
from .specification import Const, Crawl, crawl


def crawls(title: str, k: Const, counts: tuple[int, int, int]) -> Holds:
    """The crawl of one site; `counts`: states, edges, depth."""
    return Holds(crawl, title, lambda: [crawl_model(k)], Counts(1, *counts), over, live=True)


def fifos(title: str, k: Const, counts: tuple[int, int, int]) -> Holds:
    """The chapter's loop over one site, which refines the crawl of it; `counts`: states, edges, depth."""
    return Holds(crawl_fifo, title, lambda: [fifo_model(k)], Counts(1, *counts), fifo_over, live=True, refines=CRAWLS)


def star(urls: int, workers: int) -> Const:
    """A root that links to all, a chain of redirects through the last URL, links back, one URL that fails; budget 2."""
    links = {0: range(1, urls), 2: (0, 1), 3: (1,)}
    return site(links, {1: urls - 1, urls - 1: 2}, broken=(urls - 2,), limit=2, workers=workers)


def family(
    title: str,
    shapes: Callable[[], Iterable[Shape]],
    counts: Counts,
    *,
    roots: int = 1,
    limit: int = 1,
    workers: int = 2,
    first_wins: bool = False,
    symmetric: bool = True,
    live: bool = False,
    fifo: bool = False,
    full: bool = False,
    claim: str = "",
) -> Holds:
    """The crawl of many sites or, with `fifo`, the chapter's loop over them; `live` needs a model without symmetry."""
    rule = "the chapter's rule" if first_wins else "our rule"
    title = f"{rule}, {title}, budget {limit}" + (", 1 worker" if workers == 1 else "")

    def models() -> Iterator[Model[Const, Any]]:
        for shape in shapes():
            k = constants(shape, roots=roots, limit=limit, workers=workers, first_wins=first_wins)
            yield fifo_model(k, symmetric=symmetric) if fifo else crawl_model(k, symmetric=symmetric)

    if fifo:
        refines = CRAWLS
        return Holds(crawl_fifo, title, models, counts, fifo_over, live, refines, full, claim)
    return Holds(crawl, title, models, counts, over, live, full=full, claim=claim)


def up_to(size: int, roots: int = 1, *, oddities: bool = False) -> Callable[[], Iterator[Shape]]:
    """One site of each class, up to that size."""
    return lambda: (s for n in range(roots, size + 1) for s in classes(n, roots, oddities=oddities))


def crawl_mutant(spec: Spec[Any, Crawl], k: Const, broken: str, depth: int, title: str = "") -> Fails:
    """A mutant of the crawl, on the site of `k`."""
    return Fails(crawl, title or spec.name, lambda: crawl_model(k, spec=only(spec, broken)), broken, depth)


def fifo_mutant(spec: Spec[Any, FifoCrawl], k: Const, broken: str, depth: int) -> Fails:
    """A mutant of the loop, on the site of `k`."""
    return Fails(
        crawl_fifo,
        spec.name,
        lambda: fifo_model(k, spec=only(spec, broken)),
        broken,
        depth,
        may_end=fifo_over,
    )


def no_crawl(spec: Spec[Any, FifoCrawl], k: Const, depth: int) -> Fails:
    """A mutant of the loop that does not refine the crawl, on the site of `k`."""
    return Fails(crawl_fifo, spec.name, lambda: fifo_model(k, spec=spec), "refinement", depth, refines=CRAWLS)


#: The chapter's loop refines the crawl.
CRAWLS = Refines(lambda low: crawl_model(low.k), view)

#: The smallest sites where the chapter's rule depends on the schedule.  URL 2 of the diamond links to 3, and URL 1
#: redirects to 3: the first of them fixes its budget, which its own redirect to 4 needs.
DIAMOND = site({0: (1, 2), 2: (3,)}, {1: 3, 3: 4})
ONE_ROOT = replace(DIAMOND, first_wins=True)
TWO_ROOTS = site({0: (2,)}, {1: 2, 2: 3}, roots=2, first_wins=True)
#: Smaller ones, for the mutants: a page alone, two, an error alone, a page and a link, a redirect of a link, to another
#: link, and a page that links to one that links back to it.
PAGE = site({0: ()}, {})
PAIR = site({0: (), 1: ()}, {}, roots=2)
ERROR = site({}, {}, broken=[0])
LINK = site({0: (1,)}, {})
HOP = site({0: (1,)}, {1: 2})
AGAIN = site({0: (1, 2)}, {1: 2}, first_wins=True)
LOOP = site({0: (1,), 1: (0,)}, {})

ONE_ROOT_ALL = "every site of up to 4 URLs, one root (2,709 classes of 14,867 sites)"
TWO_ROOTS_3 = "every site of up to 3 URLs, two roots (120 classes of 225 sites)"
TWO_ROOTS_ALL = "every site of up to 4 URLs, two roots (3,948 classes of 14,866 sites)"
ODDITIES = "every site of up to 3 URLs, with errors and self-links (953 classes of 1,781 sites)"

#: Claims: why these stay.
EVERY = "every small site can be counted, beside the proof for all, and TLC counts the same"
CHAPTERS = "that the answer by the chapter's rule depends on no schedule, up to this size, is not proved"
REFINED = "that the loop refines the crawl is explored only"


#: No page links to page 2.
UNKNOWN = site({0: (1,), 2: (3,)}, {}, limit=0)

CRAWL: list[Instance] = [
    crawls("our rule, a star of 5 URLs, 2 workers", star(5, 2), (135, 329, 13)),
    crawls("our rule, the site of 5 URLs that the chapter's rule fails on", DIAMOND, (48, 89, 13)),
    crawls("our rule, pages without budget, one unknown", UNKNOWN, (11, 13, 7)),
    family(TWO_ROOTS_3, up_to(3, 2), Counts(120, 2_136, 3_876, 9), roots=2, first_wins=True),
    crawl_mutant(crawl, ONE_ROOT, "done_is_least_solution", 8, "the chapter's rule, a site of 5 URLs, one root"),
    crawl_mutant(crawl, TWO_ROOTS, "done_is_least_solution", 6, "the chapter's rule, a site of 4 URLs, two roots"),
    crawl_mutant(mutants.forgetful, DIAMOND, "done_is_least_solution", 8),
    crawl_mutant(mutants.forgetful, DIAMOND, "closed_when_done", 8),
    crawl_mutant(mutants.early_budget, DIAMOND, "done_is_least_solution", 8),
    crawl_mutant(mutants.early_done, LINK, "join_exact", 2),
    crawl_mutant(mutants.free, HOP, "no_budget_too_large", 4),
    crawl_mutant(mutants.costly, site({0: (1,)}, {1: 2}, limit=0), "no_budget_too_large", 4),
    crawl_mutant(mutants.stingy, LINK, "done_is_least_solution", 4),
    crawl_mutant(mutants.careless, site({0: (2,)}, {2: 0}, roots=2), "roots_keep_full_budget", 4),
    crawl_mutant(mutants.careless, AGAIN, "no_budget_falls", 4),
    crawl_mutant(mutants.lossy, LINK, "no_url_is_forgotten", 2),
    crawl_mutant(mutants.twofold, LINK, "fetched_at_most_once", 1),
    crawl_mutant(mutants.backwards, PAGE, "fetched_at_most_once", 1),
    crawl_mutant(mutants.greedy, LINK, "one_place_per_url", 2),
    crawl_mutant(mutants.clinging, LINK, "one_place_per_url", 2),
    crawl_mutant(mutants.doubled, PAGE, "one_place_per_url", 1),
    crawl_mutant(mutants.late, PAGE, "one_place_per_url", 1),
    crawl_mutant(mutants.shared, PAGE, "one_place_per_url", 2),
    crawl_mutant(mutants.doubling, site({0: (1, 2)}, {}), "one_place_per_url", 4),
    crawl_mutant(mutants.uncounted, LINK, "fetched_exactly_if_taken", 1),
    crawl_mutant(mutants.hasty, PAGE, "workers_live_until_close", 1),
    crawl_mutant(mutants.impatient, PAGE, "workers_live_until_close", 4),
    crawl_mutant(mutants.overcounting, DIAMOND, "frame", 3),
    crawl_mutant(mutants.patient, PAGE, "crawl_terminates", 1),
    crawl_mutant(mutants.insistent, PAGE, "crawl_terminates", 4),
    *(
        family(ONE_ROOT_ALL, up_to(4), counts, limit=limit, workers=workers, full=True, claim=EVERY)
        for limit, workers, counts in [
            (0, 2, Counts(2_709, 34_323, 57_159, 11)),
            (1, 2, Counts(2_709, 38_609, 64_620, 11)),
            (2, 2, Counts(2_709, 38_973, 65_166, 11)),
            (0, 1, Counts(2_709, 28_746, 28_652, 10)),
            (1, 1, Counts(2_709, 32_774, 32_938, 10)),
            (2, 1, Counts(2_709, 33_138, 33_302, 10)),
        ]
    ),
    *(
        family(TWO_ROOTS_ALL, up_to(4, 2), counts, roots=2, limit=limit, workers=workers, full=True, claim=EVERY)
        for limit, workers, counts in [
            (0, 2, Counts(3_948, 100_284, 205_953, 11)),
            (1, 2, Counts(3_948, 112_180, 233_657, 11)),
            (2, 2, Counts(3_948, 112_770, 235_050, 11)),
            (0, 1, Counts(3_948, 79_947, 90_966, 10)),
            (1, 1, Counts(3_948, 89_378, 102_862, 10)),
            (2, 1, Counts(3_948, 89_841, 103_452, 10)),
        ]
    ),
    family(ONE_ROOT_ALL, up_to(4), Counts(2_709, 38_873, 64_928, 11), first_wins=True, full=True, claim=CHAPTERS),
    family(
        "every site of up to 4 URLs, one root, no renaming",
        lambda: (shape for size in (1, 2, 3, 4) for shape in universe(size)),
        Counts(14_867, 321_477, 516_063, 11),
        symmetric=False,
        full=True,
        claim="one site of each class stands for all",
    ),
]

CRAWL_FIFO: list[Instance] = [
    fifos("our rule, a star of 4 URLs, 3 workers", star(4, 3), (449, 1_261, 14)),
    fifos("our rule, a link, 3 workers", site({0: (1,)}, {}, workers=3), (97, 190, 10)),
    family(
        "every site of up to 3 URLs, one root (124 classes of 226 sites)",
        up_to(3),
        Counts(124, 3_897, 6_214, 11),
        symmetric=False,
        live=True,
        fifo=True,
        claim=REFINED,
    ),
    fifo_mutant(mutants.queuer, LINK, "every_worker_in_one_place", 3),
    fifo_mutant(mutants.holding, PAGE, "every_worker_in_one_place", 2),
    fifo_mutant(mutants.generous, PAIR, "unfinished_items_are_counted", 5),
    fifo_mutant(mutants.mortal, ERROR, "deadlock", 3),
    fifo_mutant(mutants.polling, PAGE, "main_joins_while_unfinished", 3),
    fifo_mutant(mutants.deaf, LINK, "no_lost_worker", 3),
    fifo_mutant(mutants.slow, PAGE, "workers_cancelled_after_join", 4),
    fifo_mutant(mutants.sparing, PAGE, "workers_cancelled_after_join", 4),
    fifo_mutant(mutants.newest, TWO_ROOTS, "in_turn", 1),
    fifo_mutant(mutants.rash, PAGE, "frame", 5),
    fifo_mutant(mutants.patient_loop, PAGE, "main_task_ends", 2),
    no_crawl(mutants.early, LINK, 4),
    no_crawl(mutants.repetitive, LOOP, 4),
    Fails(crawl_fifo, mutants.unseen.name, lambda: mutants.unseen_model(PAGE), "refinement", 0, refines=CRAWLS),
    family(
        ODDITIES,
        up_to(3, oddities=True),
        Counts(953, 16_456, 25_608, 11),
        limit=2,
        fifo=True,
        full=True,
        claim=REFINED,
    ),
    family(ONE_ROOT_ALL, up_to(4), Counts(2_709, 79_334, 138_897, 13), fifo=True, full=True, claim=REFINED),
    family(
        ONE_ROOT_ALL,
        up_to(4),
        Counts(2_709, 79_950, 139_821, 13),
        first_wins=True,
        fifo=True,
        full=True,
        claim=REFINED,
    ),
    family(
        TWO_ROOTS_ALL,
        up_to(4, 2),
        Counts(3_948, 160_224, 286_751, 13),
        roots=2,
        fifo=True,
        full=True,
        claim=REFINED,
    ),
]
