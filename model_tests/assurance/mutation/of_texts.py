"""Mutants of the specifications: their files, and the checks that must notice an edit of each.

    import      the models cannot be made
    rule        a bounded model with the edit breaks a property, deadlocks, or raises; the small models come first
    wrong text  a mutant written by hand (`spec/*/mutants.py`) is refuted no more
    vacuity     a part of the specification is never reached
    proof       an obligation is refuted, with a state that Python checks; or a way through an action is taken no more
    large       as `rule`, in the models that take longer
    no proof    an obligation is proved from no premises any more, so that `python -m spec prove` fails

A changed state count alone does not kill a mutant: the pinned counts are outputs, not requirements.  Nor does an
obligation that other premises than the pinned ones prove, or one that the prover cannot read after the edit.  All three
are reported as weak.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from ...dev.pythons import ROOT
from .apart import WEAK, Tier
from .edit import Edit
from .mutator import Function, edits

if TYPE_CHECKING:
    from spec.kit.bounded import Fails, Holds
    from spec.kit.model import Model
    from spec.kit.prove.case import Case, Obligation

#: The files that are edited, each with the specifications that it is a part of.
FILES: Final[dict[str, tuple[str, ...]]] = {
    "spec/queue/specification.py": ("queue",),
    "spec/crawl/specification.py": ("crawl",),
    "spec/crawl/fifo.py": ("crawl_fifo",),
    "spec/task/loop.py": ("task", "task_hops"),
    "spec/task/hops.py": ("task_hops",),
    "spec/task/specification.py": ("task",),
    "spec/creation/specification.py": ("creation",),
    "spec/scopes/specification.py": ("scopes",),
    "spec/locks/specification.py": ("locks",),
    "spec/locks/events.py": ("events",),
    "spec/callbacks/specification.py": ("callbacks",),
    "spec/future/specification.py": ("future",),
    "spec/stream/ends.py": ("stream",),
    "spec/stream/specification.py": ("stream",),
}
#: Not edited are conditions on models, the laws of opaque helpers, which `tests/spec/prove` compares with Python, and
#: answers, which the tests of the monitor judge.
CONDITIONS: Final = (".assume", ".init")
#: The small models have so many edges together.
SMALL: Final = 40_000
#: A search of a mutant may visit so many times the states of the original, and MORE_STATES.
TIMES_STATES, MORE_STATES = 4, 2_000
#: The most states of a wrong text to visit.
MOST_STATES: Final = 20_000
#: The most obligations to prove.
MOST_OBLIGATIONS: Final = 40
MOST_UNKNOWN: Final = 3


def places() -> list[Edit]:
    """Return all edits of these files."""
    return [edit for file in FILES for edit in _of_file(file, (ROOT / file).read_bytes())]


def _of_file(file: str, text: bytes) -> list[Edit]:
    laws = _of_laws_only(ast.parse(text))

    def left_alone(node: Function) -> bool:
        is_condition = any(ast.unparse(each).endswith(CONDITIONS) for each in node.decorator_list)
        returns = ast.unparse(node.returns) if node.returns else ""
        return is_condition or node.name in laws or returns.startswith("tuple[")

    return edits(file, text, left_alone=left_alone)


def _of_laws_only(tree: ast.Module) -> set[str]:
    """Return the names of the laws of opaque helpers, and of the functions that nothing but these calls."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    found = {
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.keyword) and node.arg == "laws"
        for name in _names(node.value)
    }
    while True:
        called = {name for node in functions if node.name in found for name in _names(node)}
        others = {name for node in functions if node.name not in found for name in _names(node) - {node.name}}
        more = {node.name for node in functions if node.name in called - others} - found
        if not more:
            return found
        found |= more


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def tiers(edit: Edit) -> Iterator[Tier]:
    """Yield the tiers for an edit."""
    yield Tier("import", 30, unimportable)
    names = FILES[edit.file]
    holding, wrong = instances(edit)
    sums = accumulate(map(edges, holding))
    small = [each for each, total in zip(holding, sums, strict=True) if total <= SMALL] or holding[:1]
    yield Tier("rule", 60, lambda: first(map(broken, small)))
    yield Tier("wrong text", 120, lambda: first(map(unrefuted, wrong)))
    yield Tier("vacuity", 60, lambda: first(vacuous(holding, name) for name in names))
    unknown: list[tuple[Case, Obligation]] = []
    yield Tier("proof", 600, lambda: first(_disproved(edit, name, unknown) for name in names))
    yield Tier("large", 300, lambda: first(broken(each) for each in holding if each not in small))
    yield Tier("no proof", 900, lambda: first(_unproved(*each) for each in unknown))


def instances(edit: Edit) -> tuple[list[Holds], list[Fails]]:
    """Return the bounded models of the texts that have an edit, the small ones first, and the wrong texts of these."""
    from spec.kit.bounded import Fails, Holds
    from spec.registry import REGISTRY

    mine = [each for each in REGISTRY if each.spec.name in FILES[edit.file] and not each.full]
    wrong = [each for each in mine if isinstance(each, Fails)]
    if any(edit.where in each.spec.properties for each in mine):
        wrong = [each for each in wrong if each.broken == edit.where]  # the others do not see it
    return sorted((each for each in mine if isinstance(each, Holds)), key=edges), wrong


def unimportable() -> str:
    """Return the error of an import: constants of models are made there, with functions of the texts."""
    try:
        import_module("spec.registry")
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def edges(instance: Holds) -> int:
    return instance.counts.edges if instance.counts else 0


def first(found: Iterable[str]) -> str:
    """Return the first kill, or else the first weak one."""
    weak = ""
    for each in found:
        if each and not each.startswith(WEAK):
            return each
        weak = weak or each
    return weak


