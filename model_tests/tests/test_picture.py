"""The picture of a run: its lanes and rows say what the trace says, and Chromium draws them, where it is installed."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import trio

import impl
from impl.bridges.asyncio.run import simulate
from impl.bridges.trio.run import simulate_trio
from impl.explore import command as explore_command
from impl.explore import explore
from impl.explore.report.scenes import scenes_of
from impl.picture import Row, Scene, page, scene_of
from impl.sim.run import Run

from ..cli import main as loopspec
from ..dev.pythons import ROOT
from ..examples import races, shop

# Any: what an asyncio program yields to its loop.
Program = Callable[[], Coroutine[Any, Any, None]]


async def wake_window() -> None:
    """A task is cancelled between the wake-up and its run."""
    ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def waiter() -> None:
        await ready

    task = asyncio.create_task(waiter(), name="waiter")
    await asyncio.sleep(0)
    ready.set_result(None)
    task.cancel()
    await asyncio.wait([task])


async def with_trio() -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.sleep, 1)


def scene(run: Run[Any]) -> Scene:
    return scene_of(run.trace, run.labels)


def states(made: Scene, lane: str) -> list[str]:
    """The states that a lane goes through."""
    number = made.lanes.index(lane)
    return [state for row in made.rows for of, state in row.states if of == number]


def test_a_cancel_in_the_wake_window_is_seen() -> None:
    made = scene(simulate(wake_window, trace=True))
    assert made.lanes[:3] == ("loop", "wake_window", "waiter")
    assert states(made, "waiter") == ["ready", "runs", "waits", "woken", "asked", "runs", "thrown", "done"]
    asked = next(row for row in made.rows if row.text == "requests to cancel waiter")
    assert (made.lanes[asked.lane], asked.rule) == ("wake_window", "CANCEL-1")
    thrown = next(row for row in made.rows if row.text == "gets CancelledError thrown in")
    assert made.lanes[thrown.lane] == "waiter"


def test_a_run_of_trio_and_one_of_impl() -> None:
    assert "sleep" in " ".join(scene(simulate_trio(with_trio, trace=True)).lanes)

    async def ours() -> None:
        await impl.sleep(1)

    recorder = impl.Recorder()
    impl.Loop(observer=recorder).run(ours())
    made = scene_of(recorder.events, recorder.labels)
    assert states(made, "ours") == ["ready", "runs", "waits", "woken", "runs", "done"]
    assert "a timer fires" in [row.text for row in made.rows]


def test_a_failure_stands_beside_a_run_that_passes() -> None:
    failure = explore(shop.main).failure
    assert failure is not None
    fails, passes = scenes_of(failure.simple)
    assert (fails.title, passes.title) == ("the run that fails", "a run that passes")
    assert [row.text for row in fails.rows if row.star] == ["begins; waits at line 12"]
    for made in (fails, passes):  # a step of each task is a side of the one pair
        assert sorted(made.lanes[row.lane] for row in made.rows if row.pairs == (1,)) == ["load", "sell"]
    ends = next(row for row in fails.rows if "raises KeyError" in row.fault)
    assert ends.touches == ("reads prices['tea'], line 13",)


def test_a_deadlock_is_told() -> None:
    failure = explore(races.two_locks, runs=1000).failure
    assert failure is not None
    assert any("waits for" in note for note in scenes_of(failure.simple)[0].notes)


def test_a_string_of_the_program_ends_no_script() -> None:
    rows = (Row(0, "</script><script>alert(1)</script>"),)
    text = page([Scene("<b>", ("&",), rows)])
    assert text.count("</script>") == 2
    assert "<title>&lt;b&gt;</title>" in text
    assert data(text)["scenes"][0]["rows"] == [[0, rows[0].text]]


def data(text: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert found is not None
    made: dict[str, Any] = json.loads(found[1])
    return made


@pytest.mark.parametrize("scenes", [[], [Scene("none", (), ())]])
def test_a_picture_of_nothing_is_an_error(scenes: list[Scene]) -> None:
    with pytest.raises(ValueError, match="a picture needs a scene with lanes"):
        page(scenes)


def test_the_commands_write_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = f"{ROOT}/model_tests/examples/shop.py:main"
    assert loopspec(["run", program, "--html", str(tmp_path / "run.html")]) == 0
    assert explore_command.main([program, "--html", str(tmp_path / "found.html")]) == 1
    assert "--html" not in capsys.readouterr().out
    of_run, found = (
        data((tmp_path / name).read_text(encoding="utf-8")) for name in ("run.html", "found.html")
    )
    assert of_run["scenes"][0]["notes"][0] == "the program returned"
    assert len(found["scenes"]) == 2


@pytest.mark.parametrize("command", ["run", "explore"])
def test_a_file_that_cannot_be_written_is_one_line(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = f"{ROOT}/model_tests/examples/shop.py:main"
    assert loopspec([command, program, "--html", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(f"loopspec {command}: --html: ")


# --- drawn -------------------------------------------------------------------------------------------------------


def drawn(made: list[Scene], folder: Path, step: int) -> str:
    """The page as Chromium has drawn it, opened at a step."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("Chromium is not installed")
    file = folder / "page.html"
    file.write_text(page(made), encoding="utf-8")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom", "--enable-logging=stderr"]
    command = [chromium, *options, f"--user-data-dir={folder}/profile", f"file://{file}#{step}"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert "CONSOLE" not in ran.stderr
    return ran.stdout


def test_chromium_draws_the_step_that_is_asked_for(tmp_path: Path) -> None:
    text = drawn([scene(simulate(wake_window, trace=True))], tmp_path, 8)
    current = re.search(r'<tr [^>]*aria-current="step"[^>]*>.*?</tr>', text)
    assert current is not None
    assert '<th scope="row">8</th>' in current[0]
    assert "<dd>8 of " in text


def test_chromium_draws_a_window_of_a_long_run(tmp_path: Path) -> None:
    rows = tuple(Row(n % 40, f"step of {n}", ((n % 40, "runs"),), time=n) for n in range(100_000))
    text = drawn([Scene("long", tuple(f"task {n}" for n in range(40)), rows)], tmp_path, 50_000)
    assert text.count("<tr") == 61
    assert "task 39 step of 49999" in text
    assert "16 more lanes are not shown here" in text
