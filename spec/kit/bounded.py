"""Instances: bounded models of a specification that holds, with pinned counts, or of a mutant that must be refuted.

An instance that holds is one model or a family of them.  Its numbers of models, states and edges and its depth are
pinned, because an accidental change of a specification's meaning changes them.  Its properties are not: a property that
is added to a specification is checked in all of its instances, with no other change.  An instance that fails checks one
property of a mutant, so its depth depends on no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from .core import Named, Spec
from .frame import DECLARED
from .model import Model

# Any below: a registry holds models of all specifications; their constants and states have no common type.


class Counts(NamedTuple):
    """The totals of a search of all models of an instance; `depth` is the greatest."""

    models: int
    states: int
    edges: int
    depth: int


@dataclass(frozen=True)
class Refines:
    """The claim that every step of a model, seen through `view`, is a step of the model `high` or changes nothing."""

    high: Callable[[Any], Model[Any, Any]]
    view: Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Holds:
    """An instance that holds every property of its specification.

    `counts`: None, not pinned (yet).  `may_end`: the states that may have no successor (default: all).  `live`: check
    leads-to properties as well, which needs a model without symmetry.  `refines`: `high` makes the higher model from a
    lower one, `view(k, s)` maps a state of the lower one to the higher.  `full`: in the long form only.  `claim`: why
    it stays although no check would notice if it were deleted.
    """

    spec: Spec[Any, Any]
    title: str
    models: Callable[[], Iterable[Model[Any, Any]]]
    counts: Counts | None = None
    may_end: Callable[[Any], bool] | None = None
    live: bool = False
    refines: Refines | None = None
    full: bool = False
    claim: str = ""


@dataclass(frozen=True)
class Fails:
    """An instance that must break `broken`, after `depth` steps; `spec` is the specification it is for.

    `broken` is the name of a property, "frame" or "allowed" for what is declared beside actions (`frame.py`),
    "deadlock" or "refinement" (then `refines` gives the higher model).  `claim`: why its property stays although
    nothing would notice if it were deleted: it follows from others, and readers look for it.
    """

    spec: Spec[Any, Any]
    title: str
    model: Callable[[], Model[Any, Any]]
    broken: str
    depth: int
    may_end: Callable[[Any], bool] | None = None
    refines: Refines | None = None
    full: bool = False
    claim: str = ""


Instance = Holds | Fails


def only(spec: Spec[Any, Any], name: str) -> Spec[Any, Any]:
    """`spec` with the property `name` only, which may be that of all frames, or that actions are allowed."""
    of = Spec(spec.name, spec.state, spec, without=[other for other in spec.properties if other != name])
    dropped: dict[str, Any] = {field: None for broken, field in DECLARED.items() if broken != name}
    of.actions.update({each: replace(action, **dropped) for each, action in of.actions.items()})
    return of


def failing(
    spec: Spec[Any, Any],
    make: Callable[..., Model[Any, Any]],
    mutants: Mapping[Any, Spec[Any, Any]],
    **size: Any,
) -> Callable[..., Fails]:
    """A function that makes the instances of a table of mutants, from a property and the depth.

    The mutant is that of the property in `mutants`, or another: given itself, or by its number in `mutants`, which has
    it as (property, number).  `claim` is that of the instance; its other keywords are the arguments of `make`, which
    makes the model, that differ from `size`.
    """

    def row(broken: str, depth: int, other: Spec[Any, Any] | int = 0, claim: str = "", **own: Any) -> Fails:
        mutant = mutants[(broken, other) if other else broken] if isinstance(other, int) else other
        wrong = only(mutant, broken)
        return Fails(spec, wrong.name, lambda: make(**(size | own), spec=wrong), broken, depth, claim=claim)

    return row


def is_safety(fails: Fails) -> bool:
    """Whether a mutant breaks an invariant, a step property or a declaration by a wrong action."""
    return fails.broken in {*fails.spec.invariants, *fails.spec.steps, *DECLARED} and bool(changed(fails))


def changed(fails: Fails) -> dict[str, Named]:
    """The actions of a mutant that the right specification does not have, by name."""
    right = {item.fn for item in fails.spec.actions.values()}
    return {name: item for name, item in fails.model().original.actions.items() if item.fn not in right}


def rewritten(fails: Fails) -> list[Named]:
    """The actions of the right specification that a mutant has in another way, or not at all."""
    wrong = {item.fn for item in fails.model().original.actions.values()}
    return [item for item in fails.spec.actions.values() if item.fn not in wrong]
