"""The picture as a static SVG for documents: one run, or two side by side with the turned pairs linked.

The ground is white in every theme, because a page that embeds an image may be light or dark and the image cannot know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from textwrap import wrap
from typing import Final

from .scene import SIGNS, Row, Scene, cells

#: The most rows and lanes that a document can show.
ROWS_MAX: Final = 120
LANES_MAX: Final = 16

#: Pixels: of a line of text, of the space around a row, of a character, of the numbers, between two runs, at the edge.
_LINE, _SPACE, _CHAR, _NUMBER, _GAP, _MARGIN = 14, 8, 6.5, 30, 44, 14
#: The most characters of a line, of a row's text and of a lane's name, and the most lines of a text.
_TEXT_MAX, _NAME_MAX, _LINES_MAX = 40, 14, 4
_STYLE: Final = (
    "text{fill:#1b1b1f}.t{font-weight:bold;font-size:14px}.d{fill:#55555c}.b{font-weight:bold}.x{fill:#9d1c15}"
    ".l{stroke:#b9b9c2;stroke-width:1}.w{stroke:#77777f;stroke-width:1.5;stroke-dasharray:2 4}"
    ".r{fill:#cfeec9;stroke:#3c7a33}.k{fill:url(#hatch);stroke:#2b6699}.c{fill:#ffd2cf;stroke:#9d1c15}"
    ".a{stroke:#1b1b1f;stroke-width:1}.p{stroke:#1b1b1f;stroke-width:1.5;stroke-dasharray:5 3}"
)
_HATCH: Final = (
    '<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="6" height="6" fill="#dcecfb"/><rect width="2" height="6" fill="#7fb0de"/></pattern>'
)
#: How a lane is drawn between two rows, by its state: a bar's class, or a line's.
_BARS: Final = {"runs": "r", "woken": "k", "thrown": "c"}
_LINES: Final = {"waits": "w", "ready": "l", "open": "l"}


class TooLong(ValueError):
    """A run has more steps or lanes than a document can show."""


def svg(scenes: Sequence[Scene]) -> str:
    """Return the SVG of one run, or of two side by side.

    Raises:
        ValueError: there is no scene, or one without lanes.
        TooLong: a scene has more than ROWS_MAX rows or LANES_MAX lanes.
    """
    if not scenes or not all(scene.lanes for scene in scenes):
        raise ValueError("a picture needs a scene with lanes")
    panels: list[_Panel] = []
    left = float(_MARGIN)
    for scene in scenes:
        panels.append(_Panel(scene, left))
        left += panels[-1].width + _GAP
    top = max(panel.head for panel in panels)
    width = left - _GAP + _MARGIN
    height = top + max(panel.height for panel in panels) + _MARGIN
    label = escape("; ".join(scene.title for scene in scenes))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
        f' height="{height:.0f}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="{label}">',
        f"<style>{_STYLE}</style><defs>{_HATCH}</defs>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>',
    ]
    for panel in panels:
        lines += panel.drawn(top)
    for one, two in pairwise(panels):
        lines += _links(one, two, top)
    return "\n".join([*lines, "</svg>", ""])


@dataclass(frozen=True, slots=True)
class _Column:
    """A lane's: its number, its middle, its half width and the lines of its name."""

    lane: int
    x: float
    half: float
    name: tuple[str, ...]


