"""The texts of spec: every property can fail, every rule has a source, symmetry is as claimed.

Theory of operation.  A property that nothing can break says nothing, so for each of them a mutant stands below: a
derived specification with a wrong action, in which exactly this property is looked at and must be found broken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from spec import queue as queues
from spec.instances import REGISTRY
from spec.kit.check import Violation, explore
from spec.kit.core import Named, Spec
from spec.kit.instance import Fails, only
from spec.kit.model import Model
from spec.models.queue import queue_model
from spec.queue import At, Item, Queue, Sig, Task, queue

from ..pythons import ROOT

# Wrong actions.  Each stands in the place of the right one that MUTANTS names, and often spoils its result.


def unwind_keeping_the_signal(k: queues.Const, s: Queue, t: Task) -> Iterator[Queue]:
    for q in queues.unwind(k, s, t):
        yield replace(q, sig=q.sig | {t: s.sig[t]})


def put_counting_twice(k: queues.Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
    for q in queues.put(k, s, t, x):
        yield q if q.sent == s.sent else replace(q, unfinished=q.unfinished + 1)


def get_the_newest(k: queues.Const, s: Queue, t: Task) -> Iterator[Queue]:
    for q in queues.get(k, s, t):
        yield q if q.got == s.got else replace(q, buf=s.buf[:-1], got=s.got + s.buf[-1:])


def task_done_releasing_nobody(k: queues.Const, s: Queue, t: Task) -> Iterator[Queue]:
    for q in queues.task_done(k, s, t):
        yield replace(q, sig=s.sig)


def cancel_standing_in_line(k: queues.Const, s: Queue, t: Task) -> Iterator[Queue]:
    for q in queues.cancel(k, s, t):
        yield replace(q, line=s.line)


def put_waking_anyone(k: queues.Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
    for q in queues.put(k, s, t, x):
        for w in k.tasks:
            if queues.waits(s, w, At.GET):
                yield replace(q, sig=s.sig | {w: Sig.WOKEN}, line=queues.without(k, s, w))
        yield q


def get_resume_with_nothing(k: queues.Const, s: Queue, t: Task) -> Iterator[Queue]:
    if s.at[t] == At.GET and s.sig[t] == Sig.WOKEN:
        yield queues.idle(s, t)


def mutant(base: Spec[Any, Any], action: str, wrong: Callable[..., Iterator[Any]]) -> Spec[Any, Any]:
    """`base` with `wrong`, of any signature, in the place of `action`."""
    derived = Spec(f"{base.name}: {wrong.__name__}", base.state, base, without=[action])
    wrong.__doc__ = f"{base.actions[action].rule}: Wrong."
    derived.action()(wrong)
    return derived


@dataclass(frozen=True)
class Mutant:
    """`broken` must be found broken in the model that `model` makes of `spec`."""

    broken: str
    spec: Spec[Any, Any]
    model: Callable[[Spec[Any, Any]], Model[Any, Any]]


def wrong_queue(action: str, wrong: Callable[..., Iterator[Queue]], broken: str) -> Mutant:
    spec = mutant(queue, action, wrong)
    return Mutant(broken, spec, lambda spec: queue_model(3, 2, 2, items=2, spec=spec))


MUTANTS = [
    wrong_queue("unwind", unwind_keeping_the_signal, "clean"),
    wrong_queue("put", put_counting_twice, "conserved"),
    wrong_queue("get", get_the_newest, "fifo"),
    wrong_queue("task_done", task_done_releasing_nobody, "join_waits"),
    wrong_queue("cancel", cancel_standing_in_line, "lined_up"),
    wrong_queue("put", put_waking_anyone, "oldest_first"),
    wrong_queue("get_resume", get_resume_with_nothing, "served"),
]
TEXTS: dict[str, Spec[Any, Any]] = {i.spec.name: i.spec for i in REGISTRY}
STANDING = r"\[[^]]+;\s+(documented|settled|defined)\]$"
#: The instances that must fail are mutants too: the check explores them.
KILLED = {(i.spec.name, i.broken) for i in REGISTRY if isinstance(i, Fails)}


def rules(text: Spec[Any, Any]) -> list[Named]:
    return [item for table in text.tables() for item in table.values()]


def family(item: Named) -> str:
    return item.rule.partition("-")[0]


def families() -> list[str]:
    return sorted({family(item) for text in TEXTS.values() for item in rules(text)})


@pytest.mark.parametrize("wrong", MUTANTS, ids=lambda m: f"{m.broken}, {m.spec.name}")
def test_a_mutant_breaks_its_property(wrong: Mutant) -> None:
    with pytest.raises(Violation) as caught:
        explore(wrong.model(only(wrong.spec, wrong.broken)))
    assert caught.value.name == wrong.broken


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_property_has_a_mutant(text: Spec[Any, Any]) -> None:
    assert {broken for name, broken in KILLED if name == text.name} >= set(text.properties)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_rule_has_a_source_and_a_standing(text: Spec[Any, Any]) -> None:
    assert [i.name for i in rules(text) if not re.search(STANDING, i.doc)] == []


def test_every_rule_has_an_identifier_of_its_own_in_the_family_of_its_text() -> None:
    every = [item.rule for text in TEXTS.values() for item in rules(text)]
    assert len(set(every)) == len(every)
    assert len(families()) == len({(text.name, family(i)) for text in TEXTS.values() for i in rules(text)})


def test_every_rule_that_is_named_exists() -> None:
    known = {item.rule for text in TEXTS.values() for item in rules(text)}
    named = {
        (path.relative_to(ROOT).as_posix(), rule)
        for wing in ("spec", "impl", "model_tests")
        for path in sorted((ROOT / wing).rglob("*.py"))
        for rule in re.findall(rf"\b(?:{'|'.join(families())})-\d+\b", path.read_text(encoding="utf-8"))
    }
    assert sorted((path, rule) for path, rule in named if rule not in known) == []


# Symmetry.


def test_symmetric_models_visit_one_state_of_each_class() -> None:
    plain, symmetric = queue_model(3, 1, 2), queue_model(3, 1, 2, symmetric=True)
    assert symmetric.canon is not None
    found = explore(symmetric)
    assert set(found.states) == {symmetric.canon(s) for s in explore(plain).states}
    assert [symmetric.canon(s) for s in found.states] == found.states
