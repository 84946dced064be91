"""The questions that decide an obligation: each is answered "unsat" if the obligation holds.

That an action keeps an invariant is one question for each way through the action: can the premises hold, the way be
taken, and the invariant be false afterwards?  The premises are invariants of the state before; any of them may be left
out, and the answer "unsat" stays right.  That a way can be taken is asked the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..frame import ALLOWED, FRAME, changes
from . import diamond, leads
from . import solver as z
from .case import CONFLUENT, INITIALLY, POSSIBLE, Case, Obligation
from .reader import Way
from .setting import Question, Setting
from .sorts import Sorts
from .sums import compared
from .values import Rec, Value, eq


def questions(
    case: Case,
    obligation: Obligation,
    premises: Sequence[str],
    sorts: Sorts | None = None,
    instances: Sequence[Rec] = (),
) -> Iterator[Question]:
    """The questions of an obligation, from these properties as premises.

    `instances`: further values for which the laws of opaque helpers are used.
    """
    setting = Setting(case, sorts or Sorts(case.spec.numbers))
    if obligation.of in case.ranked:
        yield from leads.questions(setting, obligation, premises, instances)
    elif obligation.goal == CONFLUENT:
        yield from diamond.questions(setting, obligation, premises, instances)
    elif obligation.goal == ALLOWED:
        yield from impossible(setting, obligation, premises, instances)
    else:
        yield from induction(setting, obligation, premises, instances)


def induction(
    setting: Setting, obligation: Obligation, premises: Sequence[str], instances: Sequence[Rec]
) -> Iterator[Question]:
    """Whether the property holds initially, or after each way through the action."""
    case, reader, k, s = setting.case, setting.reader, setting.k, setting.s
    if obligation.action == INITIALLY:
        inits = [reader.holds(item.fn, [k, s]) for item in case.spec.inits.values()]
        ways, arguments, known = [Way(tuple(inits), s)], list[Value](), dict[str, z.Term]()
        domain = list[z.Term]()
    else:
        reader.sums.before = s
        action = case.spec.actions[obligation.action]
        arguments, domain = setting.arguments(action)
        ways = list(reader.steps(action, [k, s, *arguments]))
        known = setting.premises(premises)
    always = [*setting.background(), *setting.assumptions(), *domain]
    setting.begin()
    for way in ways:
        wanted = [] if obligation.goal == POSSIBLE else [z.no(goal(setting, obligation, way.value, arguments))]
        formulas = [*way.conditions, *wanted, *always]
        yield setting.question(formulas, known, arguments, way.value, instances=instances)


def impossible(
    setting: Setting, obligation: Obligation, premises: Sequence[str], instances: Sequence[Rec]
) -> Iterator[Question]:
    """Whether an action must be possible somewhere, and no way through it can be taken there.

    A proof has two parts, because Z3 can do both where it cannot do the whole: the conditions on the parameters and the
    state alone are met for some way; and where they are for this one, something can be chosen.  Only the first needs
    facts of sums.
    """
    reader, action, s = setting.reader, setting.case.spec.actions[obligation.action], setting.s
    arguments, domain = setting.arguments(action)
    must = reader.holds(action.whenever, [setting.k, s, *arguments])
    ways, can = setting.possible(action, arguments)
    never = z.no(z.either(*can))
    always = [*setting.background(), *setting.assumptions(), *domain, must]
    always += [*leads.firsts(s), *compared(reader.sums.met)]
    known = setting.premises(premises)
    before = [z.both(*(each for each in way.conditions if not z.loose(each))) for way in ways]
    parts = [[z.no(z.either(*before))], *([each, never] for each in before)]
    for wrong in [[never]] if setting.sorts.finite else parts:
        yield setting.question([*always, *wrong], known, arguments, s, instances=instances)


def goal(setting: Setting, obligation: Obligation, after: Rec, arguments: Sequence[Value]) -> z.Term:
    """The property of the state after, or of the step."""
    spec, reader = setting.case.spec, setting.reader
    if obligation.goal == FRAME:
        may = changes(spec.actions[obligation.action], spec.field_names)
        kept = {name: arguments[key] if (key := may[name]) is not None else None for name in may}
        return z.both(*unchanged(setting.s, after, kept))
    if obligation.goal in spec.invariants:
        return reader.holds(spec.invariants[obligation.goal].fn, [setting.k, after])
    step = spec.steps[obligation.goal]
    return reader.holds(step.fn, [setting.k, setting.s, after, *(arguments if step.of else [])])


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