class _Panel:
    """The place of one scene."""

    def __init__(self, scene: Scene, left: float) -> None:
        """`left` is where it begins, in pixels.

        Raises:
            TooLong: as `svg`.
        """
        used = {lane for row in scene.rows for lane in (row.lane, *_touched(row)) if scene.lanes[lane]}
        if len(scene.rows) > ROWS_MAX or len(used) > LANES_MAX:
            raise TooLong(
                f"{scene.title} has {len(scene.rows):,} steps in {len(used)} lanes; a picture for documents shows"
                f" at most {ROWS_MAX} in {LANES_MAX}: use --html"
            )
        self.scene, self.left = scene, left
        self.texts = [_said(scene, row) for row in scene.rows]
        self.begin = left + _NUMBER
        x = self.begin + _width([line for lines in self.texts for line in lines]) + 8
        self.columns: dict[int, _Column] = {}
        for lane in sorted(used):
            self.columns[lane] = _column(scene, lane, x)
            x += 2 * self.columns[lane].half
        #: The middle of each row, and of one more, from the top of the rows.
        self.middles = [_SPACE / 2 + _LINE / 2]
        for lines in self.texts:
            self.middles.append(self.middles[-1] + _LINE * len(lines) + _SPACE)
        self.height = self.middles[-1]
        notes = [line for note in scene.notes for line in wrap(note, 64)]
        self.notes = notes if len(notes) <= _LINES_MAX else [*notes[: _LINES_MAX - 1], "..."]
        self.width = max(x - left, _width([scene.title, *self.notes]))
        names = max((len(column.name) for column in self.columns.values()), default=1)
        self.head = 2 * _MARGIN + 8 + 16 * (len(self.notes) + names)

    def drawn(self, top: float) -> Iterator[str]:
        """The lines of SVG; `top` is where the rows begin, in pixels."""
        yield _text(self.left, _MARGIN + 8, self.scene.title, "t")
        for n, note in enumerate(self.notes):
            yield _text(self.left, _MARGIN + 26 + 16 * n, note, "d")
        for column in self.columns.values():
            for n, line in enumerate(reversed(column.name)):
                yield _text(column.x, top - 6 - 15 * n, line, "b", "middle")
        states: dict[int, str] = {}
        changes = list(cells(self.scene.rows))
        for n, changed in enumerate(changes):
            states |= changed
            for lane, cell in states.items():
                if lane in self.columns and n + 1 < len(changes):
                    yield from _drawn_lane(self.columns[lane].x, cell, top + self.middles[n], top + self.middles[n + 1])
        for n, (row, changed) in enumerate(zip(self.scene.rows, changes, strict=True)):
            yield from self._row(row, n, changed, top + self.middles[n])

    def _row(self, row: Row, n: int, changed: Mapping[int, str], y: float) -> Iterator[str]:
        """The number and the text of a row, and its marks in the lanes."""
        yield _text(self.left + _NUMBER - 10, y + 4, str(n + 1), "d", "end")
        for k, line in enumerate(self.texts[n]):
            yield _text(self.begin, y + 4 + _LINE * k, line, "x b" if row.fault else "")
        own = self.columns.get(row.lane)
        values = dict(row.values)
        others = [column for column in map(self.columns.get, _touched(row)) if column not in (None, own)]
        for column in filter(None, others):
            if own is not None:
                side = 8 if column.x < own.x else -8
                yield f'<line class="a" x1="{own.x:.1f}" x2="{column.x + side:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
            states = changed.get(column.lane, "").split(" ")
            mark = "".join(SIGNS[state][0] for state in states if state in SIGNS)
            yield _halo(column.x, y + 4, f"{mark} {values.get(column.lane, '')}".strip(), "b")
        if own is not None:
            yield f'<circle cx="{own.x:.1f}" cy="{y:.1f}" r="4"/>'
            marks = "★" * row.star + "⚠" * bool(row.fault) + "⊗" * ("thrown" in changed.get(row.lane, ""))
            yield _text(own.x + 7, y + 4, f"{marks} {values.get(row.lane, '')}".strip(), "b")


def _column(scene: Scene, lane: int, x: float) -> _Column:
    """The column of a lane that begins at `x`."""
    name = tuple(wrap(scene.lanes[lane], _NAME_MAX))
    shown = [text for row in scene.rows for of, text in row.values if of == lane]
    half = max(_width([*name, *shown]) / 2 + 6, 22)
    return _Column(lane, x + half, half, name)


def _drawn_lane(x: float, cell: str, begin: float, end: float) -> Iterator[str]:
    """A lane between the middles of two rows."""
    state = cell.split(" ")[0]
    if state in _BARS:
        yield f'<rect class="{_BARS[state]}" x="{x - 5:.1f}" y="{begin:.1f}" width="10" height="{end - begin:.1f}"/>'
    elif state in _LINES:
        yield f'<line class="{_LINES[state]}" x1="{x:.1f}" x2="{x:.1f}" y1="{begin:.1f}" y2="{end:.1f}"/>'


def _links(one: _Panel, two: _Panel, top: float) -> Iterator[str]:
    """A line from each side of a turned pair to the same side in the other run."""
    for n, row in enumerate(one.scene.rows):
        for m, other in enumerate(two.scene.rows):
            same = one.scene.lanes[row.lane] == two.scene.lanes[other.lane]
            if same and set(row.pairs) & set(other.pairs):
                y1, y2 = top + one.middles[n], top + two.middles[m]
                x1, x2 = one.left + one.width + 2, two.left + 8
                yield f'<line class="p" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'
                break


def _touched(row: Row) -> Iterator[int]:
    """The lanes that a row changes."""
    for lane, _ in (*row.states, *row.values):
        yield lane


def _said(scene: Scene, row: Row) -> list[str]:
    """The text of a row in lines; a lane with a column needs no name in it."""
    name = "" if scene.lanes[row.lane] else f"{scene.lanes[row.lane]} "
    fault = f" ⚠ {row.fault}" if row.fault else ""
    lines = wrap(f"{name}{row.text}{fault}", _TEXT_MAX, subsequent_indent="  ") or [""]
    return lines if len(lines) <= _LINES_MAX else [*lines[: _LINES_MAX - 1], "…"]


def _width(texts: Sequence[str]) -> float:
    """About the pixels of the longest text."""
    return _CHAR * max(map(len, texts), default=0)


def _text(x: float, y: float, text: str, style: str, anchor: str = "start") -> str:
    at = f'x="{x:.1f}" y="{y:.1f}"' + (f' text-anchor="{anchor}"' if anchor != "start" else "")
    return f'<text {at} class="{style}">{escape(text)}</text>' if text else ""


def _halo(x: float, y: float, text: str, style: str) -> str:
    """A mark in the middle of a lane, legible on the lane's line."""
    halo = 'paint-order="stroke" stroke="#fff" stroke-width="3" stroke-linejoin="round"'
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" class="{style}" {halo}>{escape(text)}</text>'
