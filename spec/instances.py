"""The finite instances that the check exhausts, with their pinned counts, and those in which it must find an error.

Theory of operation.  This is the manifest: one block for each text, first what must hold, then what must fail.  What
an instance is, stands in `kit/instance.py`.  To add one, append it to the block of its text; the check says what its
counts are.

What the crawl instances say together: with the chapter's rule the fetched set of a site with one root is the same
under every schedule up to 4 URLs, and not with 5; with two roots, up to 3, and not with 4.  With our rule it is the
least solution always.  A family of all sites has one site of each class under renaming (`sites`); its title gives
the size of the whole universe too, which `--full` explores site by site.  The chapter's loop refines the crawl on the
sites of its instances, so the same is true of it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from .crawl import Const, Crawl, crawl
from .crawl_fifo import Fifo, crawl_fifo, view
from .kit.core import Spec
from .kit.instance import Counts, Fails, Holds, Instance, Refines, only
from .kit.model import Model
from .lock_instances import EVENTS, LOCKS
from .mistakes import crawl as wrong_crawls
from .mistakes import crawl_fifo as wrong_fifos
from .mistakes import queue as wrong_queues
from .mistakes import stream as wrong_streams
from .models.crawl import crawl_model, over
from .models.crawl_fifo import fifo_model
from .models.crawl_fifo import over as fifo_over
from .models.queue import queue_model
from .models.sites import Shape, classes, constants, site, universe
from .models.stream import stream_model
from .queue import queue
from .stream import stream
from .task_instances import FUTURE, TASK, TASK_HOPS


def queues(
    tasks: int,
    maxsize: int,
    puts: int,
    counts: tuple[int, int, int],
    *,
    items: int = 1,
    symmetric: bool = False,
    live: bool = False,
    full: bool = False,
) -> Holds:
    """The queue in one size; `counts`: states, edges, depth."""
    title = f"tasks {tasks}, maxsize {maxsize}, puts {puts}, kinds of item {items}"
    return Holds(
        queue,
        title + (", up to renaming of tasks" if symmetric else ""),
        lambda: [queue_model(tasks, maxsize, puts, items=items, symmetric=symmetric)],
        Counts(1, *counts),
        live=live,
        full=full,
    )


def crawls(
    title: str, k: Const, counts: tuple[int, int, int], *, symmetric: bool = False, live: bool = False
) -> Holds:
    """The crawl of one site; `counts`: states, edges, depth."""
    return Holds(
        crawl,
        title + (", up to renaming of workers" if symmetric else ""),
        lambda: [crawl_model(k, symmetric=symmetric)],
        Counts(1, *counts),
        over,
        live=live,
    )


def fifos(
    title: str,
    k: Const,
    counts: tuple[int, int, int],
    *,
    symmetric: bool = False,
    live: bool = False,
    full: bool = False,
) -> Holds:
    """The chapter's loop over one site, which refines the crawl of it; `counts`: states, edges, depth."""
    return Holds(
        crawl_fifo,
        title + (", up to renaming of workers" if symmetric else ""),
        lambda: [fifo_model(k, symmetric=symmetric)],
        Counts(1, *counts),
        fifo_over,
        live=live,
        refines=CRAWLS,
        full=full,
    )


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
) -> Holds:
    """The crawl of many sites or, with `fifo`, the chapter's loop over them; `live` wants no symmetry."""
    rule = "the chapter's rule" if first_wins else "our rule"
    title = f"{rule}, {title}, budget {limit}" + (", 1 worker" if workers == 1 else "")

    def models() -> Iterator[Model[Const, Any]]:
        for shape in shapes():
            k = constants(shape, roots=roots, limit=limit, workers=workers, first_wins=first_wins)
            yield fifo_model(k, symmetric=symmetric) if fifo else crawl_model(k, symmetric=symmetric)

    if fifo:
        return Holds(crawl_fifo, title, models, counts, fifo_over, live=live, refines=CRAWLS, full=full)
    return Holds(crawl, title, models, counts, over, live=live, full=full)


def up_to(size: int, roots: int = 1, *, oddities: bool = False) -> Callable[[], Iterator[Shape]]:
    """One site of each class, up to that size."""
    return lambda: (s for n in range(roots, size + 1) for s in classes(n, roots, oddities=oddities))


def streams(
    tasks: int,
    capacity: int,
    total: int,
    counts: tuple[int, int, int],
    *,
    kinds: int = 1,
    size: int = 2,
    faulty: bool = False,
    symmetric: bool = False,
    live: bool = False,
    full: bool = False,
) -> Holds:
    """A stream in one size; `counts`: states, edges, depth."""
    title = f"tasks {tasks}, capacity {capacity}, bytes {total}, kinds of byte {kinds}, calls of up to {size}"
    return Holds(
        stream,
        title + (", a faulty network" if faulty else "") + (", up to renaming of tasks" if symmetric else ""),
        lambda: [
            stream_model(tasks, capacity, total, kinds=kinds, size=size, faulty=faulty, symmetric=symmetric)
        ],
        Counts(1, *counts),
        live=live,
        full=full,
    )


