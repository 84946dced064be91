"""Wrong subjects, one defect each: the kit catches every one of them, with a scenario of at most eight operations.

Theory of operation.  `conform_subjects.json` pins for each subject the rule that the kit named, and the smallest
failing program that it found.  Here each plays only its own; `--full` has the kit find it again.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from ...conformance.attribute import operations
from ...conformance.judge import Judge, Judgement, State
from ...conformance.kit import left_behind, run
from ...conformance.sources import Case
from ...dev.pythons import ROOT

# `Any` in this file: programs and lines are JSON.
FOLDER: Final = ROOT / "model_tests" / "museum" / "subjects"
FILES: Final = sorted(path for path in FOLDER.glob("*.py") if path.stem != "__init__")
PINS: Final[dict[str, dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "conform_subjects.json").read_text(encoding="utf-8")
)
OPERATIONS_MAX: Final = 8


@cache
def judged() -> dict[str, Judgement]:
    """What is to be said of each subject on its own program."""
    asked = [[str(path), PINS[path.stem]["program"]] for path in FILES]
    ran = subprocess.run(
        [sys.executable, "-m", "model_tests.tests.conformance.played_subjects"],
        input=json.dumps(asked), capture_output=True, text=True, cwd=ROOT, check=True,
    )  # fmt: skip
    verdicts = {}
    with left_behind():
        for path, (brings, own, lines) in zip(FILES, json.loads(ran.stdout), strict=True):
            case = Case(path.stem, PINS[path.stem]["program"], (PINS[path.stem]["rule"],))
            verdicts[path.stem] = Judge(brings, own, lambda rule: True).judge(case, lines)
    return verdicts


def test_each_subject_is_pinned() -> None:
    assert sorted(PINS) == [path.stem for path in FILES]
    assert len(PINS) >= 44


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_is_caught_by_its_scenario(path: Path) -> None:
    pin = PINS[path.stem]
    assert operations(pin["program"]) == pin["operations"] <= OPERATIONS_MAX
    verdict = judged()[path.stem]
    assert (verdict.state, verdict.rule) == (State.BROKEN, pin["rule"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_kit_finds_it(path: Path, full: bool) -> None:
    if not full:
        pytest.skip("half a minute for each subject")
    report = run(str(path))
    assert report.status == 1
    assert PINS[path.stem]["rule"] in [verdict.rule for verdict in report.broken]
    assert min(verdict.finding.operations for verdict in report.broken if verdict.finding) <= OPERATIONS_MAX
