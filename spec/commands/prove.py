"""`loopspec prove`, also `python -m spec prove`: prove the specifications for any number of tasks, items and URLs.

One line a property: the number of its obligations, and the invariants that it rests on.  A counterexample is printed
as a state and a step, which Python has checked.  Exit status 0: everything is proved, or false on purpose as listed; 1:
something is refuted, unknown, or not as pinned; 2: a usage error, Z3 is missing, or an error in a user's file.

The properties and actions that a user's specification inherits are proved of the shipped one; here the obligations of
the user's own ones are proved.
"""

from __future__ import annotations

import itertools
import multiprocessing
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..cases import CASES
from ..kit.bounded import Holds, Instance
from ..kit.core import Named, Spec
from ..kit.frame import ALLOWED, FRAME
from ..kit.model import Model
from ..kit.prove.case import CONFLUENT, INITIALLY, POSSIBLE, Case, Obligation
from ..registry import REGISTRY
from .run import Live, terminal
from .target import Parser, UsageError, chosen, is_users, number, report

if TYPE_CHECKING:
    from ..kit.prove.premises import Pins
    from ..kit.prove.verdicts import Prover, Verdict


#: The advice on constants that are a counterexample although the property holds in all bounded models.
EXCLUDE: Final = "if these constants make no sense, exclude them by a predicate on them: @{}.assume"

#: The goals that are no properties, in words.
TITLES: Final = {
    POSSIBLE: "every action is possible",
    FRAME: "every action changes what it may only",
    ALLOWED: "every action is possible where it must be",
    CONFLUENT: "two steps may come in either order",
}

#: The registries of shipped specifications.
SHIPPED: Final = {item for each in CASES for table in each.spec.tables() for item in table.values()}


