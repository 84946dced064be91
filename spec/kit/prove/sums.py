"""Sums over sets of any size, such as the number of items that all tasks hold.

A sum is an integer.  Only these facts are known about it, which hold for finite sums:

    if nothing is ever added, it is 0
    two sums over the same elements are the same if they add the same everywhere (`compared`)
    if no summand is negative, it is at least what any one element adds, and at least what any two add
    if the summand differs from that of the state before the step at a few elements only, the sum differs by as much
    as the summands there; if no summand falls, or none rises, the sum does not either; and if none rises, it falls by
    as much as any one does

That sets are finite is assumed, as everywhere in mathematics that sums.  With given elements the sum is written out
(`members`) and the facts become `claims`, which can be checked.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from . import solver as z
from .values import Fun, Rec, Value, eq

#: The summand at an element.
Summand: TypeAlias = Callable[[Value], z.Term]
Env: TypeAlias = dict[str, Value]


@dataclass
class Total:
    """A sum: its term, the facts about it, those that should follow if it is written out, the sum before the step.

    `at`: the summand at an element of the sorts `keys`.  `env`: kept, so that the identities of its values are not
    taken by others.
    """

    term: z.Term
    keys: tuple[z.Sort, ...]
    at: Summand
    env: Env
    facts: list[z.Term] = field(default_factory=list)
    claims: list[z.Term] = field(default_factory=list)
    before: Total | None = None


class Sums:
    """The sums of one question.

    `state`: the type of the states.  `members`: the elements of some sorts, if they are given.  `before`: the state
    before the step at hand, or None.  `met`: the sums that were read since it was emptied.
    """

    def __init__(self, state: type, members: Callable[[tuple[z.Sort, ...]], list[z.Term]] | None) -> None:
        self.state, self.members = state, members
        self.before: Rec | None = None
        self.met: list[Total] = []
        self._totals: dict[tuple[Any, ...], Total] = {}

    def known(self, met: Iterable[Total]) -> list[Total]:
        """These sums, and those that they are related to, each once."""
        each = (total for first in met for total in (first, first.before) if total is not None)
        return list({id(total): total for total in each}.values())

    def total(
        self, place: tuple[Any, ...], keys: tuple[z.Sort, ...], summand: Callable[[Env], Summand], env: Env
    ) -> z.Term:
        """The sum of `summand(env)` over the elements of these sorts; `place`: where it is written."""
        found = self._total(place, keys, summand, env)
        self.met.append(found)
        return found.term

    def _total(
        self, place: tuple[Any, ...], keys: tuple[z.Sort, ...], summand: Callable[[Env], Summand], env: Env
    ) -> Total:
        states = [n for n, v in env.items() if isinstance(v, Rec) and v.cls is self.state]
        rest = tuple(v.get_id() if z.is_term(v) else id(v) for n, v in env.items() if n not in states)
        key = (*place, rest, tuple(id(env[n]) for n in states))
        if key in self._totals:
            return self._totals[key]
        at = summand(env)
        total = self._totals[key] = Total(z.constant(z.unique("sum"), z.INT), keys, at, env)
        known = list(alone(keys, at, total.term))
        after = [env[n] for n in states if env[n] is not self.before]
        if self.before is not None and after:
            earlier = env | dict.fromkeys(states, self.before)
            total.before = self._total(place, keys, summand, earlier)
            changed = list(touched(after, keys))
            known += related(keys, at, total.term, summand(earlier), total.before.term, changed)
        if self.members is not None:
            total.claims = known
            total.facts = [z.equal(total.term, z.add(*(at(x) for x in self.members(keys))))]
        else:
            total.facts = known
        return total


def alone(keys: tuple[z.Sort, ...], at: Summand, total: z.Term) -> Iterator[z.Term]:
    """The facts about a sum by itself."""
    x, y = z.fresh(keys), z.fresh(keys)
    xs, ys = z.parts(x), z.parts(y)
    natural = z.forall(xs, at(x) >= 0)
    yield z.implies(natural, total >= 0)
    yield z.implies(natural, z.forall(xs, total >= at(x)))
    yield z.implies(natural, z.forall([*xs, *ys], z.either(eq(x, y), total >= at(x) + at(y))))
    yield z.implies(z.forall(xs, z.equal(at(x), z.number(0))), z.equal(total, z.number(0)))


def compared(totals: Sequence[Total]) -> Iterator[z.Term]:
    """The facts about every two of the sums of one state."""
    for one, other in itertools.combinations(totals, 2):
        if one.keys == other.keys:
            x = z.fresh(one.keys)
            same = z.forall(z.parts(x), z.equal(one.at(x), other.at(x)))
            yield z.implies(same, z.equal(one.term, other.term))


def related(
    keys: tuple[z.Sort, ...], at: Summand, total: z.Term, before: Summand, was: z.Term, changed: list[Value]
) -> Iterator[z.Term]:
    """The facts about a sum after a step, given the sum before."""
    x = z.fresh(keys)
    xs = z.parts(x)
    differences = [
        z.choose(z.both(*(z.no(eq(p, q)) for q in changed[:i])), at(p) - before(p), z.number(0))
        for i, p in enumerate(changed)
    ]
    elsewhere = z.both(*(z.no(eq(x, p)) for p in changed))
    same = z.forall(xs, z.implies(elsewhere, z.equal(at(x), before(x))))
    yield z.implies(same, z.equal(total, was + z.add(*differences)))
    yield z.implies(z.forall(xs, at(x) <= before(x)), total <= was)
    yield z.implies(z.forall(xs, at(x) >= before(x)), total >= was)
    fall = z.forall(xs, total - was <= at(x) - before(x))
    yield z.implies(z.forall(xs, at(x) <= before(x)), fall)


def touched(states: list[Rec], keys: tuple[z.Sort, ...]) -> Iterator[Value]:
    """The elements of these sorts at which the fields of the states were changed one by one, each once."""
    found: list[Value] = []
    fields = itertools.chain.from_iterable(state.fields.values() for state in states)
    for key in (key for value in fields if isinstance(value, Fun) for key in value.touched):
        candidates = [key] if tuple(p.sort() for p in z.parts(key)) == keys else z.parts(key)
        for each in candidates:
            if tuple(p.sort() for p in z.parts(each)) == keys and not any(z.identical(each, x) for x in found):
                found.append(each)
                yield each
