"""The setting of an obligation: constants, a state, the assumptions about them; and the questions asked there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..core import Named
from ..render.source import Untranslatable, at
from . import solver as z
from .case import Case
from .reader import Applied, Reader, Way
from .sorts import Sorts, declared
from .sums import Total
from .values import Fun, Rec, Value, kind


class Unsaid(Untranslatable):
    """It is read, and too little is known of a term in it for the question that is asked."""


@dataclass(frozen=True)
class Question:
    """Formulas that cannot all be true together with the premises, or must be able to.

    `arguments`: the parameters of the action, `after` the state that it yields; without an action the state itself.
    `owed`: the parameters of a leads-to property.  `beside`: the parameters of another action, and the state that this
    one yields.  `calls`: those of opaque helpers.
    """

    formulas: list[z.Term]
    premises: dict[str, z.Term]
    arguments: list[Value]
    after: Rec
    calls: list[Applied]
    owed: list[Value] = field(default_factory=list)
    beside: tuple[list[Value], Rec] | None = None


class Setting:
    """Constants and a state for one obligation, of any size or of few elements of each type."""

    def __init__(self, case: Case, sorts: Sorts) -> None:
        z.begin()
        self.case, self.sorts = case, sorts
        self.reader = Reader(case.spec, sorts)
        self.k: Rec = sorts.constant(case.constants, "k")
        self.s: Rec = sorts.constant(case.spec.state, "s")
        self.common: list[Total] = []
        for names in case.spec.universe.values():
            first, *others = names.split()
            if kind(self.k.fields.get(first)) != "set":
                raise declared(case.constants, first, "the universe has its values: it must be a frozenset")
            if not others:
                domain = self.k.fields[first]
                if domain.keys != (z.INT,):
                    self.k.fields[first] = Fun(domain.keys, lambda x: z.truth(True))

    def background(self) -> list[z.Term]:
        """The condition of the case on the constants."""
        given = self.case.given
        return [*self._universes(), *([self.reader.holds(given, [self.k])] if given else [])]

    def assumptions(self) -> list[z.Term]:
        """All assumptions on the constants."""
        return [self.reader.holds(item.fn, [self.k]) for item in self.case.spec.assumes.values()]

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

    def arguments(self, item: Named, mark: str = "@") -> tuple[list[Value], list[z.Term]]:
        """The parameters of an action or a property, and that they are values that parameters may have."""
        names = item.fn.__code__.co_varnames[2:]
        given = [self.sorts.constant(of, f"{mark}{name}") for of, name in zip(item.params, names, strict=False)]
        universe = self.case.spec.universe
        return given, [
            self.k.fields[universe[of].split()[0]].at(x)
            for of, x in zip(item.params, given, strict=True)
            if of in universe
        ]

    def possible(
        self,
        item: Named,
        arguments: Sequence[Value],
        further: Sequence[z.Term] = (),
        free: Sequence[z.Term] = (),
    ) -> tuple[list[Way], list[z.Term]]:
        """The ways through an action, and of each that it can be taken, with some values of its choices and `free`.

        `further`: conditions on these.  Nothing is known of the states that would follow.  Raises Unsaid for a
        condition with a sum, or a result of an opaque helper, that depends on such a value: facts are known of those at
        one value only.
        """
        calls = list(self.reader.applied)
        ways = list(self.reader.steps(item, [self.k, self.s, *arguments]))
        found = list[z.Term]()
        for way in ways:
            condition = z.both(*further, *way.conditions)
            chosen = [*free, *z.loose(condition)]
            if self.reader.depending(free) & self.reader.defined(condition):
                why = "where it chooses, its condition has a sum, or a call of an opaque helper: write all and any"
                raise Unsaid(str(at(item.fn, why)))
            found.append(z.some(chosen, condition))
        self.reader.forget(calls, found)
        return ways, found

    def premises(self, names: Sequence[str], at: Rec | None = None) -> dict[str, z.Term]:
        """Those of the names that are invariants, of the state before or another, or assumptions."""
        spec, holds, s = self.case.spec, self.reader.holds, at or self.s
        known = {name: holds(spec.invariants[name].fn, [self.k, s]) for name in names if name in spec.invariants}
        return known | {name: holds(spec.assumes[name].fn, [self.k]) for name in names if name in spec.assumes}

    def lemmas(self, names: Sequence[str], after: Rec) -> dict[str, z.Term]:
        """Those of the names that are step properties, of the step to a state."""
        steps = self.case.spec.steps
        return {name: self.reader.holds(steps[name].fn, [self.k, self.s, after]) for name in names if name in steps}

    def begin(self) -> None:
        """The sums that were read so far belong to every question."""
        self.common = list(self.reader.sums.met)
        self.reader.sums.met.clear()

    def question(
        self,
        formulas: Sequence[z.Term],
        premises: dict[str, z.Term],
        arguments: list[Value],
        after: Rec,
        owed: Sequence[Value] = (),
        instances: Sequence[Rec] = (),
        beside: tuple[list[Value], Rec] | None = None,
        laws: Sequence[z.Term] | None = None,
    ) -> Question:
        """A question with the facts about the sums, and the calls of opaque helpers, that were read for it.

        `laws`: the facts about those calls, if they are not all that the laws say.
        """
        reader = self.reader
        if laws is None:
            laws = reader.laws([self.k, self.s, *([] if after is self.s else [after]), *instances])
        totals = reader.sums.known([*self.common, *reader.sums.met])
        facts = [fact for total in totals for fact in total.facts]
        reader.sums.met.clear()
        calls = list(reader.applied.values())
        return Question([*formulas, *laws, *facts], premises, arguments, after, calls, list(owed), beside)
