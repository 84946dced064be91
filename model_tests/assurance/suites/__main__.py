"""`python -m model_tests.assurance.suites`: run the test suites of other projects on the simulated loop.

    python -m model_tests.assurance.suites [--only WORD]

Prints passed/total of the tests that make a loop, per file, then the failures and their reasons.  The exit status:

- 0: the failures are those of known_failures.py, and at least 95 % of the tests that need no descriptor, thread, signal
  or wall clock pass;
- 1: one of these does not hold;
- 2: no file has the word.
"""

import argparse
import platform
import sys
from collections.abc import Sequence
from typing import Final

from ...dev.distributions import Unfetched, fetched
from .account import FileAccount, entries, faults, play
from .suites import SUITES

GOAL: Final = 0.95


def main(argv: Sequence[str] | None = None) -> int:
    """Run them; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m model_tests.assurance.suites", allow_abbrev=False)
    parser.add_argument("--only", default="", metavar="WORD", help="files whose name has it, of `package: path`")
    only = parser.parse_args(argv).only
    accounts: list[FileAccount] = []
    print(f"tests of peers on the simulated loop, {platform.python_implementation()} {platform.python_version()}")
    for suite in SUITES:
        try:
            folder = fetched(suite.package)
        except Unfetched as error:
            print(f"WRONG {error}")
            return 1
        print(folder.name, flush=True)
        for path in suite.paths(folder):
            if only in f"{suite.package}: {path}":
                accounts.append(play(suite, folder, path))
                print(_line(accounts[-1], path), flush=True)
    if not accounts:
        print(f"no file has {only!r} in its name", file=sys.stderr)
        return 2
    return _judged(accounts)


def _line(account: FileAccount, path: str) -> str:
    rest = f", {account.loopless} without a loop" if account.loopless else ""
    rest += f", {account.skipped} skipped by the suite" if account.skipped else ""
    return f"  {path.removeprefix('tests/'):<44} {len(account.passed):>4}/{account.ran}{rest}"


def _judged(accounts: Sequence[FileAccount]) -> int:
    passed, ran, fair = (
        sum(count) for count in zip(*((len(each.passed), each.ran, each.fair()) for each in accounts), strict=True)
    )
    print(f"in all {passed}/{ran}")
    print(
        f"of those that need no descriptor, thread, signal or wall clock {passed}/{fair}: {passed / max(fair, 1):.1%}"
    )
    for entry, count in entries(accounts):
        print(f"  {entry.reason}: {count} of {entry.file} ({entry.why})")
        print(f"    {', '.join(entry.names)}")
    wrong = faults(accounts)
    if passed < GOAL * fair:
        wrong.append(f"fewer than {GOAL:.0%} pass")
    for line in wrong:
        print(f"WRONG {line}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
