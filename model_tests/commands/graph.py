"""The graph of a small bounded model as SVG: each state once, with the steps between them.

Graphviz's dot lays it out, where it is installed; else the states of one distance from the start share a row, and each
stands near those that lead to it.  A step that changes nothing is left out.
"""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final

from impl.commands.options import UsageError
from spec.commands.run import label
from spec.kit.bounded import Holds, Instance
from spec.kit.core import Event
from spec.kit.model import Model

from .counterexample import parts

# Any: a model of any specification, and its states.

#: The most states that are drawn, and the most that are drawn with their values.
STATES_MAX: Final = 150
NAMED_MAX: Final = 40
#: The most lines in a state.
_LINES_MAX: Final = 8
#: Pixels: of a character, of a line, of a bare state, and of the gaps.
_CHAR, _LINE, _BARE, _GAP_X, _GAP_Y, _MARGIN = 6.6, 14, 30, 26, 64, 20


@dataclass
class StateGraph:
    """States by number, in breadth-first order: the text of each, all its values, and the steps."""

    states: list[Any] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    #: The events of the steps from one state to another.
    steps: dict[tuple[int, int], list[Event]] = field(default_factory=dict)

    def lines(self, n: int) -> list[str]:
        """The text of a state: its number and, in a small graph, the values that the start does not have."""
        if len(self.states) > NAMED_MAX:
            return [str(n)]
        first = dict(parts(self.states[0]))
        values = [f"{name} = {text}" for name, text in parts(self.states[n]) if not n or first.get(name) != text]
        more = ["…"] if len(values) > _LINES_MAX else []
        return [str(n), *values[:_LINES_MAX], *more]

    def tip(self, n: int) -> str:
        """All values of a state."""
        return ", ".join(f"{name} = {text}" for name, text in parts(self.states[n]))

    def said(self, step: tuple[int, int]) -> str:
        """The events of a step."""
        return " or ".join(map(str, dict.fromkeys(self.steps[step])))


def smallest(instances: Sequence[Instance]) -> tuple[str, Model[Any, Any]]:
    """The bounded model with the fewest states, of the only specification among the instances, and its title.

    Of an instance with several models the first is looked at, and the title says so.

    Raises:
        UsageError: there are several specifications, or none that must hold.
    """
    holding = [instance for instance in instances if isinstance(instance, Holds)]
    names = sorted({instance.spec.name for instance in holding})
    if len(names) != 1:
        among = f" of {', '.join(names)}" if names else ": none is here that must hold"
        raise UsageError(f"--graph: name one specification{among}")
    found = min(holding, key=_size)
    models = sum(1 for _ in found.models()) if found.counts is None else found.counts.models
    title = label(found) + (f", the first of {models:,} models" if models > 1 else "")
    return title, next(iter(found.models()))


def _size(instance: Holds) -> float:
    """The states of a model: as pinned; if nothing is pinned, counted as far as a picture shows them."""
    if instance.counts is not None:
        return instance.counts.states / instance.counts.models
    try:
        return len(reached(next(iter(instance.models())), "").states)
    except UsageError:
        return STATES_MAX + 1


def reached(model: Model[Any, Any], title: str) -> StateGraph:
    """Return the graph of a model.

    Raises:
        UsageError: it has more than STATES_MAX states.
    """
    graph = StateGraph()
    numbers: dict[Any, int] = {}

    def number(state: Any, depth: int) -> int:
        kept = model.canon(state) if model.canon is not None else state
        if kept not in numbers:
            if len(numbers) == STATES_MAX:
                raise UsageError(
                    f"--graph: {title} has more than {STATES_MAX} states, too many for a picture: give a file with a"
                    " smaller bounded model"
                )
            numbers[kept] = len(numbers)
            graph.states.append(kept)
            graph.depths.append(depth)
        return numbers[kept]

    for state in model.init:
        number(state, 0)
    for n, state in enumerate(graph.states):  # which grows
        for event, after in model.successors(state):
            m = number(after, graph.depths[n] + 1)
            if m != n:
                graph.steps.setdefault((n, m), []).append(event)
    return graph


def graph_of(model: Model[Any, Any], title: str) -> str:
    """Return the graph of a model as SVG.

    Raises:
        UsageError: it has more than STATES_MAX states.
    """
    graph = reached(model, title)
    dot = shutil.which("dot")
    if dot is None:
        return drawn(graph, title)
    ran = subprocess.run([dot, "-Tsvg"], input=as_dot(graph, title), capture_output=True, text=True)
    return ran.stdout if ran.returncode == 0 else drawn(graph, title)


def as_dot(graph: StateGraph, title: str) -> str:
    """Return a graph in Graphviz's language."""
    lines = [
        f"digraph {{ label={_quoted(title)} bgcolor=white fontname=sans node [shape=box style=rounded fontname=sans]"
    ]
    for n in range(len(graph.states)):
        first = " penwidth=2" if graph.depths[n] == 0 else ""
        text = _quoted("\n".join(graph.lines(n))).replace("\n", "\\n")
        lines.append(f"{n} [label={text} tooltip={_quoted(graph.tip(n))}{first}]")
    for n, m in graph.steps:
        name = "tooltip" if len(graph.states) > NAMED_MAX else "label"
        lines.append(f"{n} -> {m} [{name}={_quoted(graph.said((n, m)))} fontsize=11 fontname=sans]")
    return "\n".join([*lines, "}"])


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# --- the layout of our own ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Box:
    """Where a state is: its middle, and its size."""

    x: float
    y: float
    width: float
    height: float


