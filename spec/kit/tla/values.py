"""Values of Python in TLA+, and their names.

Numbers, sets and functions are TLA+'s own: a tuple is a sequence, a Map a function, a dataclass a record, None a model
value.  A member of an enum is a string, or the number that it is; members of string enums are equal if their strings
are, as in Python.

Operators begin with a capital letter, parameters and local names with a small one.  A local name or a field that TLA+
would not take, or that a module keeps for itself, begins with `v_`.
"""

from __future__ import annotations

import ast
import re
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from ..core import Map
from ..render.source import Untranslatable


def local(name: str) -> str:
    """The name of a parameter, of a field, or of another name that a function gives a value."""
    plain = re.fullmatch("[a-z][A-Za-z0-9_]*", name) and name not in ("state", "model")
    return name if plain and not name.startswith("v_") else "v_" + re.sub("[^A-Za-z0-9_]", sign, name)


def sign(found: re.Match[str]) -> str:
    return f"u{ord(found[0]):x}"


def operator(name: str) -> str:
    """`get_nowait` is GetNowait; words in capitals, which TLA+ has for itself, begin with F."""
    words = "".join(word[:1].upper() + word[1:] for word in name.split("_"))
    return re.sub("[^A-Za-z0-9]", sign, words if re.match("[A-Z]([^A-Z]|$)", words) else f"F{words}")


def names(target: ast.expr) -> str:
    """The names of a target: x, or <<x, y>>."""
    if isinstance(target, ast.Tuple):
        return f"<<{', '.join(map(names, target.elts))}>>"
    assert isinstance(target, ast.Name)
    return local(target.id)


# Any below: values and types of any specification.

#: Signs between operands.
AND, OR, CUP = r" /\ ", r" \/ ", r" \cup "
FORALL, EXISTS = r"\A", r"\E"
LARGEST = 2**31 - 1  # TLC's numbers


def value(x: Any) -> str:
    """The text of a value.  Raises Untranslatable for one that TLA+ does not have."""
    match x:
        case None:
            return "None"
        case bool():
            return str(x).upper()
        case int() if abs(x) <= LARGEST:
            return str(int(x))
        case str():
            return word(str.__str__(x.value) if isinstance(x, Enum) else x)
        case Enum():
            return f'"<{type(x).__name__}.{x.name}>"'  # as no string is written
        case Map():
            return function([(value(key), value(item)) for key, item in x.items()])
        case frozenset():
            return braced(sorted(map(value, x)))
        case tuple():
            return sequence(map(value, x))
        case _ if is_dataclass(x):
            return record({local(part.name): value(getattr(x, part.name)) for part in fields(x)})
    raise Untranslatable(f"{x!r}: a value without a counterpart in TLA+: take a number, a tuple, a frozenset, a Map")


def word(text: str) -> str:
    """A string; TLA+ has no other signs than those of ASCII, and none may end it."""
    return '"' + re.sub(r'[^ -~]|["\\<]', lambda sign: f"<{ord(sign[0]):x}>", text) + '"'


def braced(parts: Any) -> str:
    return "{" + ", ".join(parts) + "}"


def sequence(parts: Any) -> str:
    return "<<" + ", ".join(parts) + ">>"


def record(parts: dict[str, str]) -> str:
    return "[" + ", ".join(f"{name} |-> {text}" for name, text in parts.items()) + "]" if parts else "<<>>"


def function(rows: list[tuple[str, str]]) -> str:
    """The function that has these values; of two rows with one argument, the later one counts.

    It is written as a balanced tree, which TLC reads at any size.
    """
    if len(rows) == 1:
        return f"({rows[0][0]} :> {rows[0][1]})"
    if len({text for _, text in rows}) == 1:
        x = next(name for n in range(1, 99) if (name := "V_" + "0" * n) not in rows[0][1])
        return f"[{x} \\in {braced(sorted({key for key, _ in rows}))} |-> {rows[0][1]}]"
    if not rows:
        return "<<>>"
    return joined([f"{key} :> {text}" for key, text in reversed(rows)])


def joined(parts: list[str]) -> str:
    """`f @@ g @@ h`: the first one counts."""
    if len(parts) < 9:
        return "(" + " @@ ".join(parts) + ")"
    half = len(parts) // 2
    return f"({joined(parts[:half])} @@ {joined(parts[half:])})"