def wrong_queue(broken: str, depth: int, *, tasks: int = 3, maxsize: int = 1, items: int = 1) -> Fails:
    """A queue with the error that breaks this property."""
    spec = only(wrong_queues.MISTAKES[broken], broken)
    return Fails(
        queue, spec.name, lambda: queue_model(tasks, maxsize, 2, items=items, spec=spec), broken, depth
    )


def wrong_stream(
    broken: str, depth: int, *, tasks: int = 2, capacity: int = 1, kinds: int = 1, size: int = 1
) -> Fails:
    """A stream with the error that breaks this property."""
    spec = only(wrong_streams.MISTAKES[broken], broken)
    return Fails(
        stream,
        spec.name,
        lambda: stream_model(tasks, capacity, 2, kinds=kinds, size=size, spec=spec),
        broken,
        depth,
    )


def wrong_crawl(spec: Spec[Any, Crawl], k: Const, broken: str, depth: int, title: str = "") -> Fails:
    """A crawl with an error, of that site."""
    return Fails(crawl, title or spec.name, lambda: crawl_model(k, spec=only(spec, broken)), broken, depth)


def wrong_fifo(spec: Spec[Any, Fifo], k: Const, broken: str, depth: int) -> Fails:
    """A loop with an error, over that site."""
    return Fails(
        crawl_fifo,
        spec.name,
        lambda: fifo_model(k, spec=only(spec, broken)),
        broken,
        depth,
        may_end=fifo_over,
    )


def no_crawl(spec: Spec[Any, Fifo], k: Const, depth: int) -> Fails:
    """A loop with an error that is no crawl of that site."""
    return Fails(crawl_fifo, spec.name, lambda: fifo_model(k, spec=spec), "refinement", depth, refines=CRAWLS)


#: The chapter's loop is a crawl.
CRAWLS = Refines(lambda low: crawl_model(low.k), view)

#: The smallest sites in which the chapter's rule depends on the schedule.  URL 2 of the diamond links to 3, to which
#: URL 1 redirects: whoever is first fixes its budget, which its own redirect to 4 needs.
DIAMOND = site({0: (1, 2), 2: (3,)}, {1: 3, 3: 4})
ONE_ROOT = replace(DIAMOND, first_wins=True)
TWO_ROOTS = site({0: (2,)}, {1: 2, 2: 3}, roots=2, first_wins=True)
#: Smaller ones, in which errors show: a page alone, an error alone, a page and a link, a redirect of a link, a page
#: that links to a redirect back to it, or to a page that does.
PAGE = site({0: ()}, {})
ERROR = site({}, {}, broken=[0])
LINK = site({0: (1,)}, {})
HOP = site({0: (1,)}, {1: 2})
BACK = site({0: (1,)}, {1: 0})
LOOP = site({0: (1,), 1: (0,)}, {})

ONE_ROOT_ALL = "every site of up to 4 URLs, one root (2,709 classes of 14,867 sites)"
TWO_ROOTS_3 = "every site of up to 3 URLs, two roots (120 classes of 225 sites)"
TWO_ROOTS_ALL = "every site of up to 4 URLs, two roots (3,948 classes of 14,866 sites)"
ODDITIES = "every site of up to 3 URLs, with errors and self-links (953 classes of 1,781 sites)"

QUEUE: list[Instance] = [
    queues(1, 0, 2, (113, 265, 8), items=2),
    queues(2, 1, 2, (2_028, 8_500, 10), items=2, live=True),
    queues(2, 2, 3, (8_976, 38_604, 13), items=2),
    queues(2, 0, 3, (8_088, 35_052, 13), items=2),
    queues(3, 1, 2, (7_455, 44_658, 12), live=True),
    queues(3, 1, 3, (4_365, 26_835, 15), symmetric=True),
    queues(3, 2, 3, (3_905, 24_186, 15), symmetric=True),
    queues(3, 1, 3, (23_946, 145_662, 15), full=True),
    queues(4, 1, 3, (17_075, 136_648, 17), symmetric=True, full=True),
    wrong_queue("no_lost_getter", 5),
    wrong_queue("no_lost_putter", 3),
    wrong_queue("released", 3),
    wrong_queue("bounded", 2),
    wrong_queue("empty_handed", 5),
    wrong_queue("clean", 3),
    wrong_queue("served", 3),
    wrong_queue("fifo", 3, maxsize=2, items=2),
    wrong_queue("conserved", 1),
    wrong_queue("oldest_first", 3),
    wrong_queue("join_waits", 4),
    wrong_queue("never_negative", 1),
    wrong_queue("lined_up", 3),
    wrong_queue("comes_to_rest", 2, tasks=2),
]

