"""Rule identifiers: each one that is named is also defined, and each one that is defined is named by a check.

A rule is defined in a specification (the kit checks its docstring) or in spec/promises.py.  A rule of our own loop
(KERNEL, ORDER) is defined in the docstring of a module of impl.
"""

from __future__ import annotations

import ast
import re

from spec.registry import REGISTRY

from ..dev.pythons import ROOT

FAMILIES = (
    "FUT|TASK|CANCEL|AWAIT|SHIELD|CHAIN|HOP|LOCK|SEM|COND|EVENT|BARRIER|QUEUE|SLEEP|GATHER|WAIT|WAITFOR|ASDONE|TIMEOUT|GROUP|SCOPE|START"
    "|ENSURE|WRAP|LOOP|RUN|KERNEL|ORDER|CRAWL|FIFO|NET|STREAM"
)
RULE = re.compile(rf"\b(?:{FAMILIES})-\d+\b")


def sources(*folders: str) -> dict[str, str]:
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
    }


def heads() -> set[str]:
    """Return the rules in the module docstrings of impl."""
    texts = (ast.get_docstring(ast.parse(text)) or "" for text in sources("impl").values())
    return {rule for text in texts for rule in RULE.findall(text)}


def of_spec() -> set[str]:
    return {rule for text in sources("spec").values() for rule in RULE.findall(text)}


def test_every_rule_that_is_named_is_given() -> None:
    given = heads() | of_spec()
    named = {
        (rule, name) for name, text in sources("impl", "model_tests").items() for rule in RULE.findall(text)
    }
    assert {(rule, name) for rule, name in named if rule not in given} == set()


def test_every_rule_of_impl_is_named_by_a_check() -> None:
    checks = sources("model_tests")
    del checks["model_tests/tests/test_rules.py"]
    named = {rule for text in checks.values() for rule in RULE.findall(text)}
    properties = {rule for text in sources("spec").values() for rule in RULE.findall(text)}
    assert heads() - named - properties == set()


def test_there_are_specs_to_name_rules() -> None:
    assert REGISTRY
    assert len(of_spec()) > 10
    assert len(heads()) > 20
