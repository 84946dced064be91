"""The bugs of released libraries are found again, plain scripts show them, and each has its files."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from ...libraries.confirmed import confirmed
from ...libraries.finding import FINDINGS, FOLDER, PYTHON, LibraryFinding, linked
from ...libraries.findings import TABLE
from ...libraries.found import again, by_reading, lacking
from ...programs.vectors.known import OF_FACTS

# The leftovers of a cancelled library are collected, and reported, during any later test of the file.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

#: Those that a harness of the hunt draws or that were seen by reading.
HUNTED = [each for each in FINDINGS if not (each.failure or each.subject or each.library == PYTHON)]


def skip_without(finding: LibraryFinding) -> None:
    if why := lacking(finding):
        pytest.skip(f"not run: {why}")


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.name)
@pytest.mark.long("seconds of real time")
def test_the_plain_script_shows_it_and_its_control_does_not(finding: LibraryFinding) -> None:
    skip_without(finding)
    shown = confirmed(finding)
    assert shown
    assert all(shown.values()), shown


@pytest.mark.parametrize("finding", HUNTED, ids=lambda finding: finding.name)
@pytest.mark.filterwarnings("ignore")
def test_the_hunt_finds_it(finding: LibraryFinding, full: bool) -> None:
    skip_without(finding)
    if not full and finding.library != "tornado":
        pytest.skip("seconds to a minute; test_harnesses has a short hunt of each harness")
    if by_reading(finding):
        pytest.skip("seen by reading: no search draws it")
    assert again(finding) is not None


def test_each_finding_has_its_row_and_a_report_that_names_its_fields() -> None:
    assert sorted(TABLE.read()) == sorted(linked(finding.name) for finding in FINDINGS)
    for finding in FINDINGS:
        front, _, report = finding.file.read_text(encoding="utf-8").removeprefix("---").partition("\n---\n")
        assert front
        assert len(report.splitlines()) < 60
        assert finding.rule in report
        assert f"`python plain.py{' ' * bool(finding.case)}{finding.case}`" in report
        assert all(version in report for version in finding.versions)


def test_a_plain_script_has_a_case_for_each_finding_of_its_library() -> None:
    cases: dict[Path, list[str]] = {}
    for finding in FINDINGS:
        cases.setdefault(finding.script, []).append(finding.case)
    assert cases.keys() == set(FOLDER.glob("*/plain.py"))
    for script, found in cases.items():
        tables = [
            node.value
            for node in ast.parse(script.read_text(encoding="utf-8")).body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CASES"
        ]
        for table in tables:
            assert isinstance(table, ast.Dict)
            assert [key.value for key in table.keys if isinstance(key, ast.Constant)] == found, script
        assert tables or found == [""], script


def test_a_finding_that_facts_show_names_their_rule() -> None:
    found = {f"finding {finding.name}": finding.rule for finding in FINDINGS}
    for bug in OF_FACTS:
        assert bug.issue not in found or found[bug.issue] in bug.rules, bug.issue
