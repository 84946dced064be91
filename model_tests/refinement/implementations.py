"""How instances of a specification are held against its implementation: a reference, or code of a user.

Models are judged without the bounds that only keep a search finite, because real objects have none.  Recorded runs are
steered to the interesting states as far as possible; the machines (`check_implementation.py`) draw theirs.

A shipped specification has a reference, which a derived one has, too.  It is imported when it is wanted: that of the
crawl brings all runtimes of crawls, which code of a user does not need.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Final

from spec.kit.core import Spec, SpecError
from spec.kit.model import Model

from .machines.adapter import Make
from .machines.generator import ignored
from .machines.shortest_paths import ScheduleSearch
from .schedules.drive import Driver
from .schedules.locks import WAITS as LOCK_WAITS

# Any in this file: constants and states of any text.
AnyModel = Model[Any, Any]

#: The name of each specification with a reference, and the module that has it.
MODULES: Final = {
    **dict.fromkeys(("queue", "locks", "events", "loop", "future", "stream"), "references"),
    "crawl": "crawl_reference",
}
#: An object is led to so many steps of its text.
STEPS: Final = 1_000


@dataclass(frozen=True)
class Implementation:
    """How instances of one text are held against its implementation.

    `make`: makes the adapter that machines drive.  `unbound`: a model without bounds that only keep a search finite.
    `runs`: has such a model judge recorded runs of these adapters, and gives for each how many lines it had.
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
    search = ScheduleSearch(own, waits, STEPS)
    driver = Driver(make, model, waits)
    for schedule in dict.fromkeys(map(search.schedule, search.found)):
        yield len(driver.run(schedule))


def implementation_of(spec: Spec[Any, Any], make: Make | None = None) -> Implementation:  # Any: of any text
    """The reference of the text that `spec` derives from, or is; without one, the implementation that `make` makes.

    Raises SpecError if nothing implements it.
    """
    base: Spec[Any, Any] | None = spec
    while base is not None:
        if base.name in MODULES:
            for text, reference in import_module(f".{MODULES[base.name]}", __package__).REFERENCES:
                if text is base:
                    return reference  # type: ignore[no-any-return]  # of a module that is imported by name
        base = base.extends
    if make is not None:
        return Implementation(make, plain, own_runs)
    names = ", ".join(MODULES)
    raise SpecError(
        f"{spec.name}: nothing here implements it; it may derive from {names}; or pass code of yours as make="
    )
