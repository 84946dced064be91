"""The targets of `loopspec explore` and `run`: a file, a file of a package, a module, a partial."""

from __future__ import annotations

from pathlib import Path

import pytest

from ...dev.pythons import ROOT
from ..process import python

RACE = """
import asyncio
from functools import partial

import sibling
from . import neighbour
from .neighbour import PRICE

async def main():
    await shop(neighbour.PRICE)

async def shop(price):
    prices = {}
    async def load():
        await asyncio.sleep(0)
        prices["tea"] = price
    async def sell():
        await asyncio.sleep(0)
        return prices["tea"]
    await asyncio.gather(load(), sell())

three, less = partial(shop, 3), partial(shop)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "stall/__init__.py": "",
        "stall/open/__init__.py": "",
        "stall/open/race.py": RACE,
        "stall/open/neighbour.py": "PRICE = 2\n",
        "stall/open/sibling.py": "",
        "alone.py": RACE.replace("from .", "# ")
        .replace("import sibling", "")
        .replace("neighbour.PRICE", "2"),
        "sibling.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def seen(folder: Path, *command: str) -> tuple[int, str, str]:
    """The exit status and the output of a command."""
    ran = python("-m", "model_tests.commands.cli", *command, cwd=folder, env={"PYTHONPATH": str(ROOT)})
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.parametrize("target", [
    "alone.py:main", "alone:main", "alone.py:three", "stall/open/race.py:main", "stall.open.race:main",
    "stall.open.race:three",
])  # fmt: skip
def test_the_race_is_found(folder: Path, target: str) -> None:
    status, out, err = seen(folder, "explore", target)
    assert (status, err) == (1, "")
    assert out.startswith(f"{'shop' if 'three' in target else 'main'} fails: KeyError: 'tea'\n")
    token = out.partition("token: ")[2].split()[0]
    assert f"\nreplay: loopspec explore {target} --token {token}\n" in out
    status, out, err = seen(folder, "run", target, "--token", token)
    assert (status, out) == (1, "")
    assert "KeyError: 'tea'" in err


@pytest.mark.parametrize("target", ["stall/open/race.py:main", "stall.open.race:main"])
def test_a_package_is_imported_by_each_process_and_by_the_script(folder: Path, target: str) -> None:
    status, out, _ = seen(folder, "explore", target, "--jobs", "2", "--confirm", "script.py")
    assert (status, out.splitlines()[-1]) == (1, "shown: python script.py raises KeyError at line 19")


@pytest.mark.parametrize(("target", "said"), [
    ("stall.none:main", "there is no file or module 'stall.none'"),
    ("none.race:main", "there is no file or module 'none.race'"),
    ("none:main", "there is no file or module 'none'"),
    ("stall.open.race", "FILE:FUNCTION, for instance stall.open.race:main, not 'stall.open.race'"),
    ("alone:none", "alone has no coroutine function 'none' (async def); it has alone:main"),
    ("alone.py:less", "less needs parameters, price: name a function that needs none"),
])  # fmt: skip
def test_a_target_that_is_not_there_is_one_line(folder: Path, target: str, said: str) -> None:
    assert seen(folder, "run", target) == (2, "", f"loopspec run: {said}\n")


def test_an_error_of_the_import_is_the_programs(folder: Path) -> None:
    (folder / "broken.py").write_text("import no_such_library\n", encoding="utf-8")
    status, out, err = seen(folder, "explore", "broken:main")
    assert (status, out) == (2, "")
    assert "ModuleNotFoundError: No module named 'no_such_library'" in err
    assert err.endswith("loopspec explore: broken cannot be imported\n")
