"""The questions of confluence: two steps from one state may follow each other in either order, to the same state.

If every two steps may, and no run is endless, all runs end in the same state.  Steps that exclude each other
(`Case.exclusive`) are left out: that the runs from there end alike has to follow from something else.

Each claim may be used for the next ones: first that the steps have no parameter in common; then that each may still
happen after the other; then, of a map to numbers, that it is not greater one way than the other; and at last that each
field is the same.  The laws of opaque helpers are used for the results of the other way, where the premises, which are
invariants, hold as well.
"""

from __future__ import annotations

import itertools
import typing
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ..core import Map
from ..render.infer import hints
from ..render.source import at
from . import solver as z
from .case import Obligation
from .reader import Way
from .setting import Question, Setting
from .values import Fun, Rec, Value, eq

#: The parameters of an action, and a way through it.
Step: TypeAlias = tuple[list[Value], Way]
#: A formula to prove; for a step of the proof also the laws of opaque helpers that it may use, else None.
Claim: TypeAlias = tuple[z.Term, Sequence[z.Term] | None]


def questions(
    setting: Setting, obligation: Obligation, premises: Sequence[str], instances: Sequence[Rec]
) -> Iterator[Question]:
    """The questions of a pair of actions."""
    case, k, s = setting.case, setting.k, setting.s
    names = obligation.actions
    (first, one), (second, other) = (
        setting.arguments(case.spec.actions[name], mark) for name, mark in zip(names, ("@", "@other "), strict=True)
    )
    known = setting.premises(premises)
    different = [z.no(eq(tuple(first), tuple(second)))] if names[0] == names[1] else []
    if (left_out := (case.exclusive or {}).get(obligation.action)) is not None:
        different.append(z.no(setting.reader.holds(left_out, [k, *first, *second])))
    always = [*setting.background(), *one, *other, *different]
    begun = dict(setting.reader.applied)
    for way, beside in itertools.product(_ways(setting, names[0], s, first), _ways(setting, names[1], s, second)):
        calls = dict(setting.reader.applied)
        here = [*always, *way.conditions, *beside.conditions]
        met: list[z.Term] = []
        shown = list(claims(setting, names, (first, way), (second, beside), premises))
        if setting.sorts.finite:  # a counterexample is one to all of the claims at once
            wrong = z.no(z.both(*(claim for claim, laws in shown if laws is None)))
            yield setting.question(
                [*here, wrong], known, first, way.value, instances=instances, beside=(second, beside.value)
            )
        else:
            for claim, laws in shown:
                formulas, used = [*here, *met, z.no(claim)], facts(setting) if laws is None else laws
                yield setting.question(formulas, known, first, way.value, beside=(second, beside.value), laws=used)
                met.append(claim)
        setting.reader.applied = calls
    setting.reader.applied = begun


def _ways(setting: Setting, name: str, s: Rec, arguments: list[Value]) -> list[Way]:
    """The ways through an action, which must choose nothing."""
    found = list(setting.reader.steps(setting.case.spec.actions[name], [setting.k, s, *arguments]))
    if any(z.loose(condition) for way in found for condition in way.conditions):
        raise at(
            setting.case.spec.actions[name].fn,
            "it chooses one of several steps, so its steps are not confluent: make the choice a parameter",
        )
    return found


def claims(setting: Setting, names: Sequence[str], one: Step, other: Step, premises: Sequence[str]) -> Iterator[Claim]:
    """The claims about two steps, in the order of the proof."""
    yield z.both(*(z.no(eq(x, y)) for x in one[0] for y in other[0] if x.sort() == y.sort())), []
    after = _ways(setting, names[1], one[1].value, other[0])
    before = _ways(setting, names[0], other[1].value, one[0])
    for ways in (after, before):
        yield z.either(*(z.both(*way.conditions) for way in ways)), None
    for p, q in itertools.product(after, before):
        taken = z.both(*p.conditions, *q.conditions)
        for low, high in (
            (one[1].value, q.value),
            (other[1].value, p.value),
            (p.value, q.value),
            (q.value, p.value),
        ):
            holds = setting.premises(premises, high).values()
            for name in numeric(low):
                x, a, b = z.fresh(low.fields[name].keys), low.fields[name], high.fields[name]
                below = z.forall(z.parts(x), a.at(x) <= b.at(x))
                yield z.implies(taken, below), [*facts(setting, a, b), *holds]
        for name, field in p.value.fields.items():
            yield z.implies(taken, eq(field, q.value.fields[name])), None


def numeric(s: Rec) -> Iterator[str]:
    """The fields that are maps to numbers."""
    for name, of in hints(s.cls).items():
        field = s.fields[name]
        if typing.get_origin(of) is Map and z.is_number(field.at(z.fresh(field.keys))):
            yield name


def facts(setting: Setting, low: Fun | None = None, high: Fun | None = None) -> list[z.Term]:
    """The laws of opaque helpers, with `high` for their further parameters.

    Parts with quantifiers within are used of results in `low` only, and not where they speak of all values.
    """
    reader, found = setting.reader, list[z.Term]()
    within = symbols(low) if low is not None else set()
    for call in list(reader.applied.values()):
        result = call.values[-1]
        records = [Rec(setting.s.cls, dict.fromkeys(call.further, high or result))]
        laws = [reader.holds(call.law, instance) for instance in reader.instances(call, records)]
        mine = isinstance(result, Fun) and symbols(result) <= within
        found += [
            part for law in laws for part in z.conjuncts(law) if z.is_simple(part) or (mine and not z.is_forall(part))
        ]
    return found


def symbols(of: Fun) -> set[str]:
    """The names that occur in the values of a function."""
    x = z.fresh(of.keys)
    return set(z.symbols(of.at(x))).difference(*(z.symbols(part) for part in z.parts(x)))
