"""`model_tests.conform(subject)`: the conformance kit for the tests of a library.

    import model_tests

    def test_it_keeps_asyncios_rules() -> None:
        model_tests.conform("mylibrary.aio")

It does the same as `loopspec conform` (`command.py`), and returns the report, or raises AssertionError with its text.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from types import ModuleType

from impl.options import UsageError

from .budget import Budget
from .kit import run
from .report import Report
from .subject import AS, SubjectError

__all__ = ["Report", "SubjectError", "UsageError", "conform"]


def conform(
    subject: str | os.PathLike[str] | ModuleType,
    *,
    only: Sequence[str] = (),
    documented_only: bool = False,
    runs: int | None = None,
    exact: bool = False,
    profile: str | os.PathLike[str] | None = None,
    budget: int = 1,
) -> Report:
    """Test `subject`, a module, its name, a .py file or `FILE.py:CLASS`, in another process; return the report.

    `only` restricts the test to these rules, `documented_only` to documented ones; `runs` is the number of random
    programs; `exact` counts a difference in timing, and what is not judged, as broken.  `profile` is the name or the
    file of a profile (`profiles/`), for an interface that differs on purpose.  `budget` multiplies the number of
    programs.

    Raises:
        AssertionError: a rule is broken; its text is the report.
        SubjectError: the subject cannot be loaded.
        UsageError: `only` has an unknown rule.
    """
    name = subject.__name__ if isinstance(subject, ModuleType) else os.fspath(subject)
    subject = name + (AS + os.fspath(profile) if profile else "")
    report = run(subject, only, documented_only, exact, Budget(budget, runs))
    if report.status:
        raise AssertionError("\n" + report.text())
    return report
