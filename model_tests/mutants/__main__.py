"""`python -m model_tests.mutants [NAME ...] [--column COLUMN ...]`: make the table of the checks that catch mutants.

Without names all mutants are put to all checks, which takes many minutes; what is not made anew stays as it is.
Exit status: 0 if a check catches each mutant, 1 if some mutant is caught by nothing, 2 for a usage error.
"""

from __future__ import annotations

import sys

from impl.options import Parser, UsageError

from .caught import COLUMNS, Table, made, totals, write
from .registry import BY_NAME, MUTANTS


def main() -> int:
    parser = Parser("python -m model_tests.mutants", "Make the table of the checks that catch mutants.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="mutants (all)")
    parser.add_argument("--column", nargs="+", action="extend", choices=list(COLUMNS), help="checks (all)")
    try:
        asked = parser.parse_args(sys.argv[1:])
        if unknown := [name for name in asked.names if name not in BY_NAME]:
            raise UsageError(f"there is no mutant {unknown[0]}")
    except UsageError as error:
        print(f"python -m model_tests.mutants: {error}", file=sys.stderr)
        return 2
    mutants = [BY_NAME[name] for name in asked.names] or MUTANTS
    table: Table = {}
    for mutant, table in made(mutants, asked.column or tuple(COLUMNS)):
        write(table)
        caught = " ".join(table[mutant.name]) or "caught by nothing"
        print(f"{mutant.rule:<11}{mutant.name:<36}{caught}", flush=True)
    print(totals(table))
    return 0 if all(table.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
