"""A search with injected cancels finds the bugs of released libraries; without cancels it finds none."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from ...findings.catalogue import FINDINGS
from ...findings.confirmed import confirmed
from ...findings.finding import FOLDER, PYTHON, Finding
from ...findings.found import again, by_reading, lacking, search
from ...findings.written import REPORT, TABLE, WRITTEN_ON, linked, text
from ...vectors.known import OF_FACTS

# The leftovers of a cancelled library are collected, and reported, during any later test of the file.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

#: Those with a program of their own, and those that a harness of the hunt draws or that were seen by reading.
SEARCHED = [finding for finding in FINDINGS if finding.cancel]
HUNTED = [each for each in FINDINGS if not (each.failure or each.subject or each.library == PYTHON)]


def skip_without(finding: Finding) -> None:
    if why := lacking(finding):
        pytest.skip(f"not run: {why}")


@pytest.mark.parametrize("finding", SEARCHED, ids=lambda finding: finding.name)
def test_the_search_finds_it(finding: Finding, full: bool, caplog: pytest.LogCaptureFixture) -> None:
    skip_without(finding)
    for seed in (0, 10_000, 20_000)[: 3 if full else 1]:
        found = search(finding, finding.cancel, seed=seed)
        assert found.failure is not None, f"not found in {found.runs} runs from seed {seed}"
        assert found.failure.outcome.startswith(finding.failure)
        print(finding.name, "seed", seed, "runs", found.runs)
    caplog.clear()


@pytest.mark.parametrize("finding", SEARCHED, ids=lambda finding: finding.name)
def test_without_cancels_the_program_is_right(finding: Finding, full: bool) -> None:
    skip_without(finding)
    assert search(finding, None, runs=200 if full else 10).failure is None


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.name)
def test_the_plain_script_shows_it_and_its_control_does_not(finding: Finding, full: bool) -> None:
    skip_without(finding)
    if not full:
        pytest.skip("seconds of real time")
    shown = confirmed(finding)
    assert shown
    assert all(shown.values()), shown


@pytest.mark.parametrize("finding", SEARCHED, ids=lambda finding: finding.name)
def test_the_stored_report_is_that_of_the_search(finding: Finding, full: bool) -> None:
    skip_without(finding)
    if sys.version_info[:2] != WRITTEN_ON:
        pytest.skip("not run: the reports were written on another version, and name lines of its library")
    if not full:
        pytest.skip("each is shrunk again: seconds")
    found = again(finding)
    assert found is not None
    assert text(finding, found) == (FOLDER / finding.name / REPORT).read_text(encoding="utf-8")


@pytest.mark.parametrize("finding", HUNTED, ids=lambda finding: finding.name)
@pytest.mark.filterwarnings("ignore")
def test_the_hunt_finds_it(finding: Finding, full: bool) -> None:
    skip_without(finding)
    if not full:
        pytest.skip("seconds to a minute; a short hunt of each harness is in tests/hunt")
    if by_reading(finding):
        pytest.skip("seen by reading: no search draws it")
    assert again(finding) is not None


def test_each_finding_has_its_files() -> None:
    named = {finding.name: finding for finding in FINDINGS}
    assert named.keys() == {path.parent.name for path in FOLDER.glob("*/REPORT.md")}
    for name, finding in named.items():
        files = {path.name for path in (FOLDER / name).iterdir() if path.is_file()}
        wanted = {"REPORT.md"} | ({"program.py"} if finding.cancel else set())
        wanted |= {"plain.py"} if finding.script.parent.name == name else set()
        wanted |= {"__init__.py"} if len(wanted) > 1 else set()
        row = TABLE.read()[linked(name)]
        assert files == wanted | (set() if "| reading |" in row else {REPORT})
        report = (FOLDER / name / "REPORT.md").read_text(encoding="utf-8")
        assert len(report.splitlines()) < 60
        assert finding.rule in report
        assert f"`python plain.py{' ' * bool(finding.case)}{finding.case}`" in report
        assert all(version in report for version in finding.versions)


def test_each_case_of_a_plain_script_is_a_finding() -> None:
    shared: dict[Path, list[str]] = {}
    for finding in FINDINGS:
        if finding.folder:
            shared.setdefault(finding.script, []).append(finding.case)
    for script, cases in shared.items():
        table = next(
            node.value
            for node in ast.parse(script.read_text(encoding="utf-8")).body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CASES"
        )
        assert isinstance(table, ast.Dict)
        assert [key.value for key in table.keys if isinstance(key, ast.Constant)] == cases, script


def test_a_finding_that_facts_show_names_their_rule() -> None:
    found = {f"finding {finding.name}": finding.rule for finding in FINDINGS}
    for bug in OF_FACTS:
        assert bug.issue not in found or found[bug.issue] in bug.rules, bug.issue
