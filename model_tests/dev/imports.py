"""The import graph of a package, drawn from its source, and the cycles in it.

Every import counts: at the top of a module, under `if TYPE_CHECKING:`, inside a function.  A node is a module by its
dotted name; a package's node is its `__init__`.  An import of a module of another package also loads that package's
`__init__`, and is an edge to it.  An import within a package is an edge to its own `__init__` only if it uses a name
that `__init__` defines.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

Graph: TypeAlias = dict[str, set[str]]
Import: TypeAlias = ast.Import | ast.ImportFrom


def modules(package: Path) -> dict[str, Path]:
    """The package's modules by dotted name, the package itself included."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def import_graph(package: Path) -> Graph:
    """Module -> the modules of the same top-level package that it imports."""
    known = modules(package)
    return {
        name: {target for target in _imported(name, path, known) if target != name}
        for name, path in known.items()
    }


def reached(package: Path, roots: Iterable[str]) -> set[str]:
    """Return the modules of the package that these modules import, directly or through others, and they themselves."""
    known = modules(package)
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        if (name := waiting.pop()) not in found:
            found.add(name)
            waiting += _imported(name, known[name], known)
            waiting += [around] if (around := name.rpartition(".")[0]) in known else []
    return found


def folders(graph: Graph) -> list[str]:
    """The folders of a package with that graph, by dotted name, the package itself first."""
    return sorted({name.rpartition(".")[0] for name in graph} - {""})


def folded(graph: Graph, folder: str) -> Graph:
    """The graph of what is directly in a folder: a module in a folder there counts as that folder.

    An edge to the folder's own `__init__`, which only names what is below it, is none.
    """

    def room(module: str) -> str:
        return ".".join(module.split(".")[: folder.count(".") + 2])

    found: Graph = {}
    for module, targets in graph.items():
        if module.startswith(f"{folder}."):
            rooms = {room(target) for target in targets if target.startswith(f"{folder}.")}
            found.setdefault(room(module), set()).update(rooms - {room(module)})
    return found


def imports(path: Path) -> tuple[Import, ...]:
    """The statements that import something in a module."""
    return _imports(path.read_bytes(), str(path))


def cycles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The strongly connected components of more than one module, each sorted (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        for target in sorted(graph[node]):
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in on_stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            first = stack.index(node)
            component = stack[first:]
            del stack[first:]
            on_stack.difference_update(component)
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return sorted(found)


@cache
def _imports(source: bytes, name: str) -> tuple[Import, ...]:
    """Cached by the source: to parse thousands of modules takes seconds, and several graphs have the same ones."""
    return tuple(_below(ast.parse(source, name)))


def _below(node: ast.AST) -> Iterator[Import]:
    """The imports among the statements of a node: an expression holds none."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield from _below(child)


def _imported(module: str, path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in imports(path):
        match node:
            case ast.Import(names=names):
                targets = [alias.name for alias in names]
            case ast.ImportFrom(module=source, names=names, level=level):
                base = _absolute(package, source, level)
                below = [f"{base}.{alias.name}" for alias in names]
                targets = [target if target in known else base for target in below]
        for target in targets:
            if target in known:
                yield target
                yield from known.keys() & set(_loaded_on_the_way(package, target))


def _absolute(package: str, source: str | None, level: int) -> str:
    if level == 0:
        return source or ""
    above = package.split(".")[: len(package.split(".")) - level + 1]
    return ".".join([*above, source] if source else above)


def _loaded_on_the_way(package: str, target: str) -> Iterator[str]:
    """The packages around `target` that the importing module is not itself in."""
    parts = target.split(".")
    for length in range(1, len(parts)):
        around = ".".join(parts[:length])
        if not f"{package}.".startswith(f"{around}."):
            yield around
