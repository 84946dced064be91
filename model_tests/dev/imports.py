"""The import graph of a package, drawn from its source, the cycles in it, and the picture of the architecture.

Every import counts: at the top of a module, under `if TYPE_CHECKING:`, inside a function.  A node is a module by its
dotted name; a package's node is its `__init__`.  An import of a module of another package also loads that package's
`__init__`, and is an edge to it.  An import within a package is an edge to its own `__init__` only if it uses a name
that `__init__` defines.

The picture shows which folder imports which, as SVG.  A node is a folder of a package, or a module beside the folders.
Each node is above everything that it imports.  An arrow that follows from others (A imports B, B imports C, A imports
C) is left out.  `make docs` writes the picture; a test compares it with the code.

    python -m model_tests.dev.imports
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Final, TypeAlias

from .pythons import ROOT

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
    return {name: {target for target in _imported(name, path, known) if target != name} for name, path in known.items()}


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


# --- the picture ------------------------------------------------------------------------------------------------------

FILE: Final = Path(__file__).with_name("architecture.svg")
PACKAGES: Final = ("spec", "impl", "model_tests")
#: Left out: tests and commands import everything, and the packages themselves only re-export names.
LEFT_OUT: Final = {*PACKAGES, *(f"{name}.__main__" for name in PACKAGES), "model_tests.tests"}

_BOX_W, _BOX_H, _GAP_X, _GAP_Y, _MARGIN = 116, 30, 14, 34, 20


def plan(package: str, root: Path) -> Graph:
    """Return the graph of what is directly in a package, without what is left out."""
    graph = folded(import_graph(root / package), package)
    return {name: targets - LEFT_OUT for name, targets in graph.items() if name not in LEFT_OUT}


def layers(graph: Graph) -> list[list[str]]:
    """Return the nodes of an acyclic graph in rows from the top, each node above all that it imports."""

    @cache
    def depth(node: str) -> int:
        return 1 + max(map(depth, graph[node]), default=-1)

    rows: list[list[str]] = [[] for _ in range(1 + max(map(depth, graph)))]
    for node in sorted(graph):
        rows[-1 - depth(node)].append(node)
    return rows


def reduced(graph: Graph) -> Graph:
    """Return the graph without the arrows that follow from others."""

    def reachable(node: str) -> set[str]:
        return graph[node].union(*(reachable(below) for below in graph[node]))

    return {
        node: {below for below in targets if not any(below in reachable(other) for other in targets)}
        for node, targets in graph.items()
    }


def panel(graph: Graph, left: int, bottom: int) -> tuple[list[str], int]:
    """Return the lines of SVG of one package, and its width in pixels; `left` and `bottom` are its position."""
    rows = layers(graph)
    width = max(len(row) for row in rows) * (_BOX_W + _GAP_X) - _GAP_X
    at: dict[str, tuple[int, int]] = {}
    for up, row in enumerate(reversed(rows)):
        start = left + (width - len(row) * (_BOX_W + _GAP_X) + _GAP_X) // 2
        for n, node in enumerate(row):
            at[node] = (start + n * (_BOX_W + _GAP_X), bottom - (up + 1) * (_BOX_H + _GAP_Y))
    lines = [
        f'<line x1="{at[node][0] + _BOX_W // 2}" y1="{at[node][1] + _BOX_H}"'
        f' x2="{at[below][0] + _BOX_W // 2}" y2="{at[below][1] - 3}"/>'
        for node, targets in sorted(reduced(graph).items())
        for below in sorted(targets)
    ]
    for node, (x, y) in sorted(at.items()):
        lines.append(f'<rect x="{x}" y="{y}" width="{_BOX_W}" height="{_BOX_H}" rx="4"/>')
        label = escape(node.partition(".")[2])
        lines.append(f'<text x="{x + _BOX_W // 2}" y="{y + _BOX_H // 2 + 4}">{label}</text>')
    return lines, width


def svg(root: Path = ROOT) -> str:
    """Return the whole picture: a panel for each package, side by side."""
    graphs = {name: plan(name, root) for name in PACKAGES}
    height = max(len(layers(graph)) for graph in graphs.values()) * (_BOX_H + _GAP_Y) + 2 * _MARGIN
    lines, left = [], _MARGIN
    for name, graph in graphs.items():
        drawn, width = panel(graph, left, height)
        lines += [f'<text class="title" x="{left + width // 2}" y="{_MARGIN}">{name}/</text>', *drawn]
        left += width + 3 * _MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left} {height}" font-family="sans-serif"'
        ' font-size="13" text-anchor="middle">'
    )
    style = (
        "<style>rect{fill:#f4f4f8;stroke:#555}line{stroke:#889;marker-end:url(#arrow)}"
        ".title{font-weight:bold;font-size:16px}</style>"
    )
    arrow = (
        '<marker id="arrow" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6" markerHeight="6" orient="auto">'
        '<path d="M0,0 L6,3 L0,6 z" fill="#889"/></marker>'
    )
    white = f'<rect width="{left}" height="{height}" style="fill:white;stroke:none"/>'
    return "\n".join([head, style, arrow, white, *lines, "</svg>", ""])


if __name__ == "__main__":
    FILE.write_text(svg(), encoding="utf-8")
