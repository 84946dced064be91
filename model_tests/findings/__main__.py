"""Find the bugs again, and print the table: python -m model_tests.findings [NAME...]"""

from __future__ import annotations

import sys

from .catalogue import FINDINGS
from .found import HEAD, again, lacking


def main(names: list[str]) -> int:
    """Print a row for each bug; exit status 1 if one is looked for and not found, or not shown on stock asyncio."""
    status = 0
    print(HEAD)
    for finding in FINDINGS:
        if names and finding.name not in names:
            continue
        if why := lacking(finding):
            print(
                f"| {finding.library} | {finding.bug} | not looked for: {why} | | | {finding.known} |",
                flush=True,
            )
        elif found := again(finding):
            print(found.row(), flush=True)
            status = status if found.plain else 1
        else:
            print(f"| {finding.library} | {finding.bug} | not found | | | {finding.known} |", flush=True)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
