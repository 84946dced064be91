"""Whether the translation into logic says what Python says: the same formulas, on the same states, by both.

States are taken from a small model and changed at random, so that most of them are unreachable and break rules: a
formula that is always true shows nothing.  Z3 gets constants and state as tables, over sorts that have just the model's
elements, but with quantifiers as in proofs, and is asked:

    does this property hold?  this condition on the constants, on an initial state?
    can this action happen?  is each of Python's successors among those of Z3, and no other?
    are the facts true that proofs use of sums?

Z3 knows an opaque helper by its law only, so Python is asked whether the law is true of the helper.
"""

from __future__ import annotations

import dataclasses
import itertools
import typing
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Any

from spec.kit.core import Event, Map, Named, Spec
from spec.kit.model import Model
from spec.kit.prove import solver as z
from spec.kit.prove.case import Case
from spec.kit.prove.reader import Reader, Way
from spec.kit.prove.sorts import Sorts
from spec.kit.prove.values import Rec, Value, eq
from spec.kit.render.infer import hints, is_record
from spec.kit.search import check

# Any below: constants, states and values of any specification, and types as `typing` gives them.

#: The errors of Python at a state that is mixed from others, and is none.
NO_STATE = (KeyError, IndexError, RecursionError)
#: The most steps of Z3 for a question; none needs a tenth.
STEPS = 5_000_000


@dataclass
class Subject:
    """A case, a small model of it, and the elements of its types.

    `others`: constants of other models with these elements, from which constants are mixed, too.  `solutions`: of the
    constants, further values for which the laws of opaque helpers are used, by the name of a field of the state.
    """

    case: Case
    model: Model[Any, Any]
    elements: Mapping[object, Sequence[int]]
    others: Sequence[Any] = ()
    solutions: Callable[[Any], Mapping[str, Any]] = lambda k: {}

    def __post_init__(self) -> None:
        spec = self.case.spec
        actions = Spec(spec.name, spec.state, spec, without=list(spec.properties))
        self.states = check(self.model.over(actions), limit=20_000).states


@dataclass
class Tally:
    """How many comparisons of each kind were made, and what they found: mismatches, and what Z3 left undecided."""

    made: Counter[str] = field(default_factory=Counter)
    mismatches: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)

    def compare(self, kind: str, expected: bool, answer: z.Answer, what: str) -> None:
        """Z3 was asked for a model, which there is exactly if something is true."""
        self.made[kind] += 1
        self.made[f"{kind}: {expected}"] += 1
        if answer.result == "unknown":
            self.undecided.append(f"{kind}: {what}")
        elif (answer.result == "sat") != expected:
            self.mismatches.append(f"{kind}: Z3 {answer.result}, Python {expected}: {what}")

    @property
    def comparisons(self) -> int:
        return sum(count for kind, count in self.made.items() if ":" not in kind)


def arbitrary(of: Any, subject: Subject, rnd: Random, like: Any) -> Any:
    """Any value of a type; a map has the keys of `like`."""
    origin, args = typing.get_origin(of), typing.get_args(of)
    if is_record(of):
        return mixed(like, subject, rnd, [])
    if origin is Map:
        return Map({key: arbitrary(args[1], subject, rnd, value) for key, value in like.items()})
    if origin is frozenset:
        few = rnd.random()
        return frozenset(each for each in values(args[0], subject) if rnd.random() < few)
    if origin is tuple:
        return tuple(rnd.choice(values(args[0], subject)) for _ in range(rnd.randint(0, 3)))
    return rnd.choice(values(of, subject))


def values(of: Any, subject: Subject) -> list[Any]:
    """The values of a scalar type, or the pairs of two."""
    if args := typing.get_args(of):
        return list(itertools.product(*(values(each, subject) for each in args)))
    if isinstance(of, type) and issubclass(of, Enum):
        return list(of)
    if of is bool:
        return [False, True]
    if of in subject.case.spec.numbers:
        return [1, 2, 3]
    return list(subject.elements.get(of, range(-1, 4)))


def mixed(record: Any, subject: Subject, rnd: Random, pool: Sequence[Any], *, most: int = 7) -> Any:
    """A record, some fields of which come from others in the pool, or are anything."""
    of: Any = type(record)
    types = hints(of)
    names = rnd.sample(list(types), min(rnd.randint(0, most), len(types)))
    changes = {}
    for name in names:
        old = getattr(record, name)
        taken = pool and rnd.random() < 0.6
        changes[name] = (
            getattr(rnd.choice(pool), name) if taken else arbitrary(types[name], subject, rnd, old)
        )
    return dataclasses.replace(record, **changes)


