"""Projects with tests, as strangers have them: `pytest --explore` with the wheel, in an empty environment.

Each has a planted race, which has to be found; the run that fails has to be kept, and tried first when the tests are
run again.  The environment is of the newest Python that all packages can be installed for.

    python -m model_tests.assurance.projects WHEEL [NAME...]      default: all projects
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

import pytest

from ..dev.installation import pip
from ..dev.pythons import ROOT, Interpreter, pythons
from ..dev.tables import texts

#: The texts of the projects; the tests of this checkout run those of the first, in its own environment.
FOLDER: Final = ROOT / "model_tests" / "tests" / "explore"
SUITES: Final = tuple(FOLDER / f"{name}.txt" for name in ("suite", "real_world", "frameworks"))
#: The packages that the projects need.
PACKAGES: Final = (
    *("pytest", "pytest-asyncio", "pytest-xdist", "hypothesis", "anyio", "trio"),
    *("aiohttp", "django", "fastapi", "httpx", "starlette"),
)
#: Of each project: further arguments of pytest, the results of its tests, and lines of the output.
PROJECTS: Final[dict[str, tuple[str, dict[str, int], list[str]]]] = {
    "src layout": ("", {"failed": 1, "passed": 1}, ["tests/test_stock.py::test_race  order only  *"]),
    "package": ("", {"failed": 1}, ["tea_house/tests/test_stock.py::test_race  order only  *"]),
    "conftest": ("", {"failed": 1}, ["test_stock.py::test_race  order only  *"]),
    "session fixture": (
        "",
        {"failed": 1, "passed": 1},
        [
            "test_stock.py::test_race  order only  *",
            "not explored: test_stock.py::test_with_server: the asynchronous fixture 'server' has the scope 'session'*",
        ],
    ),
    "classes": ("", {"failed": 1, "passed": 1}, ["test_stock.py::TestShop::test_race  order only  *"]),
    "anyio's plugin": (
        "",
        {"failed": 2},
        ["test_stock.py::test_race?asyncio?  order only  *", "test_stock.py::test_race?trio? *  order only  *"],
    ),
    "pytest-trio": (
        "",
        {"failed": 2},  # here no plugin runs a test of pytest-trio
        [
            "token: lst*",
            "test_stock.py::test_race  fails in asyncio's own order *",
            "not explored: test_stock.py::test_nursery: pytest-trio's fixture 'nursery' *",
        ],
    ),
    "pytest-asyncio, strict": ("", {"failed": 1}, ["test_stock.py::test_race  order only  *"]),
    "pytest-asyncio, auto": ("", {"failed": 1}, ["test_stock.py::test_race  order only  *"]),
    "unittest": (
        "",
        {"failed": 1, "passed": 4, "skipped": 1, "xfailed": 1},
        [
            "test_stock.py::TestShop::test_race  order only  *",
            "explored 3 tests: passes 2, order only 1",
            "not explored: test_stock.py::TestShop::test_expected: it is expected to fail *",
            "not explored: test_stock.py::TestShop::test_thread: a thread (test_stock.py, line 32); use *",
        ],
    ),
    "Hypothesis": (
        "",
        {"failed": 1, "passed": 1},
        [
            "test_stock.py::test_race  order only  *",
            "not explored: test_stock.py::test_given: Hypothesis calls it with its examples: *schedules() *",
        ],
    ),
    "parametrize": (
        "",
        {"failed": 1, "passed": 1},
        ["test_stock.py::test_race?False?  order only  *", "explored 2 tests: passes 1, order only 1"],
    ),
    "pytestmark": (
        "",
        {"failed": 1, "passed": 1, "errors": 1},
        ["explore: Hypothesis calls it with its examples: *", "test_stock.py::test_race  order only  *"],
    ),
    "log of asyncio": (
        "--explore-runs 12",
        {"failed": 1, "passed": 4},
        ["test_stock.py::test_race  order only  *", "explored 5 tests: passes 4, order only 1"],
    ),
    "loop of its own": (
        "-o asyncio_mode=auto",
        {"failed": 2, "passed": 1},
        [
            "test_stock.py::test_race  order only  *",
            "not explored: test_stock.py::test_loop and 1 more: it fails on another event loop *",
        ],
    ),
    "loop factories": (
        "-o asyncio_mode=auto",
        {"failed": 1, "passed": 1},
        [
            "test_stock.py::test_race* order only  *",
            "not explored: test_stock.py::test_loop*: it fails on another event loop *",
        ],
    ),
    "threads": (
        "--explore-runs 10 -o asyncio_mode=auto",
        {"failed": 2, "passed": 1},
        [
            "test_stock.py::test_race  order only *",
            "not explored: test_stock.py::test_thread and 1 more: it fails where the functions * run inline",
        ],
    ),
    "late on trio": (
        "--explore-runs 10",
        {"failed": 2},
        ["test_stock.py::test_sleep?asyncio?  timing *", "test_stock.py::test_sleep?trio? *  timing *"],
    ),
    "xdist": (
        "-n 2",
        {"failed": 3, "passed": 1},
        [*(f"test_stock.py::test_race?{n}?  order only *" for n in (1, 2, 3)), "explored 4 tests: passes 1, *"],
    ),
}

#: The same, of projects that use frameworks.
OF_FRAMEWORKS: Final[dict[str, tuple[str, dict[str, int], list[str]]]] = {
    "FastAPI": ("", {"failed": 1, "passed": 1}, ["explored 2 tests: *"]),
    "Django": ("", {"failed": 1}, ["explored 1 test: *"]),
    "aiohttp": ("", {"failed": 1}, ["explored 1 test: *"]),
    "Starlette, anyio": ("", {"failed": 1}, ["explored 1 test: *"]),
}
EVERY: Final = {**PROJECTS, **OF_FRAMEWORKS}
#: A row of a failing test in the summary: test, verdict, number of runs, token.
_ROW: Final = re.compile(r"(?m)^(\S.*?) {2,}(\S.*?) +([\d,]+)  (l\S+)$")


def known() -> dict[str, str]:
    """The texts of all projects, by their names."""
    return {name: text for file in SUITES for name, text in texts(file).items()}


def write_project(folder: Path, name: str, known: Mapping[str, str]) -> None:
    """Write the files of a project into a folder.

    Parameters:
        known: the texts of projects, and of `SHOP`, a module that several have.
    """
    for path, text in re.findall(r"^=== (\S+)\n(.*?)(?=^=== |\Z)", known[name], re.DOTALL | re.MULTILINE):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("SHOP\n", known["SHOP"] + "\n"), encoding="utf-8")


def faults(python: Path, name: str, folder: Path) -> Iterator[str]:
    """Write a project, run its tests twice with this Python, and say how that is not as it has to be."""
    write_project(folder, name, known())
    arguments, outcomes, lines = EVERY[name]
    first, second = (_run(python, folder, *arguments.split()) for _ in range(2))
    counted = pytest.RunResult.parse_summary_nouns(first.splitlines())
    if counted != outcomes:
        yield f"its tests end with {counted}, not {outcomes}:\n{first}"
    yield from (f"no line is {line}:\n{first}" for line in lines if not _has(first, line))
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
    wanted = argv[1:] or list(EVERY)
    if not argv or not argv[0].endswith(".whl") or not Path(argv[0]).is_file() or {*wanted} - {*EVERY}:
        print(
            f"usage: python -m model_tests.assurance.projects WHEEL [NAME...]; the names are {', '.join(EVERY)}",
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
