"""The questions that decide an obligation: each is answered "unsat" if the obligation holds.

That an action keeps an invariant is one question for each way through the action: can the premises hold, the way be
taken, and the invariant be false afterwards?  The premises are invariants of the state before; any of them may be left
out, and the answer "unsat" stays right.  That a way can be taken is asked the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..core import Named
from ..frame import FRAME, changes
from . import solver as z
from .case import INITIALLY, POSSIBLE, Case, Obligation
from .reader import Applied, Reader, Way
from .sorts import Sorts
from .values import Fun, Rec, Value, eq


@dataclass(frozen=True)
class Question:
    """Formulas that cannot all be true together with the premises, or must be able to.

    `arguments`: the parameters of the action, `after` the state that it yields; without an action the initial state.
    `calls`: those of opaque helpers.
    """

    formulas: list[z.Term]
    premises: dict[str, z.Term]
    arguments: list[Value]
    after: Rec
    calls: list[Applied]


class Setting:
    """Constants and a state for one obligation, of any size or of few elements of each type."""

    def __init__(self, case: Case, sorts: Sorts) -> None:
        z.begin()
        self.case, self.sorts = case, sorts
        self.reader = Reader(case.spec, sorts)
        self.k: Rec = sorts.constant(case.constants, "k")
        self.s: Rec = sorts.constant(case.spec.state, "s")
        for names in case.spec.universe.values():
            [first, *others] = names.split()
            if not others:
                domain = self.k.fields[first]
                if domain.keys != (z.INT,):
                    self.k.fields[first] = Fun(domain.keys, lambda x: z.truth(True))

    def background(self) -> list[z.Term]:
        """The assumptions on the constants."""
        case = self.case
        given = [*(item.fn for item in case.spec.assumes.values()), *([case.given] if case.given else [])]
        return [*self._universes(), *(self.reader.call(fn, [self.k]) for fn in given)]

    def _universes(self) -> Iterator[z.Term]:
        """Where a type has values that no parameter has: that there are no others still."""
        for names in self.case.spec.universe.values():
            [first, *others] = names.split()
            domain = self.k.fields[first]
            if others:
                every = z.points(domain.keys) or [z.fresh(domain.keys)]
                for x in every:
                    also = [z.equal(x, self.k.fields[name]) for name in others]
                    fresh = [] if z.points(domain.keys) else [x]
                    yield z.forall(fresh, z.either(domain.at(x), *also))

    def arguments(self, action: Named) -> tuple[list[Value], list[z.Term]]:
        """The parameters of an action, and that they are values that parameters may have."""
        names = action.fn.__code__.co_varnames[2:]
        given = [self.sorts.constant(of, f"@{name}") for of, name in zip(action.params, names, strict=False)]
        universe = self.case.spec.universe
        return given, [
            self.k.fields[universe[of].split()[0]].at(x)
            for of, x in zip(action.params, given, strict=True)
            if of in universe
        ]

    def premises(self, names: Sequence[str]) -> dict[str, z.Term]:
        """These invariants of the state before."""
        invariants = self.case.spec.invariants
        return {name: self.reader.call(invariants[name].fn, [self.k, self.s]) for name in names}


def questions(
    case: Case,
    obligation: Obligation,
    premises: Sequence[str],
    sorts: Sorts | None = None,
    instances: Sequence[Rec] = (),
) -> Iterator[Question]:
    """The questions of an obligation, from these invariants as premises.

    `instances`: further values for which the laws of opaque helpers are used.
    """
    setting = Setting(case, sorts or Sorts(case.spec.numbers))
    reader, k, s = setting.reader, setting.k, setting.s
    sums = reader.sums
    if obligation.action == INITIALLY:
        inits = [reader.call(item.fn, [k, s]) for item in case.spec.inits.values()]
        ways, arguments, known = [Way(tuple(inits), s)], list[Value](), dict[str, z.Term]()
        domain = list[z.Term]()
    else:
        sums.before = s
        action = case.spec.actions[obligation.action]
        arguments, domain = setting.arguments(action)
        ways = list(reader.ways(action.fn, [k, s, *arguments]))
        known = setting.premises(premises)
    background, before = [*setting.background(), *domain], list(sums.met)
    for way in ways:
        sums.met.clear()
        wanted = (
            [] if obligation.goal == POSSIBLE else [z.no(goal(setting, obligation, way.value, arguments))]
        )
        laws = reader.laws([k, s, *([] if way.value is s else [way.value]), *instances])
        facts = [fact for total in sums.known([*before, *sums.met]) for fact in total.facts]
        formulas = [*way.conditions, *wanted, *background, *laws, *facts]
        yield Question(formulas, known, arguments, way.value, list(reader.applied.values()))


def goal(setting: Setting, obligation: Obligation, after: Rec, arguments: Sequence[Value]) -> z.Term:
    """The property of the state after, or of the step."""
    spec, reader = setting.case.spec, setting.reader
    if obligation.goal == FRAME:
        may = changes(spec.actions[obligation.action], spec.field_names)
        kept = {name: arguments[key] if (key := may[name]) is not None else None for name in may}
        return z.both(*unchanged(setting.s, after, kept))
    if obligation.goal in spec.invariants:
        return reader.call(spec.invariants[obligation.goal].fn, [setting.k, after])
    step = spec.steps[obligation.goal]
    return reader.call(step.fn, [setting.k, setting.s, after, *(arguments if step.of else [])])


def unchanged(s: Rec, t: Rec, may: Mapping[str, Value | None]) -> Iterator[z.Term]:
    """That fields have not changed, but those in `may`; where that has a key, at that key only."""
    for name, before in s.fields.items():
        after, key = t.fields[name], may.get(name)
        if name not in may:
            yield eq(before, after)
        elif key is not None:
            for x in z.points(before.keys) or [z.fresh(before.keys)]:
                other = z.either(eq(x, key), eq(before.at(x), after.at(x)))
                yield other if z.points(before.keys) else z.forall(z.parts(x), other)
