"""A specification without a meaning: its constructs are in the subset, and hardly used by shipped specifications.

The translation of a construct that no specification has cannot be compared with Python there.  The properties here hold
in some states and not in others; the elements of a change may be one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NewType

from spec.kit.core import Map, Spec
from spec.kit.model import Model

Holder = NewType("Holder", int)


@dataclass(frozen=True)
class Const:
    """The holders, and the most that one has."""

    holders: frozenset[Holder]
    most: int


@dataclass(frozen=True)
class Parts:
    """A number, two sets, and how much every holder has."""

    n: int
    some: frozenset[Holder]
    others: frozenset[Holder]
    has: Map[Holder, int]


constructs: Spec[Const, Parts] = Spec("constructs", Parts, universe={Holder: "holders"})


@constructs.init
def nothing(k: Const, s: Parts) -> bool:
    """SUBSET-1: Both sets are empty."""
    return s.n == 0 and s.some == frozenset() and s.others == s.some and all(s.has[w] == 1 for w in k.holders)


@constructs.action()
def give(k: Const, s: Parts, v: Holder) -> Iterator[Parts]:
    """SUBSET-2: A pair of changes; the second counts where they meet."""
    for w in k.holders:
        if s.has[v] > 0 and s.has[w] < k.most:
            yield replace(s, has=s.has | {v: s.has[v] - 1, w: s.has[w] + 1})


@constructs.action()
def take(k: Const, s: Parts, v: Holder) -> Iterator[Parts]:
    """SUBSET-3: A set without another, or with a display."""
    yield replace(s, some=s.some - s.others, others=s.others | {v}, n=max(s.n, -s.n))
    yield replace(s, some=s.some | ({v} if s.n > 0 else {w for w in s.others if w != v}), n=min(s.n + 1, 3))


@constructs.action()
def make(k: Const, s: Parts, v: Holder) -> Iterator[Parts]:
    """SUBSET-4: A state field by field, and elements of a display."""
    for w in (v, v):
        if w not in s.others:
            yield Parts(n=s.n - 1 if s.n > 0 else 0, some=frozenset({w}), others=s.some, has=s.has)


@constructs.invariant
def one_set(k: Const, s: Parts) -> bool:
    """SUBSET-5: The sets are equal."""
    return s.some == s.others


@constructs.invariant
def named(k: Const, s: Parts) -> bool:
    """SUBSET-6: The number is one of a display, in a chain and in none."""
    return s.n in (0, 2, 3) and -1 < s.n <= 2 and s.n not in (0, 4)


@constructs.invariant
def paired(k: Const, s: Parts) -> bool:
    """SUBSET-7: Pairs are equal part by part."""
    return any((v, s.has[v]) == (w, 2) for v in s.some for w in s.others)


@constructs.invariant
def summed(k: Const, s: Parts) -> bool:
    """SUBSET-8: A sum over a part of the holders."""
    return sum(s.has[w] for w in k.holders if w in s.some) == 1


@constructs.step
def moved(k: Const, s: Parts, t: Parts) -> bool:
    """SUBSET-9: The sums before and after are equal."""
    return sum(t.has[w] for w in k.holders) == sum(s.has[w] for w in k.holders)


def model() -> Model[Const, Parts]:
    """Two holders, each of up to two."""
    holders = [Holder(0), Holder(1)]
    start = Parts(0, frozenset(), frozenset(), Map(dict.fromkeys(holders, 1)))
    return Model(constructs, Const(frozenset(holders), 2), (start,), {Holder: holders})
