"""The picture as one HTML file: a template, and the scenes as data in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from html import escape
from pathlib import Path
from typing import Any, Final

from .scene import Row, Scene

TEMPLATE: Final = Path(__file__).with_name("page.html")
_FIELDS: Final = [each.name for each in fields(Row)]


def page(scenes: Sequence[Scene]) -> str:
    """Return the HTML of one run, or of two side by side.

    Raises:
        ValueError: there is no scene, or one without lanes.
    """
    if not scenes or not all(scene.lanes for scene in scenes):
        raise ValueError("a picture needs a scene with lanes")
    text = TEMPLATE.read_text(encoding="utf-8")
    # A string of the program may end a script element, so no "<" is left.
    data = json.dumps({"fields": _FIELDS, "scenes": [_data(each) for each in scenes]}, separators=(",", ":"))
    return text.replace("{{title}}", escape(scenes[0].title)).replace(
        "{{data}}", data.replace("<", "\\u003c")
    )


def _data(scene: Scene) -> dict[str, Any]:  # Any: what json.dumps takes
    """A scene as JSON; what a row ends with is left out where it is as usual."""
    return {
        "title": scene.title,
        "lanes": scene.lanes,
        "notes": scene.notes,
        "rows": [_cut([getattr(row, name) for name in _FIELDS]) for row in scene.rows],
    }


def _cut(values: list[Any]) -> list[Any]:
    while values and values[-1] in ("", (), None, False):
        values.pop()
    return values
