"""Find a bug again: by a search with injected cancels or by the conformance kit, and by its plain script.

A finding counts when its plain script shows it on stock asyncio, and its control does not, each time.
"""

from __future__ import annotations

import subprocess
import sys
import time
import warnings
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from impl.explore import Found, explore

from ..conformance.kit import run
from .catalogue import PYTHON, Finding

FOLDER: Final = Path(__file__).parent
#: The runs of a search.
RUNS: Final = 2000
#: How often a plain script, and its control, are run; seconds for one of them.
TIMES: Final = 2
SECONDS: Final = 60


@dataclass(frozen=True)
class Again:
    """A bug that was found again: after so many runs, or programs, and in so many seconds."""

    finding: Finding
    by: str
    runs: int
    seconds: float
    steps: int  #: of the simplest run; 0 for the kit
    plain: bool

    def row(self) -> str:
        """Return the row of the table."""
        finding, found = self.finding, f"{self.runs} {self.by}, {self.seconds:.1f} s"
        shown = "yes" if self.plain else "no"
        name = f"{finding.library} {finding.versions[0]}"
        return f"| {name} | {finding.bug} | {found} | {self.steps or '-'} | {shown} | {finding.known} |"


HEAD: Final = """| library | bug | found after | choices | on stock asyncio | known |
|---|---|---|---|---|---|"""


def lacking(finding: Finding) -> str:
    """Return why a finding cannot be looked for here, or ""."""
    try:
        own = "{}.{}".format(*sys.version_info)
        found = own if finding.library == PYTHON else version(finding.library)
    except PackageNotFoundError:
        return f"{finding.library} is not installed; the extras `findings` and `subjects` bring it"
    if found not in finding.versions:
        return f"the bug was seen in {finding.library} {', '.join(finding.versions)}, this is {found}"
    return ""


def search(finding: Finding, cancel: str | None, runs: int = RUNS, seed: int = 0) -> Found:
    """Explore the program of a finding; `cancel` names the tasks that may be cancelled."""
    main = import_module(f"{__package__}.{finding.name}.program").main
    with warnings.catch_warnings():  # of coroutines and transports that a cancelled request leaves behind
        warnings.simplefilter("ignore")
        return explore(main, runs=runs, cancel=cancel, seed=seed)


def plain(finding: Finding) -> list[str]:
    """Return what the plain script shows without the bug and with it, each time."""
    script = FOLDER / finding.name / "plain.py"
    shown = []
    for wrong in (False, True) * TIMES:
        code = f"import plain; print('outcome:', plain.outcome({wrong}))"
        ran = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code],
            cwd=script.parent,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        shown += [line.partition(": ")[2] for line in ran.stdout.splitlines() if line.startswith("outcome:")]
    return shown


def again(finding: Finding, seed: int = 0) -> Again | None:
    """Find a bug again, without a hint; None if it is not found."""
    start = time.monotonic()
    if finding.cancel:
        found = search(finding, finding.cancel, seed=seed)
        failure = found.failure
        if failure is None or not failure.outcome.startswith(finding.failure):
            return None
        seconds = time.monotonic() - start
        by, runs, steps = "runs", failure.number, sum(map(len, failure.simple.plan.values()))
    elif not finding.subject:
        return Again(finding, "script", 1, time.monotonic() - start, 0, shown(finding))
    else:
        report = run(str(FOLDER.parent / "subjects/right/libraries" / finding.subject))
        if finding.rule not in [verdict.rule for verdict in report.broken]:
            return None
        seconds = time.monotonic() - start
        by, runs, steps = "programs", sum(verdict.cases for verdict in report.verdicts), 0
    return Again(finding, by, runs, seconds, steps, shown(finding))


def shown(finding: Finding) -> bool:
    """Return whether the plain script shows the bug, and its control does not, each time."""
    return plain(finding) == [finding.control, finding.shows] * TIMES
