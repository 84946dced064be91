"""An edit: the text of one node of a file's syntax tree, and the text in its place."""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final, NamedTuple

#: A node that has a place in the text.
Node = ast.stmt | ast.expr | ast.ExceptHandler
#: The most characters of a text that a report shows.
MOST_SHOWN: Final = 70


class Key(NamedTuple):
    """The identity of an edit, also when other lines of its file change."""

    file: str
    where: str
    kind: str
    old: str
    new: str
    number: int


@dataclass(frozen=True, slots=True)
class Edit:
    """In a file, within the function `where`, `new` takes the place of `old`; `kind` says why.

    `number` counts the edits of a function that are otherwise alike.  `start` and `line` are the place in the text as
    it is now, in bytes and lines.
    """

    file: str
    where: str
    kind: str
    old: str
    new: str
    number: int
    start: int
    line: int

    @property
    def key(self) -> Key:
        return Key(self.file, self.where, self.kind, self.old, self.new, self.number)

    @property
    def module(self) -> str:
        return self.file.removesuffix(".py").replace("/", ".")

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.where}, {self.kind}: {shown(self.old)} -> {shown(self.new)}"

    def applied(self, text: bytes) -> bytes:
        """Return the text of the file with the edit."""
        end = self.start + len(self.old.encode())
        assert text[self.start : end] == self.old.encode(), self
        return text[: self.start] + self.new.encode() + text[end:]


def shown(text: str) -> str:
    """Return a text on one line, shortened."""
    line = " ".join(text.split())
    return f"`{line if len(line) <= MOST_SHOWN else line[:MOST_SHOWN] + '...'}`"


class SourceFile:
    """The text of a file, its syntax tree, and where each node stands in it."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self._lines = [0, *accumulate(map(len, text.splitlines(keepends=True)))]

    def span(self, first: Node, last: Node | None = None) -> tuple[int, int]:
        """Return where a node begins and ends, in bytes, or a row of nodes by its first and last."""
        end = last or first
        assert end.end_lineno is not None
        assert end.end_col_offset is not None
        return (
            self._lines[first.lineno - 1] + first.col_offset,
            self._lines[end.end_lineno - 1] + end.end_col_offset,
        )

    def of(self, first: Node, last: Node | None = None) -> str:
        """Return the text of a node, or of a row of nodes."""
        start, end = self.span(first, last)
        return self.text[start:end].decode()

    def grouped(self, node: ast.expr) -> str:
        """Return the text of an operand, in parentheses unless it needs none."""
        atom = isinstance(node, ast.Name | ast.Attribute | ast.Constant | ast.Call | ast.Subscript)
        return self.of(node) if atom else f"({self.of(node)})"

    def line(self, start: int) -> int:
        return self.text.count(b"\n", 0, start) + 1


def numbered(edits: Iterator[Edit]) -> list[Edit]:
    """Return the edits without repetitions, and with their numbers."""
    found: list[Edit] = []
    counts: Counter[Key] = Counter()
    for edit in dict.fromkeys(edits):
        found.append(replace(edit, number=counts[edit.key]))
        counts[edit.key] += 1
    return found
