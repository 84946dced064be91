"""The wheel: one package, `loopspec`, a facade that holds the three packages that a checkout has at its top level.

Installed under their own names, `spec`, `impl` and `model_tests` would collide with every project that has a folder of
that name.  `backend.py` therefore builds from a copy of the tree (`stage`) that has them as subpackages of `loopspec`:

Import statements that name a module of the three get the prefix (`Names.rewrite`); `import impl` becomes `from loopspec
import impl`, so the code after it stays as it is.  Relative imports need no change, and no other text has any: what
code imports or runs by its name is derived from `__package__`.  In pyproject.toml the entry points get the prefix
(`metadata`).  `loopspec/__init__.py` is facade.txt.

No line is added or removed: reports name the same lines as in the checkout.  If `leftovers` finds a string that would
import a module of the checkout, or an import of a module that is not in the wheel, no wheel is built.

The files are `spec`, `impl`, and of `model_tests` the modules that users reach, with their data.  A module of
`model_tests` is in the wheel if a command, the plugin of pytest or a module of the documented API imports it, directly
or through others.  So a corpus, or a tool of this project, is in no wheel, and needs no list.

    python -m model_tests.dev.wheel FOLDER      write the copy into FOLDER, to look at it
"""

import ast
import json
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from setuptools import find_packages  # type: ignore[import-untyped]  # it has no types

from ..commands.table import COMMANDS
from .imports import modules, reached
from .pythons import ROOT

# `Any` in this file: pyproject.toml has values of many types.
Table = dict[str, Any]

#: The package with a part in the wheel.
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
            raise NoEntrance(f"{name} is not in {package}, and users need it: see model_tests/dev/wheel.py")
    for name in reached(package, [*ENTRANCES, *roots]):
        yield known[name]


# --- one package ------------------------------------------------------------------------------------------------------

#: The tables of pyproject.toml with values of the form "module:function".
ENTRY_POINTS: Final = ("scripts", "gui-scripts", "entry-points")
#: Functions that take the name of a module, a string, as their first argument.
IMPORTERS: Final = frozenset({"import_module", "__import__", "find_spec", "getLogger"})

#: `loopspec/__init__.py`.
FACADE: Final = Path(__file__).with_name("facade.txt")
#: `loopspec/__main__.py`, with the module of the command.
MAIN: Final = '''\
"""`python -m loopspec`: the command."""

import sys

from {module} import {function}

if __name__ == "__main__":
    sys.exit({function}())
'''

#: The forms of import statements, up to the name of the module.
_FROM: Final = re.compile(r"^([ \t]*from +)([\w.]+)(?= +import\b)")
_IMPORT_AS: Final = re.compile(r"^([ \t]*import +)(\w+(?:\.\w+)+)(?= as \w)")
_IMPORT: Final = re.compile(r"^([ \t]*)(import +)(\w+)(?=(?: as \w+)?[ \t]*(?:[#;]|$))")
#: The Python programs in a document.
_PROGRAM: Final = re.compile(r"(?ms)^```python\n(.*?)^```$")


class WheelError(Exception):
    """The tree cannot be made into a wheel; `str` names the file, the line and the reason."""


@dataclass(frozen=True)
class ModuleNames:
    """The modules of a tree, by dotted name, and the `package` that they become parts of."""

    package: str
    modules: frozenset[str]

    def ours(self, name: str | None) -> bool:
        """Whether `name` begins with one of the packages at the top level of the tree."""
        return (name or "").partition(".")[0] in self.modules

    def rewrite(self, code: str) -> str:
        """The same code as a part of the package.  Raises SyntaxError."""
        lines = code.split("\n")
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Import | ast.ImportFrom):
                line = lines[node.lineno - 1]
                line = _FROM.sub(lambda found: self._named(found[1], found[2], f"{self.package}."), line, 1)
                line = _IMPORT_AS.sub(lambda found: self._named(found[1], found[2], f"{self.package}."), line, 1)
                lines[node.lineno - 1] = _IMPORT.sub(self._taken, line, 1)
        return "\n".join(lines)

    def document(self, text: str) -> str:
        """The same document; its programs can be run where the wheel is installed, which does not hold it."""

        def program(found: re.Match[str]) -> str:
            try:
                return f"```python\n{self.rewrite(found[1])}```"
            except SyntaxError:  # an excerpt
                return found[0]

        return _PROGRAM.sub(program, text)

    def _named(self, before: str, name: str, prefix: str) -> str:
        """The text, with the prefix before the name if it is that of a module."""
        return f"{before}{prefix}{name}" if name in self.modules else before + name

    def _taken(self, found: re.Match[str]) -> str:
        """`import name`, taken from the package if it is that of a module."""
        return f"{found[1]}from {self.package} {found[2]}{found[3]}" if found[3] in self.modules else found[0]


