"""Whether the translation into logic agrees with Python: the same formulas, on the same states, by both.

States are taken from a small model and changed at random, so that most of them are unreachable and break rules: a
formula that is always true shows nothing.  Z3 gets constants and state as tables, over sorts that have just the model's
elements, but with quantifiers as in proofs, and is asked:

    does this property hold?  this condition on the constants, on an initial state?
    can this action happen?  is each of Python's successors among those of Z3, and no other?
    are the facts true that proofs use of sums?

Z3 knows only the law of an opaque helper.  Here the helper has the results that Python gives; `laws.py` checks the law.
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

from ..core import Event, Map, Named
from ..model import Model
from ..render.infer import hints, is_record
from ..render.source import at
from . import solver as z
from .case import Case
from .population import Population
from .reader import Applied, Reader, Way
from .sorts import Sorts
from .sums import compared
from .values import Rec, Value, terms

# Any below: constants, states and values of any specification, and types as `typing` gives them.

#: The errors of Python at a state that is mixed from others, and is none: an opaque helper may have any.
NO_STATE = Exception
#: The most results of opaque helpers that are looked for in one comparison.
MOST_RESULTS = 30
#: The most steps of Z3 for a question; none needs a tenth.
STEPS = 5_000_000


@dataclass
class Subject:
    """A case, and a small model of it.

    `others`: constants of other models, from which constants are mixed, too.  `most`: the most states to visit.
    """

    case: Case
    model: Model[Any, Any]
    others: Sequence[Any] = ()
    most: int = 20_000

    def __post_init__(self) -> None:
        self.population = Population(self.case, self.model, self.others, self.most)
        self.states, self.elements = self.population.states, self.population.elements


@dataclass
class Tally:
    """How many comparisons of each kind were made, how many found a mismatch, and how many Z3 left undecided."""

    made: Counter[str] = field(default_factory=Counter)
    mismatches: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)

    def compare(self, kind: str, expected: bool, answer: z.Answer, fn: Callable[..., Any], what: str) -> None:
        """Z3 was asked for a model, which there is exactly if something is true of the function."""
        self.made[kind] += 1
        self.made[f"{kind}: {expected}"] += 1
        if answer.result == "unknown":
            self.undecided.append(str(at(fn, f"{kind}: {what}")))
        elif (answer.result == "sat") != expected:
            self.mismatches.append(str(at(fn, f"{kind}: Z3 {answer.result}, Python {expected}: {what}")))

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
        some = values(args[0], subject)
        return tuple(rnd.choice(some) for _ in range(rnd.randint(0, 3) if some else 0))
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
    return list(range(-1, 4) if of is int else subject.elements.get(of, []))


def mixed(record: Any, subject: Subject, rnd: Random, pool: Sequence[Any], *, most: int = 7) -> Any:
    """A record; some of its fields come from others in the pool, or are anything."""
    of: Any = type(record)
    types = hints(of)
    names = rnd.sample(list(types), min(rnd.randint(0, most), len(types)))
    changes = {}
    for name in names:
        old = getattr(record, name)
        taken = pool and rnd.random() < 0.6
        changes[name] = getattr(rnd.choice(pool), name) if taken else arbitrary(types[name], subject, rnd, old)
    return dataclasses.replace(record, **changes)


class Comparison:
    """Compares on one pair of constants and state."""

    def __init__(self, subject: Subject, tally: Tally, k: Any, s: Any) -> None:
        z.begin()
        self.subject, self.tally, self.k, self.s = subject, tally, k, s
        self.case = subject.case
        self.sorts = Sorts(self.case.spec.numbers, subject.elements, written_out=False)
        self.reader = Reader(self.case.spec, self.sorts)
        self.pythons: dict[int, tuple[Value, Any]] = {}  # by the identity of the term, which is kept
        self.results: dict[tuple[Any, ...], z.Term] = {}
        self.zk, self.zs = self.sorts.literal(self.case.constants, k), self.state(s)
        self.reader.sums.before = self.zs
        self.remember(self.zk, k)

    def state(self, s: Any) -> Rec:
        found = self.sorts.literal(self.case.spec.state, s)
        assert isinstance(found, Rec)
        self.remember(found, s)
        return found

    def remember(self, term: Rec, value: Any) -> None:
        """The values of Python that a record and its fields are terms of."""
        pairs = [(term, value), *((of, getattr(value, name)) for name, of in term.fields.items())]
        self.pythons |= {id(each): (each, py) for each, py in pairs}

    def ask(self, *formulas: z.Term) -> z.Answer:
        """Whether these can be true, with the facts about sums, and with the results of opaque helpers."""
        sums = self.reader.sums
        facts = [fact for total in sums.known(sums.met) for fact in total.facts]
        asked = {x for formula in formulas for x in chosen(formula)}
        calls = {
            key: call
            for key, call in self.reader.applied.items()
            if all(asked.issuperset(chosen(value)) for value in call.values[:-1])
        }
        for _ in range(MOST_RESULTS):
            answer = z.ask([*formulas, *self.results.values(), *facts], steps=STEPS)
            try:
                if answer.model is None or not self.learn(calls, answer.model):
                    return answer
            except z.Unvalued:
                return z.Answer("unknown", answer.steps, why="an argument of an opaque helper has no value")
        return z.Answer("unknown", answer.steps, why="an opaque helper has too many results")

    def learn(self, calls: Mapping[tuple[Any, ...], Applied], model: z.SolverModel) -> bool:
        """Note the results of the opaque helpers for the arguments in a model; returns whether one is new."""
        known = len(self.results)
        for key, call in calls.items():
            *types, result = hints(call.fn).values()
            *given, term = call.values
            args = tuple(self.python(of, value, model) for of, value in zip(types, given, strict=True))
            if (key, args) not in self.results:
                try:
                    right = self.sorts.equals(result, term, call.fn(*args))
                except NO_STATE:
                    right = z.truth(True)
                same = (self.sorts.equals(*each) for each in zip(types, given, args, strict=True))
                self.results[key, args] = z.implies(z.both(*same), right)
        return len(self.results) > known

    def python(self, of: Any, value: Value, model: z.SolverModel) -> Any:
        """The value of Python of an argument; a map has the keys of the first map of that type."""
        if id(value) in self.pythons:
            return self.pythons[id(value)][1]
        found = self.sorts.python(of, value, model)
        if isinstance(found, Map):
            maps = ((term, py) for term, py in self.pythons.values() if isinstance(py, Map))
            like = next((py for term, py in maps if term.keys == value.keys), found)
            return Map({key: item for key, item in found.items() if key in like})
        return found

    def holds(self, kind: str, fn: Callable[..., Any], given: Sequence[Any], terms: Sequence[Value]) -> None:
        """Compare the truth of a property, or the value of a rank."""
        try:
            expected = fn(*given)
        except NO_STATE:
            return
        self.reader.sums.met.clear()
        if isinstance(expected, bool):
            condition = self.reader.holds(fn, terms)
        else:
            condition = z.equal(self.reader.counted(fn, terms), z.number(expected))
        what = f"{expected} of {given}"
        if not isinstance(expected, bool):
            self.tally.compare(kind, False, self.ask(z.no(condition)), fn, what)
        self.tally.compare(kind, bool(expected) or not isinstance(expected, bool), self.ask(condition), fn, what)

    def properties(self, t: Any, events: Sequence[Event]) -> None:
        """Compare every invariant, and every step property of the step to t, which may be one of those events."""
        zt = self.state(t)
        for item in self.case.spec.invariants.values():
            self.holds("property", item.fn, [self.k, self.s], [self.zk, self.zs])
        for item in self.case.spec.steps.values():
            for event in events if item.of else [Event("any")]:
                action = self.case.spec.actions.get(event.name)
                if action is None or action.rule in item.of:
                    types = zip(action.params if action else (), event.args, strict=True)
                    args = [self.sorts.literal(of, value) for of, value in types]
                    given = [self.k, self.s, t, *event.args]
                    self.holds("property", item.fn, given, [self.zk, self.zs, zt, *args])

    def progress(self, item: Named, owed: Sequence[Any]) -> None:
        """Compare a leads-to property: it, its trigger, its rank, and when each action lowers that."""
        terms = [self.sorts.literal(of, value) for of, value in zip(item.params, owed, strict=True)]
        for fn in (item.fn, *item.reasons):
            self.holds("progress", fn, [self.k, self.s, *owed], [self.zk, self.zs, *terms])

    def beginning(self, s: Any, k: Any) -> None:
        """Compare the conditions on initial states, and on constants."""
        for item in self.case.spec.inits.values():
            self.holds("initial", item.fn, [self.k, s], [self.zk, self.state(s)])
        for item in self.case.spec.assumes.values():
            terms = self.sorts.literal(self.case.constants, k)
            self.remember(terms, k)
            self.holds("constants", item.fn, [k], [terms])

    def action(self, event: Event) -> Any:
        """Compare the successors of an event; returns one of them, or None."""
        item = self.case.spec.actions[event.name]
        try:
            after = list(dict.fromkeys(item.fn(self.k, self.s, *event.args)))
        except NO_STATE:
            return None
        args = [self.sorts.literal(of, value) for of, value in zip(item.params, event.args, strict=True)]
        if item.whenever is not None:
            given, terms = [self.k, self.s, *event.args], [self.zk, self.zs, *args]
            self.holds("whenever", item.whenever, given, terms)
        self.reader.sums.met.clear()
        ways = list(self.reader.steps(item, [self.zk, self.zs, *args]))
        what = f"{event} of {self.s} for {self.k}"
        happens = self.some(ways, lambda way: z.truth(True))
        self.tally.compare("action", bool(after), happens, item.fn, what)
        if not after or happens.result != "sat":
            return None
        other = self.some(ways, lambda way: z.both(*(z.no(self.same(way.value, t)) for t in after)))
        self.tally.compare("other successor", False, other, item.fn, what)
        for t in after:
            reached = self.some(ways, lambda way, t=t: self.same(way.value, t))  # type: ignore[misc]  # bound now
            self.tally.compare("successor", True, reached, item.fn, f"{t} after {what}")
        self.claims(item, ways, what)
        return after[0]

    def some(self, ways: Sequence[Way], condition: Callable[[Way], z.Term]) -> z.Answer:
        """Whether one of the ways can be taken, such that the condition holds."""
        found = z.Answer("unsat", 0)
        for way in ways:
            answer = self.ask(*way.conditions, condition(way))
            if answer.result == "sat":
                return answer
            found = answer if answer.result == "unknown" else found
        return found

    def same(self, term: Rec, value: Any) -> z.Term:
        """Whether a state of Z3 is this one."""
        return self.sorts.equals(type(value), term, value)

    def claims(self, action: Named, ways: Sequence[Way], what: str) -> None:
        """Compare whether the facts about sums follow, once the sums are written out."""
        spec, reader = self.case.spec, self.reader
        for way in ways:
            reader.sums.met.clear()
            for item in spec.invariants.values():
                reader.call(item.fn, [self.zk, way.value])
            for item in (item for item in spec.steps.values() if not item.of):
                reader.call(item.fn, [self.zk, self.zs, way.value])
            known = reader.sums.known(reader.sums.met)
            claims = [*(claim for total in known for claim in total.claims), *compared(known)]
            if claims:
                answer = self.ask(*way.conditions, z.no(z.both(*claims)))
                self.tally.compare("sum", False, answer, action.fn, what)


def chosen(value: Value) -> list[str]:
    """The names of the elements that a `for` has chosen, and that a value has."""
    return [str(each) for term in terms(value) for each in z.loose(term)]


def compare(subject: Subject, samples: int, seed: int, tally: Tally | None = None) -> Tally:
    """Compare on so many pairs of constants and state."""
    rnd, tally, model = Random(seed), tally or Tally(), subject.model
    for number in range(samples):
        k = mixed(model.k, subject, rnd, subject.others, most=1) if number % 4 == 3 else model.k
        s = rnd.choice(subject.states)
        if number % 5:
            s = mixed(s, subject, rnd, subject.states)
        here = Comparison(subject, tally, k, s)
        after, happening = None, events(subject, k, s, rnd)
        for event in happening:
            after = here.action(event) or after
        other = mixed(rnd.choice(subject.states), subject, rnd, subject.states)
        here.properties(after if after is not None and rnd.random() < 0.6 else other, happening)
        for item in subject.case.ranked.values():
            domains = [sorted(model.domains.get(of, ()), key=str) for of in item.params]
            if all(domains):
                here.progress(item, [rnd.choice(domain) for domain in domains])
        start = mixed(rnd.choice(model.init), subject, rnd, subject.states, most=1)
        here.beginning(start, mixed(model.k, subject, rnd, subject.others, most=1))
    return tally


def events(subject: Subject, k: Any, s: Any, rnd: Random) -> list[Event]:
    """Some events; half of them can happen, if there are that many."""

    def happens(event: Event) -> bool:
        try:
            return any(True for _ in subject.case.spec.actions[event.name].fn(k, s, *event.args))
        except NO_STATE:
            return False

    every = sorted(subject.model.events, key=str)
    rnd.shuffle(every)
    possible = [event for event in every if happens(event)][:2]
    return list(dict.fromkeys([*possible, *every[:1]]))
