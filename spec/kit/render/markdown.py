"""Markdown: prose without accidental marks, blocks, columns, anchors.

Docstrings are plain text, with no Markdown but `code` and indented blocks: these stay as they are, and any other
character that could be taken for a mark is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence


def prose(text: str) -> str:
    """Text with no marks of Markdown but `code`; an indented block stays as it is."""
    if text.startswith("    "):
        return text
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else plain(part) for part in parts)


def plain(text: str) -> str:
    """Text outside of code: __names__ become code, stars and the beginnings of tags are escaped."""
    text = re.sub(r"[\w.]*__\w+__", r"`\g<0>`", text)
    return re.sub(r"[*\\]|<(?=[\w/!])", r"\\\g<0>", text)


def fenced(lines: Sequence[str], language: str = "text") -> Iterator[str]:
    """A block of code."""
    yield from [f"```{language}", *lines, "```", ""]


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines, their cells in columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def conjoined(parts: Sequence[str]) -> str:
    """a, b and c."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def paragraphs(text: str) -> list[str]:
    return re.split(r"\n\s*\n", text) if text else []


def anchors(titles: Sequence[str]) -> list[str]:
    """The anchors of headings, as code hosts make them: a repeated one gets a number."""
    found: dict[str, int] = {}
    made = []
    for title in titles:
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        count = found.get(slug, 0)
        found[slug] = count + 1
        made.append(f"{slug}-{count}" if count else slug)
    return made
