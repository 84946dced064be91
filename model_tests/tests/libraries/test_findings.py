"""The bugs of released libraries are found again, plain scripts show them, and each has its files."""

import ast
import re
from pathlib import Path

import pytest

from ...dev.pythons import ROOT
from ...libraries.confirmation import confirmed, imported
from ...libraries.finding import FINDINGS, PYTHON, SCRIPT, LibraryFinding, linked, split
from ...libraries.findings import TABLE
from ...libraries.found import again, by_reading, lacking
from ...programs.vectors.known_bugs import OF_FACTS
from ..process import python

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


def test_each_finding_has_its_row() -> None:
    assert sorted(TABLE.read()) == sorted(linked(finding.name) for finding in FINDINGS)


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.name)
def test_a_report_names_its_fields_and_its_script(finding: LibraryFinding) -> None:
    front, text = split(finding.file.read_text(encoding="utf-8"))
    report = text.removesuffix(f"{SCRIPT}{finding.script}```\n")
    assert front
    assert len(report.splitlines()) < 60
    assert finding.rule in report
    assert re.search("\\*\\* (Run the|The) script below", report)
    assert all(version in report for version in finding.versions)


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.name)
def test_a_script_needs_nothing_of_this_project_and_ends_with_its_output(finding: LibraryFinding) -> None:
    tree = ast.parse(finding.script)
    assert ast.get_docstring(tree)
    assert not {"impl", "spec", "model_tests", "loopspec", "pytest"} & set(imported(finding.script))
    calls = [node.func for node in ast.walk(tree.body[-1]) if isinstance(node, ast.Call)]
    assert "print" in map(ast.unparse, calls)


def test_the_scripts_are_linted_and_formatted_and_typed_in_full(tmp_path: Path, full: bool) -> None:
    """The check of types takes ten times as long."""
    for finding in FINDINGS:
        (tmp_path / f"{finding.name}.py").write_text(finding.script, encoding="utf-8")
    config = str(ROOT / "pyproject.toml")
    # A library without types gives classes and decorators without types.
    types = ["--python-version=3.15", "--allow-subclassing-any", "--allow-untyped-decorators"]
    for command in (
        ["ruff", "check", f"--config={config}"],
        ["ruff", "format", "--check", f"--config={config}"],
        *([["mypy", f"--config-file={config}", *types]] if full else []),
    ):
        ran = python("-m", *command, *sorted(tmp_path.glob("*.py")))
        assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_finding_that_facts_show_names_their_rule() -> None:
    found = {f"finding {finding.name}": finding.rule for finding in FINDINGS}
    for bug in OF_FACTS:
        assert bug.issue not in found or found[bug.issue] in bug.rules, bug.issue
