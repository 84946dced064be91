"""The ceiling: how many files and lines of Python each part may have is a figure in pyproject.toml.

To raise it is a line in a commit, with a reason: the project once doubled in a week, and no one had meant it to.
"""

from __future__ import annotations

import tomllib

import pytest

from ..dev.pythons import ROOT

CEILINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ceilings"]
#: Lines by which a part may be below its ceiling: what was saved is not to be spent unseen.
SLACK = 500


def size(part: str) -> tuple[int, int]:
    """Return the number of files and of lines of a part of the project; tests are a part of their own."""
    tests = ROOT / "model_tests" / "tests"
    paths = [
        path
        for path in (ROOT / part).rglob("*.py")
        if part == "model_tests/tests" or not path.is_relative_to(tests)
    ]
    return len(paths), sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def test_every_part_has_a_ceiling() -> None:
    assert list(CEILINGS) == ["spec", "impl", "model_tests", "model_tests/tests"]


@pytest.mark.parametrize("part", CEILINGS)
def test_a_part_stays_below_its_ceiling(part: str) -> None:
    files, lines = size(part)
    most = CEILINGS[part]
    assert files <= most["files"], "join files, or raise the ceiling in pyproject.toml with a reason"
    assert lines <= most["lines"], "delete what is no longer needed, or raise the ceiling with a reason"
    assert most["lines"] - lines <= SLACK, f"lower the ceiling of {part} to {lines}"
