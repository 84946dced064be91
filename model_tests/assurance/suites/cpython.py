"""CPython's own tests of asyncio, run on another implementation of asyncio's names.

    python -m model_tests.assurance.suites.cpython [--subject MODULE] [--files queues,locks] [--python 3.12] [--limit
    SECONDS]

1. The classes and functions of the implementation under test (the *subject*) replace asyncio's, by identity, in every
   loaded module of asyncio, before a test module is imported.  So asyncio's own code (its event loop, `run`, its other
   primitives) uses them as well, and the tests find them under every name.  Test classes that compare asyncio's C
   types with its Python ones would not test the subject: they are left out.
2. Each file of tests runs in its own process, each test under an alarm: a hang is one failure, not the end.
3. A subject that re-exports asyncio's own functions would pass as well, and prove nothing.  So the modules that define
   each name are printed.  A name that asyncio defines is a failure, as is a missing name of `OURS`.
4. It runs on each installed Python.  One without its tests is reported as not run.
5. Tests of CPython's internals that no other implementation can pass are listed by name and reason (known_failures.py).
"""

import argparse
import asyncio
import gc
import importlib
import json
import logging
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, Final, NoReturn

from ...dev.pythons import ROOT, Interpreter, pythons, run_command
from .known_failures import internals

SUBJECT: Final = "impl.bridges.on_asyncio.names"
FILES: Final = (
    *("futures", "futures2", "tasks", "queues", "locks", "timeouts", "taskgroups", "waitfor", "runners"),
    *("eager_task_factory", "staggered", "graph"),
)
#: The first Python 3.x that has a file.
SINCE: Final = {"eager_task_factory": 12, "staggered": 13, "graph": 14}
#: The names that a subject must have; the other names that it shares with asyncio are replaced too.
OURS: Final = (
    *("Future", "Task", "Queue", "LifoQueue", "PriorityQueue"),
    *("Lock", "Event", "Condition", "Semaphore", "BoundedSemaphore", "Barrier"),
    *("gather", "wait", "wait_for", "as_completed", "shield", "ensure_future", "wrap_future"),
    *("timeout", "timeout_at", "Timeout", "TaskGroup", "sleep"),
)
#: The limit in seconds for a test; the slowest test takes one.
LIMIT_S: Final = 20.0
#: The alarms that a test may swallow.
PATIENCE: Final = 5
#: The limit for a file, in limits for a test: for a hang outside Python's code, which no alarm ends.
FILE_LIMITS: Final = 30
#: Two, because the tests use the real clock: more would disturb each other.
AT_ONCE: Final = 2

#: The end of a traceback, which names the error.
_ERROR: Final = re.compile(r"[^\W\d][\w.]*(: |$)")

_OF_C: Final = frozenset(
    f"{name}Tests" for name in (
        "CFuture", "CSubFuture", "CFutureDoneCallback", "CSubFutureDoneCallback", "CFutureInheritance",
        "CTask_CFuture_", "CTask_CFuture_Subclass", "CTask_Future_", "CIntrospection", "CCurrentLoop",
    )
) | {"TestCallStackC"}  # fmt: skip


@dataclass
class SuiteReport:
    """The results of a file of tests: how many ran, and which failed, each with the last line of its report."""

    file: str
    ran: int = 0
    skipped: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    #: The listed tests that failed, with their reasons.
    internal: dict[str, str] = field(default_factory=dict)
    wrongly_listed: list[str] = field(default_factory=list)  #: listed tests that passed, or are not there
    definers: dict[str, list[str]] = field(default_factory=dict)  #: name -> modules that define it
    trouble: str = ""  #: the reason if nothing ran
    no_tests: bool = False  #: this Python was installed without its tests

    @property
    def passed(self) -> int:
        return self.ran - len(self.failed) - len(self.internal)

    def excuse(self, listed: Iterable[tuple[str, str]]) -> None:
        """Take the listed tests of this file from those that failed."""
        for name, why in listed:
            if not name.startswith(f"test_{self.file}."):
                continue
            if self.failed.pop(name, None) is None:
                self.wrongly_listed.append(name)
            else:
                self.internal[name] = why


# --- in the process that runs the tests ---------------------------------------------------------------------


