"""The texts of spec: every property can fail, every rule has a source, symmetry is as claimed."""

from __future__ import annotations

import re
from typing import Any

import pytest

from spec.instances import REGISTRY
from spec.kit.check import explore
from spec.kit.core import Named, Spec
from spec.kit.instance import Fails
from spec.models.queue import queue_model

from ..pythons import ROOT

TEXTS: dict[str, Spec[Any, Any]] = {i.spec.name: i.spec for i in REGISTRY}
STANDING = r"\[[^]]+;\s+(documented|settled|defined)\]$"
#: (text, property) that the check must find broken: it explores these instances.
MUST_FAIL = {(i.spec.name, i.broken) for i in REGISTRY if isinstance(i, Fails)}


def rules(text: Spec[Any, Any]) -> list[Named]:
    return [item for table in text.tables() for item in table.values()]


def family(item: Named) -> str:
    return item.rule.partition("-")[0]


def families() -> list[str]:
    return sorted({family(item) for text in TEXTS.values() for item in rules(text)})


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_property_must_fail_somewhere(text: Spec[Any, Any]) -> None:
    assert {broken for name, broken in MUST_FAIL if name == text.name} >= set(text.properties)


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
