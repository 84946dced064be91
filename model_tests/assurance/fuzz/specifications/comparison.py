"""The search, the prover and the plain enumeration on one specification: where two of them disagree.

The verdicts of the commands `check` and `prove` on a file are written as in the corpus.
"""

import contextlib
import io
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import z3

from spec.commands import check, prove
from spec.commands.target import load
from spec.kit import Holds, Model, Spec, Violation, only
from spec.kit.frame import ALLOWED, DECLARED
from spec.kit.instances import search
from spec.kit.liveness import WrongRank
from spec.kit.prove import admission, aside, few, verdicts
from spec.kit.prove.case import INITIALLY, Case, Obligation

from .enumeration import ERROR, Enumeration, demand, enumerated, truth

#: The lines that name a property which does not hold: of a search, of a proof, and of a proof without an answer.
BROKEN = re.compile(
    r"^[^\n]*: (?:the rank of )?(\w+)[^\n]* (?:is broken|is reached|is wrong|need not come:) after",
    re.MULTILINE,
)
REFUTED = re.compile(r"^  REFUTED: (\w+)", re.MULTILINE)
UNKNOWN = re.compile(r"^  UNKNOWN: (\w+)", re.MULTILINE)


def checked(path: Path) -> str:
    """The verdict of `check`."""
    status, out = run(check.main, path)
    return out if status == 2 else "ok" if status == 0 else named("broken", BROKEN, out) or f"wrong: {out}"


def proved(path: Path) -> str:
    """The verdict of `prove`."""
    status, out = run(prove.main, path)
    if status != 1:
        return out if status == 2 else "proved"
    return named("refuted", REFUTED, out) or named("not proved", UNKNOWN, out) or f"wrong: {out}"


def named(verdict: str, line: re.Pattern[str], out: str) -> str:
    """The verdict with the properties that those lines of the output name; "" if there is none."""
    return " ".join([verdict, *found]) if (found := sorted(set(line.findall(out)))) else ""


def run(main: Callable[[list[str]], int], path: Path) -> tuple[int, str]:
    """The exit status and the output of a command on a file; of a refusal its line, with file and line.

    Raises:
        AssertionError: the refusal is not of that form.
    """
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error), own_modules():
        status = main([str(path)])
    if status != 2:
        return status, out.getvalue()
    line, *others = error.getvalue().splitlines()
    assert all(each.startswith("  ") for each in others), error.getvalue()  # where: the event, the state
    assert re.search(rf"{re.escape(path.name)}:\d+: ", line), line
    return status, f"refused {line}"


@contextlib.contextmanager
def own_modules() -> Iterator[None]:
    """Forget afterwards the modules and folders that a file of the user's adds."""
    modules, folders = set(sys.modules), list(sys.path)
    try:
        yield
    finally:
        sys.path[:] = folders
        for name in [name for name in sys.modules if name.startswith("item_") and name not in modules]:
            del sys.modules[name]


def agrees(verdict: str, right: str) -> bool:
    """Whether a verdict is the right one; a refusal names a part of it only."""
    if right.startswith("refused"):
        return verdict.startswith("refused") and right.removeprefix("refused").strip() in verdict
    return verdict == right


#: The most states of a model; larger ones are left out.
MOST_STATES: Final = 300
#: The most steps of Z3, by its own count, and the numbers of elements in a counterexample.
RUNG, MOST, SIZES = 50_000, 100_000, (1, 2)


@dataclass
class CommandOutcome:
    """The disagreements; the verdicts of the commands; the properties that are false, and that are proved."""

    wrong: list[str] = field(default_factory=list)
    check: str = ""
    prove: str = ""
    false: list[str] = field(default_factory=list)
    proved: list[str] = field(default_factory=list)


def compared(module: str, path: Path, *, beyond: bool) -> CommandOutcome:
    """The outcome on the text of a module, which is written to `path`; `beyond`: it may be refused."""
    path.write_text(module, "utf-8")
    found = CommandOutcome()
    try:
        with own_modules():
            found.check = checked(path)
            if (plain := enumerated(load(path).model(), MOST_STATES)) is not None:
                found.wrong += searched(plain, found, beyond=beyond)
                found.wrong += claimed(plain, found, path)
    except Exception as error:
        found.wrong.append(f"error: {error!r}")
    return found