def drawn(graph: StateGraph, title: str) -> str:
    """Return a graph as SVG, by the layout of our own."""
    boxes = _boxes(graph, _rows(graph))
    width = max(*(box.x + box.width / 2 for box in boxes), _MARGIN + 1.2 * _CHAR * len(title)) + _MARGIN
    height = max(box.y + box.height / 2 for box in boxes) + _MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
        f' font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="{escape(title)}">',
        "<style>text{fill:#1b1b1f}.s{fill:#f4f4f8;stroke:#555}.f{fill:#fff;stroke:#1b1b1f;stroke-width:2.5}"
        "path{fill:none;stroke:#77779a;marker-end:url(#arrow)}.e{font-size:10px;fill:#44445c}</style>",
        '<marker id="arrow" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0,0 L6,3 L0,6 z" style="fill:#77779a;stroke:none;marker-end:none"/></marker>',
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>',
        f'<text x="{_MARGIN}" y="{_MARGIN}" font-weight="bold" font-size="14">{escape(title)}</text>',
    ]
    for step in graph.steps:
        lines += _drawn_step(graph, step, boxes)
    for n, box in enumerate(boxes):
        lines += _drawn_state(graph, n, box)
    return "\n".join([*lines, "</svg>", ""])


def _rows(graph: StateGraph) -> list[list[int]]:
    """The states of each distance from the start, each near the middle of those that lead to it."""
    rows: list[list[int]] = [[] for _ in range(max(graph.depths) + 1)]
    for n, depth in enumerate(graph.depths):
        rows[depth].append(n)
    place: dict[int, float] = {n: i - len(rows[0]) / 2 for i, n in enumerate(rows[0])}
    for row in rows[1:]:
        middles = {}
        for n in row:
            before = [place[s] for s, t in graph.steps if t == n and graph.depths[s] < graph.depths[n]]
            middles[n] = sum(before) / len(before)
        row.sort(key=lambda n: (middles[n], n))
        place.update((n, i - len(row) / 2) for i, n in enumerate(row))
    return rows


def _boxes(graph: StateGraph, rows: list[list[int]]) -> list[_Box]:
    sizes = []
    for n in range(len(graph.states)):
        lines = graph.lines(n)
        sizes.append((max(_BARE, _CHAR * max(map(len, lines)) + 14), _LINE * len(lines) + 12))
    widths = [sum(sizes[n][0] + _GAP_X for n in row) for row in rows]
    boxes: dict[int, _Box] = {}
    y = _MARGIN + 24.0
    for row, width in zip(rows, widths, strict=True):
        x = _MARGIN + (max(widths) - width) / 2
        height = max(sizes[n][1] for n in row)
        for n in row:
            boxes[n] = _Box(x + sizes[n][0] / 2, y + height / 2, sizes[n][0], sizes[n][1])
            x += sizes[n][0] + _GAP_X
        y += height + _GAP_Y
    return [boxes[n] for n in range(len(boxes))]


def _drawn_step(graph: StateGraph, step: tuple[int, int], boxes: Sequence[_Box]) -> Iterator[str]:
    """An arrow; one that does not lead a row down is bent, so that it hides no other."""
    one, two = boxes[step[0]], boxes[step[1]]
    down = two.y - one.y
    if down > 0:
        y1, y2, bend = one.y + one.height / 2, two.y - two.height / 2, 0.0
    elif down < 0:
        y1, y2, bend = one.y - one.height / 2, two.y + two.height / 2, 40.0
    else:
        y1, y2, bend = one.y - one.height / 2, two.y - two.height / 2, 0.0
    x, y = (one.x + two.x) / 2 + bend, (y1 + y2) / 2 - (30 if down == 0 else 0)
    said = escape(graph.said(step))
    yield f'<path d="M{one.x:.1f},{y1:.1f} Q{x:.1f},{y:.1f} {two.x:.1f},{y2:.1f}"><title>{said}</title></path>'
    if len(graph.states) <= NAMED_MAX:
        # Nearer to where it begins: a step there and the one back have their labels apart.
        near, bent, far = 0.42, 0.46, 0.12
        at_x = near * one.x + bent * x + far * two.x
        at_y = near * y1 + bent * y + far * y2 + 4
        halo = 'paint-order="stroke" stroke="#fff" stroke-width="3"'
        yield f'<text class="e" x="{at_x:.1f}" y="{at_y:.1f}" text-anchor="middle" {halo}>{said}</text>'


def _drawn_state(graph: StateGraph, n: int, box: _Box) -> Iterator[str]:
    left, top = box.x - box.width / 2, box.y - box.height / 2
    style = "f" if graph.depths[n] == 0 else "s"
    yield f"<g><title>{n}: {escape(graph.tip(n))}</title>"
    yield (
        f'<rect class="{style}" x="{left:.1f}" y="{top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="6"/>'
    )
    for k, line in enumerate(graph.lines(n)):
        weight = ' font-weight="bold"' if k == 0 else ""
        y = top + 6 + _LINE * (k + 1) - 3
        yield f'<text x="{box.x:.1f}" y="{y:.1f}" text-anchor="middle"{weight}>{escape(line)}</text>'
    yield "</g>"
