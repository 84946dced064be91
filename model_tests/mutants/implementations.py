"""Implementations: all code under test that is neither asyncio's nor impl's as it is, by the names of their rows.

wrong/PRIMITIVE/NAME    a text of implementations/wrong
mutants/FILE.py:NAME    a mutant of impl
refuted/FACT            code that breaks one fact
examples/FILE.py:NAME   an example of a wrong subject
right/FILE.py:NAME      a right subject; right/libraries/LIBRARY/FILE.py:NAME is a primitive of a library
"""

from __future__ import annotations

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
from ..subjects.right import right_subjects
from ..subjects.tables import texts
from .registry import MUTANTS

HOME: Final = Path(__file__).parents[1]
#: Where the files of a kind are.
PLACES: Final = {
    "right": HOME / "subjects" / "right",
    "mutants": HOME / "mutants",
    "examples": HOME / "examples" / "subjects",
}
#: The texts of wrong implementations, by primitive and kind of defect.
WRONG: Final = HOME / "implementations" / "wrong"
#: Wrong implementations for facts that no other one breaks: by the name of the fact.
REFUTED: Final = HOME / "implementations" / "refuted.txt"
#: The rules of the examples.
EXAMPLES: Final = {
    "queue_holds_one_more.py": "QUEUE-2",
    "future_wakes_newest_first.py:NewestFirst": "FUT-5",
    "wait_for_skips_cleanup.py": "WAITFOR-2",
}
#: The words for a loop in a text.
LOOP: Final = "\nnew_event_loop = "
#: The imports of a text.
IMPORTS: Final = (
    "from __future__ import annotations\n\n"
    "import asyncio, bisect, collections, concurrent.futures, contextlib, contextvars, dataclasses, functools, "
    "heapq, inspect, itertools, signal, sys, typing\n\n"
)


@dataclass(frozen=True)
class AnyImplementation:
    """A right or wrong implementation."""

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
            name = self.name.rpartition("/")[2]
            own = re.search(rf"^(class|(async )?def) {name}\b", self.text, re.M) and LOOP not in self.text
            yield f"{path}:{name}" if own else str(path)


def implementations() -> dict[str, AnyImplementation]:
    """Return those that this Python has, by name, sorted."""
    return {one.name: one for one in sorted([*every()], key=lambda one: one.name)}


def every() -> Iterator[AnyImplementation]:
    for path in sorted(WRONG.glob("*/*.txt")):
        for head, text in texts(path).items():
            name, rule, cause = re.split(r", |: ", head, maxsplit=2)
            yield AnyImplementation(f"wrong/{path.parent.name}/{name}", cause, rule.split()[0], text)
    for mutant in MUTANTS:
        yield AnyImplementation(
            f"mutants/{mutant.file}.py:{mutant.name}", first_line(mutant.wrong), mutant.rule
        )
    refuted = texts(REFUTED)
    for fact in facts().values():
        if (name := fact.check.__name__) in refuted and fact.since <= THIS:
            yield AnyImplementation(f"refuted/{name}", f"not so: {fact.text}", fact.rules[0], refuted[name])
    for name, rule in EXAMPLES.items():
        text = (PLACES["examples"] / name.partition(":")[0]).read_text(encoding="utf-8")
        yield AnyImplementation(f"examples/{name}", text.partition("\n")[0].strip('"'), rule)
    for right in (*right_subjects(), *PRIMITIVES):
        if right.library is None or installed(right.library):
            for subject in dict.fromkeys(right.subjects()):
                name = subject.removeprefix(f"{PLACES['right']}/").removeprefix(f"{HOME}/")
                yield AnyImplementation(f"right/{name}", right.differs)


def installed(module: str) -> bool:
    """Return whether a module can be found; the package that it is in may be another distribution's."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def first_line(thing: Any) -> str:  # Any: a class or a function
    """Return the cause of a wrong implementation: the first line of its docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]
