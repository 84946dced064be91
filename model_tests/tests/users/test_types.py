"""mypy --strict, with the wheel, finds the types in programs of users, and no error."""

import re
import venv
from pathlib import Path

import pytest

from ..process import python

pytestmark = pytest.mark.long("`make guides-check` runs it")

#: Title -> program.
PROGRAMS = dict(
    re.findall(
        r"^### (.*)\n((?:.*\n)*?)(?=### |\Z)",
        Path(__file__).with_name("programs.txt").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
)
#: `reveal_type(...)  # TYPE`
EXPECTED = re.compile(r"reveal_type\(.*\)  # (.+)$")
REVEALED = re.compile(r'program_(\d+)\.py:(\d+): note: Revealed type is "(.*)"')


@pytest.fixture(scope="module")
def said(staged: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines that mypy prints about all programs."""
    folder = tmp_path_factory.mktemp("programs")
    for number, program in enumerate(PROGRAMS.values()):
        (folder / f"program_{number}.py").write_text(program, encoding="utf-8")
    environment = tmp_path_factory.mktemp("environment")
    venv.create(environment, symlinks=True)
    # As an installed wheel: mypy looks for py.typed, and reports no error in it.
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "loopspec.pth").write_text(str(staged), encoding="utf-8")
    options = (
        "--strict",
        "--cache-dir",
        folder / "cache",
        "--python-executable",
        environment / "bin" / "python",
    )
    ran = python("-m", "mypy", *options, ".", cwd=folder, env={})
    return ran.stdout.splitlines()


def test_there_are_thirty() -> None:
    assert len(PROGRAMS) >= 30


def test_mypy_has_no_objection(said: list[str]) -> None:
    titles = list(PROGRAMS)
    errors = [line for line in said if ": error: " in line]
    assert [(titles[int(re.findall(r"\d+", line)[0])], line) for line in errors] == []
    assert said[-1] == f"Success: no issues found in {len(PROGRAMS)} source files"


def test_the_types_are_known(said: list[str]) -> None:
    revealed = {
        (int(found[1]), int(found[2])): re.sub(r"\bbuiltins\.", "", found[3])
        for found in map(REVEALED.match, said)
        if found
    }
    expected = {
        (number, line): found[1]
        for number, program in enumerate(PROGRAMS.values())
        for line, text in enumerate(program.splitlines(), 1)
        if (found := EXPECTED.search(text))
    }
    assert len(expected) > 20
    assert revealed == expected
