"""Find a bug again, without a hint: by the hunt, the conformance kit and its facts, or random programs.

A bug that was seen by reading, and that no search can draw, is not found again: `by_reading` names it.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Final

from ..conformance.facts.fact import facts
from ..conformance.findings.sentence import sentence
from ..conformance.kit import run
from ..dev.releases import runnable
from ..programs.differences import DIFFERENCES, Difference
from ..programs.plain import functions
from ..programs.runtimes import observe
from ..programs.vectors.known_bugs import OF_FACTS, Bug
from .confirmation import imported
from .finding import PYTHON, LibraryFinding
from .harness import Harness, harness, places
from .releases import observed, simplest, unexplained, untrue
from .searches import explored, searches

#: The runs of a search, and its random programs.
RUNS: Final = 2000
PROGRAMS: Final = 1000


@dataclass(frozen=True)
class Again:
    """A bug that was found again: after so many runs, or programs, and in so many seconds."""

    runs: int
    by: str
    seconds: float
    #: Of the simplest run; 0 where there is none.
    choices: int
    #: Makes the report, in its simplest form.
    report: Callable[[], str]
    #: Whether the number is the same each time; rloop's programs do not all behave alike.
    steady: bool = True


def lacking(finding: LibraryFinding) -> str:
    """Return why a finding cannot be looked for here, or ""."""
    if finding.library == PYTHON:
        there = runnable(finding.versions)
        return "" if there else f"Python {', '.join(finding.versions)}: none is installed, and node runs none"
    if sys.version_info < finding.since:
        return "the bug needs Python {}.{} or later".format(*finding.since)
    try:
        found = version(finding.library)
    except PackageNotFoundError:
        return f"{finding.library} is not installed; the extras `hunt` and `subjects` bring it"
    if found not in finding.versions:
        return f"the bug was seen in {finding.library} {', '.join(finding.versions)}, this is {found}"
    missing = [module for module in imported(finding.script) if find_spec(module) is None]
    return f"{', '.join(missing)} is not installed; the extra `hunt` brings it" if missing else ""


def mistaken(finding: LibraryFinding) -> str:
    """Return the error in the fields of a finding, or ""."""
    if not finding.failure or _difference(finding):
        return ""
    return (
        f"failure= must name a difference of {finding.rule} in programs/differences.py, and "
        f"{finding.failure!r} does not; a finding of the hunt needs none"
    )


def again(finding: LibraryFinding) -> Again | None:
    """Find a bug again; None if it is not found."""
    if finding.subject:
        return _by_kit(finding)
    if finding.failure:
        return _by_programs(finding)
    if bug := _of_facts(finding):
        return _by_facts(finding, bug)
    made = hunting(finding)
    return None if made is None else _by_hunt(finding, made)


def by_reading(finding: LibraryFinding) -> bool:
    """Whether no search finds it."""
    return not (finding.subject or finding.failure or _of_facts(finding) or hunting(finding))


def hunting(finding: LibraryFinding) -> Harness | None:
    """Return the harness of the hunt that finds it."""
    named = (name for name, file in places().items() if finding.name in file.read_text(encoding="utf-8"))
    made = map(harness, named)
    return next((each for each in made if not isinstance(each, str) and finding.name in each.finds.values()), None)


def command(finding: LibraryFinding) -> str:
    """Return the command that finds it."""
    if finding.library == PYTHON:
        return f"python -m {__package__}.findings {finding.name}"
    if made := hunting(finding):
        return f"python -m {__package__}.hunt {made.name}"
    return f"loopspec conform {finding.subject}"


def _by_kit(finding: LibraryFinding) -> Again | None:
    start = time.monotonic()
    report = run(finding.subject)
    seconds = time.monotonic() - start
    if finding.rule not in [verdict.rule for verdict in report.broken]:
        return None

    def alone() -> str:
        """The kit's report of this rule alone: its report of all rules names the commonest cause of each."""
        [first, *_] = run(finding.subject, [finding.rule]).findings
        return f"$ {command(finding)} --only {finding.rule}\n{first.rule}: {sentence(first)}\n\n{first.text()}"

    return Again(sum(verdict.cases for verdict in report.verdicts), "programs of the kit", seconds, 0, alone, False)


def _by_hunt(finding: LibraryFinding, made: Harness) -> Again | None:
    start, runs = time.monotonic(), 0
    for way in searches(made):
        found = explored(made, way, runs=RUNS, keep_going=True)
        seeds = [seen.first for outcome, seen in found.outcomes.items() if made.find(outcome) == finding.name]
        if seeds:
            seconds, first = time.monotonic() - start, min(seeds)
            alone = explored(made, way, seed=first - 1, runs=1)
            assert alone.failure is not None
            choices = sum(map(len, alone.failure.simple.plan.values()))
            return Again(runs + first, f"runs of {made.name}", seconds, choices, alone.report)
        runs += found.runs
    return None


def _by_programs(finding: LibraryFinding) -> Again | None:
    start, release = time.monotonic(), runnable(finding.versions)[0]
    named = _difference(finding)
    assert named is not None, mistaken(finding)
    found = unexplained(release, PROGRAMS, named)
    seconds = time.monotonic() - start
    if found is None or (small := simplest(release, found[1], named)) is None:
        return None
    [theirs] = observed(release, [small])
    ours = observe(small, "impl")
    return Again(found[0], "random programs", seconds, 0, lambda: next(functions("shield", small, ours, theirs), ""))


def _by_facts(finding: LibraryFinding, bug: Bug) -> Again | None:
    start, release = time.monotonic(), runnable(finding.versions)[0]
    about = [fact for fact in facts().values() if fact.rules[0] == finding.rule]
    for number, fact in enumerate(about, 1):
        if fact.text in bug.shown_by and (test := untrue(release, fact)):
            seconds = time.monotonic() - start
            return Again(number, "facts of the kit", seconds, 0, lambda test=test: test)  # type: ignore[misc]
    return None


def _of_facts(finding: LibraryFinding) -> Bug | None:
    """The known bug of CPython that facts of the kit show."""
    return next((bug for bug in OF_FACTS if bug.issue == f"finding {finding.name}"), None)


def _difference(finding: LibraryFinding) -> Difference | None:
    """The named difference that is the bug of CPython."""
    return next((each for each in DIFFERENCES if each.rule == finding.rule and each.name == finding.failure), None)
