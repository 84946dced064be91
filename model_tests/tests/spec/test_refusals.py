"""The refusals of the subset and the prover: each reason ends with the text to write instead."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spec.kit.render import subset

from ...dev.pythons import ROOT


def refusals() -> Iterator[tuple[str, str]]:
    """(place, text) of every reason that a reader gives with `at`, `bad` or Unreadable for refusing code."""
    for folder in ("render", "prove"):
        for path in sorted((ROOT / "spec" / "kit" / folder).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Raise):
                    text = ast.unparse(node)
                    if "Unreadable(" in text and "{why}" not in text:
                        yield f"{path.name}:{node.lineno}", text
                if isinstance(node, ast.Call) and len(node.args) == 2:
                    called = ast.unparse(node.func)
                    if called == "at" or called.endswith(".bad"):
                        yield f"{path.name}:{node.lineno}", ast.unparse(node.args[1])


def test_every_refusal_says_what_to_write_instead() -> None:
    """As text of its own, or by one of the names that have such a text."""
    reasons = dict(refusals())
    assert len(reasons) > 40
    named = {name: getattr(subset, name) for name in ("OTHER_STATEMENT", "ON_THE_RIGHT", "PARTS")}
    named |= {f"WHY[ast.{node.__name__}]": why for node, why in subset.WHY.items()}
    silent = {
        place: reason
        for place, reason in reasons.items()
        if ": " not in named.get(reason, reason) and not reason.startswith(("WHY.get(", "why", "str(error)"))
    }
    assert silent == {}
    assert [why for why in subset.WHY.values() if ": " not in why] == []
