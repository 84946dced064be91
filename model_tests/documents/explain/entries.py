"""All rules, each with the place where it is given, and the search among them; and where the sources name a rule.

Of each file that is the first place, with the function or class around it.
"""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from spec import promises
from spec.commands.rules import KINDS, traits
from spec.kit.core import RULE, Named, Spec
from spec.kit.rules import NAMED, Promise, Rule, rule_of
from spec.promises import PROMISES
from spec.registry import REGISTRY

from ...programs.vectors.catalogue import FAMILIES
from ...programs.vectors.vector import HEAD


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
        Entry(Rule(each.rule, each.text, each.source, each.standing), "promise", promise=each) for each in PROMISES
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
    return family or [entry for entry in known.values() if all(word.casefold() in entry.text for word in words)]


# --- places -----------------------------------------------------------------------------------------------------------

HOME: Final = Path(__file__).parents[3]
TESTS: Final = HOME / "model_tests" / "tests"


@cache
def named(folder: Path) -> dict[str, list[str]]:
    """Return the places below a folder that name each rule, as `file:line (function)`."""
    found: dict[str, list[str]] = {}
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.txt")]):
        text = path.read_text(encoding="utf-8")
        lines = {match[0]: text.count("\n", 0, match.start()) + 1 for match in reversed([*NAMED.finditer(text)])}
        tree = ast.parse(text if lines and path.suffix == ".py" else "")
        for rule, line in lines.items():
            name = _around(tree, line)
            place = f"{path.relative_to(HOME).as_posix()}:{line}" + (f" ({name})" if name else "")
            found.setdefault(rule, []).append(place)
    return found


def _around(tree: ast.Module, line: int) -> str:
    """The innermost function or class around a line, with those around it; empty outside of all."""
    names: list[str] = []
    inside: list[ast.stmt] = list(tree.body)
    while inside:
        match inside.pop():
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() as node if (
                node.lineno <= line <= (node.end_lineno or 0)
            ):
                names.append(node.name)
                inside = list(node.body)
    return ".".join(names)


@cache
def promised() -> dict[str, str]:
    """Return the place of each promise, by its rule, as `file:line`."""
    path = promises.TABLE
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    given = {line.partition(":")[0]: number for number, line in lines if RULE.match(line)}
    return {rule: f"{path.relative_to(HOME).as_posix()}:{number}" for rule, number in given.items()}


@cache
def vectors() -> dict[str, str]:
    """Return the place of each vector, by its name, as `file:line`; of a handover that of its scenario."""
    found = {}
    for family in FAMILIES:
        lines = enumerate(family.path.read_text(encoding="utf-8").splitlines(), 1)
        written = {head["name"]: number for number, line in lines if (head := HEAD.fullmatch(line))}
        for vector in family.vectors:
            name = vector.name if vector.name in written else vector.name.partition(":")[0]
            found[vector.name] = f"{family.path.relative_to(HOME).as_posix()}:{written[name]}"
    return found