def searched(plain: Enumeration, found: CommandOutcome, *, beyond: bool) -> Iterator[str]:
    """Compare the search with the enumeration: states, edges, and the properties, each by itself."""
    model = plain.model
    right = {name: plain.verdict(name) for name in [*model.spec.properties, *DECLARED]}
    found.false = [name for name, verdict in right.items() if verdict not in (None, ERROR)]
    if found.check.startswith("refused"):
        if not beyond:
            yield f"check refuses it: {found.check}"
        return
    counts = ERROR if plain.ended else (len(plain.states), len(plain.steps))
    for name, verdict in {"": counts, **right}.items():
        if (theirs := verdict_of(model, name)) != verdict and not (beyond and theirs == ERROR):
            yield f"{name or 'size'}: {verdict}; check: {theirs}"
    if not found.false and found.check != "ok" and not model.spec.progress:
        yield f"no property is broken; check: {found.check}"


def verdict_of(model: Model[Any, Any], name: str) -> object:
    """The verdict of the search on the one property, as that of the enumeration; without a name states and edges."""
    try:
        graph = search(model.over(only(model.spec, name)), Holds(model.spec, "", list), live=True).graph
    except WrongRank:
        return None
    except Violation as error:
        return 0 if name in model.spec.progress else error.depth
    except Exception:
        return ERROR
    return None if name else (len(graph.states), graph.edges)


def claimed(plain: Enumeration, found: CommandOutcome, path: Path) -> Iterator[str]:
    """Compare the prover with the enumeration, and repeat its counterexamples."""
    goals: dict[str, list[verdicts.Verdict]] = {}
    spec: Spec[Any, Any] = plain.model.spec

    class Run(prove.ProveRun):
        def property(self, case: Case, goal: str, results: Sequence[verdicts.Verdict], *more: Any) -> None:
            nonlocal spec
            spec, goals[goal] = case.spec, list(results)
            super().property(case, goal, results, *more)

    def verdicts_of(prover: verdicts.Prover, of: Sequence[Obligation]) -> Iterator[verdicts.Verdict]:
        """Proofs here; those of sequences in a process, as Z3 does not keep to its steps there."""
        rows = any(isinstance(value, tuple) for value in vars(plain.model.init[0]).values())
        return apart(prover, of, wall=60) if rows else map(prover.prove, of)

    context, apart = z3.Context(), aside.verdicts  # a new context takes longer than most answers
    with ExitStack() as bounds:
        bounds.enter_context(patch.object(z3, "Context", lambda: context))
        bounds.enter_context(patch.object(aside, "verdicts", verdicts_of))
        bounds.enter_context(patch.object(admission, "OWN", admission.Effort(1, 1, MOST_STATES)))
        bounds.enter_context(patch.multiple(verdicts, RUNG_STEPS=RUNG, MOST_STEPS=MOST))
        bounds.enter_context(patch.multiple(few, SIZES=SIZES, SMALL=(), MOST_STEPS=MOST))
        bounds.enter_context(patch.object(prove, "ProveRun", Run))
        found.prove = proved(path)
    if "translation is wrong" in found.prove or "does not agree" in found.prove:
        yield f"the translation is wrong: {found.prove}"
    found.proved = [
        of
        for of, each in goals.items()
        if of in {*spec.properties, *DECLARED} and all(v.result == "proved" for v in each)
    ]
    yield from (f"{name} is proved, and false" for name in found.proved if name in found.false)
    for verdict in (verdict for each in goals.values() for verdict in each):
        if verdict.found is not None and not is_shown(spec, verdict):
            yield f"no counterexample: {verdict.obligation} {verdict.found}"


def is_shown(spec: Spec[Any, Any], verdict: verdicts.Verdict) -> bool:
    """Whether Python sees the counterexample: the state, the step, and that it breaks an invariant or step property."""
    shown, goal = verdict.found, verdict.obligation.goal
    assert shown is not None
    seen = all(truth(item, shown.k, shown.s) for item in spec.inits.values() if verdict.obligation.action == INITIALLY)
    if (event := shown.event) is not None and goal == ALLOWED:
        action = spec.actions[event.name]
        can = any(True for _ in action.fn(shown.k, shown.s, *event.args))
        return not can and truth(demand(action), shown.k, shown.s, *event.args)
    if event is not None:
        seen &= shown.t in spec.actions[event.name].fn(shown.k, shown.s, *event.args)
    if goal not in spec.invariants | spec.steps:
        return seen
    given = [shown.t] if goal in spec.invariants else [shown.s, shown.t]
    return seen and not truth(spec.properties[goal], shown.k, *given)
