"""The operations of the subset, by the kinds of their operands: one table; any other is refused.

So an operation on other values is an error, and not the accidental result that Z3, or Python, has for their terms.
"""

from __future__ import annotations

import ast
import itertools
import operator
from collections.abc import Callable
from typing import Final, TypeAlias

from . import solver as z
from .values import Fun, Unreadable, Value, a_, alike, contains, eq, kind, sequence

Operation: TypeAlias = Callable[..., Value]

#: The kinds that Python counts with, and those of elements in order.
NUMBERS = ("number", "truth value")
ROWS = ("tuple", "sequence")
#: Other kinds of elements.
OTHERS = ("element", "set", "map", "record")
#: In the place of a node of the syntax tree: the parts [:1] and [1:].
FIRST: Final = "first"
REST: Final = "rest"

#: The advice for an operation that is refused.
INSTEAD: dict[object, str] = {
    **dict.fromkeys((ast.Lt, ast.LtE, ast.Gt, ast.GtE), "only numbers have an order: compare numbers"),
    **dict.fromkeys((ast.Add, ast.Sub, ast.USub), "write + and - of numbers, + of tuples, - of sets"),
    ast.Not: "write a comparison",
    **dict.fromkeys((ast.In, ast.NotIn), "write `in` of a set, a sequence or a tuple"),
    ast.Subscript: "only a map has values at keys: of a tuple write [:1] or [1:], or `in`",
    ast.BitOr: "write a set | a set, or a map | a map",
}


def counted(fn: Operation) -> Operation:
    """An operation on numbers, of truth values too."""
    return lambda *values: fn(*map(z.as_number, values))


def joined(a: Value, b: Value) -> Value:
    """One tuple or sequence after another."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return (*a, *b)
    if not (isinstance(a, tuple) or isinstance(b, tuple)):
        return z.concat(*alike(a, b))
    return z.concat(a, sequence(b, a.sort())) if z.is_sequence(a) else z.concat(sequence(a, b.sort()), b)


def without(a: Fun, b: Fun) -> Fun:
    """The elements of a set that another does not have."""
    if a.keys != b.keys and a.keys and b.keys:
        raise Unreadable("sets of different types: write sets of one type")
    return Fun(a.keys or b.keys, lambda x: z.both(a.at(x), z.no(b.at(x))), a.touched)


TABLE: dict[tuple[object, ...], Operation] = {
    **{
        (op, a, b): counted(fn)
        for op, fn in (
            (ast.Lt, operator.lt),
            (ast.LtE, operator.le),
            (ast.Gt, operator.gt),
            (ast.GtE, operator.ge),
            (ast.Add, operator.add),
            (ast.Sub, operator.sub),
        )
        for a, b in itertools.product(NUMBERS, repeat=2)
    },
    **{(ast.USub, a): counted(operator.neg) for a in NUMBERS},
    (ast.Not, "truth value"): z.no,
    **{(ast.Add, a, b): joined for a, b in itertools.product(ROWS, repeat=2)},
    (ast.Sub, "set", "set"): without,
    **{
        (op, a, b): fn
        for op, fn in (
            (ast.In, lambda x, of: contains(of, x)),
            (ast.NotIn, lambda x, of: z.no(contains(of, x))),
        )
        for a, b in itertools.product((*NUMBERS, *ROWS, *OTHERS), (*ROWS, "set"))
    },
    **{(ast.Subscript, "map", key): Fun.of for key in (*NUMBERS, *ROWS, "element")},
    (FIRST, "sequence"): z.first,
    (FIRST, "tuple"): lambda of: of[:1],
    (REST, "sequence"): z.rest,
    (REST, "tuple"): lambda of: of[1:],
}


def apply(op: object, *values: Value) -> Value:
    """An operation, a class of nodes, on these values.  Raises Unreadable for values that it is not written for."""
    if op in (ast.Eq, ast.NotEq):  # of any two values that are alike
        return eq(*values) if op is ast.Eq else z.no(eq(*values))
    kinds = tuple(map(kind, values))
    if (found := TABLE.get((op, *kinds))) is None:
        why = INSTEAD.get(op, "write a helper, and let it opt out")
        raise Unreadable(f"not read of {' and '.join(map(a_, kinds))}: {why}")
    return found(*values)
