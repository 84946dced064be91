"""Rules by CPython: the bugs that are known, and which rule holds on each Python of this machine.

`make matrix` prints the same.
"""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from spec.kit.render.markdown import prose

from ...conformance.vectors import command, matrix
from ...conformance.vectors.matrix import Column, cell, rules
from ...dev.releases import VERSIONS
from ...programs.releases import dotted, parsed
from ...programs.vectors.known_bugs import BUGS

NOT_PLAYED: Final = "The vectors were not played when this page was made: `make site` plays them, `make matrix` too."


def columns() -> list[Column]:
    """Play the vectors on each release that can run here.

    Raises:
        MatrixError: one could not play them.
    """
    with tempfile.TemporaryDirectory() as name:
        vectors = Path(name, "vectors.json")
        command.main(["--json", str(vectors)])
        return matrix.columns(vectors)[0]


def page(played_on: Sequence[Column]) -> Iterator[str]:
    """Yield the lines of the page, from the results of some versions."""
    yield from ("# Rules by CPython", "", "## Known bugs", "")
    yield "Each is found again by the vectors: `make matrix` plays them, and names what no known bug explains."
    yield ""
    yield from ("| in | wrong | issue | rules | from | fixed in |", "|---|---|---|---|---|---|")
    for bug in BUGS:
        fixes = ", ".join(map(dotted, (*bug.fixed, bug.before)))
        cells = (bug.name, prose(bug.wrong), bug.issue, ", ".join(bug.rules), dotted(bug.since), fixes)
        yield f"| {' | '.join(each.replace('|', chr(92) + '|') for each in cells)} |"
    yield from ("", "## Which rule holds where", "")
    if not played_on:
        yield NOT_PLAYED
        return
    yield "*holds*: every vector about the rule shows what the reference shows; *-*: the names are not there; else the"
    yield from ("issue that breaks it.", "")
    titles = [column.title for column in played_on]
    yield f"| rule | {' | '.join(titles)} |"
    yield "|---" * (len(titles) + 1) + "|"
    for rule in rules():
        yield f"| {rule} | {' | '.join(cell(rule, column) for column in played_on)} |"
    there = {column.version[:2] for column in played_on}
    if missing := [each for each in VERSIONS if parsed(each) not in there]:
        yield from ("", f"Python {', '.join(missing)} did not answer where this page was made.")
