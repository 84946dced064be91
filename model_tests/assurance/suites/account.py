"""Results of the peers' tests, compared with the list of known failures.

A test of a file has passed, failed (with a line of its error) or been skipped by its suite.  A skipped test is not
counted, nor one that passes and has made no loop.  `faults`: the differences from known_failures.py, both ways.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from json import loads
from pathlib import Path

from ...dev.pythons import ROOT, run_command
from .known_failures import NEEDS, KnownFailures, known
from .suites import Suite


@dataclass
class FileAccount:
    """The results of the tests of one file."""

    file: str
    passed: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)  #: test -> the last line of its error
    skipped: int = 0
    loopless: int = 0  #: passed, but made no loop
    trouble: str = ""  #: the reason if nothing ran

    @property
    def ran(self) -> int:
        return len(self.passed) + len(self.failed)

    def reasons(self) -> Counter[str]:
        """Count the failures by reason; those without an entry have none."""
        return Counter(entry.reason for test in self.failed if (entry := known(self.file, test)))

    def fair(self) -> int:
        """Count the tests that ran and need nothing that a simulation lacks."""
        return self.ran - sum(self.reasons()[reason] for reason in NEEDS)


def play(suite: Suite, folder: Path, path: str, *options: str) -> FileAccount:
    """Run a file of tests in its own process, with no pytest settings but ours."""
    account = FileAccount(f"{suite.package}: {path}")
    with tempfile.TemporaryDirectory() as name:
        into, settings = Path(name, "account"), Path(name, "pytest.ini")
        settings.write_text("[pytest]\n", encoding="utf-8")
        command = [sys.executable, "-P", "-m", "pytest", "-q", "-c", str(settings), "--rootdir", "."]
        command += ["-p", f"{__package__}.plugin", "-p", "no:cacheprovider", "-p", "no:xdist"]
        command += [*suite.options, *options, "--account", str(into), path]
        command += ["-k", suite.only] if suite.only else []
        ran = run_command(*command, cwd=folder, environment={"PYTHONPATH": str(ROOT)})
        if not into.exists():
            last = (ran.stderr.strip() or ran.stdout.strip()).splitlines()[-1:] or [f"exit {ran.returncode}"]
            account.trouble = f"the process ended early: {last[0]}"
        else:
            _fill(account, loads(into.read_text(encoding="utf-8")))
    return account


def _fill(account: FileAccount, became: Mapping[str, tuple[str, str]]) -> None:
    for test, (what, told) in became.items():
        _, _, name = test.partition("::")
        if what == "passed":
            account.passed.append(name)
        elif what == "failed":
            account.failed[name] = (told.splitlines() or ["failed"])[0]
        elif what == "skipped":
            account.skipped += 1
        else:
            account.loopless += 1
    if not became:
        account.trouble = "no test of it ran"


def faults(accounts: Iterable[FileAccount]) -> list[str]:
    """Return the differences from the list, a line each."""
    lines = []
    for account in accounts:
        if account.trouble:
            lines.append(f"{account.file}: {account.trouble}")
        lines += [
            f"fails, and is not known to: {account.file}::{test}: {told}"
            for test, told in account.failed.items()
            if known(account.file, test) is None
        ]
        lines += [
            f"passes, and is known to fail ({entry.reason}): {account.file}::{test}"
            for test in account.passed
            if (entry := known(account.file, test)) is not None
        ]
    return lines


def entries(accounts: Iterable[FileAccount]) -> list[tuple[KnownFailures, int]]:
    """Return the entries of the list for the failures of a run, and how many failures each covers."""
    counted: Counter[KnownFailures] = Counter()
    for account in accounts:
        counted.update(entry for test in account.failed if (entry := known(account.file, test)))
    return list(counted.items())