def _imported(node: ast.AST, package: str) -> Iterator[tuple[str, int]]:
    """The modules that an import statement in a module of `package` names, with their line."""
    if isinstance(node, ast.Import):
        yield from ((alias.name, node.lineno) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        parts = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
        yield ".".join([*parts, *([node.module] if node.module else [])]), node.lineno


# --- the tree --------------------------------------------------------------------------------------------------


def names(package: str, paths: Sequence[Path]) -> ModuleNames:
    """The names of the modules that these files are."""
    parts = [path.with_suffix("").parts for path in paths if path.suffix == ".py"]
    return ModuleNames(package, frozenset(".".join(p[:-1] if p[-1] == "__init__" else p) for p in parts))


def metadata(pyproject: Table, of: ModuleNames) -> Table:
    """The pyproject.toml of the copy."""

    def prefixed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: prefixed(part) for key, part in value.items()}
        return f"{of.package}.{value}" if of.ours(value.partition(":")[0]) else value

    project = pyproject["project"]
    points = {table: prefixed(project[table]) for table in ENTRY_POINTS if table in project}
    setuptools = {"packages": {"find": {}}, "package-data": {"*": ["*"]}}
    system = {"requires": pyproject["build-system"]["requires"], "build-backend": "setuptools.build_meta"}
    return {"build-system": system, "project": project | points, "tool": {"setuptools": setuptools}}


def toml(value: Any) -> str:
    """A value as TOML, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def stage(root: Path, folder: Path) -> ModuleNames:
    """Write the sources of the wheel of the tree at `root` into `folder`; returns the names of the tree.

    Raises:
        WheelError: something in it still means a package at the top level.
    """
    pyproject = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    project = pyproject["project"]
    paths = list(files(root, pyproject))
    of = names(project["name"], paths)
    documents = [Path(project["readme"]), *map(Path, project["license-files"])]
    for path in [*paths, *documents]:
        text = (root / path).read_text(encoding="utf-8")
        copy = folder / path if path in documents else folder / of.package / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        try:
            copy.write_text(of.rewrite(text) if path.suffix == ".py" else text, encoding="utf-8")
        except SyntaxError as error:
            raise WheelError(f"{path}: a program in it cannot be read: {error}") from error
    shutil.copyfile(FACADE, folder / of.package / "__init__.py")
    (folder / of.package / "py.typed").touch()
    table = metadata(pyproject, of)
    module, _, function = table["project"]["scripts"][of.package].partition(":")
    (folder / of.package / "__main__.py").write_text(MAIN.format(module=module, function=function), encoding="utf-8")
    (folder / "pyproject.toml").write_text(
        "".join(f"{key} = {toml(value)}\n" for key, value in table.items()), encoding="utf-8"
    )
    if found := list(leftovers(folder, of)):
        raise WheelError("\n".join(found))
    return of


# --- the remaining imports --------------------------------------------------------------------------------------


def leftovers(folder: Path, of: ModuleNames) -> Iterator[str]:
    """A line for each name in the copy that still means a module at the top level, or one that is not there."""
    there = {of.package, *(f"{of.package}.{name}" for name in of.modules)}
    for path in sorted((folder / of.package).rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        tree = ast.parse(path.read_text(encoding="utf-8"))
        free = {text for node in ast.walk(tree) for text in _free(node)}
        for node in ast.walk(tree):
            for name, line in _imported(node, ".".join(parts[:-1])):
                if of.ours(name) or (name.partition(".")[0] == of.package and name not in there):
                    yield f"{path.relative_to(folder)}:{line}: import of {name}, which is not in the wheel"
            for text, line in () if node in free else _names_in(node, of):
                yield f"{path.relative_to(folder)}:{line}: {text!r} names a module: derive it from __package__"


def _free(node: ast.AST) -> Iterator[ast.expr]:
    """The strings of a node that may name anything: a docstring, a program that `spelled` makes fit."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "spelled":
        yield from node.args


def _names_in(node: ast.AST, of: ModuleNames) -> Iterator[tuple[str, int]]:
    """The strings of a node that would import a module at the top level, with their line."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if ("." in node.value and node.value in of.modules) or any(map(of.ours, _imported_by_lines(node.value))):
            yield node.value, node.lineno
    elif isinstance(node, ast.Call) and node.args:
        called = getattr(node.func, "attr", getattr(node.func, "id", None))
        yield from ((text, node.lineno) for text in _bare(node.args[:1], of) if called in IMPORTERS)
    elif isinstance(node, ast.List | ast.Tuple):
        for flag, argument in zip(node.elts, node.elts[1:], strict=False):
            if isinstance(flag, ast.Constant) and flag.value == "-m":
                yield from ((text, node.lineno) for text in _bare([argument], of))


def _bare(nodes: Sequence[ast.expr], of: ModuleNames) -> Iterator[str]:
    """Those of these expressions that are strings which name one of the packages."""
    values = (node.value for node in nodes if isinstance(node, ast.Constant))
    yield from (value for value in values if isinstance(value, str) and of.ours(value))


def _imported_by_lines(text: str) -> Iterator[str]:
    """The modules that the lines of a program import; a line of an f-string may end after `import`."""
    for line in map(str.strip, text.splitlines()):
        for statement in (line, f"{line} x") if line.startswith(("from ", "import ")) else ():
            with suppress(SyntaxError):
                yield from (name for name, _ in _imported(ast.parse(statement).body[0], ""))


def main(argv: Sequence[str]) -> int:
    """Write the copy into the folder that is named; 0, 1 if there is no wheel of this tree, 2 on bad usage."""
    if len(argv) != 1 or argv[0].startswith("-"):
        print("usage: python -m model_tests.dev.wheel FOLDER", file=sys.stderr)
        return 2
    try:
        stage(ROOT, Path(argv[0]))
    except (WheelError, NoEntrance, OSError) as error:
        print(f"make wheel: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
