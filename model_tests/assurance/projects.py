"""Projects with tests, as strangers have them: `pytest --explore` with the wheel, in an empty environment.

Each has a planted race, which has to be found; the run that fails has to be kept, and tried first when the tests are
run again.  The environment is of the newest Python that all packages can be installed for.

    python -m model_tests.assurance.projects WHEEL [NAME...]      default: all projects
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from ..dev.installation import pip
from ..dev.pythons import ROOT, Interpreter, pythons
from ..programs.tables import texts

#: The texts of the projects; the tests of this checkout run those of the first, in its own environment.
FOLDER: Final = ROOT / "model_tests" / "tests" / "explore"
FILES: Final = ("suite", "real_world", "frameworks")
#: The packages that the projects need.
PACKAGES: Final = (
    *("pytest", "pytest-asyncio", "pytest-xdist", "hypothesis", "anyio", "trio"),
    *("aiohttp", "django", "fastapi", "httpx", "starlette"),
)
#: A row of a failing test in the summary: test, verdict, number of runs, token.
_ROW: Final = re.compile(r"(?m)^(\S.*?) {2,}(\S.*?) +([\d,]+)  (l\S+)$")


@dataclass(frozen=True, slots=True)
class Project:
    """A project, and the outcome of its tests under `pytest --explore`."""

    #: Further arguments of pytest.
    options: list[str]
    #: How many tests fail, pass and so on, as pytest counts.
    ends: dict[str, int]
    #: Lines of the output; `*` and `?` stand for any characters.
    says: list[str]
    #: The text of each file, by its path.
    files: dict[str, str]

    def write(self, folder: Path) -> None:
        """Write the files into a folder."""
        for path, text in self.files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")


@cache
def projects(*names: str) -> dict[str, Project]:
    """The projects of these files of FOLDER; default: of all."""
    shop = texts(FOLDER / "suite.txt")["SHOP"] + "\n"
    return {
        name: _project(text.replace("SHOP\n", shop))
        for file in names or FILES
        for name, text in texts(FOLDER / f"{file}.txt").items()
        if name != "SHOP"
    }


def _project(text: str) -> Project:
    head, *files = re.split(r"(?m)^=== (\S+)\n", text)
    said = [(word, rest) for word, _, rest in (line.partition(": ") for line in head.splitlines())]
    words = dict(said)
    ends = {kind: int(number) for number, kind in map(str.split, filter(None, words.get("ends", "").split(", ")))}
    says = [rest for word, rest in said if word == "says"]
    return Project(words.get("options", "").split(), ends, says, dict(zip(files[::2], files[1::2], strict=True)))


def faults(python: Path, name: str, folder: Path) -> Iterator[str]:
    """Write a project, run its tests twice with this Python, and say how that is not as it has to be."""
    project = projects()[name]
    project.write(folder)
    first, second = (_run(python, folder, *project.options) for _ in range(2))
    counted = pytest.RunResult.parse_summary_nouns(first.splitlines())
    counted.pop("warnings", None)  # of deprecations, on the newest Pythons
    if counted != project.ends:
        yield f"its tests end with {counted}, not {project.ends}:\n{first}"
    yield from (f"no line is {line}:\n{first}" for line in project.says if not _has(first, line))
    found, again = _failing(first), _failing(second)
    kept = len(list((folder / ".loopspec").glob("*.json")))
    if not found or kept != len(found):
        yield f"{len(found)} failing runs are found, and {kept} kept"
    if again != {test: (verdict, 1) for test, (verdict, _) in found.items()}:
        yield f"the kept runs are not tried first: {found}, and then {again}"


def _run(python: Path, folder: Path, *arguments: str) -> str:
    """The output of pytest."""
    return subprocess.run(
        [python, "-m", "pytest", "--explore", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith(("PYTHONPATH", "PYTEST_"))},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    ).stdout


def _has(output: str, pattern: str) -> bool:
    return any(fnmatchcase(line, pattern) for line in output.splitlines())


def _failing(output: str) -> dict[str, tuple[str, int]]:
    """The verdict and the number of runs of each failing test."""
    return {test: (verdict, int(runs.replace(",", ""))) for test, verdict, runs, _ in _ROW.findall(output)}


def _environment(wheel: Path, folder: Path) -> tuple[Interpreter, Path]:
    """Install the wheel and the packages for the newest Python that has them; returns it, and the environment's.

    Raises:
        subprocess.CalledProcessError: there is none.
    """
    there = pythons()[::-1]
    for python in there:
        made = folder / python.version
        subprocess.run([python.path, "-m", "venv", "--without-pip", made], check=True)
        inside = made / "bin" / "python"
        try:
            subprocess.run([*pip(inside), "--only-binary", ":all:", str(wheel), *PACKAGES], check=True)
        except subprocess.CalledProcessError:
            if python is there[-1]:
                raise
            print(f"make projects-check: Python {python.version}: not all packages can be installed", flush=True)
        else:
            break
    return python, inside


def main(argv: Sequence[str]) -> int:
    """Check these projects; 0, 1 if one fails, 2 on bad usage."""
    every = [name for name, project in projects().items() if project.ends]
    wanted = argv[1:] or every
    if not argv or not argv[0].endswith(".whl") or not Path(argv[0]).is_file() or {*wanted} - {*every}:
        print(
            f"usage: python -m model_tests.assurance.projects WHEEL [NAME...]; the names are {', '.join(every)}",
            file=sys.stderr,
        )
        return 2
    status = 0
    with tempfile.TemporaryDirectory(prefix="loopspec-projects-") as name:
        folder = Path(name).resolve()
        python, inside = _environment(Path(argv[0]).resolve(), folder)
        print(f"make projects-check: Python {python.release}", flush=True)
        for number, project in enumerate(wanted):
            began = time.monotonic()
            wrong = list(faults(inside, project, folder / f"project{number}"))
            status |= bool(wrong)
            said = "\n".join(["FAILS", *wrong]) if wrong else "found, kept, and tried first"
            print(f"  {project}: {said} ({time.monotonic() - began:.1f} s)", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
