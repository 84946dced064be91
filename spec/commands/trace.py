"""`loopspec check NAME --trace PROPERTY`: a run that breaks the property, or one that exercises it.

The run of a wrong text (an instance that must fail) is a shortest one of those that break the property.  A property
that none breaks is shown at work in a run of the specification itself, which ends where the property is exercised.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..kit.bounded import Fails, Holds, Instance, only
from ..kit.core import Named, Spec
from ..kit.frame import DECLARED
from ..kit.instances import search, violation_of
from ..kit.model import Model
from ..kit.rules import rule_of
from ..kit.search import LimitError, Violation, steps, table
from ..kit.witness import MOST_STATES, witness
from .target import UsageError

#: The claims of an instance that can fail, besides the properties.
OTHERS = (*DECLARED, "deadlock", "refinement")


def show(instances: Sequence[Instance], wanted: str) -> int:
    """Print the trace of a property, given by its name or by its rule; returns the exit status.

    It is 1 if the specification itself breaks the property, or if no run shows it at work.

    Raises:
        UsageError: no specification of these instances has it, or nothing can be shown of it.
    """
    spec, item = named(instances, wanted)
    name = item.name if item else wanted
    if item is not None:
        print(f"{spec.name}: {name} ({item.rule}): {rule_of(item).sentence}")
    found = shortest(
        [
            each
            for each in instances
            if isinstance(each, Fails) and each.broken == name and (item is None or each.spec is spec)
        ]
    )
    if found is not None:
        print(f"It must fail in a wrong text; a shortest run that breaks it:\n{found}")
        return 0
    if item is None:
        raise UsageError(f"no instance shows that {wanted} can fail, so there is no trace of it")
    title, model = plain_model(instances, spec)
    try:
        alone = Holds(spec, title, lambda: [model])
        search(model.over(only(spec, name)), alone, live=name in spec.progress, limit=MOST_STATES)
    except LimitError:  # its first states are looked at below
        pass
    except Violation as broken:
        print(f"The specification itself breaks it; a shortest run:\n{broken}")
        return 1
    shown = witness(model, item)
    asked = f"{title}: the first {MOST_STATES:,} states" if shown.cut else title
    if not shown.trace:
        print(f"No wrong text breaks it, and no state exercises it ({asked}).")
        return 1
    print("No wrong text breaks it; a shortest run of the specification that exercises it:")
    verb = "is owed" if name in spec.progress else "holds"
    head = f"{spec.name}: {name} {verb} after {steps(len(shown.trace) - 1)}"
    print("\n".join([head, *table(spec.field_names, shown.trace)]))
    for part in shown.missed:
        print(f"not exercised ({asked}): {part}")
    return 0


def named(instances: Sequence[Instance], wanted: str) -> tuple[Spec[Any, Any], Named | None]:
    """The specification and its property; None for one of OTHERS.  Raises UsageError."""
    specs = list({id(each.spec): each.spec for each in instances}.values())
    for spec in specs:
        for item in spec.properties.values():
            if wanted in (item.name, item.rule):
                return spec, item
    if wanted in OTHERS:
        return specs[0], None
    names = ", ".join(dict.fromkeys(name for spec in specs for name in spec.properties))
    raise UsageError(f"--trace: there is no property {wanted!r}; there are: {names}")


def shortest(instances: Sequence[Fails]) -> Violation | None:
    """The violation with the fewest steps; skips each instance with a pinned depth no less than the best."""
    best: Violation | None = None
    for instance in sorted(instances, key=lambda each: each.depth):
        if best is None or instance.depth < best.depth:
            found = violation_of(instance, instance.model())
            if found is not None and (best is None or found.depth < best.depth):
                best = found
    return best


def plain_model(instances: Sequence[Instance], spec: Spec[Any, Any]) -> tuple[str, Model[Any, Any]]:
    """The first model of the instances that hold of a specification, with its title, without its symmetry.

    Raises:
        UsageError: there is none.
    """
    for instance in instances:
        if isinstance(instance, Holds) and instance.spec is spec:
            for model in instance.models():
                return instance.title, replace(model, canon=None)
    raise UsageError(f"{spec.name} has no instance that holds, and so no model: add a Holds({spec.name}, ...)")
