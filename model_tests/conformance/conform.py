"""`model_tests.conform(subject)`: a library holds its own code to the rules, in a test of its own.

    import model_tests

    def test_it_keeps_asyncios_rules() -> None:
        model_tests.conform("mylibrary.aio")

Theory of operation.  The same as `loopspec conform` (`conforming/`), with the report as an object, or as the text of
an AssertionError.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from types import ModuleType

from impl.options import UsageError

from .kit import run
from .report import Report
from .sources import RUNS
from .subject import SubjectError

__all__ = ["Report", "SubjectError", "UsageError", "conform"]


def conform(
    subject: str | os.PathLike[str] | ModuleType,
    *,
    only: Sequence[str] = (),
    documented_only: bool = False,
    runs: int = RUNS,
) -> Report:
    """Hold `subject` to the rules: a module, its name, a .py file, or `FILE.py:CLASS`; another process loads it.

    `only`: these rules; `documented_only`: leave out those that are only settled; `runs`: so many random programs.
    Returns the report.

    Raises:
        AssertionError: a rule is broken; its text is the report.
        SubjectError: the subject cannot be loaded.
        UsageError: a rule is unknown.
    """
    name = subject.__name__ if isinstance(subject, ModuleType) else os.fspath(subject)
    report = run(name, only, documented_only, runs)
    if report.status:
        raise AssertionError("\n" + report.text())
    return report
