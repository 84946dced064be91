"""Ranks: why a leads-to property holds, as a natural number that falls until it does.

From the trigger on, until the property holds, the run is in a *stage*: one for each action of `by`, where the condition
that is given there holds.  Then

    begins     the trigger leads to a stage, and in a stage the rank is not negative
    step       a step from a stage meets the property, or lowers the rank and ends in a stage, or keeps the stage and
               does not raise the rank; the last does not suffice for the event of the stage
    enabled    in a stage its event can happen: the action with the parameters of the property

So if the event of the stage never came, the stage would stay and the event would stay enabled, which no fair run
allows; and the rank cannot fall for ever.  (It is the rule WF1 of TLA+, with a rank.)  Without `by` there is one stage,
until the property holds; every step in it lowers the rank, and some fair event can happen.

Here the parts are evaluated in one state or on one step: `liveness.py` does so everywhere in a model, and the proofs
check their counterexamples.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from .core import Event, Named, SpecError, truth, twice

# Any below: constants and states of any specification.

#: The stage of a property without `by`.
EVERY: Final = ""


def stages(goal: Named) -> tuple[str, ...]:
    """The stages of a property with a rank: the actions of `by`, or EVERY."""
    return tuple(name for name, _ in goal.by) or (EVERY,)


@dataclass(frozen=True)
class Owed:
    """A leads-to property with a rank, for some constants and parameters.

    The methods return a sentence about the error, "" if there is none.
    """

    goal: Named
    k: Any
    args: tuple[Hashable, ...] = ()

    def rank(self, s: Any) -> int:
        assert self.goal.rank is not None
        value = twice(self.goal.rank, self.k, s, *self.args)
        if type(value) is not int:
            raise SpecError(f"the rank of {self.goal.name} is {value!r}, which is no int").at(self.goal.rank)
        return value

    def _true(self, fn: Any, s: Any) -> bool:
        return truth(fn, twice(fn, self.k, s, *self.args))

    def stages(self, s: Any) -> list[str]:
        """The stages that a state is in: none where the property holds."""
        if self._true(self.goal.fn, s):
            return []
        if not self.goal.by:
            return [EVERY]
        return [name for name, when in self.goal.by if self._true(when, s)]

    def begins(self, s: Any) -> str:
        """Whether the trigger leads to a stage."""
        goal = self.goal
        if self.stages(s):
            return f"the rank is {self.rank(s)}" if self.rank(s) < 0 else ""
        if goal.trigger is None or not self._true(goal.trigger, s):
            return ""
        return "" if self._true(goal.fn, s) else "no action is named that lowers the rank"

    def step(self, stage: str, s: Any, event: Event, t: Any) -> str:
        """Whether a step from a stage leads on."""
        after = self.stages(t)
        if self._true(self.goal.fn, t) or (after and self.rank(t) < self.rank(s)):
            return ""
        if self.rank(t) > self.rank(s):
            return f"{event} raises the rank from {self.rank(s)} to {self.rank(t)}"
        if stage == EVERY or event == Event(stage, self.args):
            return f"{event} does not lower the rank {self.rank(s)}"
        return "" if stage in after else f"{event} ends the stage of {stage} without lowering the rank {self.rank(s)}"

    def enabled(self, stage: str, events: Collection[Event], actions: Mapping[str, Named]) -> str:
        """Whether the event of a stage is among those that can happen."""
        if stage == EVERY:
            return "" if any(actions[e.name].fair for e in events) else "no fair action can happen"
        event = Event(stage, self.args)
        if event not in events:
            return f"{event} cannot happen, and no other is named that lowers the rank"
        return "" if actions[stage].fair else f"{event} is not fair"
