"""The package of the wheel, as it is copied from the tree: `import loopspec` and `python -m loopspec`."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from ..dev.pythons import ROOT
from .process import python

Run = Callable[..., CompletedProcess[str]]

PROGRAM = """
import sys
import loopspec

assert [name for name in sys.modules if name.startswith("loopspec.")] == []
assert {"check", "conform", "explore", "impl", "run", "simulate", "spec", "__version__"} <= set(dir(loopspec))

async def main():
    import asyncio
    await asyncio.sleep(3600)
    return asyncio.get_running_loop().time()

assert loopspec.run(main) == loopspec.simulate(main).result == 3600.0
assert loopspec.explore(main, runs=3).failure is None
assert loopspec.conform is loopspec.model_tests.conform and loopspec.Rules
from loopspec.spec import kit
assert loopspec.check is kit.check and loopspec.spec is sys.modules["loopspec.spec"]
assert loopspec.impl.run is not loopspec.run
print(loopspec.__version__)
from loopspec import *
assert explore is loopspec.explore
try:
    loopspec.nothing
except AttributeError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def ran(staged: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs Python on the sources of the wheel, and the metadata of an installation, outside of the checkout."""
    folder = tmp_path_factory.mktemp("metadata")
    metadata = folder / "loopspec-9.8.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text("Metadata-Version: 2.1\nName: loopspec\nVersion: 9.8\n", encoding="utf-8")
    path = os.pathsep.join(map(str, (staged, folder)))
    return partial(python, cwd=folder, env={"PYTHONPATH": path})


def test_the_facade_loads_what_is_asked_for(ran: Run) -> None:
    seen = ran("-c", PROGRAM)
    assert (seen.stderr, seen.stdout) == ("", "9.8\nmodule 'loopspec' has no attribute 'nothing'\n")


def test_the_package_is_the_command(ran: Run) -> None:
    assert ran("-m", "loopspec", "--version").stdout == "loopspec 9.8\n"
    seen = ran("-m", "loopspec", "explore", "nowhere.py:main", "--jobs", "2")
    assert (seen.returncode, seen.stderr) == (2, "loopspec explore: there is no file 'nowhere.py'\n")


def test_the_modules_of_the_loop_have_their_names_in_the_package(ran: Run) -> None:
    program = "from loopspec.impl.explore.reduction.kinds import is_of_the_loop as known"
    modules = "map(known, ('loopspec.impl.loop', 'loopspec.impl.tasks.task', 'loopspec.impl.web.url'))"
    assert ran("-c", f"{program}\nprint(*{modules})").stdout == "True True False\n"


def test_programs_for_the_user_import_from_the_package(ran: Run) -> None:
    said = ran("-m", "loopspec", "explain", f"KERNEL-{2}")  # in two parts: no test of the rule
    assert (said.returncode, said.stderr) == (0, "")
    assert "      from loopspec import impl\n" in said.stdout


def test_the_types_of_the_facade_are_known(staged: Path) -> None:
    text = (staged / "loopspec" / "__init__.py").read_text(encoding="utf-8")
    listed = text.partition("__all__ = ")[2].partition("\n")[0]
    typed = text.partition("if TYPE_CHECKING:")[2].partition("\n_PLACES")[0]
    assert [name for name in eval(listed) if f" as {name}\n" not in typed and f" {name}: " not in typed] == []


def test_the_version_is_that_of_pyproject() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert python("-m", "model_tests.commands.cli", "--version").stdout == f"loopspec {version}\n"
