"""Errors that a translator can have, each planted into ours: the comparison with Python must see every one.

An error is a piece of the translator's text and another in its place (planted.txt), or another function in its table of
operations.
"""

import ast
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from spec.kit.prove import operations, sums, values
from spec.kit.prove import solver as z
from spec.kit.prove.reader import Function

from ....assurance.fuzz.specifications.planted_errors import edited
from ....programs.tables import change, texts

PLACES = {"Function": Function, "operations": operations, "sums": sums, "values": values}


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


def read() -> Iterator[tuple[str, Error]]:
    """The errors of planted.txt by their names: where it is, the subject, how many samples; the text as it changes."""
    for head, text in texts(Path(__file__).with_name("planted.txt")).items():
        name, _, of = head.rpartition(": ")
        fn, seen, *samples = of.split(", ")
        module, _, function = fn.partition(".")
        right, wrong = (part.removesuffix("\n") for part in change(text))
        yield name, Error(attrgetter(function)(PLACES[module]), right, wrong, seen, *map(int, samples))


ERRORS: dict[str, Error | Row] = {
    **dict(read()),
    "[1:] as [:1]": Row("rest", z.first, "queue"),
    "[:1] as [1:]": Row("first", z.rest, "queue"),
    "not forgotten": Row(ast.Not, lambda a: a, "events"),
    "a minus sign forgotten": Row(ast.USub, z.as_number, "crawl"),
    "<= as <": Row(ast.LtE, operator.lt, "queue"),
    "< as <=": Row(ast.Lt, operator.le, "queue"),
    "> as >=": Row(ast.Gt, operator.ge, "queue"),
    "not in as in": Row(ast.NotIn, lambda a, b: values.contains(b, a), "queue"),
    "+ in the other order": Row(ast.Add, lambda a, b: operations.joined(b, a), "queue", of="sequence"),
    "the sum of numbers as their difference": Row(ast.Add, operator.sub, "queue", of="number"),
    "- of a set as nothing": Row(ast.Sub, lambda a, b: a, "constructs", of="set"),
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
