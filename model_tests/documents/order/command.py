"""`loopspec order`: the pairs of events that asyncio orders, a line each, as JSON, or as a document.

Exit status: 0; 2 for a wrong call.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from impl.commands.options import Parser, UsageError, write_output
from impl.commands.outputs import OutputFile

from ...programs.releases import dotted
from .pair import RUNS, VERSIONS, EventPair, pairs

DOCUMENT: Final = Path(__file__).with_name("ORDER.md")
STANDINGS: Final = {
    "documented": "a sentence of the documentation says so",
    "settled": "CPython does it in C and in Python, and its tests or issues rely on it",
    "accident": "nothing says so, or a sentence leaves it undefined: programs must not rely on it",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (None: those of the process); return the exit status."""
    parser = Parser("loopspec order", "List the pairs of events that asyncio orders, and what promises that.")
    parser.add_argument(
        "--json",
        type=OutputFile(),
        metavar="FILE",
        help="write the pairs as JSON, with the program that shows each order",
    )
    try:
        file = parser.parse_args(argv).json
        if file is not None:
            write_output("--json", file, json.dumps([pair.row() for pair in pairs()], indent=1) + "\n")
    except UsageError as error:
        print(f"loopspec order: {error}", file=sys.stderr)
        return 2
    for pair in pairs():
        print(f"{pair.standing:<12}{dotted(pair.since)}  {pair.rule:<12}{pair.name}")
    return 0


def document() -> Iterator[str]:
    """Yield the lines of the document."""
    yield from ("# The order of events", "")
    yield "asyncio runs what is ready first in, first out.  Which of these orders may a program rely on, and a test"
    yield "demand?  Each row is two events, in their order on CPython 3.11 to 3.15, if nothing else is said.  `loopspec"
    yield "order --json` has a program for each; the tests run it on asyncio, and in each order that the rules allow,"
    yield f"or in the first {RUNS:,} of a design that has more."
    yield ""
    for standing, means in STANDINGS.items():
        yield from (f"## {standing.capitalize()}", "", f"{means[0].upper()}{means[1:]}.", "")
        yield from ("| events | rule | source |", "|-|-|-|")
        yield from (_line(pair) for pair in pairs() if pair.standing == standing)
        yield ""


def _line(pair: EventPair) -> str:
    since = f" (since {dotted(pair.since)})" if pair.since > VERSIONS[0] else ""
    return f"| {pair.name}{since} | {pair.rule} | {pair.source} |".replace("  ", " ")


def write() -> None:
    """Write the document (`make docs`)."""
    DOCUMENT.write_text("\n".join(document()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
