"""Implementations: all code under test that is neither asyncio's nor impl's as it is, by the names of their rows.

right, wrong, mutants/PRIMITIVE/NAME    a text of the corpus (corpus.py); `right/...:NAME` is one name of it
refuted/FACT                            an implementation that breaks one fact
examples/FILE.py:NAME                   an example of a wrong subject
right/libraries/LIBRARY.py:NAME         a primitive of a library; without `.py` one that is not adapted
"""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from ..conformance.facts.fact import facts
from ..programs.releases import THIS
from ..programs.tables import texts
from .corpus import HOME, AnyImplementation, corpus
from .of_libraries import PRIMITIVES
from .right_code import right_implementations

#: Wrong implementations for facts that no other one breaks: by the name of the fact.
REFUTED: Final = HOME / "refuted.txt"
EXAMPLES_FOLDER: Final = Path(__file__).parents[1] / "examples" / "subjects"
#: The rules of the examples.
EXAMPLES: Final = {
    "queue_holds_one_more.py": "QUEUE-2",
    "future_wakes_newest_first.py:NewestFirst": "FUT-5",
    "wait_for_skips_cleanup.py": "WAITFOR-2",
}


def implementations() -> dict[str, AnyImplementation]:
    """Return those that this Python has, by name, sorted."""
    return {one.name: one for one in sorted([*every()], key=lambda one: one.name)}


def every() -> Iterator[AnyImplementation]:
    for kind in ("wrong", "mutants"):
        yield from corpus(kind).values()
    refuted = texts(REFUTED)
    for fact in facts().values():
        if (name := fact.name) in refuted and fact.since <= THIS:
            yield AnyImplementation(f"refuted/{name}", f"not so: {fact.text}", fact.rules[:1], text=refuted[name])
    for name, rule in EXAMPLES.items():
        text = (EXAMPLES_FOLDER / name.partition(":")[0]).read_text(encoding="utf-8")
        cause, file = text.partition("\n")[0].strip('"'), f"{EXAMPLES_FOLDER}/{name}"
        yield AnyImplementation(f"examples/{name}", cause, (rule,), file=file)
    for right in (*right_implementations(), *PRIMITIVES):
        if right.library is None or installed(right.library):
            yield from right.implementations()


def installed(module: str) -> bool:
    """Return whether a module can be found; the package that it is in may be another distribution's."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
