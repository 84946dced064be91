"""The programs, from the texts beside this file: races_*.txt and correct_*.txt.

A text begins with lines `word: ...`, and an empty line ends them:

- `report` of a racy program, the public report that it is written after; `kind` of a correct one;
- `names`, once or more: the report of the search has to name one of these causes;
- `needs`: the modules of libraries;
- `outside`: why it cannot be simulated;
- `why`: why it is not found, or nothing is named.

A cause is a variable, a primitive or a task, and the marks of two lines in the wrong order (`names: _token 1 2`); or a
word, and the mark of one line (`names: timeout 3`: the text of the report has to name a timeout of this line).  `error`
is the line that raises.  A line is marked by a comment, `# (3)`.
"""

import importlib.util
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from ...programs.tables import texts

FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Cause:
    """A variable with two lines, or a word with one."""

    thing: str
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stranger:
    """A program; `main` in its text is the coroutine function."""

    name: str
    title: str
    racy: bool
    #: The public report; of a correct program, its kind.
    source: str
    causes: tuple[Cause, ...]
    needs: tuple[str, ...]
    outside: str
    why: str
    text: str

    @property
    def absent(self) -> list[str]:
        """The libraries that are not installed."""
        return [module for module in self.needs if importlib.util.find_spec(module) is None]


@cache
def strangers() -> dict[str, Stranger]:
    """All programs by name, in the order of the texts."""
    files = sorted([*FOLDER.glob("races_*.txt"), *FOLDER.glob("correct_*.txt")])
    every = [
        _stranger(head, text, file.name.startswith("races")) for file in files for head, text in texts(file).items()
    ]
    return {each.name: each for each in every}


def _stranger(head: str, text: str, racy: bool) -> Stranger:
    name, _, title = head.partition(" ")
    said, _, program = text.partition("\n\n")
    lines = [(word, rest) for word, _, rest in (line.partition(": ") for line in said.splitlines())]
    words, marked = dict(lines), _marked(program)
    causes = [rest.split() for word, rest in lines if word == "names"]
    return Stranger(
        name,
        title,
        racy,
        words["report" if racy else "kind"],
        tuple(Cause(thing, tuple(marked[mark] for mark in marks)) for thing, *marks in causes),
        tuple(words.get("needs", "").split()),
        words.get("outside", ""),
        words.get("why", ""),
        program,
    )


def _marked(program: str) -> dict[str, int]:
    """The numbers of the marked lines, by mark."""
    comments = [line.partition("#")[2] for line in program.splitlines()]
    return {mark: n for n, comment in enumerate(comments, 1) for mark in re.findall(r"\((\d)\)", comment)}
