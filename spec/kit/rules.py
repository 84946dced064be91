"""Rules as they are cited: identifier, sentence, source, standing, and the place of each.

The docstring of a registered function is the only place of its rule:

    QUEUE-2: The buffer never holds more than maxsize items.  [asyncio.Queue, maxsize; documented]

This module parses it, for commands that list or render rules.  A rule of a user's specification need not give a source;
missing parts are empty here, and `problems` reports them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from .core import IDENTIFIER, RULE, Named, Spec

#: A rule rests on a document, on a habit of CPython that its tests or issues rely on, or on a definition of ours.
STANDINGS = ("documented", "settled", "defined")
#: The folder that holds the package of specifications; paths of its files are relative to it.
HOME = Path(__file__).parents[2]
#: The names in a text; some only look like an identifier, as `UTF-8` does.
NAMED = re.compile(rf"\b{IDENTIFIER}\b")
CITED = re.compile(r"(?P<sentence>.*)\s\[(?P<source>.*)\]")
PromiseStanding = Literal["documented", "settled", "defined"]
Where = Literal["names", "loop", "crawl", "kernel"]


class Promise(NamedTuple):
    """A rule stated in a sentence only: identifier, sentence, source, standing, and where it can be seen."""

    rule: str
    text: str
    source: str
    standing: PromiseStanding
    where: Where = "names"


@dataclass(frozen=True)
class Rule:
    """A rule as its docstring gives it, each part on one line; `source` and `standing` may be empty."""

    identifier: str
    sentence: str
    source: str
    standing: str


def rule_of(named: Named) -> Rule:
    """The rule of a registered action or property."""
    text = " ".join(RULE.sub(lambda m: m[0][-1], named.doc, count=1).split())
    cited = CITED.fullmatch(text)
    if cited is None:
        return Rule(named.rule, text, "", "")
    source, parted, standing = cited["source"].rpartition("; ")
    if not parted:
        source, standing = standing, ""
    return Rule(named.rule, cited["sentence"].strip(), source, standing)


def where(fn: Callable[..., Any]) -> tuple[str, int]:  # Any: the signatures differ
    """The file and the line at which a function begins; a path relative to HOME, or to here, if it is inside."""
    path = Path(fn.__code__.co_filename)
    for folder in (HOME, Path.cwd()):
        if path.is_relative_to(folder):
            return path.relative_to(folder).as_posix(), fn.__code__.co_firstlineno
    return str(path), fn.__code__.co_firstlineno


def problems(spec: Spec[Any, Any]) -> Iterator[str]:
    """The rules of `spec` that lack a source, or a standing that is one of STANDINGS."""
    for table in spec.tables():
        for named in table.values():
            rule, (path, line) = rule_of(named), where(named.fn)
            if not rule.source:
                yield f"{path}:{line}: {rule.identifier} has no source"
            elif rule.standing not in STANDINGS:
                yield f"{path}:{line}: {rule.identifier} has no known standing, but {rule.standing!r}"
