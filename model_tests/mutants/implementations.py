"""Implementations: all code under test that is neither asyncio's nor impl's as it is, by the names of their rows.

wrong/FAMILY.py:NAME    a wrong subject            mutants/FILE.py:NAME    a mutant of impl
wrong/SET/NAME          one of a set in a text
refuted/FACT            what breaks one fact       examples/FILE.py:NAME   an example of a wrong subject
right/FILE.py:NAME      a right subject; right/libraries/LIBRARY/FILE.py:NAME is a primitive of a library
"""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from ..conformance.facts.fact import facts
from ..libraries.primitives import PRIMITIVES
from ..programs.releases import THIS
from ..subjects.refuted import REFUTED
from ..subjects.right import right_subjects
from ..subjects.tables import texts
from ..subjects.wrong import families, subjects_of
from .registry import MUTANTS

HOME: Final = Path(__file__).parents[1]
#: Where the files of a kind are.
PLACES: Final = {
    "wrong": HOME / "subjects" / "wrong",
    "right": HOME / "subjects" / "right",
    "mutants": HOME / "mutants",
    "examples": HOME / "examples" / "subjects",
}
#: The rules of the examples.
EXAMPLES: Final = {
    "queue_holds_one_more.py": "QUEUE-2",
    "future_wakes_newest_first.py:NewestFirst": "FUT-5",
    "wait_for_skips_cleanup.py": "WAITFOR-2",
}
#: The imports of a text.
IMPORTS: Final = (
    "import asyncio, bisect, collections, concurrent.futures, contextlib, contextvars, dataclasses, functools, "
    "heapq, inspect, itertools, signal, sys, typing\n\n"
)


@dataclass(frozen=True)
class Implementation:
    """A right or wrong implementation; the rule of a wrong subject stands in its row alone."""

    name: str
    cause: str
    rule: str = ""
    text: str = ""  #: if it has no file

    @property
    def kind(self) -> str:
        return self.name.partition("/")[0]

    @contextmanager
    def subject(self) -> Iterator[str]:
        """The subject, as `loopspec conform` takes it."""
        kind, _, rest = self.name.partition("/")
        if not self.text:
            yield f"{HOME if rest.startswith('libraries/') else PLACES[kind]}/{rest}"
            return
        with TemporaryDirectory() as folder:
            path = Path(folder) / "wrong.py"
            path.write_text(IMPORTS + self.text, encoding="utf-8")
            yield str(path)


def implementations() -> dict[str, Implementation]:
    """Return those that this Python has, by name, sorted."""
    return {one.name: one for one in sorted([*every()], key=lambda one: one.name)}


def every() -> Iterator[Implementation]:
    for family in families():
        for name, thing in subjects_of(family):
            loop = isinstance(thing, type) and issubclass(thing, asyncio.AbstractEventLoop)
            text = f"from {thing.__module__} import {name} as new_event_loop\n" if loop else ""
            yield Implementation(f"wrong/{family.replace('.', '/')}.py:{name}", first_line(thing), text=text)
    for path in PLACES["wrong"].glob("*.txt"):
        for head, text in texts(path).items():
            name, rule, cause = re.split(r", |: ", head, maxsplit=2)
            yield Implementation(f"wrong/{path.stem}/{name}", cause, rule.split()[0], text)
    for mutant in MUTANTS:
        yield Implementation(f"mutants/{mutant.file}.py:{mutant.name}", first_line(mutant.wrong), mutant.rule)
    for fact in facts().values():
        if (name := fact.check.__name__) in REFUTED and fact.since <= THIS:
            yield Implementation(f"refuted/{name}", f"not so: {fact.text}", fact.rules[0], REFUTED[name])
    for name, rule in EXAMPLES.items():
        text = (PLACES["examples"] / name.partition(":")[0]).read_text(encoding="utf-8")
        yield Implementation(f"examples/{name}", text.partition("\n")[0].strip('"'), rule)
    for right in (*right_subjects(), *PRIMITIVES):
        if right.library is None or installed(right.library):
            for subject in dict.fromkeys(right.subjects()):
                name = subject.removeprefix(f"{PLACES['right']}/").removeprefix(f"{HOME}/")
                yield Implementation(f"right/{name}", right.differs)


def installed(module: str) -> bool:
    """Return whether a module can be found; the package that it is in may be another distribution's."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def first_line(thing: Any) -> str:  # Any: a class or a function
    """Return the cause of a wrong implementation: the first line of its docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]
