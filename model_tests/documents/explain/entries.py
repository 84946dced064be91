"""All rules, each with the place where it is given, and the search among them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from spec.commands.rules import KINDS, traits
from spec.kit.core import Named, Spec
from spec.kit.rules import Promise, Rule, rule_of
from spec.promises import PROMISES
from spec.registry import REGISTRY


@dataclass(frozen=True)
class Entry:
    """A rule, its kind, and where it is given: a registered function of a specification, or a promise."""

    rule: Rule
    kind: str
    spec: Spec[Any, Any] | None = None  # of any specification
    item: Named | None = None
    promise: Promise | None = None

    @property
    def id(self) -> str:
        return self.rule.identifier

    @property
    def name(self) -> str:
        """The name of the function that states it; empty for a promise."""
        return self.item.name if self.item else ""

    @property
    def family(self) -> str:
        """Return the identifier without its number."""
        return self.id.partition("-")[0]

    @property
    def title(self) -> str:
        """Its kind, in a few words."""
        if self.spec is None or self.item is None:
            return f"promise, of the {self.promise.where}" if self.promise else ""
        return f"{self.item.name}, {self.kind} of {self.spec.name}"

    @property
    def text(self) -> str:
        """All that a search looks at."""
        return f"{self.id} {self.title} {self.rule.sentence} {self.rule.source}".casefold()


@cache
def entries() -> dict[str, Entry]:
    """Return all rules: those of the specifications in their order, then the promises."""
    specs = {id(instance.spec): instance.spec for instance in REGISTRY}.values()
    found = [
        Entry(rule_of(item), " ".join([traits(item), kind]).strip(), spec, item)
        for spec in specs
        for kind, table in zip(KINDS, spec.tables(), strict=True)
        for item in table.values()
    ]
    found += [
        Entry(Rule(each.rule, each.text, each.source, each.standing), "promise", promise=each)
        for each in PROMISES
    ]
    return {entry.id: entry for entry in found}


@cache
def names() -> frozenset[str]:
    """Return the names of the specifications."""
    return frozenset(instance.spec.name for instance in REGISTRY)


def search(words: Sequence[str]) -> list[Entry]:
    """Return the rule of this identifier, or those that begin with it, or those that contain all words."""
    known, wanted = entries(), " ".join(words).upper()
    if wanted in known:
        return [known[wanted]]
    family = [entry for entry in known.values() if re.fullmatch(rf"{re.escape(wanted)}(-?\d*)", entry.id)]
    return family or [
        entry for entry in known.values() if all(word.casefold() in entry.text for word in words)
    ]
