"""How each rule is assured: rows of the table that `python -m model_tests.assurance.table` writes.

*Proved* says something of the text, for any number of tasks, items and URLs, given the translator and Z3; it says
nothing of a program.  *Explored* says it of the sizes that were searched, and trusts the search only.  A *wrong text*
breaks the rule, and the check finds that; some are *refuted by no other rule* of the text, in the same model.  A
*vector* and a *program* show the rule on a namespace with asyncio's names, a *fact* on plain asyncio.  The examples of
a *machine* and *recorded runs* of several runtimes are held to the whole specification of the rule in `make check`.
*Tests* name it, which shows nothing by itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).parents[1] / "assurance.json"


@dataclass(frozen=True, slots=True)
class Row:
    """All that would notice if a rule were broken.

    proved, obligations: of so many obligations of the rule, so many are proved; instances, states, edges: of all models
    that check it, together; only: of the wrong texts, those that no other rule refutes; machine, traces,
    runtimes: so many examples and recorded runs, all together, and the most runtimes that one test has; broken: the
    versions of CPython that break it, each with the issue.
    """

    proved: int = 0
    obligations: int = 0
    instances: int = 0
    states: int = 0
    edges: int = 0
    wrong: int = 0
    only: int = 0
    vectors: int = 0
    programs: int = 0
    facts: int = 0
    machine: int = 0
    traces: int = 0
    runtimes: int = 0
    tests: int = 0
    broken: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing would notice; that a test names the rule does not count."""
        shown = self.vectors or self.programs or self.facts or self.machine or self.traces
        return not (self.proved or self.states or shown)

    def parts(self) -> Iterator[str]:
        """The parts of the row in words."""
        if self.obligations:
            yield f"proved {self.proved} of {self.obligations}"
        if self.instances:
            yield f"explored in {many(self.instances, 'instance')} of {self.states:,} states, {self.edges:,} edges"
        if self.wrong:
            yield many(self.wrong, "wrong text") + (f", {self.only} refuted by no other rule" if self.only else "")
        counts = (self.vectors, "vector"), (self.programs, "program"), (self.facts, "fact")
        yield from (many(count, thing) for count, thing in counts if count)
        held = (self.machine, "example of a machine"), (self.traces, "recorded run")
        if runs := [many(count, thing) for count, thing in held if count]:
            yield f"{' and '.join(runs)}, on {many(self.runtimes, 'runtime')}"
        if self.tests:
            yield f"named in {many(self.tests, 'file')} of tests"
        if self.broken:
            yield f"broken by CPython {', '.join(self.broken)}"


def many(count: int, thing: str) -> str:
    """The number with the noun; `of` and the words after it are no part of the noun."""
    one, of, more = thing.partition(" of ")
    return f"{count:,} {one}{'s' * (count != 1)}{of}{more}"


def load(path: Path = FILE) -> dict[str, Row]:
    """The stored rows, by rule; none if there is no file."""
    if not path.exists():
        return {}
    stored = json.loads(path.read_text("utf-8"))
    return {rule: Row(**{**row, "broken": tuple(row.get("broken", ()))}) for rule, row in stored.items()}


def text(rows: Mapping[str, Row]) -> str:
    """The text of the file: a rule a line, without the counts that are zero."""
    names = [field.name for field in fields(Row)]
    lines = {rule: {name: value for name in names if (value := getattr(row, name))} for rule, row in rows.items()}
    return "{\n" + ",\n".join(f"{json.dumps(rule)}: {json.dumps(row)}" for rule, row in lines.items()) + "\n}\n"
