"""A case: a specification to be proved, perhaps under a further assumption, with what is false in it on purpose.

This module needs no Z3, so that a list of cases can be written and read without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from ..core import Named, Spec
from ..frame import FRAME
from ..render.infer import hints

# Any below: specifications of any constants and states.

#: In the place of an action: the initial states.
INITIALLY: Final = "initially"
#: In the place of a property: every way through the action can be taken; the constants are not contradictory.
POSSIBLE: Final = "possible"


class Obligation(NamedTuple):
    """A thing to prove: the action keeps an invariant, or obeys a step property or its frame, or can be taken in each
    of its ways.

    INITIALLY in the place of the action: the initial states satisfy the invariant, or there are some.
    """

    action: str
    goal: str


@dataclass(frozen=True)
class Case:
    """A specification; `given`: a further condition on its constants, which `title` names.

    `false`: the obligations that are false on purpose, each with the reason.
    """

    spec: Spec[Any, Any]
    title: str = ""
    given: Callable[[Any], bool] | None = None
    false: Mapping[Obligation, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.spec.name}, {self.title}" if self.title else self.spec.name

    @cached_property
    def constants(self) -> type:
        """The type of the constants: that of the first parameter of every rule."""
        item = next(item for table in self.spec.tables() for item in table.values())
        found: type = hints(item.fn)[item.fn.__code__.co_varnames[0]]
        return found

    @property
    def goals(self) -> dict[str, Named]:
        """The properties that are proved by induction."""
        return self.spec.invariants | self.spec.steps

    def obligations(self) -> list[Obligation]:
        """All of them, ordered by property: first that it holds initially, then each action."""
        found = [Obligation(where, POSSIBLE) for where in (INITIALLY, *self.spec.actions)]
        actions = self.spec.actions.values()
        found += [Obligation(item.name, FRAME) for item in actions if item.changes is not None]
        for goal, of in self.goals.items():
            begins = [INITIALLY] if goal in self.spec.invariants else []
            named = [item.name for item in actions if not of.of or item.rule in of.of]
            found += [Obligation(where, goal) for where in (*begins, *named)]
        return found
