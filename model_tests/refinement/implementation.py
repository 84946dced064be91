"""How instances of a specification are held against code: the class `Implementation`, and that of a user's code.

Models are judged without the bounds that only keep a search finite, because real objects have none.  Recorded runs are
steered to the interesting states as far as possible; the machines (`check_implementation.py`) draw theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Final

from spec.kit.model import Model

from .machines.adapter import Make
from .machines.generated import ignored
from .schedules.directed import Search
from .schedules.drive import Driver
from .schedules.locks import WAITS as LOCK_WAITS

# Any in this file: constants and states of any text.
AnyModel = Model[Any, Any]

#: An object is led to so many steps of its text.
STEPS: Final = 1_000


@dataclass(frozen=True)
class Implementation:
    """How instances of one text are held against what implements it.

    `make`: makes what machines drive.  `unbound`: a model without bounds that only keep a search finite.  `runs`: has
    such a model judge recorded runs of what `make` makes, and gives for each how many lines it had.
    """

    make: Make
    unbound: Callable[[AnyModel], AnyModel]
    runs: Callable[[AnyModel, Make], Iterator[int]]


def plain(model: AnyModel) -> AnyModel:
    return replace(model, canon=None)


def own_runs(model: AnyModel, make: Make) -> Iterator[int]:
    """Shortest schedules to the nearest steps; an adapter that does not say which calls wait is asked by tasks only."""
    with closing(make(model.k, ignored)) as adapter:
        waits = getattr(adapter, "waits", lambda name: name not in ("cancel", "uncancel"))
        called = [a.name for a in model.spec.actions.values() if a.params and not a.hidden and waits(a.name)]
    yield from led(model, model, make, called)


def led(own: AnyModel, model: AnyModel, make: Make, waits: Collection[str] = LOCK_WAITS) -> Iterator[int]:
    search = Search(own, waits, STEPS)
    driver = Driver(make, model, waits)
    for schedule in dict.fromkeys(map(search.schedule, search.found)):
        yield len(driver.run(schedule))
