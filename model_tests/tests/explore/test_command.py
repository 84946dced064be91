"""`loopspec explore` and `loopspec run`: targets, exit statuses, the last line, the line that repeats a failure."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from impl.bridges.command import main as run
from impl.explore import Found
from impl.explore.command import main
from impl.explore.report.live import LiveLine, text

from ...dev.pythons import ROOT
from ..fixtures import Captured, Patch, Terminal
from ..process import python
from .programs import FILES

RACES = str(Path(__file__).parents[2] / "examples" / "races.py")

#: The verdict on all schedules of right_lock.
ALL = "exhausted (4 runs, 1 outcome): no run failed; 4 classes of equivalent schedules were run"

SOME = "exhausted ({} runs, 1 outcome): no run failed; "

LEAKY = FILES["leaky.py"]


@pytest.fixture
def leaky(tmp_path: Path) -> str:
    path = tmp_path / "leaky.py"
    path.write_text(LEAKY, encoding="utf-8")
    return str(path)


def test_a_failure_has_status_1_and_a_line_that_repeats_it(capsys: Captured) -> None:
    assert main([f"{RACES}:lost_update", "--runs", "100"]) == 1
    out, _ = capsys.readouterr()
    assert "lost_update fails: AssertionError: the balance is 10" in out
    assert out.splitlines()[-1].startswith("failed (")
    assert len(out.splitlines()) <= 25
    (line,) = [line for line in out.splitlines() if line.startswith("replay: ")]
    _, command, *arguments = shlex.split(line.removeprefix("replay: "))
    assert command == "explore"
    assert "--runs" not in arguments
    assert main(arguments) == 1
    again, _ = capsys.readouterr()
    assert again.splitlines()[:-1] == out.splitlines()[:-1]
    assert again.splitlines()[-1] == "failed (1 run, 1 outcome): one run was made, that of the token"
    token = arguments[arguments.index("--token") + 1]
    assert run([f"{RACES}:lost_update", "--token", token]) == 1


def test_a_breakpoint_stops_the_replay_and_not_the_search(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "stops.py"
    text = Path(RACES).read_text(encoding="utf-8")
    line = "    assert balance == 20, f"
    assert text.count(line) > 1
    path.write_text(text.replace(line, f"    if balance < 20:\n        breakpoint()\n{line}"), encoding="utf-8")
    assert main([f"{path}:lost_update"]) == 1
    (token,) = re.findall("^token: (.*)$", capsys.readouterr().out, re.M)
    command = [
        sys.executable,
        "-m",
        "model_tests.commands.cli",
        "run",
        f"{path}:lost_update",
        "--token",
        token,
    ]
    ran = subprocess.run(command, cwd=ROOT, input="p balance + 1\nc\n", capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "(Pdb) 11" in ran.stdout
    assert f"token: {token}" in ran.stderr


def test_json_has_the_same(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "found.json"
    assert main([f"{RACES}:lost_update", "--json", str(file)]) == 1
    assert capsys.readouterr().out.startswith("lost_update fails: ")
    found = json.loads(file.read_text(encoding="utf-8"))
    assert (found["verdict"], found["failures"], found["failure"]["program"]) == ("failed", 1, "lost_update")
    assert found["failure"]["turned"][0]["thing"] == "balance"
    assert main([f"{RACES}:right_lock", "--every", "--json", str(file)]) == 0
    found = json.loads(file.read_text(encoding="utf-8"))
    assert (found["verdict"], found["runs"], found["failure"]) == ("exhausted", 4, None)


@pytest.mark.parametrize(
    "arguments",
    [["item_lost", "--runs", "60"], ["right_lock", "--runs", "30", "--keep-going", "--late", "0.01"]],
)
def test_jobs_find_the_same(arguments: list[str], capsys: Captured) -> None:
    command = [f"{RACES}:{arguments[0]}", *arguments[1:]]
    status = main(command)
    expected = capsys.readouterr().out
    assert main([*command, "--jobs", "2"]) == status
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize(("program", "arguments", "verdict", "steps"), [
    ("right_lock", ["--every"], ALL, ""),
    ("right_lock", ["--every", "--runs", "3"], f"not {SOME.format(3)}the search ended after 3 runs", "--runs"),
    ("right_lock", ["--seed", "7", "--runs", "3"], f"not {SOME.format(3)}the seeds were 7 to 9", "--runs --every"),
    ("right_lock", [], f"not {SOME.format(200)}the seeds were 0 to 199", "--runs --every"),
    ("two_sleeps", ["--late", "0"], f"not {SOME.format(200)}the seeds were 0 to 199; timers kept", "--runs --late --every"),  # noqa: E501
    ("two_sleeps", ["--runs", "4", "--jobs", "2", "--late", "0"], f"not {SOME.format(4)}", "--runs --late --every"),
    ("two_sleeps", ["--every"], "exhausted (1 run, 1 outcome): no run failed; 1 class of", "--late"),
    ("two_sleeps", ["--late", "0.001", "--runs", "3"], f"not {SOME.format(3)}", "--runs --every"),
])  # fmt: skip
def test_without_a_failure_the_verdict_says_so_and_what_to_try_next(
    program: str, arguments: list[str], verdict: str, steps: str, capsys: Captured
) -> None:
    assert main([f"{RACES}:{program}", *arguments]) == 0
    line, *after = capsys.readouterr().out.splitlines()
    assert line.startswith(verdict)
    assert ("timers kept the order of their times" in line) == ("--late" in steps)
    assert after == [line for line in after if line.startswith("next: ")]
    assert re.findall("--[a-z]+", "".join(after)) == steps.split()


@pytest.mark.parametrize(("function", "arguments", "error"), [
    ("main", ["--cancel", "work"], "DeadlockError"),
    ("main", ["--cancel", "all", "--order", "fifo"], "DeadlockError"),
    ("connects", ["--faults", "refused"], "ConnectionRefusedError"),
])  # fmt: skip
def test_injected(function: str, arguments: list[str], error: str, leaky: str, capsys: Captured) -> None:
    assert main([f"{leaky}:{function}"]) == 0
    assert "never shown" not in capsys.readouterr().out
    assert main([f"{leaky}:{function}", *arguments]) == 1
    out = capsys.readouterr().out
    assert f" fails: {error}" in out
    (line,) = [line for line in out.splitlines() if line.startswith("replay: ")]
    assert main(shlex.split(line.removeprefix("replay: "))[2:]) == 1
    assert f" fails: {error}" in capsys.readouterr().out


@pytest.mark.parametrize(("arguments", "said"), [
    (["nothing"], "FILE:FUNCTION, for instance"),
    ([f"{RACES}:nothing"], "has no coroutine function 'nothing'"),
    ([f"{RACES}:nothing"], f"; it has {RACES}:lost_update and {RACES}:two_locks and {RACES}:"),
    ([RACES], f"FILE:FUNCTION, for instance {RACES}:lost_update or {RACES}:two_locks or {RACES}:"),
    ([f"{RACES}:"], f"for instance {RACES}:lost_update or"),
    ([__file__], "FILE:FUNCTION, for instance program.py:main, not"),
    ([f"{RACES}:lost_update", "--seed", "5-2"], "a number from 0 to 18446744073709551615, not '5-2'"),
    ([f"{RACES}:lost_update", "--seed", "1", "--every"], "--every draws no schedules: leave out --seed"),
    ([f"{RACES}:lost_update", "--token", "x", "--every", "--runs", "2"], "leave out --runs, --every"),
    ([f"{RACES}:lost_update", "--jobs", "2", "--every"], "--jobs splits a search by its seeds: leave out --every"),
    ([f"{RACES}:lost_update", "--seed", str(2**64 - 1), "--runs", "2"], "--runs"),
    ([f"{RACES}:lost_update", "--token", "x"], "a token begins with"),
    ([f"{RACES}:lost_update", "--late", "soon"], "a number of seconds, not 'soon'"),
    ([f"{RACES}:lost_update", "--late", "-1"], "late is -1.0"),
    ([f"{RACES}:lost_update", "--faults", "storm"], "no such fault: storm"),
    ([f"{RACES}:lost_update", "--best"], "unrecognized arguments: --best"),
])  # fmt: skip
def test_bad_usage_has_one_line_and_status_2(arguments: list[str], said: str, capsys: Captured) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err


def test_a_file_alone_names_its_functions(tmp_path: Path, capsys: Captured, monkeypatch: Patch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [
        "raise OSError", "async def other(x=1, *a, y=2, **k): ...", "async def main(): ...", "def plain(): ...",
    ]  # fmt: skip
    lines += ["async def one(x): ...", "async def two(*, x): ...", "async def three(x, /, y=1): ..."]
    Path("shop.py").write_text("\n".join(lines), encoding="utf-8")
    assert main(["shop.py"]) == 2
    said = "loopspec explore: FILE:FUNCTION, for instance shop.py:main or shop.py:other, not 'shop.py'\n"
    assert capsys.readouterr() == ("", said)
    Path("shop.py").write_text("async def ago():\n    yield 1", encoding="utf-8")
    assert main(["shop.py:ago"]) == 2
    assert "shop.py: 'ago' yields, so it is no coroutine function" in capsys.readouterr().err


def test_an_interrupted_search_reports_what_it_found(leaky: str, capsys: Captured) -> None:
    assert main([f"{leaky}:interrupted"]) == 130
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "not exhausted (4 runs, 1 outcome): no run failed; the search was interrupted after 4 runs"


def test_the_live_line() -> None:
    found = Found()
    for seed in range(50):
        found.add("returned None", seed)
    assert text(found, 200, 2.0) == "50 runs   1 outcomes   0 failures   25 runs a second   6 s left"
    assert text(found, None, 2.0) == "50 runs   1 outcomes   0 failures   25 runs a second"
    for stream, drawn in ((Terminal(), True), (io.StringIO(), False)):
        with LiveLine(stream, 200) as line:
            line.show(found)
        assert ("50 runs" in stream.getvalue()) == drawn
        assert line.found is found


def test_run_makes_a_run_for_each_seed_until_one_fails(capsys: Captured) -> None:
    assert run([f"{RACES}:lost_update", "--order", "any", "--runs", "51"]) == 1
    out, err = capsys.readouterr()
    assert out == "seeds: 0-5\n"
    (token,) = [line.removeprefix("token: ") for line in err.splitlines() if line.startswith("token: ")]
    assert run([f"{RACES}:lost_update", "--token", token]) == 1
    capsys.readouterr()
    assert run([f"{RACES}:lost_update", "--runs", "4"]) == 0
    assert capsys.readouterr().out.startswith("seeds: 0-3\nvirtual time: ")
    assert run([f"{RACES}:lost_update", "--seed", "2", "--runs", "2"]) == 0
    assert capsys.readouterr().out.startswith("seeds: 2-3\nvirtual time: ")
    assert run([f"{RACES}:lost_update", "--seed", str(2**64 - 1), "--runs", "2"]) == 2


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

three, less, test_less = partial(shop, 3), partial(shop), partial(shop)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, source in {
        "stall/__init__.py": "",
        "stall/open/__init__.py": "",
        "stall/open/race.py": RACE,
        "stall/open/neighbour.py": "PRICE = 2\n",
        "stall/open/sibling.py": "",
        "alone.py": RACE.replace("from .", "# ").replace("import sibling", "").replace("neighbour.PRICE", "2"),
        "sibling.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source, encoding="utf-8")
    return tmp_path


def seen(folder: Path, *command: str) -> tuple[int, str, str]:
    """The exit status and the output of a command."""
    ran = python("-m", "model_tests.commands.cli", *command, cwd=folder, env={"PYTHONPATH": str(ROOT)})
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.short("alone.py:three", "stall.open.race:main", why="two processes each")
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


@pytest.mark.short("stall/open/race.py:main", why="five processes each")
@pytest.mark.parametrize("target", ["stall/open/race.py:main", "stall.open.race:main"])
def test_a_package_is_imported_by_each_process_and_by_the_script(folder: Path, target: str) -> None:
    status, out, _ = seen(folder, "explore", target, "--jobs", "2", "--confirm", "script.py")
    assert (status, out.splitlines()[-1]) == (1, "shown: python script.py raises KeyError at line 19")


@pytest.mark.short(
    "stall.none:main-there is no file or module 'stall.none'",
    "stall.open.race-FILE:FUNCTION, for instance stall.open.race:main, not 'stall.open.race'",
    "alone:none-alone has no coroutine function 'none' (async def); it has alone:main",
    "alone.py:test_less-said7",
    why="a process each",
)
@pytest.mark.parametrize(("target", "said"), [
    ("stall.none:main", "there is no file or module 'stall.none'"),
    ("none.race:main", "there is no file or module 'none.race'"),
    ("none:main", "there is no file or module 'none'"),
    ("stall.open.race", "FILE:FUNCTION, for instance stall.open.race:main, not 'stall.open.race'"),
    ("alone:none", "alone has no coroutine function 'none' (async def); it has alone:main"),
    ("alone.py:less", "less needs parameters, price: name a function that needs none"),
    ("alone.py::test_less", "alone.py::test_less is a test: pytest alone.py::test_less --explore"),
    (
        "alone.py:test_less",
        "test_less needs parameters, price: name a function that needs none, or have pytest make them: "
        "pytest alone.py::test_less --explore",
    ),
])  # fmt: skip
def test_a_target_that_is_not_there_is_one_line(folder: Path, target: str, said: str) -> None:
    assert seen(folder, "run", target) == (2, "", f"loopspec run: {said}\n")


def test_an_error_of_the_import_is_the_programs(folder: Path) -> None:
    (folder / "broken.py").write_text("import no_such_library\n", encoding="utf-8")
    status, out, err = seen(folder, "explore", "broken:main")
    assert (status, out) == (2, "")
    assert "ModuleNotFoundError: No module named 'no_such_library'" in err
    assert err.endswith("loopspec explore: broken cannot be imported\n")
