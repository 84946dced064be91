"""The table of the hunt, HUNT.md: a row for each harness, replaced when it is hunted again with its whole budget."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from .searches import Hunted

TABLE: Final = Path(__file__).with_name("HUNT.md")

HEAD: Final = """# The hunt

Written by `make hunt`.  Each harness is a program that uses a library as its users do, and says what must hold.  It is
run under drawn schedules, with late timers, with timeouts that expire early, with its tasks cancelled at each
suspension, once and twice, and with faults of the network where it bears them.  *Finds* are in
[model_tests/findings](../findings); what does *not count* is allowed by the library's documentation, or was never
promised, for the reason given.

| harness | library | what must hold | runs | outcomes | finds | does not count | survived |
|---|---|---|---|---|---|---|---|
"""


def row(hunted: Hunted) -> str:
    """Return the row of a harness."""
    harness = hunted.harness
    finds = ", ".join(f"[{name}](../findings/{name}/REPORT.md)" for name in hunted.finds())
    cells = [
        harness.name,
        harness.named,
        harness.holds,
        f"{hunted.runs:,}",
        str(len(hunted.outcomes)),
        finds or "none",
        "<br>".join(hunted.reasons()) or "-",
        "no" if finds or hunted.unexplained() else "yes",
    ]
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def rows() -> dict[str, str]:
    """Return the rows of the document by the name of the harness."""
    lines = TABLE.read_text(encoding="utf-8").splitlines() if TABLE.exists() else []
    table = [line for line in lines if line.startswith("| ")][1:]
    return {line.split(" | ")[0].removeprefix("| "): line for line in table}


def write(new: Mapping[str, str]) -> None:
    """Replace or add rows."""
    every = sorted({**rows(), **new}.items())
    TABLE.write_text(HEAD + "".join(f"{line}\n" for _, line in every), encoding="utf-8")
