"""Running instances: one line each, then a report on how much of each specification they exercise.

An instance that must hold is searched with all its properties, and its counts are compared with the pinned ones; one
that must fail has to be found broken as pinned.  Then each specification is examined: whether its instances exercise
all of it (`kit/vacuity.py`), and whether every rule has a source.  A gap is an error in a shipped specification, a
warning in a user's.

During a long search, a terminal shows a progress line that is overwritten; it is written to a terminal only.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from shutil import get_terminal_size
from typing import Any, TextIO

from ..kit.bounded import Counts, Fails, Holds, Instance
from ..kit.core import Spec, SpecError
from ..kit.frame import DECLARED
from ..kit.instances import Searched, plus, search, violation_of
from ..kit.model import Model
from ..kit.rules import problems
from ..kit.search import LimitError, Violation, steps
from ..kit.vacuity import cover, unfailing

#: Seconds between two writes of the progress line, and before the first.
EVERY = 0.5
#: The names of the points of `vacuity`: singular, plural.
KINDS = {
    "action": ("action", "actions"),
    "yield": ("yield", "yields"),
    "operand": ("alternative", "alternatives"),
    "branch": ("branch", "branches"),
    "body": ("comprehension", "comprehensions"),
    "trigger": ("trigger", "triggers"),
}


class Live:
    """A progress line at the foot of a terminal; with None instead of a stream, nothing is written."""

    def __init__(self, stream: TextIO | None) -> None:
        self.stream = stream
        self.begin("")

    def begin(self, label: str) -> None:
        """Begin the progress of a search."""
        self.label, self.shown = label, 0
        self.began = self.last = time.perf_counter()

    def tick(self, states: int) -> None:
        """The search has visited `states` states."""
        now = time.perf_counter()
        if self.stream is not None and now - self.last >= EVERY:
            text = f"{self.label}  {states:,} states  {states / (now - self.began):,.0f}/s"
            self._write(text[: get_terminal_size().columns - 1])
            self.last = now

    def end(self) -> None:
        """Erase the line."""
        if self.shown:
            self._write("")

    def _write(self, text: str) -> None:
        assert self.stream is not None
        self.stream.write(f"\r{text:<{self.shown}}" if text else f"\r{' ' * self.shown}\r")
        self.stream.flush()
        self.shown = len(text)


def terminal() -> TextIO | None:
    """The stream for a progress line, or None."""
    return next((s for s in (sys.stdout, sys.stderr) if s is not None and s.isatty()), None)


@dataclass(frozen=True)
class Broken:
    """A property that a model of an instance breaks; `meant`: as it must, because the instance is to fail."""

    instance: Instance
    model: Model[Any, Any]
    violation: Violation
    meant: bool


@dataclass
class CheckRun:
    """Runs instances and prints their lines; `violations` counts those that are not as they must be.

    `unfinished` counts those with more states than a search visits.

    `held`: the number of states of each instance that held.  `broken`: the violations, in order.  `label`: the
    instance or specification at hand.
    """

    width: int
    live: Live
    states: int = 0
    edges: int = 0
    violations: int = 0
    unfinished: int = 0
    held: list[tuple[int, Holds]] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)
    label: str = ""

    def instance(self, instance: Instance) -> None:
        """Run one instance."""
        self.label = label(instance)
        self.live.begin(f"{self.label:<{self.width}}")
        try:
            wrong = self._holds(instance) if isinstance(instance, Holds) else self._fails(instance)
        finally:
            self.live.end()
        self.violations += wrong

    def _line(self, text: str) -> None:
        self.live.end()
        print(f"{self.label:<{self.width}}  {text}", flush=True)

    def _unfinished(self, error: LimitError) -> bool:
        self._line(f"UNFINISHED\n{error}")
        self.unfinished += 1
        return False

    def _holds(self, instance: Holds) -> bool:
        """Check an instance that must hold; returns whether it failed."""
        began = time.perf_counter()
        found = Counts(0, 0, 0, 0)
        moves = None if instance.refines is None else 0
        for model in instance.models():
            if model.original is not instance.spec:
                raise SpecError(
                    f"{self.label}: the model is of another specification, {model.original.name!r}:"
                    " make it with spec=..."
                )
            try:
                graph, moved = self._search(model, instance, live=instance.live, before=found.states)
            except LimitError as error:
                return self._unfinished(error)
            except Violation as error:
                self._line(f"FAILS\n{error}")
                self.broken.append(Broken(instance, model, error, meant=False))
                return True
            moves = moves if moved is None else (moves or 0) + moved
            found = plus(found, graph)
        if not found.models:
            raise SpecError(f"{self.label}: there is no model in it")
        self.states += found.states
        self.edges += found.edges
        self.held.append((found.states, instance))
        self._line(
            f"{found.states:>9,} states {found.edges:>9,} edges  depth {found.depth:>2}"
            f" {time.perf_counter() - began:6.2f} s" + ("" if instance.counts else "  not pinned")
        )
        if moves == 0:
            print("  THE REFINEMENT SAYS NOTHING: the higher specification sees no step of it")
        if differs := instance.counts not in (None, found):
            print(f"  NOT AS PINNED: {instance.counts}\n  found:         {found}")
        return differs or moves == 0

    def _fails(self, instance: Fails) -> bool:
        """Check an instance that must fail; returns whether it did not fail as pinned."""
        model = instance.model()
        expected = f"{instance.broken}, after {steps(instance.depth)}"
        if instance.broken not in (*model.spec.properties, *DECLARED, "deadlock", "refinement"):
            raise SpecError(f"{model.spec.name} has no property {instance.broken!r} that could fail")
        meant, asked = (spec.properties.get(instance.broken) for spec in (instance.spec, model.original))
        if meant and asked and meant.fn is not asked.fn:
            raise SpecError(f"{self.label}: {instance.broken} of the model is not that of {instance.spec.name!r}")
        try:
            violation = violation_of(instance, model, self.live.tick)
        except LimitError as error:
            return self._unfinished(error)
        if violation is None:
            self._line(f"NOT REFUTED, which it must be: {expected}")
            return True
        found = f"{violation.name}, after {steps(violation.depth)}"
        self._line(f"refuted, as it must be: {found}")
        pinned = (violation.name, violation.depth) == (instance.broken, instance.depth)
        self.broken.append(Broken(instance, model, violation, pinned))
        if pinned:
            return False
        print(f"  NOT AS PINNED: {expected}\n  found:         {found}\n{violation}")
        return True

    def _search(self, model: Model[Any, Any], instance: Holds, *, live: bool, before: int) -> Searched:
        """Check one model, and show how many states it has so far, after those `before`."""
        found = search(model, instance, live=live, tick=lambda states: self.live.tick(before + states))
        self.live.tick(before + len(found.graph.parent))
        return found

    def specification(self, spec: Spec[Any, Any], instances: Sequence[Instance], *, own: bool) -> None:
        """Print how much of a specification its instances exercise; the rest is a warning, or an error."""
        self.label = spec.name
        holding = [instance for _, instance in sorted(self.held, key=lambda pair: pair[0]) if instance.spec is spec]
        if len(holding) < sum(isinstance(i, Holds) and i.spec is spec for i in instances):
            return  # a failed instance is reported already
        found = cover(spec, holding, own=own)
        missed = found.missed + unfailing(spec, instances, own=own) + ([] if own else list(problems(spec)))
        kinds = [f"{n} {KINDS[kind][n != 1]}" for kind in KINDS if (n := found.kinds[kind])]
        print(f"{spec.name}: reached in {found.states:,} states: {', '.join(kinds) or 'nothing of its own'}")
        for text in found.unread:
            print(f"  not read: {text}")
        for text in missed:
            print(f"  {'warning' if own else 'VACUOUS'}: {text}")
        self.violations += 0 if own else len(missed)


def label(instance: Instance) -> str:
    """The beginning of the line of an instance: the name of the specification, and the title."""
    name = instance.spec.name
    return f"{name}: {instance.title.removeprefix(f'{name}: ')}"
