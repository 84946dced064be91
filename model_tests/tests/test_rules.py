"""Rule identifiers: each one that is named is also given, and each one that is given is named by a check.

A rule is given in a specification (the kit checks its docstring) or in spec/promises.txt; `loopspec explain` knows all.
A promise, which is beyond the specifications, is listed once, has a source, and is named by impl.
"""

import re
from typing import get_args

import pytest

from spec.kit.rules import NAMED, Promise, PromiseStanding
from spec.promises import PROMISES, promises

from ..dev.pythons import ROOT
from ..documents.explain import command as explain
from ..documents.explain.entries import entries
from .fixtures import Captured

#: Texts that look like an identifier: standards, and the example of a tutorial.
OTHERS = {"CRC-32", "SHA-256", "UTF-8", "UTF-16", "MY-1"}
#: The specifications of users: in tests, and in the fuzz.
USERS = ("model_tests/tests/", "model_tests/assurance/fuzz/specifications/")


def names(*folders: str, texts: tuple[str, ...] = ("catalogue/*.txt", "facts/*.txt")) -> dict[str, set[str]]:
    """Return the identifiers that each file of Python, and each text, below these folders names."""
    return {
        path.relative_to(ROOT).as_posix(): set(NAMED.findall(path.read_text(encoding="utf-8")))
        for folder in folders
        for pattern in ("*.py", *texts)
        for path in sorted((ROOT / folder).rglob(pattern))
    }


def test_every_rule_that_is_named_is_known_to_explain() -> None:
    families = {entry.family for entry in entries().values()}
    unknown = {
        (rule, name)
        for name, named in names("impl", "spec", "model_tests").items()
        for rule in named - entries().keys() - OTHERS
        if not name.startswith(USERS) or rule.partition("-")[0] in families
    }
    assert unknown == set()


def test_each_exception_is_named() -> None:
    assert set().union(*names("impl", "spec").values()) >= OTHERS


def test_every_rule_that_impl_names_is_named_by_a_check() -> None:
    """A rule of a specification is a check itself."""
    checked = set().union(*names("model_tests").values()) | {each.id for each in entries().values() if each.item}
    of_impl = set().union(*names("impl").values()) & entries().keys()
    assert len(of_impl) > 100
    assert of_impl - checked == set()


#: A rule as the docstring of an action or a property gives it.
GIVEN = re.compile(r'"""([A-Z]+-\d+): ')


def test_every_promise_stands_once() -> None:
    rules = [promise.rule for promise in PROMISES]
    assert len(rules) > 70
    assert len(rules) == len(set(rules))


def test_no_promise_is_a_rule_of_a_text() -> None:
    texts = {rule: path.name for path in (ROOT / "spec").rglob("*.py") for rule in GIVEN.findall(path.read_text())}
    assert texts
    assert {(p.rule, texts[p.rule]) for p in PROMISES if p.rule in texts} == set()


def test_every_promise_is_named_where_it_is_kept_and_where_it_is_tested() -> None:
    """The vectors test those of asyncio's names (test_vectors.py)."""
    of_impl, of_tests = (names(folder, texts=("*.txt",)).values() for folder in ("impl", "model_tests/tests"))
    assert {promise.rule for promise in PROMISES}.difference(*of_impl) == set()
    assert {each.rule for each in PROMISES if each.where != "names"}.difference(*of_tests) == set()


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.rule)
def test_a_promise_has_a_sentence_a_source_and_a_standing(promise: Promise) -> None:
    assert promise.text.endswith(".")
    assert promise.source
    assert promise.standing in get_args(PromiseStanding)


def test_a_promise_without_a_source_is_refused() -> None:
    assert list(promises("# loop\n\nMY-1: It holds,\n    always.  [a book, p. 3; settled]\n")) == [
        Promise("MY-1", "It holds, always.", "a book, p. 3", "settled", "loop")
    ]
    with pytest.raises(AssertionError, match="MY-2"):
        list(promises("# names\n\nMY-2: It holds.\n"))
    with pytest.raises(AssertionError, match="# stars: not one of"):
        list(promises("# stars\n\nMY-3: It holds.  [a book; settled]\n"))


def test_the_promises_are_listed_after_the_texts(capsys: Captured) -> None:
    assert explain.main([]) == 0
    _, listed = capsys.readouterr().out.split(f"promises: {len(PROMISES)} rules\n")
    for promise, line in zip(PROMISES, listed.splitlines(), strict=True):
        assert line.split()[:4] == [promise.rule, "of", "the", promise.where]
        assert f"  {promise.standing}  " in line
        assert line.endswith(promise.source)
    assert explain.main(["--rules", "queue"]) == 0
    assert "promises" not in capsys.readouterr().out
