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
from .module import TlcQuestion, question
from .opaque import tables
from .tlc import UNFAIR, SearchCounts, TlcViolation

#: The most states of an instance that is compared.
MOST = 100_000
#: The most states of an instance with a refinement that TLC is asked about: its view is a table of all states.
MOST_SEEN = 5_000
#: The models of a family go to TLC in parts of about so many states: it reads large modules slowly.
PART = 8_000

Outcome = SearchCounts | TlcViolation


class LeftOut(Exception):
    """An instance that TLC is not asked about; the text says why."""


@dataclass(frozen=True)
class Asked:
    """Our outcome, and the questions for TLC, each about a part of the models.

    `meant`: the outcome is of the kind that the instance states.  `alone`: our outcome for one property only.
    `note`: the claims that TLC is not asked about.
    """

    ours: Outcome
    questions: list[TlcQuestion]
    meant: bool
    alone: Callable[[str], Outcome]
    note: str

    def agrees(self, theirs: Outcome) -> bool:
        """Whether TLC found the same; of properties that are broken after as many steps, it may meet another first."""
        if self.ours == theirs or not isinstance(self.ours, TlcViolation) or not isinstance(theirs, TlcViolation):
            return self.ours == theirs
        return self.ours.depth == theirs.depth and self.alone(theirs.name) == theirs


def asked(instance: Instance) -> Asked:
    """Search an instance, and make the questions of it.  Raises LeftOut, and Untranslatable."""
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
    depth = ours.depth if isinstance(ours, TlcViolation) and ours != UNFAIR else None
    states = ours.states if isinstance(ours, SearchCounts) else 0
    seen = above if states <= MOST_SEEN else None
    size = max(1, len(models) * PART // max(states, PART))
    questions = []
    for part in (models[n : n + size] for n in range(0, len(models), size)):
        rows = tables(part, seen, depth)
        questions.append(question(part, rows, may_end=instance.may_end, live=live, refines=seen))
    ranked = isinstance(instance, Fails) and live  # perhaps only its rank is wrong
    meant = ranked or isinstance(ours, SearchCounts) == isinstance(instance, Holds)
    note = "  (without the refinement: too many states)" if above and not seen else ""
    return Asked(ours, questions, meant, alone, note)


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
    outcomes: list[Outcome] = []
    states = 0
    for model in models:
        try:
            if above:
                try:
                    refines(model, above.high(model), above.view, limit=MOST)
                except Violation as violation:
                    outcomes.append(TlcViolation(violation.name, violation.depth))
            most = MOST_SEEN if outcomes and isinstance(outcomes[-1], TlcViolation) else MOST - states
            graph = check(model, may_end=may_end, keep=True, limit=most)
            if live:
                liveness.check(model, graph)
        except LimitError as error:
            if not any(isinstance(outcome, TlcViolation) for outcome in outcomes):
                raise LeftOut(f"it has more than {MOST:,} states without symmetry") from error
        except liveness.Lasso:
            outcomes.append(UNFAIR)
        except Violation as violation:
            outcomes.append(TlcViolation(violation.name, violation.depth))
        else:
            edges = sum(len(set(out)) for out in graph.out.values())
            outcomes.append(SearchCounts(len(set(model.init)), len(graph.parent), edges, graph.depth))
            states += len(graph.parent)
    return together(outcomes)


def together(outcomes: Sequence[Outcome]) -> Outcome:
    """The outcome of several searches: the nearest violation, or the totals."""
    broken = [outcome for outcome in outcomes if isinstance(outcome, TlcViolation)]
    if broken:
        return min(broken, key=lambda outcome: (outcome == UNFAIR, outcome.depth))
    counts = [outcome for outcome in outcomes if isinstance(outcome, SearchCounts)]
    return SearchCounts(
        sum(each.initial for each in counts),
        sum(each.states for each in counts),
        sum(each.edges for each in counts),
        max(each.depth for each in counts),
    )


def beside(us: Outcome, them: Outcome) -> str:
    """Both outcomes, in columns."""
    if isinstance(us, SearchCounts) and isinstance(them, SearchCounts):
        pairs = [(us.states, them.states, 9), (us.edges, them.edges, 9), (us.depth, them.depth, 3)]
        return " ".join(f"{a:>{width},} {b:>{width},}" for a, b, width in pairs)
    return text(us) if us == them else f"{text(us)}; TLC: {text(them)}"


def text(what: Outcome) -> str:
    if isinstance(what, SearchCounts):
        return f"not broken in {what.states:,} states"
    return f"{what.name} broken" + ("" if what == UNFAIR else f" after {steps(what.depth)}")
