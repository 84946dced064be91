"""`model_tests.conform(subject)`: the conformance kit for the tests of a library.

    import model_tests

    def test_it_keeps_asyncios_rules() -> None:
        model_tests.conform("mylibrary.aio")

Or with an item of pytest for each rule, from one run (`explored/collector.py`):

    test_rules = model_tests.Rules("mylibrary.aio")

It does the same as `loopspec conform` (`command.py`), and returns the report, or raises ConformanceError with it.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from impl.commands.options import UsageError

from .budget import Budget
from .causes import shows
from .facts.fact import facts
from .findings.baseline import NO_BASELINE, Baseline
from .findings.verdicts import NAMED, check_rules, order
from .focus import Focus
from .kit import run
from .process import Process
from .report import Report, rules
from .subjects.subject import AS, SubjectError

__all__ = ["ConformanceError", "Report", "Rules", "SubjectError", "UsageError", "conform"]


class ConformanceError(AssertionError):
    """A rule is broken, or the test did not end: `report` says which, and its text is that of the error."""

    def __init__(self, report: Report) -> None:
        super().__init__("\n" + report.text())
        self.report = report


def conform(
    subject: str | os.PathLike[str] | ModuleType | Callable[..., Any],
    *,
    only: Sequence[str] = (),
    documented_only: bool = False,
    random: int | None = None,
    exact: bool = False,
    profile: str | os.PathLike[str] | None = None,
    budget: int = 1,
    max_seconds: float | None = None,
    baseline: str | os.PathLike[str] | None = None,
) -> Report:
    """Test `subject` in another process, and return the report.

    It is a module, its name, a .py file, or a class or function: the object itself, or `FILE.py:CLASS`.

    `only` restricts the test to these rules, `documented_only` to documented ones; `random` is the number of random
    programs; `exact` counts a difference in timing, and an inconclusive program, as broken.  `profile` is the name or
    the file of a profile (`profiles/`), for an interface that differs on purpose.  `budget` multiplies the number
    of programs; after `max_seconds` the test stops.  `baseline` is a file of accepted findings, which `loopspec
    conform --update-baseline` writes.

    Raises:
        ConformanceError: a rule is broken, or the test did not end.
        SubjectError: the subject cannot be loaded.
        UsageError: `only` has an unknown rule, or the baseline cannot be used.
    """
    subject = named(subject, profile)
    accepted = Baseline.read(Path(baseline), subject) if baseline else NO_BASELINE
    report = run(subject, only, documented_only, exact, Budget(budget, random, max_seconds))
    report.baseline = accepted
    if report.status:
        raise ConformanceError(report)
    return report


def named(
    subject: str | os.PathLike[str] | ModuleType | Callable[..., Any], profile: str | os.PathLike[str] | None
) -> str:
    """Return a subject and its profile as one text.

    Raises:
        SubjectError: a class or function that its file does not have by its name.
    """
    if isinstance(subject, ModuleType):
        name = subject.__name__
    else:
        name = in_its_file(subject) if callable(subject) else os.fspath(subject)
    return name + (AS + os.fspath(profile) if profile else "")


def in_its_file(thing: Callable[..., Any]) -> str:
    """Return `FILE.py:CLASS` of a class or function.

    Raises:
        SubjectError: it is not one of a module, as a class that a function makes.
    """
    name = getattr(thing, "__qualname__", type(thing).__name__)
    module = sys.modules.get(getattr(thing, "__module__", None) or "")
    path = getattr(module, "__file__", None) or ""
    if getattr(module, name, None) is not thing or not path.endswith(".py"):
        raise SubjectError(f"{name} is not a class or function of a .py file: put it at the top of one")
    return f"{path}:{name}"


class Rules:
    """The rules of a subject as tests: of such an object in a module of tests pytest collects an item for each rule.

    The parameters are those of `conform`.  The subject is loaded when they are collected, and tested when the first one
    runs, both in a process of its own.
    """

    def __init__(self, *given: Any, **named: Any) -> None:  # Any: the arguments of conform
        self._call = inspect.signature(conform).bind(*given, **named)

    def names(self) -> list[str]:
        """Return the rules about the names that the subject brings, in the order of the report.

        Raises:
            SubjectError: it cannot be loaded.
            UsageError: `only` has an unknown rule.
        """
        given = self._call.arguments
        only, documented = given.get("only", ()), given.get("documented_only", False)
        check_rules(only)
        with Process(named(given["subject"], given.get("profile"))) as process:
            focus = Focus(process.brings, process.surface)
        of_facts = (rule for fact in facts().values() for rule in fact.rules)
        about = filter(focus.counts, NAMED.union(shows(), of_facts))
        kept = [rule for rule in only or about if not documented or rules()[rule][0] == "documented"]
        return sorted(kept, key=order)

    @cached_property
    def judged(self) -> Report | Exception:
        """The report, or the error that was raised in its place; the subject is tested once."""
        try:
            report: Report = conform(*self._call.args, **self._call.kwargs)
        except ConformanceError as error:
            return error.report
        except Exception as error:
            return error
        return report
