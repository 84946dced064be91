"""Judges right implementations with the conformance kit, as `loopspec conform` does, and verifies what is broken.

    python -m model_tests.implementations.verdicts [NAME...]     none should be broken

NAME is a part of a name of an implementation; `--documented-only` and `--exact` are those of the kit.  `--both` judges
each by all rules, and by those that are documented; the subject plays each program once.  A finding is verified by its
function: that fails with the subject, and passes with asyncio (conformance/findings/trial.py).
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

from impl.bridges.own_packages import located

from ..conformance.findings.sentence import sentence
from ..conformance.findings.trial import shortest
from ..conformance.judge import State
from ..conformance.kit import report_of
from ..conformance.report import Report
from ..conformance.subjects.subject import SubjectError, split
from ..dev.pythons import ROOT
from .corpus import AnyImplementation
from .remembering import Remembering
from .right_code import right_implementations

#: Processes; each has a child.
AT_ONCE: Final = 2


@dataclass
class SubjectResult:
    """The result for one subject; `error` says why it was not tested."""

    subject: str  #: or the name of the implementation
    states: dict[str, int] = field(default_factory=dict)  #: the number of rules, by state
    broken: list[str] = field(default_factory=list)  #: the sentence of each finding
    machines: int = 0
    notes: list[str] = field(default_factory=list)
    digest: str = ""
    error: str = ""

    @property
    def caught(self) -> bool:
        """Whether the kit finds something wrong."""
        return bool(self.broken or self.machines)

    def lines(self) -> Iterator[str]:
        """Yield the lines that are printed."""
        counts = ", ".join(f"{number} {state}" for state, number in self.states.items() if number)
        yield f"{'broken' if self.caught else self.error or 'right':<8}{self.subject}  {counts}  {self.digest}"
        yield from (f"    {text}" for text in [*self.broken, *self.notes])
        if self.machines:
            yield f"    {self.machines} state machines fail"


def of(one: AnyImplementation, standings: Sequence[bool] = (False,), exact: bool = False) -> list[SubjectResult]:
    """Test an implementation as `judged` tests a subject."""
    with one.subject() as subject:
        return [replace(result, subject=one.name) for result in judged(subject, standings, exact)]


def judged(subject: str, standings: Sequence[bool] = (False,), exact: bool = False) -> list[SubjectResult]:
    """Test one subject; `standings` has True for its documented rules, and False for all."""
    try:
        with Remembering(subject) as process:
            results = []
            for documented in standings:
                results.append(result(subject, report_of(process.afresh(), documented=documented, exact=exact)))
            return results
    except SubjectError as error:
        return [SubjectResult(subject, error=f"not tested: {error}")]


def result(subject: str, report: Report) -> SubjectResult:
    """Return the result of a report, and verify its findings."""
    broken = [
        f"{', '.join([finding.rule, *finding.also])}: {sentence(finding)} ({verified(finding.function(), subject)})"
        for finding in report.findings
    ]
    states = {state.value: len(report.of(state)) for state in State}
    return SubjectResult(subject, states, broken, len(report.machines), report.notes, report.digest)


def verified(code: str | None, subject: str, python: str = sys.executable) -> str:
    """Return whether a short function fails with the subject, and passes with asyncio, on a Python."""
    if code is None:
        return "no plain test"
    path, _ = split(subject)
    folder = located(Path(path).resolve())[0] if path.endswith(".py") else ROOT
    return "verified" if shortest([[code]], [str(folder)], python) != [None] else "NOT VERIFIED"


def every(names: Sequence[str]) -> list[AnyImplementation]:
    """Return the right implementations, those with one of these names in theirs."""
    found = [one for right in right_implementations() for one in right.implementations()]
    return [one for one in found if not names or any(name in one.name for name in names)]


def printed(
    chosen: Sequence[AnyImplementation], standings: Sequence[bool] = (False,), exact: bool = False
) -> list[SubjectResult]:
    """Test implementations, and print the result of each, and how many are broken."""
    results = []
    with ProcessPoolExecutor(AT_ONCE) as pool:
        for found in pool.map(partial(of, standings=standings, exact=exact), chosen):
            results += found
            print(*(line for each in found for line in each.lines()), sep="\n", flush=True)
    print(f"{sum(each.caught for each in results)} of {len(results)} broken")
    return results


def main(argv: Sequence[str] | None = None) -> int:
    """Test the right implementations."""
    parser = argparse.ArgumentParser(prog="verdicts")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--documented-only", action="store_true")
    parser.add_argument("--both", action="store_true")
    parser.add_argument("--exact", action="store_true")
    options = parser.parse_args(argv)
    standings = [False, True] if options.both else [options.documented_only]
    printed(every(options.names), standings, options.exact)
    return 0


if __name__ == "__main__":
    sys.exit(main())
