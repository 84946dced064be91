"""`loopspec rules`: what the texts state, rule by rule: what kind, on what it rests, where it stands.

Theory of operation.  A line a rule, in the order of its text: identifier, kind, name, what an action is besides (fair,
hidden, answered), standing, file and line, source.  Nothing is explored.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from ..instances import REGISTRY
from ..kit.core import Named, Spec
from ..kit.rules import rule_of, where
from .target import Parser, UsageError, chosen

#: What the tables of a specification hold, in their order.
KINDS = ("action", "invariant", "step", "leads-to", "assumption", "initial")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with those arguments (None: those of the process); returns the exit status."""
    parser = Parser(prog="loopspec rules", description="List the rules of the specifications.")
    try:
        instances, _ = chosen(parser.parse_args(argv).target, REGISTRY)
    except UsageError as error:
        print(f"loopspec rules: {error}", file=sys.stderr)
        return 2
    texts = list({id(instance.spec): instance.spec for instance in instances}.values())
    rows = {id(spec): list(rules(spec)) for spec in texts}
    widths = [
        max(map(len, column)) for column in zip(*(row for of in rows.values() for row in of), strict=True)
    ]
    for spec in texts:
        print(f"{spec.name}: {len(rows[id(spec)])} rules")
        for row in rows[id(spec)]:
            print(
                "  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
            )
    return 0


def rules(spec: Spec[Any, Any]) -> Iterator[tuple[str, ...]]:
    """The cells of every line of a text."""
    for kind, table in zip(KINDS, spec.tables(), strict=True):
        for item in table.values():
            rule = rule_of(item)
            at = ":".join(map(str, where(item.fn)))
            yield rule.identifier, kind, item.name, traits(item), rule.standing or "-", at, rule.source or "-"


def traits(item: Named) -> str:
    """What an action is besides."""
    had = {"fair": item.fair, "hidden": item.hidden, "answered": item.answer is not None}
    return " ".join(name for name, holds in had.items() if holds)
