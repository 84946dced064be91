"""The specifications: every property can fail, every rule has its own name, symmetry is as claimed."""

from collections.abc import Callable
from math import factorial
from types import ModuleType
from typing import Any

import pytest

from spec.callbacks import callback_model
from spec.callbacks import mutants as callbacks
from spec.crawl import crawl_model, fifo_model
from spec.crawl import mutants as crawls
from spec.crawl.bounded import star
from spec.creation import creation_model
from spec.creation import mutants as births
from spec.future import future_model
from spec.future import mutants as futures
from spec.kit.bounded import Fails
from spec.kit.core import Named, Spec
from spec.kit.model import Model
from spec.kit.search import check
from spec.locks import event_model, lock_model
from spec.locks import mutants as locks
from spec.queue import mutants as queues
from spec.queue import queue_model
from spec.registry import REGISTRY
from spec.scopes import mutants as nests
from spec.scopes import scope_model
from spec.stream import mutants as streams
from spec.stream import stream_model
from spec.task import hops_model, task_model
from spec.task import mutants as tasks

TEXTS: dict[str, Spec[Any, Any]] = {i.spec.name: i.spec for i in REGISTRY}
#: (text, property) that the check must find broken: it explores these instances.
MUST_FAIL = {(i.spec.name, i.broken) for i in REGISTRY if isinstance(i, Fails)}
#: Rules defined in another specification than their family: tasks await futures, and are created.
ELSEWHERE = {"FUT-4", "TASK-6", "TASK-14"}


def rules(text: Spec[Any, Any]) -> list[Named]:
    return [item for table in text.tables() for item in table.values()]


def family(item: Named) -> str:
    return item.rule.partition("-")[0]


def families() -> list[str]:
    return sorted({family(item) for text in TEXTS.values() for item in rules(text)})


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_property_must_fail_somewhere(text: Spec[Any, Any]) -> None:
    assert {broken for name, broken in MUST_FAIL if name == text.name} >= set(text.properties)


@pytest.mark.parametrize("module", [
    crawls, queues, streams, callbacks, futures, tasks, births, nests, locks,
], ids=lambda module: module.__name__)  # fmt: skip
def test_every_known_error_must_be_found_somewhere(module: ModuleType) -> None:
    tables = [value if type(value) is dict else {"": value} for value in vars(module).values()]
    values = [spec for table in tables for spec in table.values()]
    errors = {spec.name for spec in values if isinstance(spec, Spec)} - set(TEXTS)
    assert errors
    assert errors <= {i.model().spec.name for i in REGISTRY if isinstance(i, Fails)}


def test_every_rule_has_an_identifier_of_its_own_in_the_family_of_its_text() -> None:
    every = [item.rule for text in TEXTS.values() for item in rules(text)]
    assert len(set(every)) == len(every)
    items = [(text, item) for text in TEXTS.values() for item in rules(text)]
    of_texts = {(text.name, family(item)) for text, item in items if item.rule not in ELSEWHERE}
    assert len(families()) == len(of_texts)


# Symmetry.

#: For each specification, a function that makes a small model, symmetric or not, with so many tasks or workers.
SMALL: dict[str, tuple[Callable[[bool], Model[Any, Any]], int]] = {
    "queue": (lambda symmetric: queue_model(3, 1, 1, symmetric=symmetric), 3),
    "locks": (lambda symmetric: lock_model(3, 2, symmetric=symmetric), 3),
    "events": (lambda symmetric: event_model(3, symmetric=symmetric), 3),
    "crawl": (lambda symmetric: crawl_model(star(6, 3), symmetric=symmetric), 3),
    "crawl_fifo": (lambda symmetric: fifo_model(star(5, 3), symmetric=symmetric), 3),
    "stream": (lambda symmetric: stream_model(2, 1, 1, size=1, faulty=True, symmetric=symmetric), 2),
    "callbacks": (lambda symmetric: callback_model(3, 1, symmetric=symmetric), 3),
    "future": (lambda symmetric: future_model(3, 1, 1, symmetric=symmetric), 3),
    "creation": (lambda symmetric: creation_model(3, eager=True, symmetric=symmetric), 3),
    "scopes": (lambda symmetric: scope_model(0, 2, symmetric=symmetric), 2),
    "task": (lambda symmetric: task_model(2, 0, symmetric=symmetric), 2),
    "task_hops": (lambda symmetric: hops_model(2, 1, symmetric=symmetric), 2),
}


@pytest.mark.short("queue", "locks", "events", "crawl", "future", "creation", "task", why="a second each")
@pytest.mark.parametrize("text", TEXTS)
def test_symmetric_models_visit_one_state_of_each_class(text: str) -> None:
    model, names = SMALL[text]
    canon = model(True).canon
    assert canon is not None
    # The properties do not matter here.
    bare = Spec(text, TEXTS[text].state, extends=TEXTS[text], without=list(TEXTS[text].properties))
    whole, found = check(model(False).over(bare)), check(model(True).over(bare))
    assert set(found.states) == {canon(s) for s in whole.states}
    assert [canon(s) for s in found.states] == found.states
    assert len(found.states) < len(whole.states) <= factorial(names) * len(found.states)
    assert found.depth == whole.depth
