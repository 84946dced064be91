"""Errors planted in impl, one at a time: `loopspec conform` on our own names finds each, and names its rule.

planted.txt has them, as changes of impl's text: a line with the name of asyncio's that gets the error, the defect, the
file in impl, and rules (at least one must be reported as broken); the lines that change; an empty line.
The command runs on a copy of impl with the error.  The error is then in the reference, too: that it is found shows that
no expected line comes from the code under test.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import impl
from impl.bridges.on_asyncio import names

from ...dev.pythons import ROOT
from ...programs.tables import change, texts
from ..process import copied, python

HEAD: Final = re.compile(r"(?P<of>\S+): (?P<what>.+): (?P<file>\S+), (?P<rules>.+)")
#: Our names on asyncio's loop, and on ours, which alone has `run` and `Runner`.
ON_ASYNCIO: Final = names.__name__
ON_IMPL: Final = impl.__name__
RUNS: Final = {"run", "Runner"}
#: The errors of the short form, in different files.
QUICK: Final = (
    "Semaphore: of one permit, admits four",
    "gather: results come in reverse order",
)
#: Names of `names` that share the code of another name, or have no code; and the call graphs, which asyncio has since
#: 3.14 only: errors in these are in refuted.txt.
ALIKE: Final = {
    "FrameCallGraphEntry", "FutureCallGraph", "capture_call_graph", "format_call_graph", "print_call_graph",
    "future_add_to_awaited_by", "future_discard_from_awaited_by",
    "ALL_COMPLETED", "FIRST_COMPLETED", "FIRST_EXCEPTION", "QueueShutDown", "Timeout", "create_eager_task_factory",
    "eager_task_factory", "timeout_at", "wrap_future",
}  # fmt: skip


class Planted(NamedTuple):
    """An error: the name that gets it, a file of impl, lines there and those that replace them, and its rules."""

    of: str
    file: str
    old: str
    new: str
    rules: list[str]

    def plant(self, folder: Path) -> None:
        """Put the error into the copy of impl in a folder."""
        path = folder / "impl" / self.file
        path.write_text(self.spoilt(path.read_text()))

    def spoilt(self, text: str) -> str:
        """Return the text of its file with the error in it."""
        assert text.count(self.old) == 1
        return text.replace(self.old, self.new)


def read() -> Iterator[tuple[str, Planted]]:
    """Yield the errors of the table, each with its title."""
    for head, text in texts(Path(__file__).with_name("planted.txt")).items():
        said = HEAD.fullmatch(head)
        assert said, head
        of, what, file, rules = said.groups()
        yield f"{of}: {what}", Planted(of, file, *change(text), rules.split())


TABLE: Final = dict(read())


def conform(folder: Path, subject: str, rules: list[str]) -> tuple[int, list[str]]:
    """Run the command on a subject, as a folder has it; return its status, and which of the rules are broken."""
    command = ["-m", "model_tests.commands.cli", "conform", subject, "--random", "0", "--only", *rules]
    ran = python(*command, cwd=folder)
    lines = [line.split() for line in ran.stdout.splitlines()]
    states = {words[0]: words[3].rstrip(":") for words in lines if words and words[0] in rules}
    return ran.returncode, [rule for rule in rules if states.get(rule) == "broken"]


def copy_into(folder: Path) -> None:
    """Put a copy of impl, and the two other packages, into a folder."""
    for package in ("spec", "model_tests"):
        (folder / package).symlink_to(ROOT / package)
    copied("impl", folder)


@pytest.mark.long("a report on all of impl")
def test_a_few_errors_planted_at_once_are_found(tmp_path: Path) -> None:
    copy_into(tmp_path)
    rules = [TABLE[title].rules[0] for title in QUICK]
    for title in QUICK:
        TABLE[title].plant(tmp_path)
    status, broken = conform(tmp_path, ON_ASYNCIO, rules)
    assert (status, sorted(broken)) == (1, sorted(rules))


@pytest.mark.parametrize("title", TABLE)
@pytest.mark.long("some seconds each")
def test_an_error_planted_in_impl_is_found_in_it(title: str, tmp_path: Path) -> None:
    copy_into(tmp_path)
    planted = TABLE[title]
    planted.plant(tmp_path)
    status, broken = conform(tmp_path, ON_IMPL if planted.of in RUNS else ON_ASYNCIO, planted.rules)
    assert (status, broken != []) == (1, True)


@pytest.mark.long("some minutes")
def test_a_copy_without_an_error_keeps_the_rules(tmp_path: Path) -> None:
    copy_into(tmp_path)
    rules = sorted({rule for planted in TABLE.values() for rule in planted.rules})
    for subject in (ON_ASYNCIO, ON_IMPL):
        assert conform(tmp_path, subject, rules) == (0, [])


@pytest.mark.parametrize("title", TABLE)
def test_the_lines_that_an_error_replaces_are_there_once(title: str) -> None:
    planted = TABLE[title]
    text = (ROOT / "impl" / planted.file).read_text()
    assert planted.spoilt(text) != text


def test_each_name_gets_an_error_that_raises_and_another() -> None:
    raising = {each.of.partition(".")[0] for each in TABLE.values() if "ZeroDivision" in each.new}
    others = {each.of.partition(".")[0] for each in TABLE.values() if "ZeroDivision" not in each.new}
    assert raising == others == {*names.__all__, *RUNS} - ALIKE
