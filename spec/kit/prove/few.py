"""Counterexamples: a state, over few elements, that breaks an obligation, and that Python itself has checked.

The questions are asked again with one to four elements of each type and every quantifier written out, which Z3
decides.  A model is turned into constants, a state and an event; Python runs the specification on them and must agree.
If it does not, the translation is wrong: that is an error (`Disagreement`), not a result.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, get_args

from ..core import Event, Map, SpecError
from ..frame import ALLOWED, FRAME, allowed, frame
from ..ranks import EVERY, Owed
from ..render.infer import hints
from ..search import show, table
from . import solver as z
from .case import BEGINS, ENABLED, INITIALLY, Case, Obligation
from .obligations import questions
from .setting import Question, Setting
from .sorts import Sorts
from .values import Rec

#: The numbers of elements of each type that are tried.
SIZES = (1, 2, 3, 4)
#: The most steps of Z3 for a question over few elements.
MOST_STEPS = 4_000_000
#: The bounds of numbers for which a counterexample is looked for once more: small ones look less like data.
SMALL = ((0, 1), (-1, 1), (0, 3), (-3, 3), (-9, 9))
#: How often the laws of opaque helpers are used for a right result before Python is held to disagree.
MOST_INSTANCES = 30


class Disagreement(SpecError):
    """Python does not confirm a result of Z3: the translation into logic is wrong."""


@dataclass(frozen=True)
class Counterexample:
    """Constants, a state where all invariants hold, and a step from it (None: it speaks of the state alone).

    `t`: None if the event must be possible, and is not.  `initial`: a run may begin in the state.  `owed`: the
    parameters of a leads-to property.  `beside`: another step from the same state.
    """

    k: Any  # of any specification
    s: Any
    event: Event | None
    t: Any
    owed: tuple[Any, ...] = ()
    beside: tuple[Event, Any] | None = None
    initial: bool = False

    def text(self, case: Case) -> str:
        """The constants, then the step as the search prints one."""
        refused = self.t is None
        trace: list[tuple[Event | None, Any]] = [(None, self.s)]
        if self.event is not None and not refused:
            trace.append((self.event, self.t))
        first, *rest = table(case.spec.field_names, trace)
        if not self.initial:
            first = first.replace(" init ", " from " if rest else " in   ", 1)
        whose = f", of {show(self.owed)}" if self.owed else ""
        if refused:
            rest += [f"  {self.event} cannot happen here, and must be possible"]
        if self.beside is not None:
            rest += [f"  or{table(case.spec.field_names, [(None, self.s), self.beside])[1][4:]}"]
        return "\n".join([f"  for {show(self.k)}{whose}", first, *rest])


def counterexample(case: Case, obligation: Obligation) -> Counterexample | None:
    """A state that breaks the obligation, or None if there is none over few elements.

    Raises Disagreement.
    """
    for size in SIZES:
        for number, question in enumerate(few_questions(case, obligation, size)):
            if (found := search(case, obligation, size, number, question)) is not None:
                return smaller(case, obligation, size, question) or found
    return None


def taken(case: Case, obligation: Obligation, never: Collection[int] = ()) -> list[Counterexample | None]:
    """For each way through the action a state where it is taken; None for one that cannot be, over few elements.

    `never`: the ways that are not looked for.  Raises Disagreement.
    """
    ways: dict[int, Counterexample | None] = {}
    for size in SIZES:
        if ways and all(way or number in never for number, way in ways.items()):
            break
        for number, question in enumerate(few_questions(case, obligation, size)):
            way = ways.setdefault(number, None)
            if way is None and number not in never:
                ways[number] = search(case, obligation, size, number, question)
    return list(ways.values())


def few_questions(case: Case, obligation: Obligation, size: int, instances: Sequence[Rec] = ()) -> list[Question]:
    sorts = Sorts(case.spec.numbers, size)
    known = [name for name in case.premises(obligation) if name not in case.spec.steps]
    return list(questions(case, obligation, known, sorts, instances))


def search(case: Case, obligation: Obligation, size: int, number: int, question: Question) -> Counterexample | None:
    """A model of a question, that of this number, as Python sees it, or None.

    The laws of opaque helpers are used for some values only, so a model may have a result that is not the helper's.
    Then they are used for the right result, too.
    """
    instances: list[Rec] = []
    while True:
        answer = z.ask([*question.formulas, *question.premises.values()], steps=MOST_STEPS)
        if answer.model is None:
            return None
        sorts = Sorts(case.spec.numbers, size)
        try:
            found = concrete(case, obligation, question, answer.model, sorts)
            replay(case, obligation, found)
        except Disagreement:
            if sorts.partial:  # numbers beyond those that are looked at may be keys
                return None
            more = right_results(case, question, answer.model, size)
            if not more or len(instances) > MOST_INSTANCES:
                raise
            instances += more
            question = few_questions(case, obligation, size, instances)[number]
        except SpecError:
            raise
        except Exception:  # Z3 has no value, or Python an error, as a helper of a value that no state has
            return None
        else:
            return found


def smaller(case: Case, obligation: Obligation, size: int, question: Question) -> Counterexample | None:
    """A model of a question with the smallest numbers, or None: it may have none, or Python sees another thing."""
    sorts = Sorts(case.spec.numbers, size)
    setting = Setting(case, sorts)
    values = (setting.k, setting.s, *question.arguments, *question.owed)
    numbers = [each for value in values for each in sorts.counts(value)]
    for least, most in SMALL if numbers else ():
        within = [z.both(each >= least, each <= most) for each in numbers]
        answer = z.ask([*question.formulas, *question.premises.values(), *within], steps=MOST_STEPS)
        if answer.model is not None:
            try:
                found = concrete(case, obligation, question, answer.model, sorts)
                replay(case, obligation, found)
            except Exception:  # as in `search`
                return None
            return found
    return None


def right_results(case: Case, question: Question, model: z.SolverModel, size: int) -> list[Rec]:
    """The results of the opaque helpers for the arguments that a model has, where it has others.

    Of a map also the result of Z3, but with the right values where they differ: that corrects other models, too.
    """
    sorts = Sorts(case.spec.numbers, size)
    found = []
    for call in question.calls:
        types = hints(call.fn)
        *arguments, result = [sorts.python(of, v, model) for of, v in zip(types.values(), call.values, strict=True)]
        right = call.fn(*arguments)
        if right == result or not call.further:
            continue
        instances = [sorts.literal(types["return"], right)]
        if isinstance(right, Map):
            key, value = get_args(types["return"])
            changed = [(x, y) for x, y in right.items() if result[x] != y]
            points = [(sorts.literal(key, x), sorts.literal(value, y)) for x, y in changed]
            instances.append(call.values[-1].at_points(points))
        found += [Rec(case.spec.state, dict.fromkeys(call.further, each)) for each in instances]
    return found


def concrete(
    case: Case, obligation: Obligation, question: Question, model: z.SolverModel, sorts: Sorts
) -> Counterexample:
    """The constants, states and event of a model."""
    setting = Setting(case, sorts)
    k = sorts.python(case.constants, setting.k, model)
    s = sorts.python(case.spec.state, setting.s, model)
    types = case.ranked[obligation.of].params if obligation.of in case.ranked else ()
    owed = tuple(sorts.python(of, x, model) for of, x in zip(types, question.owed, strict=True))
    taken = [(question.arguments, question.after), *([question.beside] if question.beside else [])]
    steps = []
    for name, (arguments, after) in zip(obligation.actions, taken, strict=False):
        types = case.spec.actions[name].params
        args = tuple(sorts.python(of, x, model) for of, x in zip(types, arguments, strict=True))
        steps.append((Event(name, args), sorts.python(case.spec.state, after, model)))
    event, t = steps[0] if steps else (None, s)
    t = None if obligation.goal == ALLOWED else t
    beside = steps[1] if len(steps) > 1 else None
    return Counterexample(k, s, event, t, owed, beside, obligation.action == INITIALLY)


def replay(case: Case, obligation: Obligation, found: Counterexample) -> None:
    """Raise Disagreement unless Python sees all of it: assumptions, invariants, the step, and that the goal fails."""
    spec, k, s, t = case.spec, found.k, found.s, found.t
    wrong = [item.name for item in spec.assumes.values() if not item.fn(k)]
    wrong += [case.title] if case.given and not case.given(k) else []
    known = case.premises(obligation)
    before = [item for name, item in spec.invariants.items() if name in known]
    before += spec.inits.values() if obligation.action == INITIALLY else ()
    wrong += [item.name for item in before if not item.fn(k, s)]
    if found.event and t not in [*spec.actions[found.event.name].fn(k, s, *found.event.args), None]:
        wrong.append(f"no step {found.event}")
    if obligation.goal in spec.invariants and spec.invariants[obligation.goal].fn(k, t):
        wrong.append(f"{obligation.goal} holds")
    if found.event is not None and obeyed(case, obligation, found, found.event):
        wrong.append(f"{obligation.goal} holds")
    if found.beside and not divided(case, found, *found.beside):
        wrong.append("they may follow each other")
    if obligation.of in case.ranked and not misled(case, obligation, found):
        wrong.append(f"{obligation.goal} holds")
    if wrong:
        raise Disagreement(
            f"{case.name}: {obligation.action}, {obligation.goal}: Python does not agree with Z3"
            f" ({', '.join(wrong)}):\n{found.text(case)}"
        )


def obeyed(case: Case, obligation: Obligation, found: Counterexample, event: Event) -> bool:
    """Whether a step obeys the step property or frame of its obligation, or is possible; False if it is another."""
    spec = case.spec
    action = spec.actions[event.name]
    if obligation.goal == ALLOWED:
        can = any(True for _ in action.fn(found.k, found.s, *event.args))
        return can or bool(allowed(action).fn(found.k, found.s, *event.args))
    if obligation.goal == FRAME:
        step = frame(action, spec.field_names)
    elif obligation.goal in spec.steps:
        step = spec.steps[obligation.goal]
    else:
        return False
    return bool(step.fn(found.k, found.s, found.t, *(event.args if step.of else ())))


def misled(case: Case, obligation: Obligation, found: Counterexample) -> str:
    """The error in the rank of a leads-to property in a state, or on a step; "" if nothing is."""
    spec, k, s, stage = case.spec, found.k, found.s, obligation.stage
    owed = Owed(case.ranked[obligation.of], k, found.owed)
    if obligation.action == BEGINS:
        return owed.begins(s)
    if stage not in owed.stages(s):
        return ""
    if found.event is not None:
        return owed.step(stage, s, found.event, found.t)
    assert obligation.action == ENABLED
    domains = {of: sorted(getattr(k, names.split()[0])) for of, names in spec.universe.items()}
    events = [
        Event(name, args)
        for name, action in spec.actions.items()
        if action.fair and stage in (EVERY, name)
        for args in ([found.owed] if stage else product(*(domains[of] for of in action.params)))
    ]
    possible = [event for event in events if any(True for _ in spec.actions[event.name].fn(k, s, *event.args))]
    return owed.enabled(stage, possible, spec.actions)


def divided(case: Case, found: Counterexample, beside: Event, other: Any) -> bool:
    """Whether two steps from one state cannot follow each other, in either order, to the same state."""
    spec, k, event = case.spec, found.k, found.event
    assert event is not None
    left_out = (case.exclusive or {}).get(f"{event.name}+{beside.name}")
    if event == beside or (left_out is not None and left_out(k, *event.args, *beside.args)):
        return False

    def after(s: Any, e: Event) -> list[Any]:
        return list(spec.actions[e.name].fn(k, s, *e.args))

    is_step = other in after(found.s, beside)
    return is_step and not any(q in after(other, event) for q in after(found.t, beside))