def main(argv: Sequence[str] | None = None, *, prog: str = "loopspec prove") -> int:
    """Run the command with those arguments (None: those of the process); returns the exit status."""
    parser = _parser(prog)
    try:
        options = parser.parse_args(argv)
        cases, path, instances = selected(options.target)
        if options.wrong and path is not None:
            raise UsageError("--wrong is of the shipped specifications")
        if options.pin and path is not None:
            raise UsageError("only the premises of shipped specifications are pinned")
        from ..kit.prove import admission, premises, verdicts
    except UsageError as error:
        print(f"{prog}: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as missing:
        if missing.name != "z3":
            raise
        print(f"{prog}: needs z3, which is not installed: pip install 'loopspec[prove]'", file=sys.stderr)
        return 2
    seed = options.seed if options.sample else None
    if options.wrong:
        from .wrong import refute

        return refute(options.target, seed)
    pins = {} if path is not None else premises.load()
    run = ProveRun(Live(terminal()), seed, own=path is not None, pins=options.pin, instances=instances)
    effort = admission.OWN if path is not None else admission.SHIPPED
    checked = [law for case in CASES for law in case.spec.laws.values()] if path is not None else []
    try:
        for case in {id(case.spec): case for case in cases}.values():
            admit = partial(admission.admit, case, models(case, instances), effort, checked)
            admit() if path is not None else apart(admit)
        for case in cases:
            of = pins.get(case.name, premises.Pins())
            of = of.without_stale(case) if options.pin else of
            run.case(verdicts.Prover(case, of.premises), of)
    except Exception as error:
        if not is_users(error, path):
            raise
        print(f"{prog}: {report(error, path)}", file=sys.stderr)
        return 2
    if options.pin:
        made = premises.load() | run.made
        premises.save({case.name: made[case.name] for case in CASES if case.name in made})
    print(run.summary())
    return 1 if run.wrong or run.undecided else 0


def _parser(prog: str) -> Parser:
    parser = Parser(prog=prog, description="Prove the specifications for all sizes, with Z3.")
    parser.add_argument(
        "--pin",
        action="store_true",
        help="write to premises.json the premises of what is new, and of what the pinned ones do not prove",
    )
    parser.add_argument(
        "--sample",
        action="store_true",
        help="prove what has changed since it was pinned, and a sample of the rest",
    )
    parser.add_argument("--seed", metavar="N", type=number, default=0, help="seed of the sample (0)")
    parser.add_argument(
        "--wrong",
        action="store_true",
        help="refute the mutants of the specifications, each in the property it must lose",
    )
    parser.exclude("wrong", ("pin",), "--wrong pins nothing")
    return parser


def apart(work: Callable[[], None]) -> None:
    """Call it in a process of its own, where there can be one: the terms that it makes change no proof after it.

    Raises its errors.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        work()
        return
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe(duplex=False)
    process = fork.Process(target=send, args=(work, there), daemon=True)
    process.start()
    there.close()
    error = here.recv()
    process.join()
    if error is not None:
        raise error


def send(work: Callable[[], None], there: Connection) -> None:
    """Send the error that ends it, or None."""
    try:
        work()
        there.send(None)
    except Exception as error:
        there.send(error)


def selected(target: str | None) -> tuple[list[Case], Path | None, list[Instance]]:
    """The cases that `target` names; the user's file if they are from one, with its instances.  Raises UsageError."""
    shipped = {case.spec.name for case in CASES}
    instances, path = chosen(target, REGISTRY)
    if path is None:
        if target is not None and target not in shipped:
            raise UsageError(f"{target} is explored only; proved are: {', '.join(sorted(shipped))}")
        return [case for case in CASES if target in (None, case.spec.name)], None, []
    specs: dict[int, Spec[Any, Any]] = {id(instance.spec): instance.spec for instance in instances}
    return [Case(spec, unproved=false_in(spec)) for spec in specs.values()], path, instances


def false_in(spec: Spec[Any, Any]) -> frozenset[str]:
    """The properties of a specification that it inherits from a shipped one, and that are false on purpose there."""
    false = {case.goals[o.goal].fn for case in CASES for o in case.false}
    return frozenset(name for name, item in spec.properties.items() if item.fn in false)


def models(case: Case, instances: Sequence[Instance]) -> Iterator[Model[Any, Any]]:
    """The bounded models of a specification: of a user's the first ones of each instance, one of each first."""
    found = [iter(i.models()) for i in instances or REGISTRY if isinstance(i, Holds) and i.spec is case.spec]
    rounds = itertools.zip_longest(*found)
    return (model for each in rounds for model in each if model is not None)


def own(case: Case, obligations: Sequence[Obligation]) -> list[Obligation]:
    """The obligations of an action or a property that no shipped specification has.

    They are all if the specification lacks a condition or a property of the shipped one: it may have been a premise.
    """
    items = case.spec.actions | case.spec.properties
    base = case.spec.extends
    while base is not None and all(base is not each.spec for each in CASES):
        base = base.extends
    if base is None or not complete(case.spec, base):
        return list(obligations)
    return [o for o in obligations if any(is_own(items, name) for name in (o.action, o.of))]


def complete(spec: Spec[Any, Any], base: Spec[Any, Any]) -> bool:
    """Whether a specification has all that may be a premise of a proof of another one."""
    mine = {item.fn for table in spec.tables() for item in table.values()}
    premises = base.invariants | base.steps | base.assumes | base.inits
    same = spec.universe.items() >= base.universe.items() and {*spec.numbers} >= {*base.numbers}
    return same and all(item.fn in mine for item in premises.values())


def is_own(items: Mapping[str, Named], name: str) -> bool:
    """Whether it is the name of an action or a property that no shipped specification has."""
    return name in items and items[name] not in SHIPPED


@dataclass
class ProveRun:
    """Proves cases, and prints a line for each property.

    `sample`: the seed of a sample, or None for all; `own`: the cases are a user's; `pins`: the premises are pinned
    anew; `instances`: the user's bounded models.  `wrong` counts the obligations that are not as they must be, and
    `undecided` those of which Z3 says neither.
    """

    live: Live
    sample: int | None
    own: bool
    pins: bool
    instances: Sequence[Instance] = ()
    obligations: int = 0
    proved: int = 0
    false: int = 0
    wrong: int = 0
    undecided: int = 0
    unknown: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    slowest: dict[str, float] = field(default_factory=dict)
    made: dict[str, Pins] = field(default_factory=dict)

    def case(self, prover: Prover, pins: Pins) -> None:
        """Prove the obligations of one case."""
        from ..kit.prove import aside, premises

        case = prover.case
        text = premises.identity(case)
        for line in pins.stale(case):
            print(f"STALE: {line}")
            self.wrong += 1
        wanted = own(case, case.obligations()) if self.own else case.obligations()
        if self.sample is not None and pins.text == text:
            wanted = premises.sample(wanted, self.sample, premises.ONE_IN)
        self.live.begin(case.name)
        settled, found = aside.settled(prover, wanted, self.live.tick)
        if self.own and any(case.goals[name] in SHIPPED for name in settled.case.unproved):
            wanted = case.obligations()  # those of the shipped specification may rest on fallen properties
            settled, found = aside.settled(settled, wanted, self.live.tick)
        self.live.end()
        width = max((len(label(case, each.of)) for each in wanted), default=0)
        proved = {o: verdict.premises for o, verdict in found.items() if verdict.result == "proved"}
        self.made[case.name] = premises.Pins(text, proved)
        for goal, of in itertools.groupby(found.values(), lambda verdict: verdict.obligation.of):
            self.property(case, goal, list(of), width, pins)
        if self.sample is None:
            self.explored(case)

    def explored(self, case: Case) -> None:
        """Print the leads-to properties that have no rank; a shipped one needs a reason.

        Of a user's also the other questions of an instance to whole models: where a run may end, and a refinement.
        """
        shipped = {item.fn for each in CASES for item in each.spec.progress.values()}
        for name, item in case.spec.progress.items():
            if name in case.ranked or (self.own and item.fn in shipped):
                continue
            why = case.unknown.get(name, "it has no rank" if self.own else "")
            print(f"{case.name}: {name} ({item.rule})  explored only: {why or 'NO REASON IS GIVEN'}")
            self.unknown += 1
            self.wrong += not why
        held = [i for i in self.instances if isinstance(i, Holds) and i.spec is case.spec]
        for what, given in ("deadlock", "may_end"), ("refinement", "refines"):
            if any(getattr(instance, given) for instance in held):
                print(f"{case.name}: {what}  explored only: it is of bounded models")
                self.unknown += 1

    def property(self, case: Case, goal: str, found: Sequence[Verdict], width: int, pins: Pins) -> None:
        """Print the line of a property, then its errors."""
        self.obligations += len(found)
        kind = "confluence" if goal == CONFLUENT else "leads-to" if goal in case.spec.progress else "safety"
        seconds = sum(verdict.seconds for verdict in found)
        self.seconds[kind] = self.seconds.get(kind, 0.0) + seconds
        self.slowest[kind] = max(self.slowest.get(kind, 0.0), *(v.seconds for v in found if v.result == "proved"), 0.0)
        bad = [v for v in found if v.result != "proved" and v.obligation not in case.false]
        untrue = [v for v in found if v.result == "refuted" and v.obligation in case.false]
        untrue_not = [v for v in found if v.result != "refuted" and v.obligation in case.false]
        proved = sum(verdict.result == "proved" for verdict in found)
        self.proved += proved
        self.false += len(untrue)
        result = "proved " if not bad and not untrue else f"{proved} of {len(found)} proved"
        used = sorted({name for v in found for name in v.premises if name != goal})
        how = f"{'not:' if goal == POSSIBLE else 'from'} {', '.join(used)}" if used else ""
        if goal == CONFLUENT and case.exclusive:
            left_out = (f"{pair} where {fn.__name__}" for pair, fn in case.exclusive.items())
            how += f"; without {', '.join(left_out)}"
        if not self.own and any(v.obligation not in pins.premises for v in found if v.result == "proved"):
            how += "  not pinned"
        print(
            f"{label(case, goal):<{width}}  {result} {len(found):>3}  {seconds:6.2f} s  {how}".rstrip(),
            flush=True,
        )
        for verdict in found:
            if verdict.stale and not self.pins:
                print(f"  STALE: {shown(verdict)}: {verdict.why}")
        for verdict in bad:
            print(f"  {verdict.result.upper()}: {shown(verdict)}" + (f": {verdict.why}" if verdict.why else ""))
            if verdict.found is not None:
                print(verdict.found.text(case))
                if verdict.obligation.action == INITIALLY and self.begins_in_models(case, goal):
                    print(f"  {EXCLUDE.format(case.spec.name)}")
        for verdict in untrue:
            print(f"  false on purpose: {shown(verdict)}: {case.false[verdict.obligation]}")
            if verdict.found is not None:
                print(verdict.found.text(case))
        for verdict in untrue_not:
            print(f"  NOT REFUTED, which it must be: {shown(verdict)}")
        undecided = sum(verdict.result == "unknown" for verdict in bad)
        self.undecided += undecided
        self.wrong += len(bad) - undecided + len(untrue_not) + sum(verdict.stale for verdict in found if not self.pins)

    def begins_in_models(self, case: Case, goal: str) -> bool:
        """Whether the invariant holds at the beginning of each bounded model: then other constants break it."""
        fn = case.spec.invariants[goal].fn
        held = (i for i in self.instances if isinstance(i, Holds) and i.spec is case.spec)
        models = [model for instance in held for model in instance.models()]
        return bool(models) and all(fn(model.k, s) for model in models for s in model.init)

    def summary(self) -> str:
        """The last line."""
        parts = [
            f"{kind} {took:.2f} s, the slowest proof {self.slowest[kind]:.2f} s" for kind, took in self.seconds.items()
        ]
        undecided = f"{self.undecided} undecided, " if self.undecided else ""
        return (
            f"{self.obligations} obligations: {self.proved} proved, {self.false} false on purpose, {undecided}"
            f"{self.wrong} wrong;"
            + (f" {self.unknown} properties are explored only;" if self.unknown else "")
            + f" CPU time: {'; '.join(parts)}"
        )


def shown(verdict: Verdict) -> str:
    """An obligation in words."""
    action, goal = verdict.obligation
    after = bool(verdict.obligation.actions) and goal != ALLOWED
    return f"{goal} after {action}" if after else f"{goal} {action}"


def label(case: Case, goal: str) -> str:
    """The beginning of the line of a property."""
    return f"{case.name}: " + (TITLES.get(goal) or f"{goal} ({case.spec.properties[goal].rule})")
