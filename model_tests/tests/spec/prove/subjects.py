"""A small model of each specification that is proved, for the comparison of the translation with Python.

`constructs` is a specification without a meaning: its constructs are in the subset, and hardly used by shipped
specifications.  The translation of a construct that no specification has cannot be compared with Python there.  Its
properties hold in some states and not in others; the elements of a change may be one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NewType

from spec.callbacks import callback_model
from spec.cases import CASES
from spec.crawl import crawl_model
from spec.crawl.sites import site
from spec.creation import creation_model
from spec.future import future_model
from spec.kit.core import Map, Spec
from spec.kit.model import Model
from spec.kit.prove.agreement import Subject
from spec.kit.prove.case import Case
from spec.locks import CONDITION, SEMAPHORE, event_model, lock_model
from spec.queue import Order, queue_model
from spec.scopes import scope_model
from spec.stream import stream_model
from spec.task import hops_model, task_model

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


def constructs_model() -> Model[Const, Parts]:
    """Two holders, each of up to two."""
    holders = [Holder(0), Holder(1)]
    start = Parts(0, frozenset(), frozenset(), Map(dict.fromkeys(holders, 1)))
    return Model(constructs, Const(frozenset(holders), 2), (start,), {Holder: holders})


NAMES = (
    *("queue", "queue, least", "crawl", "stream", "callbacks", "future", "task", "task_hops"),
    *("creation", "scopes", "locks", "events", "constructs"),
)

#: Those that call every opaque helper that has a law.
LAWFUL = ("queue, least", "crawl", "stream")


@cache
def subject(name: str) -> Subject:
    """The subject of that name; it is explored once."""
    if name == "constructs":
        return Subject(Case(constructs), constructs_model())
    case = Case(next(case.spec for case in CASES if case.spec.name == name.partition(",")[0]))
    model, *others = models(name)
    return Subject(case, model, [each.k for each in others])


def models(name: str) -> list[Any]:
    """The model of that name, then others to mix constants from."""
    match name:
        case "queue":
            sizes = [queue_model(2, 2, 1), queue_model(2, 2, 1, order=Order.LIFO)]
            return [queue_model(2, 1, 2, items=2, shuts=True), *sizes]
        case "queue, least":
            return [queue_model(2, 2, 2, items=2, order=Order.LEAST)]
        case "crawl":
            return [
                crawl_model(site({0: (1, 2)}, {1: 2, 2: 3}, limit=2)),
                crawl_model(site({0: (3,), 1: (2,)}, {2: 0, 3: 1})),
                crawl_model(site({0: (1,)}, {}, broken=[3], first_wins=True)),
            ]
        case "stream":
            return [stream_model(2, 1, 2), stream_model(2, 2, 1)]
        case "callbacks":
            return [callback_model(3, 2)]
        case "future":
            return [future_model(2, 2, 2)]
        case "task":
            return [task_model(2, 1), task_model(1, 1, [0])]
        case "task_hops":
            return [hops_model(1, 1, [1]), hops_model(2, 1)]
        case "creation":
            return [creation_model(2, eager=True), creation_model(2, eager=False)]
        case "scopes":
            return [scope_model(1, 1), scope_model(2, 0)]
        case "locks":
            return [lock_model(2, 2, SEMAPHORE), lock_model(2, 0, CONDITION), lock_model(2, 1)]
    return [event_model(3)]
