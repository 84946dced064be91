"""The checks that would notice if a property, or a bounded model that holds, were deleted.

This module is imported in forks only, because it imports spec.

    a property        a wrong text (`spec/*/mutants.py`) that nothing else refutes in its model: no other property, no
                      declaration beside an action, no deadlock, and no refinement
                      a proof: an obligation of another property has a counterexample, a state that breaks only this one
    a bounded model   vacuity: without it a part of the specification is reached no more
    either            a machine-made mutant that is killed with it, and without it by no bounded model, by no wrong text
                      that is refuted no more, and by no part that is not reached

Proofs are asked for no mutant: they are another witness of the same rules, and the search is to find the same errors.
A number that is not as pinned notices nothing, nor does a search that ends at its limit.

For example, the property at_most_maxsize_items of the queue.  Its wrong text is "a put does not check for room".

    `_with_others`   this text, with all properties of the queue but at_most_maxsize_items
    `rival`          the search of that finds no violation, no deadlock and no lasso: ""
    `texts`          so no other property refutes it: ["queue: a put does not check for room"]

Without the property this wrong text would pass the check.  only.json keeps it as the evidence that the property is
needed.  If another property refuted it as well, `rival` would name that one, and the text would be no evidence.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import Any, Final

from spec.cases import CASES
from spec.commands.run import label
from spec.kit import liveness
from spec.kit.bounded import Fails, Holds
from spec.kit.core import Spec
from spec.kit.model import Model
from spec.kit.prove.case import POSSIBLE, Obligation
from spec.kit.refinement import refines
from spec.kit.search import Graph, LimitError, Violation, check
from spec.kit.vacuity import cover
from spec.registry import REGISTRY

from . import of_texts
from .apart import WEAK
from .edit import Edit
from .evidence import Evidence

# Any below: the models of any specification.

#: The most obligations to look for a counterexample of.
MOST_TRIED: Final = 6


def things() -> dict[str, str]:
    """Return the parts that can be deleted, by name, with their claims: properties, and bounded models that hold."""
    properties = {f"{spec.name}: {name}": "" for spec in _specs() for name in spec.properties}
    claims = {broken_by(each): each.claim for each in REGISTRY if isinstance(each, Fails) and each.claim}
    return properties | claims | {label(each): each.claim for each in REGISTRY if isinstance(each, Holds)}


def _specs() -> list[Spec[Any, Any]]:
    return list({id(each.spec): each.spec for each in REGISTRY}.values())


def again(entry: Evidence, *, every: bool = False) -> Evidence:
    """Return an entry with its present witnesses, but for an edit: of the stored kind, or of the first that notices."""
    if entry.texts or every:
        entry = replace(entry, texts=tuple(texts(entry.of)))
    if entry.proof or (every and not entry.texts):
        entry = replace(entry, proof=lost(entry.of, entry.proof))
    if entry.missed or (every and not (entry.texts or entry.proof)):
        entry = replace(entry, missed=bool(missed(entry.of)))
    return entry


def texts(thing: str) -> list[str]:
    """Return the wrong texts that a property alone refutes."""
    mine = [each for each in REGISTRY if isinstance(each, Fails) and broken_by(each) == thing]
    return [label(each) for each in mine if not rival(each)]


def broken_by(fails: Fails) -> str:
    """Return the name of the property that a wrong text breaks."""
    return f"{fails.spec.name}: {fails.broken}"


def rival(fails: Fails) -> str:
    """Return the properties that refute a wrong text in its model besides the one that it is for; may be empty."""
    like = next(each for each in REGISTRY if isinstance(each, Holds) and each.spec is fails.spec)
    model = _with_others(fails)
    try:
        graph = check(model, limit=of_texts.MOST_STATES, may_end=like.may_end, keep=True)
        if like.refines is not None:
            refines(model, like.refines.high(model), like.refines.view)
        if not (lasso := _lasso(model, graph)):
            return ""
        right = model.over(fails.spec)
        return "" if lasso == _lasso(right, check(right, limit=of_texts.MOST_STATES, keep=True)) else lasso
    except Violation as violation:
        return violation.name
    except LimitError:
        return ""
    except Exception as error:  # another property cannot be asked in a state that this one forbids
        return type(error).__name__


def _with_others(fails: Fails) -> Model[Any, Any]:
    """Return the model of a wrong text, with all of the right one but the property that it breaks."""
    model, right = fails.model(), fails.spec
    wrong = model.original
    text = Spec(wrong.name, wrong.state, wrong, without=wrong.properties)
    for mine, theirs in zip(text.tables()[1:4], right.tables()[1:4], strict=True):
        mine.update({name: item for name, item in theirs.items() if name != fails.broken})
    for name in text.actions.keys() & right.actions.keys():
        declared = right.actions[name]
        text.actions[name] = replace(text.actions[name], changes=declared.changes, whenever=declared.whenever)
    return model.over(text)


def _lasso(model: Model[Any, Any], graph: Graph[Any]) -> str:
    """Return a leads-to property that need not come; some do not in a model where tasks may take a request back."""
    try:
        liveness.check(model, graph)
    except Violation as violation:
        return violation.name
    return ""


def lost(thing: str, stored: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return an obligation of another property that has a counterexample without this one; empty if there is none.

    `stored`: no other is tried.  Of each case those are tried that have this premise, the first MOST_TRIED with the
    fewest others.
    """
    from spec.kit.prove import premises
    from spec.kit.prove.few import counterexample

    for case in CASES:
        name = thing.removeprefix(f"{case.spec.name}: ")
        if name in case.spec.invariants and stored[:1] in ((), (case.name,)):
            less = replace(case, spec=Spec(case.spec.name, case.spec.state, case.spec, without=[name]))
            pinned = premises.load()[case.name].premises
            fewest = sorted(pinned, key=lambda each: len(pinned[each]))
            others = (each for each in fewest if each.of != name and each.goal != POSSIBLE and name in pinned[each])
            for each in [Obligation(*stored[1:])] if stored else islice(others, MOST_TRIED):
                if counterexample(less, each) is not None:
                    return case.name, *each
    return ()