CRAWL: list[Instance] = [
    crawls("our rule, a star of 5 URLs, 2 workers", star(5, 2), (135, 329, 13), live=True),
    crawls("our rule, the site of 5 URLs that the chapter's rule fails on", DIAMOND, (48, 89, 13), live=True),
    crawls("our rule, a star of 6 URLs, 3 workers", star(6, 3), (1_004, 3_859, 16), live=True),
    crawls("our rule, a star of 7 URLs, 4 workers", star(7, 4), (723, 4_816, 19), symmetric=True),
    family(TWO_ROOTS_3, up_to(3, 2), Counts(120, 3_210, 5_640, 9), roots=2, symmetric=False, live=True),
    family(TWO_ROOTS_3, up_to(3, 2), Counts(120, 2_136, 3_876, 9), roots=2, first_wins=True),
    family(ODDITIES, up_to(3, oddities=True), Counts(953, 8_232, 11_066, 9), limit=2),
    family(ONE_ROOT_ALL, up_to(4), Counts(2_709, 38_609, 64_620, 11)),
    family(ONE_ROOT_ALL, up_to(4), Counts(2_709, 38_873, 64_928, 11), first_wins=True),
    wrong_crawl(crawl, ONE_ROOT, "answer", 8, "the chapter's rule, a site of 5 URLs, one root"),
    wrong_crawl(crawl, TWO_ROOTS, "answer", 6, "the chapter's rule, a site of 4 URLs, two roots"),
    wrong_crawl(wrong_crawls.forgetful, DIAMOND, "answer", 8),
    wrong_crawl(wrong_crawls.forgetful, DIAMOND, "closed_when_done", 8),
    wrong_crawl(wrong_crawls.early_budget, DIAMOND, "answer", 8),
    wrong_crawl(wrong_crawls.early_done, LINK, "join_exact", 2),
    wrong_crawl(wrong_crawls.free, HOP, "sound", 4),
    wrong_crawl(wrong_crawls.careless, BACK, "rooted", 4),
    wrong_crawl(wrong_crawls.careless, BACK, "grows", 4),
    wrong_crawl(wrong_crawls.lossy, LINK, "accounted", 2),
    wrong_crawl(wrong_crawls.greedy, PAGE, "once", 3),
    wrong_crawl(wrong_crawls.doubled, PAGE, "apart", 1),
    wrong_crawl(wrong_crawls.hasty, PAGE, "outlived", 1),
    wrong_crawl(wrong_crawls.stubborn, ERROR, "ranked", 2),
    wrong_crawl(wrong_crawls.patient, PAGE, "terminates", 1),
    *(
        family(ONE_ROOT_ALL, up_to(4), counts, limit=limit, workers=workers, full=True)
        for limit, workers, counts in [
            (0, 2, Counts(2_709, 34_323, 57_159, 11)),
            (2, 2, Counts(2_709, 38_973, 65_166, 11)),
            (0, 1, Counts(2_709, 28_746, 28_652, 10)),
            (1, 1, Counts(2_709, 32_774, 32_938, 10)),
            (2, 1, Counts(2_709, 33_138, 33_302, 10)),
        ]
    ),
    *(
        family(TWO_ROOTS_ALL, up_to(4, 2), counts, roots=2, limit=limit, workers=workers, full=True)
        for limit, workers, counts in [
            (0, 2, Counts(3_948, 100_284, 205_953, 11)),
            (1, 2, Counts(3_948, 112_180, 233_657, 11)),
            (2, 2, Counts(3_948, 112_770, 235_050, 11)),
            (0, 1, Counts(3_948, 79_947, 90_966, 10)),
            (1, 1, Counts(3_948, 89_378, 102_862, 10)),
            (2, 1, Counts(3_948, 89_841, 103_452, 10)),
        ]
    ),
    family(ONE_ROOT_ALL, up_to(4), Counts(2_709, 39_237, 65_474, 11), limit=2, first_wins=True, full=True),
    family(
        "every site of up to 4 URLs, one root, no renaming",
        lambda: (shape for size in (1, 2, 3, 4) for shape in universe(size)),
        Counts(14_867, 321_477, 516_063, 11),
        symmetric=False,
        full=True,
    ),
]

