"""Rule identifiers: each one that is named is also given, and each one that is given is named by a check.

A rule is given in a specification (the kit checks its docstring) or in spec/promises.py; `loopspec explain` knows all.
"""

from __future__ import annotations

from spec.kit.rules import NAMED

from ..dev.pythons import ROOT
from ..documents.explain.entries import entries

#: Texts that look like an identifier: standards, and the example of a tutorial.
OTHERS = {"CRC-32", "SHA-256", "UTF-8", "UTF-16", "MY-1"}
#: The specifications of users: in tests, in the fuzz, and the one that `loopspec new` writes.
USERS = (
    "model_tests/tests/",
    "model_tests/commands/template.py",
    "model_tests/assurance/fuzz/specifications/",
)


def names(*folders: str) -> dict[str, set[str]]:
    """Return the identifiers that each file below these folders names."""
    return {
        path.relative_to(ROOT).as_posix(): set(NAMED.findall(path.read_text(encoding="utf-8")))
        for folder in folders
        for path in sorted([*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("catalogue/*.txt")])
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
    checked = set().union(*names("model_tests").values()) | {
        each.id for each in entries().values() if each.item
    }
    of_impl = set().union(*names("impl").values()) & entries().keys()
    assert len(of_impl) > 100
    assert of_impl - checked == set()
