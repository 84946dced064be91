"""The definitions of a module: each function is an operator with its name in TLA+, defined before it is used.

Every module begins with the prelude: operations of Python that TLA+ has not.
"""

from __future__ import annotations

import re
from typing import Any

from ..render.source import at, source
from ..render.subset import SubsetReader
from . import opaque
from .values import operator
from .writer import Writer

PRELUDE = r"""
CONSTANT None
Named(name, holds) == holds \/ (PrintT(<<"broken", name>>) /\ FALSE)
Number(b) == IF b THEN 1 ELSE 0
Max(a, b) == IF a >= b THEN a ELSE b
Min(a, b) == IF a <= b THEN a ELSE b
Range(q) == {q[i] : i \in DOMAIN q}
At(q, i) == IF i < 0 THEN q[Len(q) + i + 1] ELSE q[i + 1]
First(q) == IF q = <<>> THEN <<>> ELSE <<Head(q)>>
Rest(q) == IF q = <<>> THEN <<>> ELSE Tail(q)
RECURSIVE SumOver(_, _)
SumOver(f, d) == IF d = {} THEN 0 ELSE LET x == CHOOSE x \in d : TRUE IN f[x] + SumOver(f, d \ {x})
Sum(f) == SumOver(f, DOMAIN f)
RECURSIVE Less(_, _)
Less(p, q) == IF p = <<>> THEN q # <<>> ELSE IF q = <<>> THEN FALSE
    ELSE IF Head(p) = Head(q) THEN Less(Tail(p), Tail(q)) ELSE Head(p) < Head(q)
Item(rows, key) == LET found == {r[2] : r \in {r \in rows : r[1] = key}}
    IN IF Cardinality(found) = 1 THEN CHOOSE x \in found : TRUE ELSE Assert(FALSE, <<"two values of", key>>)
MapOf(rows) == [key \in {r[1] : r \in rows} |-> Item(rows, key)]
"""
#: The names that no operator may have: these, those of TLA+'s standard modules, and those of `module.py`.
RESERVED = re.findall(r"\b[A-Z]\w*(?=\(.*\) ==)", PRELUDE) + re.findall(
    r"\w+",
    """
    None Nat Int Seq Len Append Head Tail SubSeq SelectSeq Cardinality IsFiniteSet Print PrintT Assert JavaTime TLCGet
    TLCSet Permutations SortSeq RandomElement Any ToString TLCEval Init Next Spec Constants Initial Family Deadlock
    HighConstants HighInitial Refines
    """,
)


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
