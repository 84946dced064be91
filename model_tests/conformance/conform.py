"""`model_tests.conform(subject)`: the conformance kit for the tests of a library.

    import model_tests

    def test_it_keeps_asyncios_rules() -> None:
        model_tests.conform("mylibrary.aio")

It does the same as `loopspec conform` (`command.py`), and returns the report, or raises ConformanceError with it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from impl.options import UsageError

from .budget import Budget
from .findings.baseline import Baseline
from .kit import run
from .report import Report
from .subject import AS, SubjectError

__all__ = ["ConformanceError", "Report", "SubjectError", "UsageError", "conform"]


class ConformanceError(AssertionError):
    """A rule is broken, or the test did not end: `report` says which, and its text is that of the error."""

    def __init__(self, report: Report) -> None:
        super().__init__("\n" + report.text())
        self.report = report


def conform(
    subject: str | os.PathLike[str] | ModuleType,
    *,
    only: Sequence[str] = (),
    documented_only: bool = False,
    runs: int | None = None,
    exact: bool = False,
    profile: str | os.PathLike[str] | None = None,
    budget: int = 1,
    baseline: str | os.PathLike[str] | None = None,
) -> Report:
    """Test `subject`, a module, its name, a .py file or `FILE.py:CLASS`, in another process; return the report.

    `only` restricts the test to these rules, `documented_only` to documented ones; `runs` is the number of random
    programs; `exact` counts a difference in timing, and what is not judged, as broken.  `profile` is the name or the
    file of a profile (`profiles/`), for an interface that differs on purpose.  `budget` multiplies the number of
    programs.  `baseline` is a file of accepted findings, which `loopspec conform --update-baseline` writes.

    Raises:
        ConformanceError: a rule is broken, or the test did not end.
        SubjectError: the subject cannot be loaded.
        UsageError: `only` has an unknown rule, or the baseline cannot be used.
    """
    name = subject.__name__ if isinstance(subject, ModuleType) else os.fspath(subject)
    subject = name + (AS + os.fspath(profile) if profile else "")
    accepted = Baseline.read(Path(baseline), subject) if baseline else None
    report = run(subject, only, documented_only, exact, Budget(budget, runs))
    report.baseline = accepted
    if report.status:
        raise ConformanceError(report)
    return report
