"""Formulas as trees, and their layout in lines: on one line if it fits, else as aligned lists.

Each kind of formula has a form on one line (`flat`) and one in several (`broken`); `lay` takes the first that fits.  On
one line parentheses group; in several the indentation does, as in TLA+: a conjunction or a disjunction becomes a list
with its sign before every item.  `rank` is the precedence: an operand of lower rank gets parentheses.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

OPEN, IMPLIES, JUNCTION, RELATION, SUM, ATOM = range(6)
#: A formula behind a prefix gets at least this many columns, or begins a line of its own.
NARROW = 30
#: A prefix up to this long takes no more room than the indentation would.
MARK = 2


class Formula(ABC):
    """A formula.  `tall`: it takes several lines even if one would do, as do those that have a part that does."""

    @property
    def rank(self) -> int:
        return ATOM

    @property
    def tall(self) -> bool:
        return any(part.tall for part in formulas(tuple(vars(self).values())))

    @abstractmethod
    def flat(self) -> str: ...

    def broken(self, width: int) -> list[str]:
        return [self.flat()]


def formulas(value: object) -> Iterator[Formula]:
    """The formulas in the value of a field: itself, or in tuples."""
    if isinstance(value, Formula):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from formulas(each)


def lay(formula: Formula, width: int) -> list[str]:
    """The lines of a formula; longer than `width` only if they cannot be broken."""
    line = formula.flat()
    return [line] if len(line) <= width and not formula.tall else formula.broken(width)


def indent(lines: Iterable[str], by: str = "  ") -> list[str]:
    return [by + line for line in lines]


def hang(prefix: str, formula: Formula, width: int) -> list[str]:
    """The formula behind a prefix, all its lines aligned; or below it, indented, if that would be too narrow."""
    fits = len(prefix) + len(formula.flat()) <= width
    if not fits and len(prefix) > MARK and len(prefix) + NARROW > width:
        return [prefix.rstrip(), *indent(lay(formula, width - 2))]
    first, *rest = lay(formula, width - len(prefix))
    return [prefix + first, *indent(rest, " " * len(prefix))]


def tight(formula: Formula, rank: int) -> Formula:
    """The formula, in parentheses unless its rank is above `rank`."""
    return formula if formula.rank > rank else Bracket("(", (formula,), ")")


@dataclass(frozen=True)
class Text(Formula):
    """A text that is never broken."""

    text: str

    def flat(self) -> str:
        return self.text


@dataclass(frozen=True)
class Bracket(Formula):
    """Items between signs: arguments, a tuple, a set, parentheses."""

    begin: str
    items: tuple[Formula, ...]
    end: str

    def flat(self) -> str:
        return self.begin + ", ".join(item.flat() for item in self.items) + self.end

    def broken(self, width: int) -> list[str]:
        lines: list[str] = []
        for number, item in enumerate(self.items):
            end = self.end if number == len(self.items) - 1 else ","
            prefix = " " * len(self.begin) if lines else self.begin
            lines += hang(prefix, item, width - len(end))
            lines[-1] += end
        return lines or [self.flat()]


def bracket(begin: str, items: Sequence[Formula], end: str) -> Formula:
    """Items between signs; among several, one that extends as far as possible gets parentheses."""
    return Bracket(begin, tuple(items) if len(items) == 1 else tuple(tight(i, OPEN) for i in items), end)


@dataclass(frozen=True)
class Such(Formula):
    """Inside a set: elements, and their condition."""

    element: Formula
    condition: Formula

    rank = OPEN

    def flat(self) -> str:
        return f"{self.element.flat()} : {self.condition.flat()}"

    def broken(self, width: int) -> list[str]:
        return [*lay(self.element, width), *hang(": ", self.condition, width)]


@dataclass(frozen=True)
class Join(Formula):
    """Two atoms without a space: ¬ and its operand, a map and its key."""

    first: Formula
    second: Formula

    def flat(self) -> str:
        return tight(self.first, SUM).flat() + tight(self.second, SUM).flat()

    def broken(self, width: int) -> list[str]:
        *lines, last = lay(tight(self.first, SUM), width)
        return [*lines, *hang(last, tight(self.second, SUM), width)]


@dataclass(frozen=True)
class Junction(Formula):
    """A conjunction or a disjunction; `listed`: always in lines."""

    sign: str
    items: tuple[Formula, ...]
    listed: bool = False

    rank = JUNCTION

    @property
    def tall(self) -> bool:
        return self.listed or super().tall

    def flat(self) -> str:
        return f" {self.sign} ".join(tight(item, JUNCTION).flat() for item in self.items)

    def broken(self, width: int) -> list[str]:
        return [line for item in self.items for line in hang(f"{self.sign} ", item, width)]


def junction(sign: str, items: Sequence[Formula], *, listed: bool = False) -> Formula:
    """A junction of the items; nested junctions with the same sign are merged."""
    parts: list[Formula] = []
    for item in items:
        if isinstance(item, Junction) and item.sign == sign:
            parts += item.items
            listed |= item.listed
        else:
            parts.append(item)
    listed |= any(isinstance(part, Choice | Let) for part in parts)
    return parts[0] if len(parts) == 1 else Junction(sign, tuple(parts), listed)


@dataclass(frozen=True)
class Implies(Formula):
    """An implication, a leads-to, or an equivalence: in lines, its sides are under each other."""

    sign: str
    left: Formula
    right: Formula

    rank = IMPLIES

    def flat(self) -> str:
        left, right = tight(self.left, JUNCTION), tight(self.right, JUNCTION)
        if self.sign != "⇔" and isinstance(self.left, Junction) and self.left.sign == "∧":
            left = self.left
        if self.sign != "⇔" and self.right.rank != IMPLIES:
            right = self.right
        return f"{left.flat()} {self.sign} {right.flat()}"

    def broken(self, width: int) -> list[str]:
        return [*indent(lay(self.left, width - 2)), *hang(f"{self.sign} ", self.right, width)]


@dataclass(frozen=True)
class Infix(Formula):
    """Operands with signs between them: a chain of comparisons, or a sum, as `binds` says."""

    first: Formula
    rest: tuple[tuple[str, Formula], ...]
    binds: int

    @property
    def rank(self) -> int:
        return self.binds

    @property
    def head(self) -> Formula:
        """A sum as the first operand of a sum needs no parentheses."""
        return tight(self.first, RELATION if self.binds == SUM else self.binds)

    def flat(self) -> str:
        rest = (f" {sign} {tight(item, self.binds).flat()}" for sign, item in self.rest)
        return self.head.flat() + "".join(rest)

    def broken(self, width: int) -> list[str]:
        *lines, last = lay(self.head, width)
        for sign, item in self.rest:
            *more, last = hang(f"{last} {sign} ", tight(item, self.binds), width)
            lines += more
        return [*lines, last]


@dataclass(frozen=True)
class Equation(Formula):
    """The value of a field, a name or a key; its right side is never in parentheses."""

    left: str
    right: Formula
    sign: str = "="

    rank = RELATION

    def flat(self) -> str:
        return f"{self.left} {self.sign} {self.right.flat()}"

    def broken(self, width: int) -> list[str]:
        if isinstance(self.right, Listed):
            return hang_list(f"{self.left} {self.sign} ", self.right, width)
        return hang(f"{self.left} {self.sign} ", self.right, width)


def hang_list(prefix: str, listed: Listed, width: int) -> list[str]:
    """A list behind a prefix, with its items below the beginning of the prefix, to save room."""
    first, *rest = listed.broken(width)
    return [prefix + first, *rest]


@dataclass(frozen=True)
class Binder(Formula):
    """A quantifier: the names it binds, then a formula that extends as far as possible."""

    bound: str
    body: Formula

    rank = OPEN

    def flat(self) -> str:
        return f"{self.bound}: {self.body.flat()}"

    def broken(self, width: int) -> list[str]:
        return [f"{self.bound}:", *indent(lay(self.body, width - 2))]


@dataclass(frozen=True)
class Choice(Formula):
    """Arms, each a condition and the formula for it; and the formula for else."""

    arms: tuple[tuple[Formula, Formula], ...]
    other: Formula

    rank = OPEN

    def flat(self) -> str:
        arms = (f"if {test.flat()} then {then.flat()} else " for test, then in self.arms)
        return "".join(arms) + self.other.flat()

    def broken(self, width: int) -> list[str]:
        lines: list[str] = []
        for test, then in self.arms:
            line = f"{'else ' if lines else ''}if {test.flat()} then"
            if len(line) + 1 + len(then.flat()) <= width and not (test.tall or then.tall):
                lines.append(f"{line} {then.flat()}")
            else:
                lines += hang(line.partition("if ")[0] + "if ", test, width - 5)
                lines[-1] += " then"
                lines += indent(lay(then, width - 2))
        return [*lines, *hang("else ", self.other, width)]


def choice(test: Formula, then: Formula, other: Formula) -> Formula:
    """If, then, else; an else that is a choice itself becomes more arms."""
    if isinstance(other, Choice):
        return Choice(((test, then), *other.arms), other.other)
    return Choice(((test, then),), other)


@dataclass(frozen=True)
class Listed(Formula):
    """A head with fields: `s with a = x, b = y`."""

    head: Formula
    fields: tuple[Equation, ...]

    rank = OPEN

    @property
    def tall(self) -> bool:
        return len(self.fields) > 2 or super().tall

    def flat(self) -> str:
        return f"{self.head.flat()} with {', '.join(field.flat() for field in self.fields)}"

    def broken(self, width: int) -> list[str]:
        *lines, last = lay(self.head, width)
        fields = (line for field in self.fields for line in lay(field, width - 2))
        return [*lines, f"{last} with", *indent(fields)]


@dataclass(frozen=True)
class Let(Formula):
    """Names for values, and the formula that uses them."""

    names: tuple[Equation, ...]
    body: Formula

    rank = OPEN

    @property
    def tall(self) -> bool:
        return True

    def flat(self) -> str:
        return f"let {', '.join(name.flat() for name in self.names)} in {self.body.flat()}"

    def broken(self, width: int) -> list[str]:
        names = [line for name in self.names for line in lay(name, width - 4)]
        return ["let " + names[0], *indent(names[1:], "    "), *hang("in  ", self.body, width)]