def missed(thing: str) -> str:
    """Return a part of a specification that is reached no more without a bounded model; empty if there is none."""
    holding = [each for each in REGISTRY if isinstance(each, Holds) and not each.full]
    gone = next((each for each in holding if label(each) == thing), None)
    if gone is None:
        return ""
    rest = sorted((each for each in holding if each.spec is gone.spec and each is not gone), key=of_texts.edges)
    found = cover(gone.spec, rest).missed
    return found[0].partition(": ")[2] if found else ""


def shows(edit: Edit, wanted: Collection[str]) -> Iterator[str]:
    """Yield those of the wanted things without which nothing would kill the mutant that this process has."""
    holding, wrong = of_texts.instances(edit)
    killer, by = "", None
    for by in holding:
        if killer := _kill(of_texts.broken(by)):
            break
    if not killer or by is None:
        return
    if label(by) in wanted:
        rest = [each for each in holding if each is not by]
        if not _noticed(edit, rest, wrong):
            yield label(by)
    thing = f"{by.spec.name}: {killer.removesuffix(f', {by.title}')}"
    if thing in wanted and thing != f"{by.spec.name}: {edit.where}":
        _take_out(thing)
        if not _noticed(edit, holding, [each for each in wrong if broken_by(each) != thing]):
            yield thing


def _take_out(thing: str) -> None:
    """Take a property out of its specification, for the rest of this process."""
    for spec in _specs():
        for table in spec.tables()[1:4]:
            table.pop(thing.removeprefix(f"{spec.name}: "), None)


def _noticed(edit: Edit, holding: list[Holds], wrong: list[Fails]) -> bool:
    """Whether these bounded models and wrong texts kill the mutant."""
    names = {each.spec.name for each in holding}
    unreached = (of_texts.vacuous(holding, name) for name in of_texts.FILES[edit.file] if name in names)
    every = chain(map(of_texts.broken, holding), map(of_texts.unrefuted, wrong), unreached)
    return any(map(_kill, every))


def _kill(found: str) -> str:
    return "" if found.startswith(WEAK) else found
