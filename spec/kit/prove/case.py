"""A case: a specification to be proved, perhaps under a further assumption, with the properties that are false on
purpose.

This module needs no Z3, so that a list of cases can be written and read without it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from ..core import Named, Spec, SpecError
from ..frame import ALLOWED, FRAME
from ..ranks import EVERY, stages
from ..render.infer import hints

# Any below: specifications of any constants and states.

#: In the place of an action: the initial states.
INITIALLY: Final = "initially"
#: In the place of a property: every way through the action can be taken; the constants are not contradictory.
POSSIBLE: Final = "possible"
#: In the place of an action, of a leads-to property: the trigger leads to a stage, and there the rank is natural.
BEGINS: Final = "begins"
#: In the place of an action, of a stage of a leads-to property: the event of the stage can happen.
ENABLED: Final = "enabled"
#: In the place of a property: two steps from one state may follow each other in either order, to the same state.
CONFLUENT: Final = "confluent"


class Obligation(NamedTuple):
    """A thing to prove: the action keeps an invariant, or obeys a step property or its frame, or can be taken in each
    of its ways, or is possible (ALLOWED) wherever it must be.

    INITIALLY in the place of the action: the initial states satisfy the invariant, or there are some.  Of a leads-to
    property with stages (`ranks.py`) the goal is PROPERTY/STAGE: the action's steps from that stage lead on.  Of
    CONFLUENT the action is a pair, A+B.
    """

    action: str
    goal: str

    @property
    def of(self) -> str:
        """The property that it is a part of, or POSSIBLE."""
        return self.goal.partition("/")[0]

    @property
    def stage(self) -> str:
        """The stage of a leads-to property."""
        return self.goal.partition("/")[2]

    @property
    def actions(self) -> list[str]:
        """The actions with the steps that it is about."""
        return [] if self.action in (INITIALLY, BEGINS, ENABLED) else self.action.split("+")


@dataclass(frozen=True)
class Case:
    """A specification; `given`: a further condition on its constants, which `title` names.

    `false`: the obligations that are false on purpose, each with the reason.  `unknown`: the leads-to properties that
    have no rank, and so are explored only, each with the reason.  `unproved`: further properties that are no premises,
    because they were found not to be wholly proved.  `exclusive`: None, or that its steps are CONFLUENT,
    but for those of a pair of actions, A+B, where a function of the constants and their parameters is true.
    """

    spec: Spec[Any, Any]
    title: str = ""
    given: Callable[[Any], bool] | None = None
    false: Mapping[Obligation, str] = field(default_factory=dict)
    unknown: Mapping[str, str] = field(default_factory=dict)
    unproved: frozenset[str] = frozenset()
    exclusive: Mapping[str, Callable[..., bool]] | None = None

    @property
    def name(self) -> str:
        return f"{self.spec.name}, {self.title}" if self.title else self.spec.name

    @cached_property
    def constants(self) -> type:
        """The type of the constants: that of the first parameter of every rule."""
        item = next((item for table in self.spec.tables() for item in table.values()), None)
        if item is None:
            raise SpecError(f"{self.spec.name}: it has no rule, so nothing can be proved: add one")
        found: type = hints(item.fn)[item.fn.__code__.co_varnames[0]]
        return found

    @property
    def goals(self) -> dict[str, Named]:
        """The properties that are proved by induction."""
        return self.spec.invariants | self.spec.steps

    @property
    def ranked(self) -> dict[str, Named]:
        """The leads-to properties that are proved by ranks."""
        return {name: item for name, item in self.spec.progress.items() if item.rank is not None}

    def obligations(self) -> list[Obligation]:
        """All of them, ordered by property: first that it holds initially, then each action."""
        found = [Obligation(where, POSSIBLE) for where in (INITIALLY, *self.spec.actions)]
        actions = self.spec.actions.values()
        found += [Obligation(item.name, FRAME) for item in actions if item.changes is not None]
        found += [Obligation(item.name, ALLOWED) for item in actions if item.whenever is not None]
        for goal, of in self.goals.items():
            begins = [INITIALLY] if goal in self.spec.invariants else []
            named = [item.name for item in actions if not of.of or item.rule in of.of]
            found += [Obligation(where, goal) for where in (*begins, *named)]
        for name, item in self.ranked.items():
            found.append(Obligation(BEGINS, name))
            for stage in stages(item):
                goal = f"{name}/{stage}" if stage != EVERY else name
                found += [Obligation(where, goal) for where in (ENABLED, *self.spec.actions)]
        if self.exclusive is not None:
            pairs = itertools.combinations_with_replacement(self.spec.actions, 2)
            found += [Obligation(f"{a}+{b}", CONFLUENT) for a, b in pairs]
        return found

    def premises(self, obligation: Obligation) -> list[str]:
        """The properties from which it may be proved: invariants of the state before.

        Proofs by induction have all assumptions besides; others choose from these, too.  That a step lowers a rank may
        also follow from properties of the step, which are proved by themselves.  A property that is not wholly proved,
        or false on purpose, is a premise of itself only: of a step from a state where it holds.
        """
        if obligation.action == INITIALLY:
            return []
        untrue = {o.goal for o in self.false} | self.unproved
        invariants = [name for name in self.spec.invariants if name == obligation.goal or name not in untrue]
        if obligation.goal == CONFLUENT:
            return [*invariants, *self.spec.assumes]
        if obligation.of not in self.ranked:
            return invariants
        of_all = [name for name, item in self.spec.steps.items() if not item.of and name not in untrue]
        return [*invariants, *self.spec.assumes, *(of_all if obligation.actions else [])]
