"""The questions of a leads-to property with a rank: `begins`, `step` and `enabled`, as `kit/ranks.py` has them.

That the event of a stage can happen may need that one task stands first in a line.  This follows from no premise, but
from finiteness: below every element of a finite strict order there is one with none below it.  So that is known of each
set of pairs of the state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..core import Named
from ..ranks import EVERY, stages
from . import solver as z
from .case import BEGINS, ENABLED, Obligation
from .setting import Question, Setting
from .values import Fun, Rec, Value, eq, kind


@dataclass(frozen=True)
class Reading:
    """A leads-to property for some parameters, as terms."""

    setting: Setting
    goal: Named
    owed: list[Value]

    def met(self, s: Rec) -> z.Term:
        return self._holds(self.goal.fn, s)

    def rank(self, s: Rec) -> z.Term:
        return self.setting.reader.counted(self.goal.rank, [self.setting.k, s, *self.owed])

    def triggered(self, s: Rec) -> z.Term:
        return self._holds(self.goal.trigger, s)

    def within(self, stage: str, s: Rec) -> z.Term:
        """The condition of a stage."""
        return z.truth(True) if stage == EVERY else self._holds(dict(self.goal.by)[stage], s)

    def anywhere(self, s: Rec) -> z.Term:
        return z.either(*(self.within(stage, s) for stage in stages(self.goal)))

    def _holds(self, fn: object, s: Rec) -> z.Term:
        return self.setting.reader.holds(fn, [self.setting.k, s, *self.owed])


def questions(
    setting: Setting, obligation: Obligation, premises: Sequence[str], instances: Sequence[Rec]
) -> Iterator[Question]:
    """The questions of an obligation of a leads-to property."""
    case, s = setting.case, setting.s
    goal = case.ranked[obligation.of]
    owed, domain = setting.arguments(goal, "@owed ")
    of = Reading(setting, goal, owed)
    known = setting.premises(premises)
    always = [*setting.background(), *domain, z.no(of.met(s))]
    if obligation.action == BEGINS:
        nowhere = [of.triggered(s), z.no(of.anywhere(s))]
        negative = [of.anywhere(s), of.rank(s) < z.number(0)]
        setting.begin()
        for wrong in (nowhere, negative):
            yield setting.question([*always, *wrong], known, [], s, owed, instances)
        return
    always.append(of.within(obligation.stage, s))
    if obligation.action == ENABLED:
        can = list(possible(of, obligation.stage))
        setting.begin()
        formulas = [*always, z.no(z.either(*can)), *firsts(s)]
        yield setting.question(formulas, known, [], s, owed, instances)
        return
    setting.reader.sums.before = s
    action = case.spec.actions[obligation.action]
    arguments, more = setting.arguments(action)
    ways = list(setting.reader.steps(action, [setting.k, s, *arguments]))
    setting.begin()
    for way in ways:
        wrong = z.no(leads_on(of, obligation, arguments, way.value))
        lemmas = setting.lemmas(premises, way.value)
        formulas = [*way.conditions, *always, *more, wrong]
        yield setting.question(formulas, known | lemmas, arguments, way.value, owed, instances)


def leads_on(of: Reading, obligation: Obligation, arguments: Sequence[Value], t: Rec) -> z.Term:
    """Whether a step of the action to t meets the property, lowers the rank, or keeps the stage."""
    s, stage = of.setting.s, obligation.stage
    lower = z.both(of.anywhere(t), of.rank(t) < of.rank(s))
    kept = z.both(of.within(stage, t), of.rank(t) <= of.rank(s))
    if stage == EVERY:
        return z.either(of.met(t), lower)
    if obligation.action == stage:  # the event of the stage has to do more
        kept = z.both(kept, z.no(eq(tuple(arguments), tuple(of.owed))))
    return z.either(of.met(t), lower, kept)


def possible(of: Reading, stage: str) -> Iterator[z.Term]:
    """That the event of the stage can happen, for each way through its action; without stages, any fair event."""
    setting = of.setting
    for name, action in setting.case.spec.actions.items():
        if not action.fair or stage not in (EVERY, name):
            continue
        arguments, domain = (of.owed, []) if stage else setting.arguments(action, f"@{name} ")
        free = [part for each in arguments for part in z.parts(each)] if stage == EVERY else []
        yield from setting.possible(action, arguments, domain, free)[1]


def firsts(s: Rec) -> Iterator[z.Term]:
    """For each set of pairs: if it is a strict order, then at or below every element there is a first one."""
    functions = [field for field in s.fields.values() if isinstance(field, Fun)]
    for pairs in functions:
        if len(pairs.keys) != 2 or pairs.keys[0] != pairs.keys[1]:
            continue
        of = pairs.keys[0]
        u, v, w = (z.fresh([of]) for _ in range(3))
        if kind(pairs.at((u, v))) != "truth value":
            continue
        first = z.function(z.unique("first"), [of], of)
        transitive = z.implies(z.both(pairs.at((u, v)), pairs.at((v, w))), pairs.at((u, w)))
        strict = z.forall([u, v, w], z.both(z.no(pairs.at((u, u))), transitive))
        reached = z.either(z.equal(first(w), w), pairs.at((first(w), w)))
        none_before = z.forall([v], z.no(pairs.at((v, first(w)))))
        met = [each.at(w) for each in functions if each.keys == (of,) and z.is_applied(each.at(w))]
        yield z.implies(strict, z.forall([w], z.both(reached, none_before), met))
