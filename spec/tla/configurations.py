"""The configurations on which TLC is compared with our check.

Most are the instances of the registry: every instance of the queue, and of the crawl of one site, and every mutant that
must be refuted; so an instance that is added there is compared here too.  To these come larger queues, the smallest
sites on which the two rules differ, by each rule, and whole universes of sites, which TLA+ builds for itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..crawl.bounded import CRAWL, DIAMOND, TWO_ROOTS
from ..crawl.models import crawl_model, over
from ..crawl.mutants import early_budget
from ..crawl.sites import constants, universe
from ..crawl.specification import Const, Crawl, Worker, crawl
from ..kit.bounded import Fails, Holds, Instance
from ..kit.core import Spec
from ..kit.model import Model
from ..queue.bounded import QUEUE
from ..queue.models import queue_model
from ..queue.specification import queue
from .question import COUNTERPARTS, is_told

#: For sites on which the chapter's rule breaks `answer`: all other properties.
chapter: Spec[Const, Crawl] = Spec("crawl", Crawl, crawl, without=("answer",))


@dataclass(frozen=True)
class Configuration:
    """An instance, and the TLA+ expression for its sites ("": they are written down from its models).

    `sooner`: how many steps earlier TLC finds the error.
    """

    instance: Instance
    sites: str = ""
    sooner: int = 0


def titled(k: Const, title: str) -> str:
    """A title with the rule of `k` and the number of its workers."""
    rule, many = "the chapter's rule" if k.first_wins else "our rule", "s" * (len(k.workers) != 1)
    return f"{rule}, {title}, {len(k.workers)} worker{many}"


def one(name: str, site: Const, workers: int, *, first_wins: bool, symmetric: bool = False) -> Configuration:
    """The crawl of one site."""
    k = replace(site, workers=frozenset(map(Worker, range(workers))), first_wins=first_wins)
    spec = chapter if first_wins else crawl
    title = name + (", up to renaming" if symmetric else "")
    return Configuration(
        Holds(
            spec,
            titled(k, title),
            lambda: [crawl_model(k, spec=spec, symmetric=symmetric)],
            may_end=over,
        )
    )


def queue_of(tasks: int, maxsize: int, puts: int, items: int) -> Configuration:
    """The queue in one size."""
    title = f"tasks {tasks}, maxsize {maxsize}, puts {puts}, kinds of item {items}"
    return Configuration(Holds(queue, title, lambda: [queue_model(tasks, maxsize, puts, items=items)]))


def every(
    least: int,
    most: int,
    *,
    roots: int = 1,
    limit: int = 1,
    oddities: bool = False,
    first_wins: bool = False,
    full: bool = False,
) -> Configuration:
    """The crawls, by two workers, of every site of `least` to `most` URLs; one run of TLC for all of them."""

    def models() -> Iterator[Model[Const, Crawl]]:
        for size in range(least, most + 1):
            for shape in universe(size, oddities=oddities):
                k = constants(shape, roots=roots, limit=limit, first_wins=first_wins)
                yield crawl_model(k)

    title = f"every site of {least} to {most} URLs, roots {roots}, budget {limit}" + ", oddities" * oddities
    instance = Holds(crawl, titled(next(models()).k, title), models, may_end=over, full=full)
    return Configuration(instance, f"Between({least}, {most}, {str(oddities).upper()})")


def comparable(instance: Instance) -> bool:
    """Whether an instance of the registry has a counterpart, and is one model; a lasso has no depth to compare."""
    if instance.spec.state not in COUNTERPARTS:
        return False
    if isinstance(instance, Fails):
        return (
            instance.title not in WITHOUT_COUNTERPART
            and is_told(instance.model())
            and (broken := (instance.spec.invariants | instance.spec.steps).get(instance.broken)) is not None
            and not broken.of  # TLA+ has no properties of single actions
        )
    return (
        instance.counts is not None
        and instance.counts.models == 1
        and all(is_told(model) for model in instance.models())
    )


#: Without a counterpart: in TLA+ a budget is never read early, but always derived anew from the URLs that are done.
WITHOUT_COUNTERPART = {early_budget.name}
#: A cancelled task that stays in line shows in a line of one there; here, where a line is made of pairs, in one of two.
SOONER = {"lined_up": 1}


def of_registry(instance: Instance) -> Configuration:
    return Configuration(
        instance, sooner=SOONER.get(instance.broken, 0) if isinstance(instance, Fails) else 0
    )


CONFIGURATIONS: list[Configuration] = [
    *(of_registry(instance) for instance in [*QUEUE, *CRAWL] if comparable(instance)),
    *(queue_of(*size) for size in [(2, 2, 3, 2), (2, 0, 3, 2), (3, 1, 2, 1)]),
    *(one("the diamond", DIAMOND, n, first_wins=rule) for n in (1, 2, 3) for rule in (False, True)),
    *(one("two roots", TWO_ROOTS, n, first_wins=rule) for n in (1, 2, 4) for rule in (False, True)),
    one("the diamond", DIAMOND, 3, first_wins=True, symmetric=True),
    one("two roots", TWO_ROOTS, 4, first_wins=True, symmetric=True),
    *(every(1, 3, limit=limit) for limit in (0, 1)),
    *(every(2, 3, roots=2, first_wins=rule) for rule in (False, True)),
    every(1, 3, limit=2, oddities=True),
    every(1, 4, full=True),
    every(1, 4, first_wins=True, full=True),
]
