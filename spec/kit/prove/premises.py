"""The pinned premises: the invariants that prove each obligation of the shipped specifications.

They make proofs fast, and the same in every run.  The file is written by `python -m spec prove --pin`, an obligation
a line.  For an obligation that every way through an action can be taken, it has the numbers of the ways that cannot,
because a helper has branches that this action does not reach.  `text` identifies the source of the pins: the
functions of the specification and this package.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from ..render.source import helpers, roots, source
from .case import POSSIBLE, Case, Obligation

T = TypeVar("T")

#: A sample has one obligation or mutant in so many.
ONE_IN = 24
#: The pins of the shipped specifications.
PINS = Path(__file__).parents[2] / "premises.json"


@dataclass
class Pins:
    """The pins of one case, and the identity of their source."""

    text: str = ""
    premises: dict[Obligation, tuple[str, ...]] = field(default_factory=dict)

    def stale(self, case: Case) -> Iterator[str]:
        """The pins for obligations that are not there, and those that name a premise that is not."""
        known = set(case.obligations())
        for obligation, names in self.premises.items():
            shown = f"{case.name}: {obligation.action}, {obligation.goal}"
            if obligation not in known:
                yield f"{shown}: it is pinned, and there is no such obligation"
            elif obligation.goal != POSSIBLE:
                yield from (
                    f"{shown}: it is pinned to the premise {name}, which it cannot have"
                    for name in names
                    if name not in case.premises(obligation)
                )

    def without_stale(self, case: Case) -> Pins:
        """The pins for obligations that are there, from premises that there are."""
        known = set(case.obligations())
        kept = {
            obligation: names
            for obligation, names in self.premises.items()
            if obligation in known and (obligation.goal == POSSIBLE or {*names} <= {*case.premises(obligation)})
        }
        return Pins(self.text, kept)


def identity(case: Case) -> str:
    """A digest of the functions of a specification and of the modules that prove it."""
    spec = case.spec
    functions = [*roots(spec), *helpers(spec), *(source(law).fn for law in spec.laws.values())]
    given = [case.given] if case.given else []
    functions += [source(fn).fn for fn in [*given, *(case.exclusive or {}).values()]]
    texts = ["".join(source(fn).lines[fn.__code__.co_firstlineno - 1 : source(fn).tree.end_lineno]) for fn in functions]
    proving = set(Path(__file__).parent.glob("*.py")) - {Path(__file__)}  # this one only stores
    texts += [path.read_text("utf-8") for path in sorted(proving)]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def load(path: Path = PINS) -> dict[str, Pins]:
    """The pins of each case, by its name; none if there is no file."""
    if not path.exists():
        return {}
    stored = json.loads(path.read_text("utf-8"))
    return {
        name: Pins(
            of["text"],
            {Obligation(*key.split(" ")): tuple(names.split()) for key, names in of["premises"].items()},
        )
        for name, of in stored.items()
    }


def save(pins: Mapping[str, Pins], path: Path = PINS) -> None:
    """Write the pins, an obligation a line."""
    lines = {
        name: {
            "text": of.text,
            "premises": {" ".join(key): " ".join(names) for key, names in of.premises.items()},
        }
        for name, of in pins.items()
    }
    path.write_text(json.dumps(lines, indent=0) + "\n", encoding="utf-8", newline="\n")


def sample(things: Iterable[T], seed: int, one_in: int) -> list[T]:
    """Some of the things, one in so many; which ones, the seed and their texts say."""
    return [
        each for each in things if int.from_bytes(hashlib.sha256(f"{seed} {each}".encode()).digest()[:4]) % one_in == 0
    ]
