"""The promises beyond the specifications: each is listed once, is not a rule of a specification, has a source, and is
named by impl.
"""

from __future__ import annotations

import re
from typing import get_args

import pytest

from spec.kit.rules import NAMED, Promise, PromiseStanding
from spec.promises import PROMISES, promises

from ..dev.pythons import ROOT
from ..documents.explain import command as explain

#: A rule as the docstring of an action or a property gives it.
GIVEN = re.compile(r'"""([A-Z]+-\d+): ')


def test_every_promise_stands_once() -> None:
    rules = [promise.rule for promise in PROMISES]
    assert len(rules) > 70
    assert len(rules) == len(set(rules))


def test_no_promise_is_a_rule_of_a_text() -> None:
    texts = {
        rule: path.name for path in (ROOT / "spec").rglob("*.py") for rule in GIVEN.findall(path.read_text())
    }
    assert texts
    assert {(p.rule, texts[p.rule]) for p in PROMISES if p.rule in texts} == set()


def test_every_promise_is_named_where_it_is_kept_and_where_it_is_tested() -> None:
    """The vectors test those of asyncio's names (test_vectors.py)."""
    assert {promise.rule for promise in PROMISES} - named("impl") == set()
    assert {promise.rule for promise in PROMISES if promise.where != "names"} - named(
        "model_tests/tests"
    ) == set()


def named(folder: str) -> set[str]:
    """Return the rules that the files of a folder name."""
    files = [*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("*.txt")]
    return {rule for path in files for rule in NAMED.findall(path.read_text("utf-8"))}


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.rule)
def test_a_promise_has_a_sentence_a_source_and_a_standing(promise: Promise) -> None:
    assert promise.text.endswith(".")
    assert promise.source
    assert promise.standing in get_args(PromiseStanding)


def test_a_promise_without_a_source_is_refused() -> None:
    assert list(promises("\nMY-1: It holds,\n    always.  [a book, p. 3; settled]\n", "loop")) == [
        Promise("MY-1", "It holds, always.", "a book, p. 3", "settled", "loop")
    ]
    with pytest.raises(AssertionError, match="MY-2"):
        list(promises("\nMY-2: It holds.\n", "names"))


def test_the_promises_are_listed_after_the_texts(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain.main([]) == 0
    _, listed = capsys.readouterr().out.split(f"promises: {len(PROMISES)} rules\n")
    for promise, line in zip(PROMISES, listed.splitlines(), strict=True):
        assert line.split()[:4] == [promise.rule, "of", "the", promise.where]
        assert f"  {promise.standing}  " in line
        assert line.endswith(promise.source)
    assert explain.main(["--rules", "queue"]) == 0
    assert "promises" not in capsys.readouterr().out
