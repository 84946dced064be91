"""Confirm a finding on stock asyncio: on each Python its plain script shows it, and its control does not, each time."""

import ast
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from ..dev.pythons import pythons, run_command
from ..dev.releases import NoWasm, runnable
from .finding import PYTHON, LibraryFinding
from .releases import plain

#: How often a plain script, and its control, are run; seconds for one of them.
TIMES: Final = 2
SECONDS: Final = 60

#: A program that prints the version of a distribution, if the modules are there that the plain script imports.
_VERSION: Final = (
    "from importlib.metadata import version; from importlib.util import find_spec\n"
    "if all(map(find_spec, {modules!r})): print(version({library!r}))"
)
_OWN: Final = "{}.{}".format(*sys.version_info)


def confirmed(finding: LibraryFinding) -> dict[str, bool]:
    """Return the Pythons that have the imports of the plain script, and whether the bug is confirmed on each."""
    return {
        name: all(_shown(run) == [finding.control, finding.shows] for _ in range(TIMES))
        for name, run in _pythons(finding).items()
    }


def _pythons(finding: LibraryFinding) -> dict[str, Callable[[], str]]:
    """By the name of a Python, a function that runs the plain script there and returns its output."""
    script = finding.script
    if finding.library == PYTHON:
        return {release: partial(_released, release, script) for release in runnable(finding.versions)}
    question = _VERSION.format(library=finding.library, modules=imported(script))
    found = {_OWN: Path(sys.executable)}
    found.update({python.version: python.environment for python in pythons() if python.version != _OWN})
    return {
        name: partial(_native, python, script)
        for name, python in sorted(found.items())
        if tuple(map(int, name.split("."))) >= finding.since
        and python.exists()
        and _native(python, question).strip() in finding.versions
    }


def imported(script: str) -> list[str]:
    """Return the top-level modules that a script imports, in order."""
    names = set[str]()
    for node in ast.walk(ast.parse(script)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module, "a plain script imports nothing of this project"
            names.add(node.module)
    return sorted({name.partition(".")[0] for name in names})


def _released(release: str, script: str) -> str:
    try:
        return plain(release, script)
    except NoWasm:
        return ""


def _native(python: Path, code: str) -> str:
    """The output of a program; "" if it does not end."""
    try:
        return run_command(python, "-P", "-W", "ignore", "-c", code, seconds=SECONDS).stdout
    except subprocess.TimeoutExpired:
        return ""


def _shown(run: Callable[[], str]) -> list[str]:
    """The outcomes that a plain script prints, each after its case: without the bug, and with it."""
    return [line.partition(": ")[2] for line in run().splitlines()]
