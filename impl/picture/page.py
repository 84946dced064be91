"""The picture as one HTML file: a template, and the scenes as data in it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from html import escape
from pathlib import Path
from typing import Any, Final

from .scene import SIGNS, Row, Scene, cells

TEMPLATE: Final = Path(__file__).with_name("page.html")
#: The text of a line is in the page once, however many rows are at it.
_FIELDS: Final = [each.name for each in fields(Row) if each.name != "source"]


def page(scenes: Sequence[Scene]) -> str:
    """Return the HTML of one run, or of two side by side.

    Raises:
        ValueError: there is no scene, or one without lanes.
    """
    if not scenes or not all(scene.lanes for scene in scenes):
        raise ValueError("a picture needs a scene with lanes")
    text = TEMPLATE.read_text(encoding="utf-8")
    made = {"signs": SIGNS, "fields": _FIELDS, "scenes": [_data(each) for each in scenes]}
    # A string of the program may end a script element, so no "<" is left.
    data = json.dumps(made, separators=(",", ":")).replace("<", "\\u003c")
    return text.replace("{{title}}", escape(scenes[0].title)).replace("{{data}}", data)


def framed(html: str) -> str:
    """A page as a part of another one, such as a notebook: `_repr_html_` returns it."""
    style = "width: 100%; height: 36em; border: 0"
    # One line: a text in Markdown would end the element at an empty one.
    return f'<iframe srcdoc="{escape(html).replace(chr(10), "&#10;")}" style="{style}"></iframe>'


def preformatted(text: str) -> str:
    """Lines of text as HTML."""
    return f"<pre>{escape(text)}</pre>"


def write_page(file: str | Path, *scenes: Scene) -> None:
    """Write the HTML of one run, or of two side by side.

    Raises:
        ValueError: as `page`.
        OSError: the file cannot be written.
    """
    Path(file).write_text(page(scenes), encoding="utf-8")


def _data(scene: Scene) -> dict[str, Any]:  # Any: an argument of json.dumps
    """A scene as JSON."""
    changes = cells(scene.rows)
    return {
        "title": scene.title,
        "lanes": scene.lanes,
        "notes": scene.notes,
        "program": scene.program,
        "sources": {row.where: row.source for row in scene.rows if row.source},
        "rows": [_values(row, changed) for row, changed in zip(scene.rows, changes, strict=True)],
    }


def _values(row: Row, changed: Mapping[int, str]) -> list[Any]:
    """The fields of a row; the last ones are left out where they are as usual."""
    values = [tuple(changed.items()) if name == "states" else getattr(row, name) for name in _FIELDS]
    while values and (values[-1] in ("", ()) or values[-1] is None or values[-1] is False):  # 0 is a time
        values.pop()
    return values
