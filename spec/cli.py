"""`python -m spec`: explore the pinned instances with all their properties, one line each.

Theory of operation.  Exit status 0: every instance is as pinned and every action of every specification happened;
1: a property is broken (its trace is printed), or an instance is not as pinned; 2: a usage error, told in one line.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NoReturn

from .instances import REGISTRY
from .kit.check import LimitError, Violation, explore
from .kit.core import SpecError
from .kit.instance import Counts, Fails, Holds, Instance


class UsageError(Exception):
    """The arguments make no sense."""


class Parser(argparse.ArgumentParser):
    """A parser that leaves it to `main` to say, in one line, what is wrong."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


class Totals:
    """What all instances count together; `fired` counts the steps of (specification, action)."""

    def __init__(self) -> None:
        self.states = self.edges = self.violations = 0
        self.fired: Counter[tuple[str, str]] = Counter()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with those arguments (None: those of the process); returns the exit status."""
    parser = Parser(prog="spec", description="Explore the pinned finite instances of the specifications.")
    parser.add_argument("name", nargs="?", help="only the instances of this specification")
    parser.add_argument("--full", action="store_true", help="the long form too, which takes minutes")
    try:
        options = parser.parse_args(argv)
        selected = select(REGISTRY, options.name, full=options.full)
    except UsageError as error:
        print(f"spec: {error}", file=sys.stderr)
        return 2
    totals = Totals()
    width = max(len(label(instance)) for instance in selected)
    for instance in selected:
        print(f"{label(instance):<{width}}", end="  ", flush=True)
        totals.violations += holds(instance, totals) if isinstance(instance, Holds) else fails(instance)
    totals.violations += idle(selected, totals.fired)
    print(
        f"{len(selected)} instances, {totals.states:,} states, {totals.edges:,} edges, {totals.violations} violations"
    )
    return 1 if totals.violations else 0


def select(registry: Iterable[Instance], name: str | None, *, full: bool) -> list[Instance]:
    """The instances of the specification `name` (None: of all); the long ones only if asked for."""
    names = sorted({instance.spec.name for instance in registry})
    if name is not None and name not in names:
        raise UsageError(f"there is no specification {name!r}; there are: {', '.join(names)}")
    return [i for i in registry if name in (None, i.spec.name) and (full or not i.full)]


def label(instance: Instance) -> str:
    """What stands at the beginning of the line of an instance; a derived specification is named after its text."""
    name = instance.spec.name
    return f"{name}: {instance.title.removeprefix(f'{name}: ')}"


def holds(instance: Holds, totals: Totals) -> bool:
    """Explore an instance that must hold, end its line, add to the totals; returns whether it failed."""
    began = time.perf_counter()
    models = states = edges = depth = 0
    try:
        for model in instance.models():
            graph = explore(model, may_end=instance.may_end)
            models += 1
            states += len(graph.parent)
            edges += graph.edges
            depth = max(depth, graph.depth)
            totals.fired.update({(instance.spec.name, name): n for name, n in graph.fired.items()})
    except (Violation, LimitError, SpecError) as error:
        print(f"FAILS\n{error}")
        return True
    totals.states += states
    totals.edges += edges
    found = Counts(models, states, edges, depth)
    print(f"{states:>9,} states {edges:>9,} edges  depth {depth:>2} {time.perf_counter() - began:6.2f} s")
    if found != instance.counts:
        print(f"  NOT AS PINNED: {instance.counts}\n  found:         {found}")
    return found != instance.counts


def fails(instance: Fails) -> bool:
    """Explore an instance that must fail, end its line; returns whether it did not fail as pinned."""
    try:
        explore(instance.model())
    except Violation as violation:
        print(f"refuted, as it must be: {violation.name}, after {violation.depth} steps")
        if (violation.name, violation.depth) == (instance.broken, instance.depth):
            return False
        print(f"  NOT AS PINNED: {instance.broken}, after {instance.depth} steps\n{violation}")
    except (LimitError, SpecError) as error:
        print(f"FAILS\n{error}")
    else:
        print(f"NOT REFUTED, which it must be: {instance.broken}, after {instance.depth} steps")
    return True


def idle(selected: Iterable[Instance], fired: Counter[tuple[str, str]]) -> int:
    """Print every action that never happened in the instances of its specification; returns how many there are."""
    specs = {i.spec.name: i.spec for i in selected if isinstance(i, Holds)}
    never = [(spec, action) for spec in specs for action in specs[spec].actions if not fired[spec, action]]
    for spec, action in never:
        print(f"{spec}: the action {action} never happens: the instances say nothing about it")
    return len(never)
