"""`python -m model_tests.implementations [NAME ...] [--column COLUMN ...]`: make the table of all code under test
(make wrong).

NAME is a part of an implementation's name (`rows.py`).  Other rows stay as they are.
`--missing` asks only for cells that the table does not have yet, so that a run that was stopped can go on.
`--compare SEED` makes the cells of a sample again, writes nothing, and names those that are not as stored; another rule
alone is no fault.
`--findings` makes no table: it prints the findings of a whole run of the conformance kit on each mutant.
Exit status: 0 if a checker catches each wrong implementation and none finds a right one against the documentation; 1
if not, or if a compared cell or a mutant's first finding is another; 2 for a usage error.
"""

import sys
from collections.abc import Sequence
from multiprocessing import Pool
from random import Random
from typing import Any, Final

from impl.commands.options import Parser, UsageError

from .all_mutants import BY_NAME
from .checkers import CHECKERS
from .checks.kit import shows
from .corpus import AnyImplementation
from .detection import AT_ONCE, COLUMNS, Table, accused, caught, finds, made, put, read, totals, write
from .mutant import Mutant
from .rows import implementations

#: Rows that `--compare` makes again.
SAMPLE: Final = 12


def main(arguments: Sequence[str] | None = None) -> int:
    parser = Parser("python -m model_tests.implementations", "Make the table of all code under test.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a part of the name of some (all)")
    columns = list(dict.fromkeys([*CHECKERS, *COLUMNS]))
    parser.add_argument("--column", nargs="+", action="extend", choices=columns, help="checkers (all)")
    parser.add_argument("--missing", action="store_true", help="cells that are not there yet")
    parser.add_argument("--compare", type=int, metavar="SEED", help="make a sample again, and compare")
    parser.add_argument("--findings", action="store_true", help="print the findings of the conformance kit")
    every = implementations()
    try:
        asked = parser.parse_args(arguments)
        chosen = [one for one in every.values() if not asked.names or any(n in one.name for n in asked.names)]
        if not chosen:
            raise UsageError(f"no implementation has {asked.names[0]} in its name")
    except UsageError as error:
        print(f"python -m model_tests.implementations: {error}", file=sys.stderr)
        return 2
    if asked.findings:
        return findings([mutant for mutant in map(mutant_of, chosen) if mutant])
    columns = asked.column or columns
    if asked.compare is not None:
        return compare(Random(asked.compare).sample(chosen, min(SAMPLE, len(chosen))), columns)
    return make(every, chosen, columns, asked.missing)


def mutant_of(one: AnyImplementation) -> Mutant | None:
    return BY_NAME[one.name.rpartition("/")[2]] if one.kind == "mutants" else None


def make(
    every: dict[str, AnyImplementation],
    chosen: Sequence[AnyImplementation],
    columns: list[str],
    missing: bool,
) -> int:
    """Make these columns of these implementations; the table loses the rows of implementations that are gone."""
    before = read()
    table: Table = {
        name: before.get(name, {}) | {"cause": one.cause, "rule": one.rule or before.get(name, {}).get("rule", "")}
        for name, one in every.items()
    }
    for one in chosen:
        row, mutant = table[one.name], mutant_of(one)
        if mutant and not (missing and "again" in row):
            put(row, mutant, [column for column in columns if column in COLUMNS])
    for name, found in made(chosen, columns, table if missing else {}):
        table[name] |= found
        if not table[name]["rule"] and not name.startswith("right/"):
            table[name]["rule"] = next((table[name][column] for column in caught(table[name])), "")
        write(table)
        print(f"{name}: {', '.join(f'{column} {came}' for column, came in found.items())}", flush=True)
    write(table)
    print(*totals(table), sep="\n")
    wrong = [
        one.name for one in chosen if (accused(table[one.name]) if one.kind == "right" else not caught(table[one.name]))
    ]
    print(*(f"{name}: caught by {' '.join(caught(table[name])) or 'nothing'}" for name in wrong), sep="\n")
    return 1 if wrong else 0


def compare(chosen: Sequence[AnyImplementation], columns: list[str]) -> int:
    """Print each cell of these implementations that is not as the table has it."""
    table, others = read(), 0
    for name, found in made(chosen, columns, {}):
        row: dict[str, Any] = table.get(name, {})
        for column, came in found.items():
            if column in row and row[column] != came:
                others += finds(came) is not finds(row[column])
                print(f"{name}: {column} finds {came}, and not {row[column]}")
    print(f"{len(chosen)} rows; in {others} cells something is found that was not, or nothing that was")
    return 1 if others else 0


def findings(mutants: Sequence[Mutant]) -> int:
    """Print the rules of each mutant's findings, and the lines of the first test function."""
    wrong = 0
    with Pool(AT_ONCE, maxtasksperchild=1) as pool:
        for name, told, right in pool.imap(shows, [mutant.name for mutant in mutants], 1):
            wrong += not right
            print(f"{'' if right else '! '}{name:<36}{told}", flush=True)
    print(f"{len(mutants)} mutants; of {wrong} the first finding is of another rule, or there are more than two")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
