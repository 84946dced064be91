"""Rules as they are cited: identifier, sentence, source, standing, and where each stands.

Theory of operation.  The docstring of a registered function is the one place where its rule is told:

    QUEUE-2: The buffer never holds more than maxsize items.  [asyncio.Queue, maxsize; documented]

This module takes it apart, for whoever lists or renders rules.  A rule of a text of one's own need not give a source;
what is missing is empty here, and `problems` tells it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .core import RULE, Named, Spec

#: What a rule may rest on: a document; what CPython does and its tests or issues rely on; a definition of ours.
STANDINGS = ("documented", "settled", "defined")
#: The folder that holds the package of specifications: paths of its files are told from there.
HOME = Path(__file__).parents[2]
CITED = re.compile(r"(?P<sentence>.*)\s\[(?P<source>.*)\]")


@dataclass(frozen=True)
class Rule:
    """A rule as its docstring gives it, each part on one line; `source` and `standing` may be empty."""

    identifier: str
    sentence: str
    source: str
    standing: str


def rule_of(named: Named) -> Rule:
    """The rule that a registered action or property states."""
    text = " ".join(RULE.sub(lambda m: m[0][-1], named.doc, count=1).split())
    cited = CITED.fullmatch(text)
    if cited is None:
        return Rule(named.rule, text, "", "")
    source, parted, standing = cited["source"].rpartition("; ")
    if not parted:
        source, standing = standing, ""
    return Rule(named.rule, cited["sentence"].strip(), source, standing)


def where(fn: Callable[..., Any]) -> tuple[str, int]:  # Any: whatever a specification registers
    """The file and the line at which a function begins; a path relative to HOME, or to here, if it is inside."""
    path = Path(fn.__code__.co_filename)
    for folder in (HOME, Path.cwd()):
        if path.is_relative_to(folder):
            return path.relative_to(folder).as_posix(), fn.__code__.co_firstlineno
    return str(path), fn.__code__.co_firstlineno


def problems(spec: Spec[Any, Any]) -> Iterator[str]:
    """What a rule of `spec` lacks: a source, or a standing that is one of STANDINGS."""
    for table in spec.tables():
        for named in table.values():
            rule, (path, line) = rule_of(named), where(named.fn)
            if not rule.source:
                yield f"{path}:{line}: {rule.identifier} has no source"
            elif rule.standing not in STANDINGS:
                yield f"{path}:{line}: {rule.identifier} has no known standing, but {rule.standing!r}"
