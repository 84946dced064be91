"""Where the sources name a rule: of each file the first place, with the function or class around it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Final

from spec import promises
from spec.kit.core import RULE
from spec.kit.rules import NAMED

from ...programs.vectors.catalogue import FAMILIES
from ...programs.vectors.vector import HEAD

HOME: Final = Path(__file__).parents[3]
TESTS: Final = HOME / "model_tests" / "tests"


@cache
def named(folder: Path) -> dict[str, list[str]]:
    """Return the places below a folder that name each rule, as `file:line (function)`."""
    found: dict[str, list[str]] = {}
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.txt")]):
        text = path.read_text(encoding="utf-8")
        lines = {
            match[0]: text.count("\n", 0, match.start()) + 1 for match in reversed([*NAMED.finditer(text)])
        }
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
    path = Path(promises.__file__)
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
