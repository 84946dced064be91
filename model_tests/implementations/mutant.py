"""Mutant: one wrong class or function of impl, and the one way for every check to get at it.

A mutant is a text of the corpus (`implementations/mutants/`, `implementations/corpus.py`).  It derives from the class
that it replaces, or has it as `__wrapped__`, and takes one rule away; the right class stays as it is.
`Mutant.names()` is impl's namespace with the wrong thing in the place of the right one, and `new_loop()` makes a loop
that uses a wrong class of futures or tasks, if the mutant is one.  The conformance kit plays programs on these
two, the state machines and the monitors drive the `Subject` that is made of them.
"""

from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any, Final

import impl
from impl.loop import Loop

from ..programs.runtimes import namespace
from ..refinement.subjects import Subject, subject_of
from .corpus import AnyImplementation

# Any class or function.
Anything = Any

#: How the modules of impl begin, in a checkout or in the wheel.
OURS: Final = f"{impl.__name__}."


@dataclass(frozen=True)
class Mutant:
    """A wrong implementation.

    `replaces` is the name that it stands for.  `source` says where the defect was met: an issue of CPython (bpo-,
    gh-) or of another project, a sketch of the five texts by its number, or "contract", which only the rule forbids.
    "The chapter" is "A Web Crawler With asyncio Coroutines" of 500 Lines or Less: T1 to T10 are defects of its Task, F1
    to F8 of its Future, Q1 to Q4 of its Queue.
    """

    wrong: Anything
    rule: str
    source: str
    replaces: str

    @property
    def name(self) -> str:
        return str(self.wrong.__name__)

    def names(self) -> ModuleType:
        """impl's names with the wrong one, and `new_event_loop` to go with them."""
        return namespace(self.replaces, self.wrong)

    def new_loop(self) -> Loop:
        loop: Loop = self._names.new_event_loop()
        return loop

    @cached_property
    def _names(self) -> ModuleType:
        return self.names()

    def subject(self) -> Subject:
        """The subject that the state machines and the monitors drive."""
        return subject_of(self.name, self._names, self.new_loop)


def defined(text: AnyImplementation) -> Mutant:
    """Return the mutant that a text defines."""
    wrong = getattr(text.load(), text.thing)
    wrong.__doc__ = text.cause
    return Mutant(wrong, text.rule, text.said("source"), replaced(wrong).__name__)


def replaced(wrong: Anything) -> Anything:
    """Return the thing that a mutant wraps; else its first base class that is impl's, or the last one if none is."""
    if hasattr(wrong, "__wrapped__"):
        return wrong.__wrapped__
    return next((base for base in wrong.__mro__ if base.__module__.startswith(OURS)), wrong.__mro__[-2])