def substitute(subject: ModuleType) -> dict[str, list[str]]:
    """Replace asyncio's classes and functions with the subject's; return which modules define each."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "asyncio"]
    definers = {}
    for name, ours in vars(subject).items():
        theirs = getattr(asyncio, name, None)
        if name.startswith("_") or not callable(theirs) or not callable(ours) or _is_error(theirs):
            continue  # errors must stay asyncio's: programs catch them by asyncio's names
        definers[name] = defining(ours)
        for module in modules:
            for attribute, value in list(vars(module).items()):
                if value is theirs and attribute != f"_C{name}":
                    setattr(module, attribute, ours)
    for module in modules:  # the names that test classes of the Python versions use
        for name in definers:
            for pure in (f"_Py{name}", f"_py_{name}"):
                if hasattr(module, pure):
                    setattr(module, pure, getattr(subject, name))
    return definers


def _is_error(thing: object) -> bool:
    return isinstance(thing, type) and issubclass(thing, BaseException)


def defining(thing: Any) -> list[str]:  # Any: a class or a function
    """Return the modules that define a function, or a class and its bases."""
    parts = thing.__mro__ if isinstance(thing, type) else [thing]
    names = dict.fromkeys(str(getattr(part, "__module__", "?")) for part in parts)
    return [name for name in names if name not in ("builtins", "typing")]


class Overdue(BaseException):
    """A test has taken longer than it may."""


class Alarmed(unittest.TestResult):
    """Each test under an alarm, which fires again if the test swallows it.

    If given, `give_up` is called when a test swallows PATIENCE alarms, or hangs after its end: in unittest's own code,
    which closes the event loop.
    """

    limit_s = LIMIT_S
    give_up: Callable[[unittest.TestCase], object] | None = None

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802  (unittest's name)
        super().startTest(test)
        self._test, self._rung = test, 0
        signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, self.limit_s, 1)

    def stopTest(self, test: unittest.TestCase) -> None:  # noqa: N802
        self._rung = PATIENCE
        signal.setitimer(signal.ITIMER_REAL, self.limit_s if self.give_up else 0)
        super().stopTest(test)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        self._rung += 1
        if self._rung > PATIENCE and self.give_up is not None:
            self.give_up(self._test)
        raise Overdue(f"hangs: it has not ended after {self.limit_s} s")


def play(file: str, subject: str, limit_s: float, into: Path) -> NoReturn:
    """Run a file of tests on a subject, write the report to `into`, and end the process."""
    report = SuiteReport(file)

    def give_up(test: unittest.TestCase) -> None:
        report.trouble = f"given up: {_name(test)} hangs, and no alarm ends it"
        write()

    def write() -> NoReturn:
        into.write_text(json.dumps(asdict(report)), encoding="utf-8")
        os._exit(0)  # do not wait for threads that a test left behind

    result = Alarmed()
    result.limit_s, result.give_up = limit_s, give_up
    _run(report, subject, result)
    write()


def _run(report: SuiteReport, subject: str, result: Alarmed) -> None:
    """Run the tests of the report's file."""
    warnings.simplefilter("ignore")
    try:
        importlib.import_module("test.test_asyncio")
    except ModuleNotFoundError as error:
        report.trouble, report.no_tests = str(error), True
        return
    report.definers = substitute(importlib.import_module(subject))
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    module = importlib.import_module(f"test.test_asyncio.test_{report.file}")
    tests = unittest.TestSuite(
        test
        for test in _flat(unittest.defaultTestLoader.loadTestsFromModule(module))
        if type(test).__name__ not in _OF_C
    )
    gc.freeze()  # tests often collect garbage: skip what is loaded by now
    tests.run(result)
    report.ran = result.testsRun - len(result.skipped)
    report.skipped = len(result.skipped)
    for test, story in [*result.failures, *result.errors]:
        # A subtest is named by its test's name and its parameters: several that fail are one test.
        told = [line for line in story.splitlines() if _ERROR.match(line)]
        report.failed[_name(test)] = told[-1] if told else "failed"
    for test in result.unexpectedSuccesses:
        report.failed[_name(test)] = "was expected to fail"
    if subject == SUBJECT:
        report.excuse(internals(sys.version_info[:3]))


def _name(test: unittest.TestCase) -> str:
    return test.id().partition(" ")[0].removeprefix("test.test_asyncio.")


