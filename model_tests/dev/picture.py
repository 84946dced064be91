"""The picture of the architecture: which folder imports which, drawn from the import graph as SVG.

A node is a folder of a package, or a module beside the folders.  Each node is above everything that it imports.  An
arrow that follows from others (A imports B, B imports C, A imports C) is left out.  `make docs` writes the picture; a
test compares it with the code.

    python -m model_tests.dev.picture
"""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from .imports import Graph, folded, import_graph
from .pythons import ROOT

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
