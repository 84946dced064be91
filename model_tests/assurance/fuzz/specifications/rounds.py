"""A round of the fuzz: the outcomes of many specifications, how they count, and the smallest of a kind."""

import ast
import gc
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final

from .comparison import CommandOutcome, compared
from .generator import Generated, generated

#: The least share of specifications with a property that is false and one that is proved.
LEAST_MIXED: Final = 0.3
#: The most of those inside the subset that the prover may refuse.
MOST_REFUSED: Final = 0.05


def outcome(of: Generated) -> CommandOutcome:
    with tempfile.TemporaryDirectory() as folder:
        return compared(of.module, Path(folder) / "item_.py", beyond=of.beyond)


def numbered(seed: int, number: int) -> tuple[Generated, CommandOutcome]:
    """The specification of a number, and its outcome."""
    of = generated(seed, number)
    return of, outcome(of)


def played(seed: int, numbers: Iterable[int]) -> Iterator[tuple[Generated, CommandOutcome]]:
    """The outcomes of these numbers, in order, from a process for each processor."""
    with ProcessPoolExecutor(os.cpu_count(), initializer=gc.freeze) as pool:
        yield from pool.map(partial(numbered, seed), numbers, chunksize=10)


def counted(counts: Counter[str], of: Generated, found: CommandOutcome) -> None:
    """Add an outcome to the counts."""
    where = "beyond the subset" if of.beyond else "inside the subset"
    for command, verdict in (
        (" ", ""),
        (", check: ", found.check),
        (", prove: ", found.prove or "not asked"),
    ):
        counts[f"{where}{command}{verdict.partition(' ')[0]}".strip()] += 1
    counts["a property false, another proved"] += bool(found.false and found.proved)
    counts["wrong"] += bool(found.wrong)
    counts["specifications"] += 1


def lacks(counts: Counter[str]) -> list[str]:
    """Why the counts say little: too few specifications with a property of each verdict, or too many refusals."""
    mixed = counts["a property false, another proved"] >= LEAST_MIXED * counts["specifications"]
    read = counts["inside the subset, prove: refused"] <= MOST_REFUSED * counts["inside the subset"]
    return ["too few have a property of each verdict"] * (not mixed) + ["too many are refused"] * (not read)


def small(of: Generated) -> Generated:
    """The smallest specification with a disagreement of the same kind."""
    return shrunk(of, lambda each: {re.sub(r"\S*(?:\d|item_)\S*", "#", wrong)[:50] for wrong in outcome(each).wrong})


def shrunk(found: Generated, kinds: Callable[[Generated], set[str]]) -> Generated:
    """The smallest specification that was met with one of the same kinds of disagreement."""
    wrong = kinds(found)
    while (less := next((each for each in smaller(found) if wrong & kinds(each)), None)) is not None:
        found = less
    return found


def smaller(of: Generated) -> Iterator[Generated]:
    """Specifications without one of the fields, and with a shorter text; the largest pieces go first."""
    fields = re.split(r", (?=\w+: )", of.state)
    for i in range(len(fields) if len(fields) > 1 else 0):
        yield Generated(", ".join([*fields[:i], *fields[i + 1 :]]), of.text, of.beyond)
    tree = ast.parse(of.text)
    size = len(ast.unparse(tree))
    for node in ast.walk(tree):
        for name, value in list(ast.iter_fields(node)):
            for less in pieces(value) if name not in ("annotation", "returns", "func") else ():
                setattr(node, name, less)
                if len(text := ast.unparse(tree)) < size and is_python(text):
                    yield Generated(of.state, text + "\n", of.beyond)
            setattr(node, name, value)


def pieces(value: Any) -> Iterator[Any]:  # the value of a field of a syntax tree
    """A list without an item, or with a part of it in its place; in the place of an expression a constant or a part."""
    if isinstance(value, list):
        for i, item in enumerate(value):
            inner = [*getattr(item, "body", []), *getattr(item, "orelse", [])] if isinstance(item, ast.stmt) else []
            for less in [[], inner, *([each] for each in pieces(item))]:
                yield [*value[:i], *less, *value[i + 1 :]]
    elif isinstance(value, ast.expr) and not isinstance(value, ast.Constant):
        yield from (ast.Constant(constant) for constant in (True, False, 0, 1))
        yield from (child for child in ast.walk(value) if isinstance(child, ast.expr) and child is not value)


def is_python(text: str) -> bool:
    try:
        compile(text, "text", "exec")
    except SyntaxError:
        return False
    return True
