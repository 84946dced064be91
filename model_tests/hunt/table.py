"""The table of the hunt, HUNT.md: a row for each harness, replaced when it is hunted again with its whole budget."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ..dev.rows import Rows, row
from .searches import Hunted

_HEAD: Final = """# The hunt

Written by `make hunt`.  Each harness is a program that uses a library as its users do, and says what must hold.  It is
run under drawn schedules, with late timers, with timeouts that expire early, with its tasks cancelled at each
suspension, once and twice, and with faults of the network where it bears them.  *Finds* are in
[model_tests/findings](../findings); what does *not count* is allowed by the library's documentation, or was never
promised, for the reason given.

| harness | library | what must hold | runs | outcomes | finds | does not count | survived |
|---|---|---|---|---|---|---|---|
"""


TABLE: Final = Rows(Path(__file__).with_name("HUNT.md"), _HEAD)


def hunted_row(hunted: Hunted) -> str:
    """Return the row of a harness."""
    harness = hunted.harness
    finds = ", ".join(f"[{name}](../findings/{name}/REPORT.md)" for name in hunted.finds())
    return row(
        harness.name,
        harness.named,
        harness.holds,
        f"{hunted.runs:,}",
        str(len(hunted.outcomes)),
        finds or "none",
        "<br>".join(hunted.reasons()) or "-",
        "no" if finds or hunted.unexplained() else "yes",
    )
