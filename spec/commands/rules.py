"""The list of `loopspec explain --rules`: the rules of the specifications, a line each, or as JSON with sentences.

The lines are in the order of the specification: identifier, kind, name, traits of an action (fair, hidden, answered),
standing, file and line, source.  Last come the promises: of the names, the loop, the crawl or the kernel.  No model is
searched.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ..kit.core import Named, Spec
from ..kit.rules import Rule, rule_of, where
from ..promises import PROMISES
from ..registry import REGISTRY
from .target import chosen

#: The kinds of the tables of a specification, in their order.
KINDS = ("action", "invariant", "step", "leads-to", "assumption", "initial")


def listed(target: str | None) -> tuple[list[str], str]:
    """The rules of the specifications that `target` names, None: of all, with the promises: as lines, and as JSON.

    Raises:
        UsageError: there is no such specification, or the file has an error.
    """
    instances, _ = chosen(target, REGISTRY)
    specs = {id(instance.spec): instance.spec for instance in instances}.values()
    return list(lines(specs, target is None)), as_json(cited(specs, promises=target is None))


def lines(specs: Iterable[Spec[Any, Any]], promises: bool) -> Iterator[str]:
    """The lines of the list."""
    lists = [(spec.name, list(rules(spec))) for spec in specs]
    if promises:
        lists.append(("promises", list(promised())))
    widths = [max(map(len, column)) for column in zip(*(row for _, rows in lists for row in rows), strict=True)]
    for name, rows in lists:
        yield f"{name}: {len(rows)} rules"
        for row in rows:
            cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
            yield "  " + "  ".join(cells).rstrip()


def cited(specs: Iterable[Spec[Any, Any]], promises: bool) -> Iterator[Rule]:
    """The rules of specifications, and the promises, each once."""
    seen: set[str] = set()
    of_specs = [rule_of(item) for spec in specs for table in spec.tables() for item in table.values()]
    for rule in [*of_specs, *(Rule(p.rule, p.text, p.source, p.standing) for p in PROMISES if promises)]:
        if rule.identifier not in seen:
            seen.add(rule.identifier)
            yield rule


def as_json(of: Iterable[Rule]) -> str:
    """Rules as a list of JSON, one a line: identifier, family, standing, sentence, source."""
    rows = [
        {
            "identifier": rule.identifier,
            "family": rule.identifier.rpartition("-")[0],
            "standing": rule.standing,
            "sentence": rule.sentence,
            "source": rule.source,
        }
        for rule in of
    ]
    return "[\n" + ",\n".join(map(json.dumps, rows)) + "\n]"


def rules(spec: Spec[Any, Any]) -> Iterator[tuple[str, ...]]:
    """The cells of every line of a specification."""
    for kind, table in zip(KINDS, spec.tables(), strict=True):
        for item in table.values():
            rule = rule_of(item)
            at = ":".join(map(str, where(item.fn)))
            yield rule.identifier, kind, item.name, traits(item), rule.standing or "-", at, rule.source or "-"


def promised() -> Iterator[tuple[str, ...]]:
    """The cells of every line of the promises."""
    for promise in PROMISES:
        kind = f"of the {promise.where}"
        yield promise.rule, kind, "", "", promise.standing, "spec/promises.txt", promise.source


def traits(item: Named) -> str:
    """Whether an action is fair, hidden or answered."""
    had = {"fair": item.fair, "hidden": item.hidden, "answered": item.answer is not None}
    return " ".join(name for name, holds in had.items() if holds)