def broken(instance: Holds) -> str:
    """Return the property that an instance breaks, or the number that is not as pinned."""
    from spec.kit.bounded import Counts
    from spec.kit.instances import plus, search
    from spec.kit.search import LimitError, Violation

    pinned = instance.counts
    assert pinned is not None
    found = Counts(0, 0, 0, 0)
    most = TIMES_STATES * pinned.states + MORE_STATES
    try:
        for model in instance.models():
            found = plus(found, search(model, instance, live=instance.live, limit=most).graph)
    except Violation as violation:
        return f"{violation.name}, {instance.title}"
    except LimitError:
        return unrefined(model, instance, most) or f"{WEAK}many more states, {instance.title}"
    except Exception as error:
        return f"{type(error).__name__}: {error}, {instance.title}"
    return "" if found == pinned else f"{WEAK}counts, {instance.title}"


def unrefined(model: Model[Any, Any], instance: Holds, most: int) -> str:
    """Return that so many states break the refinement, which a search looks at when it has seen every state."""
    from spec.kit.refinement import refines
    from spec.kit.search import LimitError, Violation

    if instance.refines is not None:
        try:
            refines(model, instance.refines.high(model), instance.refines.view, limit=most)
        except Violation as violation:
            return f"{violation.name}, {instance.title}"
        except LimitError:
            pass
    return ""


def unrefuted(instance: Fails) -> str:
    """Return a wrong text that breaks no property any more, or another number of steps than is pinned."""
    from spec.kit.instances import search
    from spec.kit.search import LimitError, Violation

    model = instance.model()
    try:
        search(model, instance, live=instance.broken in model.spec.progress, limit=MOST_STATES)
    except Violation as violation:
        return "" if violation.depth == instance.depth else f"{WEAK}depth, {instance.title}"
    except LimitError:
        return f"{WEAK}not refuted in {MOST_STATES:,} states, {instance.title}"
    except Exception as error:
        return f"{type(error).__name__}: {error}, {instance.title}"
    return f"not refuted: {instance.title}"


def vacuous(instances: Iterable[Holds], name: str) -> str:
    """Return the first part of a specification that is not reached."""
    from spec.kit.vacuity import cover

    mine = [each for each in instances if each.spec.name == name]
    missed = cover(mine[0].spec, mine).missed
    return missed[0].partition(": ")[2] if missed else ""


def _disproved(edit: Edit, name: str, unknown: list[tuple[Case, Obligation]]) -> str:
    """Return the first obligation that is refuted, or a way through an action that is possible no more.

    An obligation is asked from its pinned premises only; those without a verdict are added to `unknown`, and no more
    are asked when there are MOST_UNKNOWN.
    """
    from spec.cases import CASES
    from spec.kit.core import SpecError
    from spec.kit.prove import premises
    from spec.kit.prove.case import POSSIBLE
    from spec.kit.prove.few import counterexample
    from spec.kit.prove.verdicts import RUNG_STEPS, Prover
    from spec.kit.render.source import Untranslatable

    unread = ""
    for case in (case for case in CASES if case.spec.name == name):
        pinned = premises.load()[case.name].premises
        prover = Prover(case, pinned)
        for obligation in concerned(edit, case, pinned):
            if obligation in case.false:
                continue
            at = _named(case, obligation)
            try:
                if obligation.goal == POSSIBLE:
                    if set(prover.prove(obligation).premises) - set(pinned[obligation]):
                        return f"possible no more: {at}"
                elif prover.attempt(obligation, pinned[obligation], RUNG_STEPS).result != "unsat":
                    if counterexample(case, obligation) is not None:
                        return f"refuted: {at}"
                    unknown.append((case, obligation))
            except Untranslatable:
                unread = unread or f"{WEAK}not read, {at}"
            except SpecError as error:
                return f"{type(error).__name__}: {at}"
            if len(unknown) == MOST_UNKNOWN:
                break
    return f"{WEAK}not proved, {_named(*unknown[0])}" if unknown else unread


def _unproved(case: Case, obligation: Obligation) -> str:
    """Return an obligation that all premises together do not prove."""
    from spec.kit.prove.verdicts import Prover

    verdict = Prover(case).prove(obligation)
    return f"{verdict.result}: {_named(case, obligation)}" if verdict.result != "proved" else ""


def _named(case: Case, obligation: Obligation) -> str:
    return f"{case.name}: {obligation.action}, {obligation.goal}"


def concerned(edit: Edit, case: Case, pinned: dict[Obligation, tuple[str, ...]]) -> list[Obligation]:
    """Return obligations that the edit may change: of actions and properties that call the edited function, or rest on
    it.

    At most MOST_OBLIGATIONS, which are spread over all.
    """
    touched = {
        item.name
        for item in (case.spec.actions | case.goals | case.spec.progress).values()
        if any(edit.where in reached(fn) for fn in (item.fn, *item.reasons))
    }
    every = case.obligations()
    # The premises of each; the goal of a stage begins with that of all stages.
    of = {each: {each.action, each.goal.partition("/")[0], *pinned.get(each, ())} for each in every}
    found = [each for each in every if touched & of[each]] if touched else every
    return found[:: -(-len(found) // MOST_OBLIGATIONS) or 1]


def reached(fn: Callable[..., object]) -> set[str]:
    """Return the names of a function and of the helpers that it calls."""
    from spec.kit.render.source import callees, source

    found: set[str] = set()
    todo = [source(fn).fn]
    while todo:
        fn = todo.pop()
        if fn.__name__ not in found:
            found.add(fn.__name__)
            todo += callees(fn)
    return found
