"""confirm: a plain asyncio script shows the failure, or the reason why none can is said."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import impl
from impl.explore.command import main
from impl.explore.report.confirm import confirm

from ...conformance.subjects.subject import imported
from ...dev.pythons import SUPPORTED, pythons
from ...examples import races
from ...programs.substitution import substituted
from ..fixtures import Captured, Patch
from . import programs
from .programs import FILES

Program = Callable[[], Coroutine[Any, Any, None]]


failure_of = partial(programs.failure_of, runs=1000)


@pytest.mark.parametrize(("program", "said"), [
    (races.lost_update, "raises AssertionError at line 38"),
    (races.two_locks, "hangs at lines 48 55 58"),
    (races.item_lost, "raises AssertionError at line 129"),
])  # fmt: skip
def test_a_plain_script_shows_it(program: Program, said: str, tmp_path: Path) -> None:
    failure, path = failure_of(program), tmp_path / "shown.py"
    confirmed = confirm(failure.program, failure.simple, path)
    assert (confirmed.shown, confirmed.text) == (True, f"shown: python {path} {said}")
    text = path.read_text(encoding="utf-8")
    assert "import impl" not in text
    assert "import loopspec" not in text


PROGRAMS = FILES["shop.py"]
HELPER = "def helped(stock, name):\n    stock[name] -= 1\n    assert stock[name] >= 0, stock\n"


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, str]]:
    """Scripts of failures of several kinds, each with the end of its output."""
    folder = tmp_path_factory.mktemp("confirm")
    (folder / "helper.py").write_text(HELPER, encoding="utf-8")
    (folder / "shop.py").write_text(PROGRAMS, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        module = imported(str(folder / "shop.py"))
        programs = [races.lost_update, races.two_locks, module.group, module.later, module.exits]
        made = {}
        for program in programs:
            failure, path = failure_of(program), folder / f"{program.__name__}_again.py"
            confirmed = confirm(failure.program, failure.simple, path)
            assert confirmed.shown, confirmed.text
            made[program.__name__] = path, confirmed.text.removeprefix(f"shown: python {path} ")
    return made


EAGER = FILES["eager.py"]


@pytest.mark.parametrize(("name", "since"), [("by_the_loop", (3, 12)), ("one_by_one", (3, 14)), ("nested", (3, 14))])
def test_a_script_shows_eager_tasks(name: str, since: tuple[int, int], tmp_path: Path) -> None:
    """Their first step is no turn, and they are numbered as loopspec numbers them."""
    if sys.version_info < since:
        pytest.skip("this Python has no such eager tasks")
    (tmp_path / "eager.py").write_text(EAGER, encoding="utf-8")
    failure = failure_of(getattr(imported(str(tmp_path / "eager.py")), name))
    confirmed = confirm(failure.program, failure.simple, tmp_path / "again.py")
    assert confirmed.shown, confirmed.text


MINE = f"{sys.version_info[0]}.{sys.version_info[1]}"
#: Each Python runs its own scripts, and the newest has all others run them.
READERS = [
    pytest.param(version, marks=pytest.mark.long("seconds for each Python; `make guides-check` runs it"))
    for version in (SUPPORTED if SUPPORTED[-1] == MINE else (MINE,))
]


@pytest.mark.parametrize("version", READERS)
def test_every_python_shows_it(version: str, scripts: dict[str, tuple[Path, str]]) -> None:
    if not (found := pythons([version])):
        pytest.skip(f"there is no Python {version}")
    said = {}
    for name, (path, _) in scripts.items():
        ran = subprocess.run([found[0].path, path], capture_output=True, text=True, check=False)
        assert ran.returncode == 1, ran.stderr
        said[name] = ran.stdout.splitlines()[-1]
    assert said.pop("group") == "soldraises ExceptionGroup at line 8"
    assert said == {name: last for name, (_, last) in scripts.items() if name in said}


@pytest.mark.short(
    "sys.exit(4)-it ended with status 4",
    "import no_such_module_at_all-ModuleNotFoundError: No module named 'no_such_module_at_all'",
    why="two processes each",
)
@pytest.mark.parametrize(("broken", "last"), [
    ("import no_such_module_at_all", "ModuleNotFoundError: No module named 'no_such_module_at_all'"),
    ("raise TypeError('a coroutine was expected')", "TypeError: a coroutine was expected"),
    ("sys.exit(4)", "it ended with status 4"),
    ("def lost_update(): return 1", "AttributeError: 'int' object has no attribute 'send'"),
])  # fmt: skip
def test_a_script_that_breaks_says_nothing_about_the_failure(broken: str, last: str, tmp_path: Path) -> None:
    text = Path(races.__file__).read_text(encoding="utf-8")
    (tmp_path / "bank.py").write_text(text, encoding="utf-8")
    module = imported(str(tmp_path / "bank.py"))
    failure = failure_of(module.lost_update)
    simple = failure.simple
    (tmp_path / "bank.py").write_text(f"{text}\n{broken}\n", encoding="utf-8")
    confirmed = confirm(failure.program, simple, tmp_path / "again.py")
    assert not confirmed.shown
    assert confirmed.text.startswith(f"the script broke: {last}")
    assert "not shown" not in confirmed.text


def test_another_order_does_not_show_it(tmp_path: Path) -> None:
    failure, path = failure_of(races.lost_update), tmp_path / "shown.py"
    plain = replace(failure.simple, order=[0, 1, 2, 1, 2, 2, 2, 2, 0])
    confirmed = confirm(failure.program, plain, path)
    assert not confirmed.shown
    passes = f"python {path} passes, where loopspec saw that it raises AssertionError at line 38"
    assert confirmed.text == f"not shown: {passes}"
    other = replace(failure.simple, frames=[replace(failure.simple.frames[-1], line=1)])
    assert not confirm(failure.program, other, path).shown


def test_what_no_plain_script_can_show(tmp_path: Path) -> None:
    async def nested() -> None:
        await asyncio.sleep(0)
        raise ValueError

    on_impl = substituted(races, impl)
    order = "it needs a timer that is late, and a script can only force the order of tasks"
    for failure, why in (
        (failure_of(races.two_sleeps, late=0.05), order),
        (failure_of(nested), "its function is not at the top level of a file"),
        (failure_of(on_impl.lost_update, runtime="impl"), "it is a program of impl"),
    ):
        confirmed = confirm(failure.program, failure.simple, tmp_path / "none.py")
        assert (confirmed.shown, confirmed.text) == (False, f"no plain script can show it: {why}")
    assert not (tmp_path / "none.py").exists()


def test_the_command_writes_the_script(tmp_path: Path, capsys: Captured) -> None:
    script = tmp_path / "shown.py"
    assert main([f"{races.__file__}:lost_update", "--confirm", str(script)]) == 1
    assert capsys.readouterr().out.endswith(f"\nshown: python {script} raises AssertionError at line 38\n")
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (1, "raises AssertionError at line 38\n")
    assert main([f"{races.__file__}:lost_update", "--confirm", str(tmp_path / "no" / "x.py")]) == 2


def test_the_printed_command_runs(tmp_path: Path, monkeypatch: Patch, capsys: Captured) -> None:
    (tmp_path / "mine").mkdir()
    shutil.copy(races.__file__, tmp_path / "mine" / "bank.py")
    monkeypatch.chdir(tmp_path)
    assert main(["mine/bank.py:lost_update", "--confirm", "mine/bank_again.py"]) == 1
    shown = capsys.readouterr().out.splitlines()[-1]
    assert shown == "shown: python mine/bank_again.py raises AssertionError at line 38"
    assert str(tmp_path) not in Path("mine/bank_again.py").read_text(encoding="utf-8")
    Path("mine").rename("sent")
    command = [sys.executable, "sent/bank_again.py"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (1, "raises AssertionError at line 38\n")
    Path("sent/bank.py").unlink()
    alone = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (alone.returncode, alone.stdout) == (1, "")
    assert alone.stderr.endswith("this script runs bank.py, as seen from its own folder\n")
