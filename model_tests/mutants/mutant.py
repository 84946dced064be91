"""Mutant: one wrong class or function of impl, and the one way for every check to get at it.

A mutant derives from the class that it replaces, or names it, and takes one rule away; the right class stays as it is.
`Mutant.names()` is impl's namespace with the wrong thing in the place of the right one, and `new_loop()` makes a loop
that uses a wrong class of futures or tasks, if the mutant is one.  The conformance kit plays programs on these
two, the state machines and the monitors drive the `Subject` that is made of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any, Final, TypeVar

import impl
from impl.loop import Loop

from ..programs.runtimes import namespace
from ..refinement.subjects import Subject, subject_of

# Any class or function, and the values in impl's generic classes.
Anything = Any
W = TypeVar("W", bound=Callable[..., Any])

#: How the modules of impl begin, in a checkout or in the wheel.
OURS: Final = f"{impl.__name__}."
#: All mutants of imported files, in order of definition; `registry.MUTANTS` has imported all.
DEFINED: Final[list[Mutant]] = []


@dataclass(frozen=True)
class Mutant:
    """A wrong implementation.

    `replaces` is the name that it stands for.  `source` says where the defect was met: an issue of CPython (bpo-,
    gh-) or of another project, a sketch of the five texts by its number, or "contract", which only the rule forbids.
    """

    wrong: Anything
    rule: str
    source: str
    replaces: str

    @property
    def name(self) -> str:
        return str(self.wrong.__name__)

    @property
    def file(self) -> str:
        """The file that defines it, as `queues`."""
        return str(self.wrong.__module__.rpartition(".")[2])

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


def breaks(rule: str, source: str, of: Anything = None) -> Callable[[W], W]:
    """Define the decorated class or function as a mutant that breaks `rule`.

    `of`: the class that it replaces; None: the first base class that is impl's.
    """

    def define(wrong: W) -> W:
        right = of or next(base for base in wrong.__mro__ if base.__module__.startswith(OURS))  # type: ignore[attr-defined]  # only a function has `of`
        if not isinstance(right, type):
            wrong.__wrapped__ = right  # type: ignore[attr-defined]  # as functools.wraps names the original
        DEFINED.append(Mutant(wrong, rule, source, right.__name__))
        return wrong

    return define
