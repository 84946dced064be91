"""The table of mutants and the checks that catch them: made by running, stored in caught.json, one line a mutant."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from .checks import comparison, exploration, kit, machine, monitor
from .mutant import Mutant
from .registry import MUTANTS

#: A finding of a check, as JSON.
Found = dict[str, Any]
FILE: Final = Path(__file__).with_name("caught.json")


class Column(NamedTuple):
    """A check: `find` searches, `again` repeats what was found."""

    find: Callable[[Mutant], Found | None]
    again: Callable[[Mutant, Found], bool]


COLUMNS: Final[dict[str, Column]] = {
    "kit": Column(kit.find, kit.again),
    "monitor": Column(monitor.find, monitor.again),
    "machine": Column(machine.find, machine.again),
    "exploration": Column(exploration.find, exploration.again),
    "comparison": Column(comparison.find, comparison.again),
    "sockets": Column(monitor.find_on_sockets, monitor.again_on_sockets),
}

#: By name of a mutant and of a column.
Table = dict[str, dict[str, Found]]


def read() -> Table:
    table: Table = json.loads(FILE.read_text(encoding="utf-8"))
    return table


def made(mutants: Iterable[Mutant], columns: Iterable[str]) -> Iterator[tuple[Mutant, Table]]:
    """Make these columns of these mutants anew; after each mutant the table, without mutants that are no more."""
    before = read() if FILE.exists() else {}
    table: Table = {mutant.name: before.get(mutant.name, {}) for mutant in MUTANTS}
    for mutant in mutants:
        came = {column: COLUMNS[column].find(mutant) for column in columns}
        merged = table[mutant.name] | came
        table[mutant.name] = {
            column: found for column in COLUMNS if (found := merged.get(column)) is not None
        }
        yield mutant, table


def write(table: Table) -> None:
    lines = (f"  {json.dumps(name)}: {json.dumps(found)}" for name, found in table.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def totals(table: Table) -> str:
    counts = (f"{column} {sum(column in found for found in table.values())}" for column in COLUMNS)
    return f"{len(table)} mutants; caught by {', '.join(counts)}"