class Comparison:
    """Compares on one pair of constants and state."""

    def __init__(self, subject: Subject, tally: Tally, k: Any, s: Any) -> None:
        z.begin()
        self.subject, self.tally, self.k, self.s = subject, tally, k, s
        self.case = subject.case
        self.sorts = Sorts(self.case.spec.numbers, subject.elements, written_out=False)
        self.reader = Reader(self.case.spec, self.sorts)
        self.zk, self.zs = self.sorts.literal(self.case.constants, k), self.state(s)
        self.reader.sums.before = self.zs

    def state(self, s: Any) -> Rec:
        found = self.sorts.literal(self.case.spec.state, s)
        assert isinstance(found, Rec)
        return found

    def ask(self, *formulas: z.Term, records: Sequence[Rec] = ()) -> z.Answer:
        """Whether these can be true, with what is known of sums and opaque helpers."""
        sums = self.reader.sums
        facts = [fact for total in sums.known(sums.met) for fact in total.facts]
        return z.ask([*formulas, *self.reader.laws([self.zk, self.zs, *records]), *facts], steps=STEPS)

    def holds(self, kind: str, item: Named, given: Sequence[Any], terms: Sequence[Value]) -> None:
        """Compare whether a property holds."""
        try:
            expected = bool(item.fn(*given))
            known = self.subject.solutions(given[0])
        except NO_STATE:
            return
        state: Any = self.case.spec.state
        types = hints(state)
        record = Rec(
            type(None), {name: self.sorts.literal(types[name], value) for name, value in known.items()}
        )
        self.reader.sums.met.clear()
        answer = self.ask(self.reader.call(item.fn, terms), records=[record])
        self.tally.compare(kind, expected, answer, f"{item.name} of {given}")

    def properties(self, t: Any, events: Sequence[Event]) -> None:
        """Compare every invariant, and every step property of the step to t, which may be one of those events."""
        zt = self.state(t)
        for item in self.case.spec.invariants.values():
            self.holds("property", item, [self.k, self.s], [self.zk, self.zs])
        for item in self.case.spec.steps.values():
            for event in events if item.of else [Event("any")]:
                action = self.case.spec.actions.get(event.name)
                if action is None or action.rule in item.of:
                    types = zip(action.params if action else (), event.args, strict=True)
                    args = [self.sorts.literal(of, value) for of, value in types]
                    given = [self.k, self.s, t, *event.args]
                    self.holds("property", item, given, [self.zk, self.zs, zt, *args])

    def beginning(self, s: Any, k: Any) -> None:
        """Compare the conditions on initial states, and on constants."""
        for item in self.case.spec.inits.values():
            self.holds("initial", item, [self.k, s], [self.zk, self.state(s)])
        for item in self.case.spec.assumes.values():
            self.holds("constants", item, [k], [self.sorts.literal(self.case.constants, k)])

    def action(self, event: Event) -> Any:
        """Compare the successors of an event; returns one of them, or None."""
        item = self.case.spec.actions[event.name]
        try:
            after = list(dict.fromkeys(item.fn(self.k, self.s, *event.args)))
        except NO_STATE:
            return None
        self.reader.sums.met.clear()
        args = [self.sorts.literal(of, value) for of, value in zip(item.params, event.args, strict=True)]
        ways = list(self.reader.ways(item.fn, [self.zk, self.zs, *args]))
        terms = [self.state(t) for t in after]
        what = f"{event} of {self.s} for {self.k}"
        happens = self.ask(z.either(*(z.both(*way.conditions) for way in ways)), records=terms)
        self.tally.compare("action", bool(after), happens, what)
        if not after or happens.result != "sat":
            return None
        others = [z.both(*way.conditions, *(z.no(self.same(way.value, t)) for t in after)) for way in ways]
        self.tally.compare("other successor", False, self.ask(z.either(*others), records=terms), what)
        for t in after:
            reached = z.either(*(z.both(*way.conditions, self.same(way.value, t)) for way in ways))
            self.tally.compare("successor", True, self.ask(reached, records=terms), f"{t} after {what}")
        self.claims(ways, what)
        return after[0]

    def same(self, term: Rec, value: Any) -> z.Term:
        """Whether a state of Z3 is this one; a map says nothing of keys that it does not have."""
        parts, types = [], hints(term.cls)
        for name, part in term.fields.items():
            of, expected = types[name], getattr(value, name)
            if isinstance(part, Rec):
                parts.append(self.same(part, expected))
            elif typing.get_origin(of) is Map:
                key, result = typing.get_args(of)
                parts += [
                    eq(part.at(self.sorts.literal(key, x)), self.sorts.literal(result, y))
                    for x, y in expected.items()
                ]
            else:
                parts.append(eq(part, self.sorts.literal(of, expected)))
        return z.both(*parts)

    def claims(self, ways: Sequence[Way], what: str) -> None:
        """Compare whether what is said of sums follows, once they are written out."""
        spec, reader = self.case.spec, self.reader
        for way in ways:
            reader.sums.met.clear()
            for item in spec.invariants.values():
                reader.call(item.fn, [self.zk, way.value])
            for item in (item for item in spec.steps.values() if not item.of):
                reader.call(item.fn, [self.zk, self.zs, way.value])
            claims = [claim for total in reader.sums.known(reader.sums.met) for claim in total.claims]
            if claims:
                answer = self.ask(*way.conditions, z.no(z.both(*claims)))
                self.tally.compare("sum", False, answer, what)


def compare(subject: Subject, samples: int, seed: int, tally: Tally | None = None) -> Tally:
    """Compare on so many pairs of constants and state."""
    rnd, tally, model = Random(seed), tally or Tally(), subject.model
    for number in range(samples):
        k = mixed(model.k, subject, rnd, subject.others, most=1) if number % 4 == 3 else model.k
        s = rnd.choice(subject.states)
        if number % 5:
            s = mixed(s, subject, rnd, subject.states)
        at = Comparison(subject, tally, k, s)
        after, happening = None, events(subject, k, s, rnd)
        for event in happening:
            after = at.action(event) or after
        other = mixed(rnd.choice(subject.states), subject, rnd, subject.states)
        at.properties(after if after is not None and rnd.random() < 0.6 else other, happening)
        start = mixed(rnd.choice(model.init), subject, rnd, subject.states, most=1)
        at.beginning(start, mixed(model.k, subject, rnd, subject.others, most=1))
    return tally


def events(subject: Subject, k: Any, s: Any, rnd: Random) -> list[Event]:
    """Some events, half of which can happen if there are as many."""

    def happens(event: Event) -> bool:
        try:
            return any(True for _ in subject.case.spec.actions[event.name].fn(k, s, *event.args))
        except NO_STATE:
            return False

    every = list(subject.model.events)
    rnd.shuffle(every)
    possible = [event for event in every if happens(event)][:2]
    return list(dict.fromkeys([*possible, *every[:1]]))
