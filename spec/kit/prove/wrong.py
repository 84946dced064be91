"""Mutants of specifications, as cases: each must be refuted in the property that the search finds broken.

A mutant has wrong actions in the place of right ones.  Its case has the wrong actions beside all properties of the
right specification, so that a counterexample satisfies every invariant, and one wrong step breaks the property.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..bounded import Fails, changed
from ..core import Spec
from ..frame import DECLARED
from .case import Case, Obligation
from .few import Counterexample, counterexample

# Any below: specifications of any constants and states.


@dataclass(frozen=True)
class Refuted:
    """The obligation that refutes a mutant, and the counterexample, which Python has checked."""

    case: Case
    obligation: Obligation
    found: Counterexample


def case_of(fails: Fails, like: Case) -> Case:
    """The case of a mutant; `like`: that of the right specification."""
    wrong, base = fails.model().original, fails.spec
    lacking = [name for name, item in base.actions.items() if item not in wrong.actions.values()]
    spec: Spec[Any, Any] = Spec(base.name, base.state, base, without=lacking)
    spec.actions.update(changed(fails))
    return Case(spec, like.title, like.given)


def obligations(fails: Fails, goal: str) -> list[Obligation]:
    """At least one of these must be false: the wrong actions keep the property `goal`."""
    of = DECLARED.get(goal, "fn")
    return [Obligation(name, goal) for name, item in changed(fails).items() if getattr(item, of) is not None]


def refuted(fails: Fails, like: Case, goal: str) -> Refuted | None:
    """A counterexample to the property in one of the wrong actions, or None: over few elements there is none.

    Raises Untranslatable, and Disagreement of Python with Z3.
    """
    case = case_of(fails, like)
    for obligation in obligations(fails, goal):
        if (found := counterexample(case, obligation)) is not None:
            return Refuted(case, obligation, found)
    return None
