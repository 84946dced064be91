"""The files of the wheel: `spec`, `impl`, and of `model_tests` the modules that users reach, with their data.

A module of `model_tests` is in the wheel if a command, the plugin of pytest or a module of the documented API imports
it, directly or through others.  So a corpus, or a tool of this project, is in no wheel, and needs no list.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from setuptools import find_packages  # type: ignore[import-untyped]  # it has no types

from ..commands.table import COMMANDS
from .imports import modules, reached

# `Any` in this file: pyproject.toml has values of many types.
Table = dict[str, Any]

#: The package of which the wheel holds a part.
PARTLY: Final = "model_tests"
#: The modules that users run or import: those of the commands, of the plugin, and of the documented API.
ENTRANCES: Final = (
    *(module[1:] for module, _ in COMMANDS.values() if module.startswith(f".{PARTLY}.")),
    *("model_tests", "model_tests.commands.cli", "model_tests.explored.plugin"),
    *(
        f"model_tests.refinement.{name}"
        for name in (
            "check_implementation",
            "machines.objects",
            "machines.outcomes",
            "machines.queue",
            "subjects",
        )
    ),
)
#: Modules that others import by their names; of a package, all.
BY_NAME: Final = (
    "model_tests.conformance.child",
    "model_tests.conformance.facts",
    "model_tests.conformance.subjects.profiles",
    "model_tests.refinement.crawl_reference",
    "model_tests.refinement.references",
)


class NoEntrance(Exception):
    """A module that users need is not in the tree; `str` names it."""


def files(root: Path, pyproject: Table) -> Iterator[Path]:
    """Yield the files of the wheel, relative to `root`: modules and package data.

    Raises:
        NoEntrance: a module that users need is not there.
    """
    table = pyproject["tool"]["setuptools"]
    data: dict[str, list[str]] = table.get("package-data", {})
    needed = set(_needed(root / PARTLY)) if (root / PARTLY).is_dir() else set()
    for package in sorted(find_packages(str(root), **table["packages"]["find"])):
        folder = root.joinpath(*package.split("."))
        paths = sorted(folder.glob("*.py"))
        if package.partition(".")[0] == PARTLY:
            paths = [path for path in paths if path in needed]
        patterns = (*data.get("*", ()), *data.get(package, ())) if paths else ()
        for path in (*paths, *(found for pattern in patterns for found in sorted(folder.glob(pattern)))):
            yield path.relative_to(root)


def _needed(package: Path) -> Iterator[Path]:
    """The modules of the package that users reach."""
    known = modules(package)
    roots = [name for name in known if any(f"{name}.".startswith(f"{each}.") for each in BY_NAME)]
    for name in ENTRANCES + BY_NAME:
        if name not in known:
            raise NoEntrance(
                f"{name} is not in {package}, and users need it: see model_tests/dev/contents.py"
            )
    for name in reached(package, [*ENTRANCES, *roots]):
        yield known[name]
