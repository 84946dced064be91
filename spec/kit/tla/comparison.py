"""Our search of an instance beside TLC's: the same states, steps and levels, and the same property found broken.

Both search without symmetry.  A step is an event with the state that it leads to; a specification that yields one state
twice for one event counts it twice, TLC once, and so do we here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .. import liveness
from ..bounded import Fails, Holds, Instance, Refines, only
from ..core import Spec
from ..fifo import Fifo
from ..model import Model
from ..refinement import refines
from ..search import LimitError, Violation, check, steps
from .module import Question, question
from .opaque import tables
from .tlc import UNFAIR, Found, Refuted

#: The most states of an instance that is compared.
MOST = 100_000
#: From so many states on, the compiler of Java pays.
LONG = 20_000

Outcome = Found | Refuted


class LeftOut(Exception):
    """An instance that TLC is not asked about; the text says why."""


@dataclass(frozen=True)
class Asked:
    """Our outcome, and the question for TLC.

    `meant`: the outcome is of the kind that the instance states.  `alone`: our outcome for one property only.
    """

    ours: Outcome
    question: Question
    meant: bool
    alone: Callable[[str], Outcome]

    @property
    def long(self) -> bool:
        return isinstance(self.ours, Found) and self.ours.states >= LONG

    def agrees(self, theirs: Outcome) -> bool:
        """Whether TLC found the same; of properties that are broken after as many steps, it may meet another first."""
        if self.ours == theirs or not isinstance(self.ours, Refuted) or not isinstance(theirs, Refuted):
            return self.ours == theirs
        return self.ours.depth == theirs.depth and self.alone(theirs.name) == theirs


def asked(instance: Instance) -> Asked:
    """Search an instance, and make the question of it.  Raises LeftOut, and Untranslatable."""
    models = [instance.model()] if isinstance(instance, Fails) else list(instance.models())
    if isinstance(models[0], Fifo):
        raise LeftOut("the queue of a model first in, first out is no part of a specification")
    models = [replace(model.over(rankless(model.spec)), canon=None) for model in models]
    if isinstance(instance, Holds):
        live, above = instance.live, instance.refines
    else:
        live = instance.broken in models[0].spec.progress
        above = instance.refines if instance.broken == "refinement" else None

    def alone(name: str) -> Outcome:
        return found([model.over(only(model.spec, name)) for model in models], live, instance.may_end, above)

    ours = found(models, live, instance.may_end, above)
    depth = ours.depth if isinstance(ours, Refuted) and ours != UNFAIR else None
    rows = tables(models, above, depth)
    wanted = question(models, rows, may_end=instance.may_end, live=live, refines=above)
    ranked = isinstance(instance, Fails) and live  # perhaps only its rank is wrong
    meant = ranked or isinstance(ours, Found) == isinstance(instance, Holds)
    return Asked(ours, wanted, meant, alone)


def rankless(spec: Spec[Any, Any]) -> Spec[Any, Any]:
    """The specification without the ranks of leads-to properties, which TLA+ does not have."""
    new: Spec[Any, Any] = Spec(spec.name, spec.state, spec)
    new.progress.update({name: replace(item, rank=None, by=()) for name, item in spec.progress.items()})
    return new


def found(
    models: Sequence[Model[Any, Any]],
    live: bool,
    may_end: Callable[[Any], bool] | None,
    above: Refines | None,
) -> Outcome:
    """The outcome of our search of all models: the nearest violation, or the counts.

    Raises LeftOut if it is too large.
    """
    total, broken = Found(0, 0, 0, 0), []
    for model in models:
        try:
            if above:
                try:
                    refines(model, above.high(model), above.view, limit=MOST)
                except Violation as violation:
                    broken.append(Refuted(violation.name, violation.depth))
            graph = check(model, may_end=may_end, keep=True, limit=MOST - total.states)
            if live:
                liveness.check(model, graph)
        except LimitError as error:
            if not broken:
                raise LeftOut(f"it has more than {MOST:,} states without symmetry") from error
        except liveness.Lasso:
            broken.append(UNFAIR)
        except Violation as violation:
            broken.append(Refuted(violation.name, violation.depth))
        else:
            total = Found(
                total.initial + len(set(model.init)),
                total.states + len(graph.parent),
                total.edges + sum(len(set(out)) for out in graph.out.values()),
                max(total.depth, graph.depth),
            )
    safety = [each for each in broken if each != UNFAIR]
    return min(safety, key=lambda each: each.depth) if safety else UNFAIR if broken else total


def beside(us: Outcome, them: Outcome) -> str:
    """Both outcomes, in columns."""
    if isinstance(us, Found) and isinstance(them, Found):
        pairs = [(us.states, them.states, 9), (us.edges, them.edges, 9), (us.depth, them.depth, 3)]
        return " ".join(f"{a:>{width},} {b:>{width},}" for a, b, width in pairs)
    return text(us) if us == them else f"{text(us)}; TLC: {text(them)}"


def text(what: Outcome) -> str:
    if isinstance(what, Found):
        return f"not broken in {what.states:,} states"
    return f"{what.name} broken" + ("" if what == UNFAIR else f" after {steps(what.depth)}")
