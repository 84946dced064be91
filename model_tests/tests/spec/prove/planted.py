"""Errors that a translator can have, each planted into ours: the comparison with Python must see every one.

An error is a piece of the translator's text and another in its place, or other functions in its table of operations.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from spec.kit.prove import operations, sums, values
from spec.kit.prove import solver as z
from spec.kit.prove.reader import Function

from ....fuzz.specifications.planted import edited


class Error(NamedTuple):
    """An error in a function; `seen`: the subject on which the comparison sees it, in so many samples."""

    fn: Callable[..., Any]
    right: str
    wrong: str
    seen: str
    samples: int = 60


class Row(NamedTuple):
    """An error in the rows of an operation, of operands of one kind or of any; the rest as of `Error`."""

    op: object
    wrong: Callable[..., Any]
    seen: str
    samples: int = 60
    of: str = ""


ERRORS: dict[str, Error | Row] = {
    "an else without its negation": Error(Function.block, "(*path, z.no(condition))", "path", "queue"),
    "a then without its condition": Error(Function.block, "(*path, condition)", "path", "queue"),
    "the way through a helper forgotten": Error(
        Function.block, "Way((*path, *way.conditions)", "Way(path", "stream"
    ),
    "any element chosen": Error(Function.block, "(*path, *way.conditions))", "path)", "task_hops"),
    "a helper's branches swapped": Error(
        Function.returned,
        "[*then, *rest], env), self.returned([*other, *rest]",
        "[*other, *rest], env), self.returned([*then, *rest]",
        "crawl",
        samples=90,
    ),
    "all as any": Error(Function.called, "every=called is all", "every=False", "events"),
    "any as all": Error(Function.called, "every=called is all", "every=True", "locks"),
    "all of everything": Error(Function.quantified, "z.implies(where, body)", "body", "crawl"),
    "any of everything": Error(Function.quantified, "z.both(where, body)", "body", "locks"),
    "a filter forgotten": Error(
        Function.combinations,
        "[member, *(self.condition(each, inner) for each in first.ifs)]",
        "[member]",
        "stream",
    ),
    "members forgotten": Error(Function.combinations, "[member, *(", "[*(", "crawl"),
    "- of a display as |": Error(
        Function.changed, "z.truth(add)) for key in keys]", "z.truth(True)) for key in keys]", "task"
    ),
    "- of a comprehension as |": Error(
        Function.changed,
        "generators, env, lambda names: z.truth(add))",
        "generators, env, lambda names: z.truth(True))",
        "queue",
    ),
    "a key that is not changed": Error(
        values.Fun.at_points, "ite(eq(x, key), value, found)", "found", "queue"
    ),
    "| of a comprehension everywhere": Error(
        Function.comprehended, "z.both(*conditions, ", "z.both(", "crawl"
    ),
    "a key's equality forgotten": Error(
        Function.comprehended,
        "z.both(*conditions, *(eq(self.value(part, inner), y) for part, y in equalities))",
        "z.both(*conditions)",
        "task",
    ),
    "a comprehension's filter forgotten": Error(
        Function.matching, "*(self.condition(each, inner) for each in first.ifs)", "", "crawl"
    ),
    "[1:] as [:1]": Row("rest", z.first, "queue"),
    "[:1] as [1:]": Row("first", z.rest, "queue"),
    "and as or": Error(
        Function._value, "z.both(*(self.condition(part", "z.either(*(self.condition(part", "events"
    ),
    "or as and": Error(
        Function._value, "z.either(*(self.condition(part", "z.both(*(self.condition(part", "events"
    ),
    "not forgotten": Row(ast.Not, lambda a: a, "events"),
    "a minus sign forgotten": Row(ast.USub, z.as_number, "crawl"),
    "<= as <": Row(ast.LtE, operator.lt, "queue"),
    "< as <=": Row(ast.Lt, operator.le, "queue"),
    "> as >=": Row(ast.Gt, operator.ge, "queue"),
    "not in as in": Row(ast.NotIn, lambda a, b: values.contains(b, a), "queue"),
    "!= as ==": Error(operations.apply, "z.no(eq(*values))", "eq(*values)", "queue"),
    "+ in the other order": Row(ast.Add, lambda a, b: operations.joined(b, a), "queue", of="sequence"),
    "the sum of numbers as their difference": Row(ast.Add, operator.sub, "queue", of="number"),
    "max as min": Error(
        Function.called, "called is max else each < found", "called is min else each < found", "constructs"
    ),
    "a sum's filter forgotten": Error(
        Function.summed,
        "[members.at(x), *(self.condition(each, inner) for each in clause.ifs)]",
        "[members.at(x)]",
        "queue",
    ),
    "if-else swapped": Error(
        values.ite, "return z.choose(condition, a, b)", "return z.choose(condition, b, a)", "queue"
    ),
    "() equal to every sequence": Error(
        values.eq,
        "    a, b = alike(a, b)\n",
        "    if isinstance(b, tuple) and z.is_sequence(a):\n        return z.truth(True)\n    a, b = alike(a, b)\n",
        "queue",
    ),
    "a field that a step keeps": Error(
        values.Rec.replace,
        "for n, v in changes.items()",
        "for n, v in changes.items() if n != 'line'",
        "queue",
    ),
    "sets equal if one is in the other": Error(
        values.eq,
        "z.forall(z.parts(x), eq(a.at(x), b.at(x)))",
        "z.forall(z.parts(x), z.implies(a.at(x), b.at(x)) if a.at(x).sort() == z.BOOL else eq(a.at(x), b.at(x)))",
        "constructs",
    ),
    "in a display if equal to all of it": Error(values.contains, "z.either(", "z.both(", "constructs"),
    "a sum that is off by one": Error(
        sums.related, "was + z.add(*differences)", "was + z.add(*differences) + 1", "queue"
    ),
    "two elements that may be one": Error(
        sums.alone, "z.either(eq(x, y), total >= at(x) + at(y))", "total >= at(x) + at(y)", "queue"
    ),
    "a sum of naturals below its parts": Error(sums.alone, "total >= at(x)))", "total > at(x)))", "queue"),
    "a changed element counted twice": Error(
        sums.related, "z.both(*(z.no(eq(p, q)) for q in changed[:i]))", "z.truth(True)", "constructs"
    ),
    "a sum that falls where no summand rises": Error(
        sums.related,
        "z.implies(z.forall(xs, at(x) <= before(x)), total <= was)",
        "z.implies(z.forall(xs, at(x) <= before(x)), total < was)",
        "queue",
    ),
    "a sum that falls by more than each summand does": Error(
        sums.related, "total - was <= at(x) - before(x)", "total - was < at(x) - before(x)", "queue"
    ),
    "- of a set as nothing": Row(ast.Sub, lambda a, b: a, "constructs", of="set"),
    "the last of a display's changes lost": Error(
        values.Fun.at_points, "for key, value in points:", "for key, value in points[:1]:", "constructs"
    ),
    "pairs equal if a part is": Error(
        values.eq,
        "return z.both(*(eq(x, y) for x, y in zip(a, b, strict=True)))",
        "return z.either(*(eq(x, y) for x, y in zip(a, b, strict=True)))",
        "constructs",
    ),
    "min as max": Error(
        Function.called, "called is max else each < found", "called else each < found", "constructs"
    ),
    "a chain of comparisons by its first": Error(
        Function._value,
        "itertools.pairwise(sides)",
        "[*itertools.pairwise(sides)][:1] * len(ops)",
        "constructs",
    ),
}


@contextmanager
def planted(error: Error | Row) -> Iterator[None]:
    """The translator has this error for as long as the context lasts."""
    with in_table(error) if isinstance(error, Row) else edited(error.fn, error.right, error.wrong):
        yield


@contextmanager
def in_table(error: Row) -> Iterator[None]:
    right = dict(operations.TABLE)
    rows = [row for row in right if row[0] == error.op and error.of in ("", *row[1:])]
    assert rows
    operations.TABLE.update(dict.fromkeys(rows, error.wrong))
    try:
        yield
    finally:
        operations.TABLE.update(right)
