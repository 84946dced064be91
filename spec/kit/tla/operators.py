"""The definitions of a module: each function is an operator with its name in TLA+, defined before it is used."""

from __future__ import annotations

from typing import Any

from ..render.source import at, source
from ..render.subset import SubsetReader
from . import opaque
from .names import operator
from .prelude import RESERVED
from .writer import Writer

# Any below: functions of any signature.


class Operators:
    """The definitions of a module, in their order, with the operators of functions; those with a table are opaque.

    `constants`: those of each model.  `parts`: the operators that differ from model to model.
    """

    def __init__(self, constants: list[Any], tables: opaque.Tables) -> None:
        self.constants, self.tables = constants, tables
        self.lines: list[str] = []
        self.parts: dict[str, list[str]] = {}
        self._names: dict[Any, str] = {}
        self._open: set[Any] = set()
        self._taken = set(RESERVED)

    def define(self, name: str, texts: list[str]) -> str:
        """Define a name by its text in each model; returns it."""
        if len(set(texts)) > 1:
            self.parts[name] = texts
        self.lines.append(f"{name} == {texts[0] if len(set(texts)) == 1 else f'Family[model].{name}'}")
        return name

    def name(self, fn: Any) -> str:
        """The operator of a function.  Raises Untranslatable if it is outside the subset."""
        if fn in self._open:
            raise at(fn, "it calls itself: let it opt out, Spec(..., opaque={name: reason})")
        if fn not in self._names:
            self._open.add(fn)
            name = self._free(operator(getattr(fn, "__name__", "")))
            self.lines.append(self._definition(fn, name))
            self._open.remove(fn)
            self._names[fn] = name
        return self._names[fn]

    def _definition(self, fn: Any, name: str) -> str:
        if fn in self.tables:
            tables, text = opaque.definition(name, fn, self.tables[fn], self.constants)
            self.define(f"{name}_table", tables)
            return text
        read = source(fn)
        if wrong := next(SubsetReader(read).read(), None):
            raise wrong
        return Writer(read, self.name).definition(name)

    def _free(self, name: str) -> str:
        """That name, with a number if it is taken."""
        tries = (name if n == 1 else f"{name}{n}" for n in range(1, len(self._taken) + 2))
        found = next(each for each in tries if each not in self._taken)
        self._taken.add(found)
        return found
