"""The corpus: right implementations, wrong ones and mutants, as texts in `implementations/KIND/PRIMITIVE/*.txt`.

The head of a text is `NAME, ABOUT: CAUSE`.  ABOUT is the rules that a wrong implementation or a mutant breaks; of a
right one, asyncio's names that are tested one by one, and a right one without is tested as a whole.  CAUSE is the
defect, or the difference.  Comments at the end of a text begin with a word: `breaks` and `free` quote the sentence that
is broken or that leaves the difference free, `source` says where a defect was met.

A text is a module: the lines before the first head of its file come first.  After a line `#: after NAME` the module
also has the text of that name, of the same kind.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Final

from impl.bridges.own_packages import spelled

from ..programs.tables import table

#: The folder of all kinds.
HOME: Final = Path(__file__).parent
#: How each module begins.
IMPORTS: Final = (
    "from __future__ import annotations\n\n"
    "import asyncio, bisect, collections, concurrent.futures, contextlib, contextvars, dataclasses, functools, "
    "heapq, inspect, itertools, signal, sys, typing\n\n"
)
#: The parts of a head.
_HEAD: Final = re.compile(r"(\w+)(?:, ([^:]+))?: (.+)")
#: The texts that a text builds on.
_AFTER: Final = re.compile(r"^#: after (.+)\n", re.M)
#: A loop in a text.
_LOOP: Final = "\nnew_event_loop = "


@dataclass(frozen=True)
class AnyImplementation:
    """A right implementation, a wrong one, or a mutant."""

    name: str  #: KIND/PRIMITIVE/NAME
    cause: str
    about: tuple[str, ...] = ()  #: the rules that it breaks; of a right one, its names
    first: str = ""  #: the lines of its module before its text
    text: str = ""
    thing: str = ""  #: the class or function under test; "": the whole module
    file: str = ""  #: the subject, if that is a file and no text

    @property
    def kind(self) -> str:
        """The first part of its name."""
        return self.name.partition("/")[0]

    @property
    def rule(self) -> str:
        """The first rule that it breaks, or ""."""
        return "" if self.kind == "right" else next(iter(self.about), "")

    @property
    def code(self) -> str:
        """The whole module."""
        return spelled(f"{IMPORTS}{self.first}\n{self.text}")

    @contextmanager
    def subject(self) -> Iterator[str]:
        """The subject, as `loopspec conform` takes it; a text has a file meanwhile."""
        if self.file:
            yield self.file
            return
        with TemporaryDirectory() as folder:
            path = Path(folder, "right.py" if self.kind == "right" else "wrong.py")
            path.write_text(self.code, encoding="utf-8")
            yield f"{path}:{self.thing}" if self.thing else str(path)

    def load(self) -> ModuleType:
        """Return a new module that is made of the text; a traceback shows its lines."""
        code, file = self.code, f"<{self.name}>"
        linecache.cache[file] = len(code), None, code.splitlines(keepends=True), file
        module = ModuleType(self.name)
        exec(compile(code, file, "exec"), vars(module))
        return module

    def said(self, word: str) -> str:
        """Return the line of the text that begins with this word, after it; "" if there is none."""
        found = re.search(rf"^ +# {word}: (.+)", self.text, re.M)
        return found[1] if found else ""


@cache
def corpus(kind: str) -> dict[str, AnyImplementation]:
    """Return the implementations of a kind, which is right, wrong or mutants, by the last part of their names."""
    rows = dict[str, AnyImplementation]()
    for path in sorted(HOME.glob(f"{kind}/*/*.txt")):
        first, found = table(path)
        for head, text in found.items():
            name, about, cause = _HEAD.findall(head)[0]
            assert name not in rows, f"{kind} has two texts {name}"
            own = re.search(rf"^(class|(async )?def) {name}\b", text, re.M) and _LOOP not in text
            rows[name] = AnyImplementation(
                f"{kind}/{path.parent.name}/{name}",
                cause,
                tuple(about.split()),
                first,
                text,
                name if own else "",
            )
    return {name: replace(one, first="\n".join(dict.fromkeys(before(one, rows)))) for name, one in rows.items()}


def before(one: AnyImplementation, rows: dict[str, AnyImplementation]) -> Iterator[str]:
    """Yield the texts that this one builds on, and the lines that begin its file."""
    if after := _AFTER.search(one.text):
        for name in after[1].split(", "):
            yield from before(rows[name], rows)
            yield rows[name].text
    yield one.first
