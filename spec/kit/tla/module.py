"""An instance as a module of TLA+, with the question that TLC answers: its states, its steps, its properties.

The variable `state` is a record with the fields of the state; in a family, `model` is the number of one of its models.
An action is an operator with the set of its successors, so a step is `state' \\in Get(...)`.  A property of steps
speaks of those that change nothing, too, which `[][P]_state` leaves out: so it is an invariant over the successors of a
state, and so are frames, `whenever`, a refinement and where a run may end.  Opaque helpers are tables (`opaque.py`).
Left out are the ranks of leads-to properties, and the answers of actions, which no property reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ..bounded import Refines
from ..core import Named
from ..frame import changes
from ..model import Model
from ..render.infer import hints
from ..render.source import at
from .kinds import kind
from .opaque import Tables
from .operators import PRELUDE, Operators
from .values import AND, CUP, EXISTS, FORALL, OR, braced, local, record, sequence, value

# Any below: models of any specification.


class TlcQuestion(NamedTuple):
    """A module, MC, and its configuration."""

    module: str
    config: str


def written(operators: Operators, config: Iterable[str]) -> TlcQuestion:
    """The module of these definitions, and its configuration."""
    parts, models = operators.parts, range(len(operators.constants))
    family = sequence("\n    " + record({name: texts[n] for name, texts in parts.items()}) for n in models)
    module = [
        "---- MODULE MC ----",
        "EXTENDS Integers, Sequences, FiniteSets, TLC",
        PRELUDE,
        f"Family == {family}\nVARIABLES model, state" if len(models) > 1 else "VARIABLE state",
        *operators.lines,
        "====",
    ]
    return TlcQuestion("\n".join([*module, ""]), "\n".join(["SPECIFICATION Spec", "CONSTANT None = None", *config, ""]))


class ComparedSide:
    """The lower or the higher specification of an instance: its rules, applied to its constants."""

    def __init__(self, operators: Operators, models: Sequence[Model[Any, Any]], prefix: str = "") -> None:
        self.operators, self.models, self.prefix, self.spec = operators, models, prefix, models[0].spec
        self.constants = operators.define(f"{prefix}Constants", [value(model.k) for model in models])
        initial = [braced(dict.fromkeys(map(value, model.init))) for model in models]
        self.initial = operators.define(f"{prefix}Initial", initial)
        self.domains: dict[object, str] = {}

    def domain(self, of: object) -> str:
        """The domain of a type; that of all models together begins with `All_`."""
        if of not in self.domains:
            self.domains[of] = f"{self.prefix}Values_{len(self.domains) + 1}"
            texts = [braced(dict.fromkeys(map(value, model.domains[of]))) for model in self.models]
            self.operators.lines.append(f"\\* the values of {getattr(of, '__name__', of)}")
            self.operators.define(self.domains[of], texts)
            self.operators.lines.append(f"All_{self.domains[of]} == {CUP.join(dict.fromkeys(texts))}")
        return self.domains[of]

    def params(self, item: Named) -> dict[str, str]:
        """The parameters after k and s, or k, s and t, with their domains."""
        code = item.fn.__code__
        names = code.co_varnames[: code.co_argcount][code.co_argcount - len(item.params) :]
        return {
            f"H_{name}" if self.prefix else local(name): self.domain(of)
            for name, of in zip(names, item.params, strict=True)
        }

    def apply(self, fn: Any, *args: str) -> str:
        """A function of the constants and more."""
        return f"{self.operators.name(fn)}({', '.join([self.constants, *args])})"

    def each(self, item: Named, text: Callable[[str], str], sign: str, state: str = "state") -> str:
        """Something of the successors of a state by an action, for all parameters (\\A) or some (\\E)."""
        params = self.params(item)
        binder = "".join(f"{sign} {name} \\in {domain} : " for name, domain in params.items())
        return f"({binder}{text(self.apply(item.fn, state, *params))})"

    def some(self, text: Callable[[str], str], state: str = "state") -> list[str]:
        """Something of the successors by each action, for some parameters."""
        return [self.each(item, text, EXISTS, state) for item in self.spec.actions.values()]


def question(
    models: Sequence[Model[Any, Any]],
    tables: Tables,
    *,
    may_end: Callable[[Any], bool] | None = None,
    live: bool = False,
    refines: Refines | None = None,
) -> TlcQuestion:
    """The question for the models of an instance.  Raises Untranslatable."""
    operators = Operators([model.k for model in models], tables)
    low = ComparedSide(operators, models)
    spec, lines, many = low.spec, operators.lines, len(models) > 1
    for item in (spec.actions | spec.properties).values():
        if not item.name.isascii():
            raise at(item.fn, "TLA+ has ASCII names only: rename it")
    given = [low.apply(item.fn) for item in spec.assumes.values()]
    given += [low.apply(item.fn, "state") for item in spec.inits.values()]
    begin = ["model \\in 1..Len(Family)"] * many + [f"state \\in {low.initial}"]
    stay = " /\\ UNCHANGED model" * many
    variables = "<<model, state>>" if many else "state"
    steps = low.some(lambda successors: f"state' \\in {successors}{stay}")
    fairness = fair(low, variables, stay) if live else []
    lines += [listed("Init", "/\\", [*begin, *given]), listed("Next", "\\/", steps)]
    lines.append(listed("Spec", "/\\", ["Init", f"[][Next]_{variables}", *fairness]))
    checks = {f"Inv_{item.name}": named(item.name, low.apply(item.fn, "state")) for item in spec.invariants.values()}
    high = None
    if refines:
        above = ComparedSide(operators, [refines.high(model) for model in models], "High")
        seen = low.apply(refines.view, "state")
        checks["Refines"] = named("refinement", f"state \\in {low.initial} => {seen} \\in {above.initial}")
        high = higher(low, above, refines.view)
    for item in spec.actions.values():
        if text := steps_of(low, item, high):
            checks[f"Steps_{item.name}"] = text
    if may_end:
        ends = f"{operators.name(may_end)}(state)"
        checks["Deadlock"] = named("deadlock", OR.join([ends, *low.some("{} # {{}}".format)]))
    goals = {f"Live_{item.name}": leads_to(low, item) for item in spec.progress.values()} if live else {}
    lines += [f"{name} == {text}" for name, text in (checks | goals).items()]
    return written(operators, [*(f"INVARIANT {name}" for name in checks), *(f"PROPERTY {name}" for name in goals)])


def steps_of(side: ComparedSide, item: Named, high: str | None) -> str:
    """The conditions on an action and all its steps; "": there are none."""
    params = list(side.params(item))
    found = [
        named(rule.name, side.apply(rule.fn, "state", "V_t", *(params if rule.of else [])))
        for rule in side.spec.steps.values()
        if not rule.of or item.rule in rule.of
    ]
    if item.changes is not None:
        found.append(named("frame", frame(side, item, params)))
    if high:
        found.append(named("refinement", high))
    steps = [f"(\\A V_t \\in V_steps : {AND.join(found)})"] if found else []
    if item.whenever:
        must = f"{side.apply(item.whenever, 'state', *params)} => V_steps # {{}}"
        steps.insert(0, named("allowed", must))
    claim = AND.join(steps)
    return side.each(item, lambda successors: f"LET V_steps == {successors} IN {claim}", FORALL) if claim else ""


def frame(side: ComparedSide, item: Named, params: list[str]) -> str:
    """That a step to V_t changes no field that it may not change."""
    fields: dict[str, Any] = dict(hints(side.spec.state))  # type: ignore[arg-type]  # a class can be hashed
    may = changes(item, side.spec.field_names)
    found = [f"state.{local(name)} = V_t.{local(name)}" for name in side.spec.field_names if name not in may]
    for name, number in may.items():
        if number is not None:
            a, b, key = f"state.{local(name)}", f"V_t.{local(name)}", params[number]
            if kind(fields[name]) == "map":
                found.append(f"(\\A V_x \\in DOMAIN {a} : V_x = {key} \\/ {a}[V_x] = {b}[V_x])")
            else:
                found.append(f"(({a} \\ {b}) \\cup ({b} \\ {a})) \\subseteq {{{key}}}")
    return AND.join(found) or "TRUE"


def higher(low: ComparedSide, high: ComparedSide, view: Any) -> str:
    """That a step to V_t changes nothing in the higher model, or is a step there."""
    steps = high.some("V_b \\in {}".format, "V_a")
    let = f"LET V_a == {low.apply(view, 'state')} V_b == {low.apply(view, 'V_t')}"
    return f"({let} IN {OR.join(['V_a = V_b', *steps])})"


def fair(side: ComparedSide, variables: str, stay: str) -> list[str]:
    """The fairness of each event of a fair action."""
    found = []
    for item in side.spec.actions.values():
        if item.fair:
            params = side.params(item)
            step = f"state' \\in {side.apply(item.fn, 'state', *params)}{stay}"
            found.append(f"({over(params)}WF_{variables}({inside(params)}{step}))")
    return found


def leads_to(side: ComparedSide, item: Named) -> str:
    """A leads-to property, for all its parameters."""
    params = side.params(item)
    trigger, goal = (f"{side.apply(fn, 'state', *params)}" for fn in (item.trigger, item.fn))
    return f"{over(params)}(({inside(params)}{trigger}) ~> (({inside(params)}TRUE) => {goal}))"


def over(params: dict[str, str]) -> str:
    """For all parameters of all models, because a temporal formula takes only constant sets."""
    return "".join(f"\\A {name} \\in All_{domain} : " for name, domain in params.items())


def inside(params: dict[str, str]) -> str:
    """That the parameters are of the model at hand."""
    return "".join(f"{name} \\in {domain} /\\ " for name, domain in params.items())


def named(name: str, text: str) -> str:
    """A condition that prints its name where it is broken."""
    return f'Named("{name}", {text})'


def listed(name: str, sign: str, parts: Iterable[str]) -> str:
    """The definition of a list of conjuncts or disjuncts."""
    return "\n".join([f"{name} ==", *(f"    {sign} {part}" for part in parts)])