CRAWL_FIFO: list[Instance] = [
    fifos("our rule, a star of 5 URLs, 2 workers", star(5, 2), (511, 1_095, 15), live=True),
    fifos("our rule, the site of 5 URLs that the chapter's rule fails on", DIAMOND, (81, 147, 15), live=True),
    fifos("our rule, a star of 5 URLs, 3 workers", star(5, 3), (392, 1_205, 16), symmetric=True),
    fifos("the chapter's rule, a site of 5 URLs", ONE_ROOT, (104, 182, 15), live=True),
    fifos("the chapter's rule, a site of 4 URLs, two roots", TWO_ROOTS, (91, 154, 13), live=True),
    family(
        "every site of up to 3 URLs, one root (124 classes of 226 sites)",
        up_to(3),
        Counts(124, 3_897, 6_214, 11),
        symmetric=False,
        live=True,
        fifo=True,
    ),
    family(TWO_ROOTS_3, up_to(3, 2), Counts(120, 3_456, 5_784, 11), roots=2, first_wins=True, fifo=True),
    wrong_fifo(wrong_fifos.queuer, LINK, "placed", 3),
    wrong_fifo(wrong_fifos.mortal, ERROR, "counted", 2),
    wrong_fifo(wrong_fifos.mortal, ERROR, "deadlock", 3),
    wrong_fifo(wrong_fifos.early, LINK, "released", 2),
    wrong_fifo(wrong_fifos.deaf, LINK, "no_lost_worker", 3),
    wrong_fifo(wrong_fifos.choosy, PAGE, "dismissed", 4),
    wrong_fifo(wrong_fifos.newest, TWO_ROOTS, "in_turn", 1),
    wrong_fifo(wrong_fifos.patient, PAGE, "terminates", 2),
    no_crawl(wrong_fifos.early, LINK, 4),
    no_crawl(wrong_fifos.repetitive, LOOP, 4),
    Fails(
        crawl_fifo,
        wrong_fifos.unseen.name,
        lambda: wrong_fifos.unseen_model(PAGE),
        "refinement",
        0,
        refines=CRAWLS,
    ),
    fifos(
        "our rule, a star of 7 URLs, 4 workers", star(7, 4), (12_934, 54_437, 21), symmetric=True, full=True
    ),
    family(TWO_ROOTS_3, up_to(3, 2), Counts(120, 3_288, 5_532, 11), roots=2, fifo=True, full=True),
    family(ODDITIES, up_to(3, oddities=True), Counts(953, 16_456, 25_608, 11), limit=2, fifo=True, full=True),
    family(ONE_ROOT_ALL, up_to(4), Counts(2_709, 79_334, 138_897, 13), fifo=True, full=True),
    family(ONE_ROOT_ALL, up_to(4), Counts(2_709, 79_950, 139_821, 13), first_wins=True, fifo=True, full=True),
    family(TWO_ROOTS_ALL, up_to(4, 2), Counts(3_948, 160_224, 286_751, 13), roots=2, fifo=True, full=True),
]

STREAM: list[Instance] = [
    streams(1, 2, 2, (3_526, 17_679, 12), kinds=2),
    streams(2, 1, 1, (2_034, 21_875, 12), size=1, faulty=True, live=True),
    streams(2, 1, 2, (3_416, 34_289, 14), live=True),
    streams(2, 3, 4, (5_795, 60_019, 22), size=1, symmetric=True),
    streams(3, 1, 2, (3_407, 57_516, 16), size=1, faulty=True, symmetric=True),
    wrong_stream("in_order", 2, capacity=2, kinds=2, size=2),
    wrong_stream("nothing_lost", 2),
    wrong_stream("bounded", 1, size=2),
    wrong_stream("end_last", 3),
    wrong_stream("no_lost_receiver", 3),
    wrong_stream("no_lost_sender", 4, size=2),
    wrong_stream("one_each", 2),
    wrong_stream("clean", 3),
    wrong_stream("reset_for_a_reason", 3),
    wrong_stream("cancel_takes_nothing", 5),
    wrong_stream("served", 3),
    wrong_stream("nothing_after_the_end", 2),
    wrong_stream("for_good", 3),
    wrong_stream("answered", 2, tasks=1),
    wrong_stream("told_of_room", 4),
    wrong_stream("end_arrives", 1, tasks=1),
    wrong_stream("reset_arrives", 1, tasks=1),
    wrong_stream("comes_to_rest", 2, tasks=1),
    streams(2, 3, 4, (9_543, 106_363, 18), symmetric=True, full=True),
    streams(2, 2, 3, (26_746, 295_633, 16), kinds=2, symmetric=True, full=True),
    streams(3, 2, 3, (15_219, 290_427, 18), faulty=True, symmetric=True, full=True),
]

REGISTRY: list[Instance] = [*QUEUE, *CRAWL, *CRAWL_FIFO, *STREAM, *FUTURE, *TASK, *TASK_HOPS, *LOCKS, *EVENTS]
