"""`python -m model_tests.mutants [NAME ...] [--column COLUMN ...]`: make the table of the checks that catch mutants.

Without names all mutants are put to all checks, which takes many minutes; what is not made anew stays as it is.
`--findings` makes no table: it prints the findings of a whole run of the conformance kit on each mutant.
Exit status: 0 if a check catches each mutant, 1 if some mutant is caught by nothing, or if the first finding is not of
its rule; 2 for a usage error.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from multiprocessing import Pool

from impl.options import Parser, UsageError

from .caught import COLUMNS, Table, made, totals, write
from .checks import kit
from .mutant import Mutant
from .registry import BY_NAME, MUTANTS

#: Processes that run the kit.
AT_ONCE = 2


def main() -> int:
    parser = Parser("python -m model_tests.mutants", "Make the table of the checks that catch mutants.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="mutants (all)")
    parser.add_argument("--column", nargs="+", action="extend", choices=list(COLUMNS), help="checks (all)")
    parser.add_argument("--findings", action="store_true", help="print the findings of the conformance kit")
    try:
        asked = parser.parse_args(sys.argv[1:])
        if unknown := [name for name in asked.names if name not in BY_NAME]:
            raise UsageError(f"there is no mutant {unknown[0]}")
    except UsageError as error:
        print(f"python -m model_tests.mutants: {error}", file=sys.stderr)
        return 2
    mutants = [BY_NAME[name] for name in asked.names] or MUTANTS
    if asked.findings:
        return findings(mutants)
    table: Table = {}
    for mutant, table in made(mutants, asked.column or tuple(COLUMNS)):
        write(table)
        caught = " ".join(table[mutant.name]) or "caught by nothing"
        print(f"{mutant.rule:<11}{mutant.name:<36}{caught}", flush=True)
    print(totals(table))
    return 0 if all(table.values()) else 1


def findings(mutants: Sequence[Mutant]) -> int:
    """Print the rules of each mutant's findings, and the lines of the first test function."""
    wrong = 0
    with Pool(AT_ONCE, maxtasksperchild=1) as pool:
        for name, told, right in pool.imap(found, [mutant.name for mutant in mutants], 1):
            wrong += not right
            print(f"{'' if right else '! '}{name:<36}{told}", flush=True)
    print(
        f"{len(mutants)} mutants; of {wrong} the first finding is of another rule, or there are more than two"
    )
    return 1 if wrong else 0


def found(name: str) -> tuple[str, str, bool]:
    """Return the name of a mutant, its findings as text, and whether the first of at most two is of its rule."""
    mutant = BY_NAME[name]
    report = kit.report(mutant)
    if report is None:
        return name, f"{mutant.replaces} is not a name of the kit", True
    if not report.findings:
        return name, "allowed", True
    code = report.findings[0].function() or report.findings[0].script()
    lines = code[code.find("def test") :].rstrip().splitlines()
    rules = [finding.rule for finding in report.findings]
    told = f"{' '.join(rules)}, {sum(map(bool, lines))} lines"
    return name, told, rules[0] == mutant.rule and len(rules) <= 2


if __name__ == "__main__":
    sys.exit(main())
