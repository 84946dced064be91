"""The table of all code under test and the checkers that catch it: made by running, stored in caught.json.

One line is one implementation, by its name (`implementations.py`): `cause`, the `rule` that it breaks, and a cell for
each checker that was asked (`checkers.py`): the rule of its first finding, or "-".  `before` is the kit's as it was
before issue 36.  The cells of a mutant store the finding itself, so that `again` can repeat it in a test.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing import Pool
from pathlib import Path
from typing import Any, Final, NamedTuple

from . import checkers
from .checkers import CHECKERS, NOT_ASKED, NOTHING
from .checks import comparison, exploration, kit, machine, monitor
from .corpus import AnyImplementation
from .mutant import Mutant

#: A finding of a check, as JSON.
Found = dict[str, Any]
#: By name of an implementation; a row has strings, and the findings of a mutant.
Table = dict[str, dict[str, Any]]
FILE: Final = Path(__file__).with_name("caught.json")
#: Processes that ask checkers.
AT_ONCE: Final = 2


class CheckColumn(NamedTuple):
    """A check of mutants: `find` searches, `again` repeats a finding."""

    find: Callable[[Mutant], Found | None]
    again: Callable[[Mutant, Found], bool]


COLUMNS: Final[dict[str, CheckColumn]] = {
    "kit": CheckColumn(kit.find, kit.again),
    "monitor": CheckColumn(monitor.find, monitor.again),
    "machine": CheckColumn(machine.find, machine.again),
    "exploration": CheckColumn(exploration.find, exploration.again),
    "comparison": CheckColumn(comparison.find, comparison.again),
    "sockets": CheckColumn(monitor.find_on_sockets, monitor.again_on_sockets),
}
#: The columns of a mutant that come from its checks.
OF_CHECKS: Final = {"kit": "kit", "machines": "machine", "monitor": "monitor"}
#: The columns in the order of a row.
ORDER: Final = ("cause", "rule", "before", *CHECKERS, "again")


def read() -> Table:
    table: Table = json.loads(FILE.read_text(encoding="utf-8"))
    return table


def write(table: Table) -> None:
    rows = {name: {column: row[column] for column in ORDER if column in row} for name, row in sorted(table.items())}
    lines = (f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def of_mutants(table: Table) -> dict[str, dict[str, Found]]:
    """Return the findings of each mutant, by its name."""
    return {name.rpartition("/")[2]: row["again"] for name, row in table.items() if "again" in row}


def put(row: dict[str, Any], mutant: Mutant, columns: Iterable[str]) -> None:
    """Search with these checks of mutants, and put their findings into the row."""
    found = row.get("again", {}) | {column: COLUMNS[column].find(mutant) for column in columns}
    row["again"] = {column: found[column] for column in COLUMNS if found.get(column) is not None}
    for column, check in OF_CHECKS.items():
        row[column] = row["again"].get(check, {}).get("rule", row["rule"]) if check in row["again"] else NOTHING


def made(chosen: Sequence[AnyImplementation], columns: list[str], have: Table) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the cells of each implementation that are made; none of those that the table has."""
    work = []
    for one in chosen:
        asked = [column for column in columns if column in CHECKERS and column not in have.get(one.name, ())]
        asked = [column for column in asked if one.kind != "mutants" or column not in OF_CHECKS]
        work += [(one, asked)] if asked else []
    with Pool(AT_ONCE) as pool:
        yield from pool.imap(cells, work)


def cells(work: tuple[AnyImplementation, list[str]]) -> tuple[str, dict[str, str]]:
    """Return the cells of an implementation."""
    one, columns = work
    with one.subject() as subject:
        return one.name, checkers.cells(columns, subject)


def caught(row: dict[str, Any]) -> list[str]:
    """Return the checkers that find something, by name."""
    cells = [column for column in CHECKERS if finds(row.get(column, NOTHING))]
    return [*cells, *(check for check in row.get("again", ()) if check not in (*cells, "machine"))]


def accused(row: dict[str, Any]) -> bool:
    """Return whether right code is said to break a documented rule.

    A cell of another column may be of a fact that is only settled, though its rule is documented.
    """
    return finds(row.get("documented", NOTHING))


def finds(cell: str) -> bool:
    """Return whether a cell has a finding."""
    return cell != NOTHING and not cell.startswith(NOT_ASKED)


def totals(table: Table) -> Iterator[str]:
    """Yield a line for each checker: how many implementations it was asked about, and how many it finds wrong."""
    for right in (False, True):
        rows = [row for name, row in table.items() if name.startswith("right/") is right]
        yield f"{len(rows)} {'right' if right else 'wrong'} implementations"
        for column in ("before", *CHECKERS):
            cells = [row[column] for row in rows if not row.get(column, NOT_ASKED).startswith(NOT_ASKED)]
            yield f"  {column:<11}{sum(map(finds, cells)):>4} of {len(cells)}"