def _flat(suite: unittest.TestSuite | unittest.TestCase) -> Iterator[unittest.TestCase]:
    if isinstance(suite, unittest.TestCase):
        yield suite
    else:
        for part in suite:
            yield from _flat(part)


# --- in the parent process ----------------------------------------------------------------------------------


def run_file(python: Path, file: str, subject: str = SUBJECT, limit_s: float = LIMIT_S) -> SuiteReport:
    """Run a file of tests in its own process by that Python; return the report."""
    with tempfile.TemporaryDirectory() as folder:
        into = Path(folder, "report")
        command = [str(python), "-m", f"{__package__}.cpython", "--subject", subject, "--limit", str(limit_s)]
        try:
            ran = run_command(*command, "--play", file, "--into", into, cwd=ROOT, seconds=limit_s * FILE_LIMITS)
        except subprocess.TimeoutExpired:
            return SuiteReport(file, trouble=f"killed after {limit_s * FILE_LIMITS:.0f} s")
        if not into.exists():
            last = ran.stderr.strip().splitlines()[-1:] or [f"exit status {ran.returncode}"]
            return SuiteReport(file, trouble=f"the process ended early: {last[0]}")
        return SuiteReport(**json.loads(into.read_text(encoding="utf-8")))


def faults(reports: Sequence[SuiteReport]) -> list[str]:
    """Return the faults of a run of several files on one Python, a line each."""
    lines = [f"{report.file}: {report.trouble}" for report in reports if report.trouble]
    lines += [f"{name}: {why}" for report in reports for name, why in report.failed.items()]
    lines += [f"{name} is listed as internal, and does not fail" for each in reports for name in each.wrongly_listed]
    definers = reports[0].definers
    if definers:
        lines += [f"{name} is missing" for name in OURS if name not in definers]
    for name, modules in definers.items():
        theirs = [module for module in modules if module.lstrip("_").partition(".")[0] == "asyncio"]
        lines += [f"{name} is asyncio's own: {module} defines it" for module in theirs]
    return lines


def run_python(python: Interpreter, files: Sequence[str], subject: str, limit_s: float) -> bool | None:
    """Run the files on one Python and print the results; return whether all is well, None if it has no tests."""
    path = python.environment if python.environment.exists() else python.path
    files = files_of(python.version, files)
    print(f"Python {python.version} ({path})", flush=True)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        reports = list(pool.map(lambda file: run_file(path, file, subject, limit_s), files))
    if any(report.no_tests for report in reports):
        print(f"  not run: this Python was installed without its tests ({reports[0].trouble})")
        return None
    for report in reports:
        print(f"  test_{report.file:<12} {report.passed}/{report.ran}")
    print(f"  {'in all':<17} {sum(report.passed for report in reports)}/{sum(report.ran for report in reports)}")
    for name, modules in sorted(reports[0].definers.items()):
        print(f"  {name:<20} {', '.join(modules)}")
    for name, why in (item for report in reports for item in report.internal.items()):
        print(f"  internal {name}: {why}")
    wrong = faults(reports)
    for line in wrong:
        print(f"  WRONG {line}")
    return not wrong


def files_of(version: str, files: Sequence[str] = FILES) -> list[str]:
    """Return the files that a version of Python ("3.12") has."""
    minor = int(version.partition(".")[2])
    return [file for file in files if SINCE.get(file, 0) <= minor]


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 if all passed on every Python that has its tests; 1 otherwise, or if none has."""
    parser = argparse.ArgumentParser(prog="cpython-suite", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--subject", default=SUBJECT, help="a module with asyncio's names (%(default)s)")
    parser.add_argument("--files", default=",".join(FILES), help="(%(default)s)")
    parser.add_argument("--python", action="append", help="only this version, for instance 3.12")
    parser.add_argument("--limit", type=float, default=LIMIT_S, help="seconds for each test (%(default)s)")
    parser.add_argument("--play", help=argparse.SUPPRESS)
    parser.add_argument("--into", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    # A job in the background ignores SIGINT, as do its children, and tests of it would wait for ever.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if options.play:
        play(options.play, options.subject, options.limit, Path(options.into))
    found = [python for python in pythons() if options.python is None or python.version in options.python]
    ends = [run_python(python, options.files.split(","), options.subject, options.limit) for python in found]
    if all(end is None for end in ends):
        print("nothing was run")
        return 1
    return int(False in ends)


if __name__ == "__main__":
    sys.exit(main())
