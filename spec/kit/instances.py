"""The search of an instance: of each of its models, with leads-to properties and the refinement that it claims."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from . import liveness
from .bounded import Counts, Fails, Instance
from .model import Model
from .refinement import refines
from .search import Graph, Violation, check

# Any: an instance has models of any specification.


class Searched(NamedTuple):
    """The graph of a model; `moves`: the number of its steps that the higher specification sees, if there is one."""

    graph: Graph[Any]
    moves: int | None


def search(
    model: Model[Any, Any],
    instance: Instance,
    *,
    live: bool,
    limit: int = 1_000_000,
    tick: Callable[[int], None] | None = None,
) -> Searched:
    """Visit every state of a model of an instance, and check all that it claims.

    Parameters:
        live: check leads-to properties, too, which needs a model without symmetry.
        limit, tick: as for `spec.kit.search.check`.

    Raises:
        Violation, LimitError, SpecError: as `check`, `liveness.check` and `refines`.
    """
    graph = check(model, limit=limit, may_end=instance.may_end, keep=live, tick=tick)
    if live:
        liveness.check(model, graph)
    if instance.refines is None:
        return Searched(graph, None)
    return Searched(graph, refines(model, instance.refines.high(model), instance.refines.view))


def violation_of(
    instance: Fails, model: Model[Any, Any], tick: Callable[[int], None] | None = None
) -> Violation | None:
    """The property that a model of an instance that must fail breaks; None: nothing.

    Raises:
        LimitError, SpecError: as `search`.
    """
    try:
        if instance.refines and instance.broken == "refinement":
            refines(model, instance.refines.high(model), instance.refines.view)
        else:
            search(model, instance, live=instance.broken in model.spec.progress, tick=tick)
    except Violation as violation:
        return violation
    return None


def plus(counts: Counts, graph: Graph[Any]) -> Counts:
    """The totals with one more model."""
    return Counts(
        counts.models + 1,
        counts.states + len(graph.parent),
        counts.edges + graph.edges,
        max(counts.depth, graph.depth),
    )
