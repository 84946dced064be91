"""Errors inside loopspec, planted in each stage and each command: status 70, and never the program's."""

import asyncio
import re
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

import impl
from impl.errors import InternalError
from impl.explore import explore
from spec.queue import queue_model

from ..commands import cli
from ..commands.table import COMMANDS
from ..explored import oracle
from .fixtures import Captured, Patch

pytest_plugins = "pytester"
pytestmark = pytest.mark.filterwarnings(
    "ignore:coroutine:RuntimeWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)

#: A lost update, which fails in the second schedule; all errors are caught.
RACE = """
import asyncio
async def main():
    left = 1
    lock = asyncio.Lock()
    async def buy(pause):
        nonlocal left
        for _ in range(pause): await asyncio.sleep(0)
        async with lock:
            seen = left
        await asyncio.sleep(0)
        left = seen - 1
    await asyncio.gather(buy(0), buy(3))
    assert left == -1
"""
_STAGES = {
    "impl.sim.kernel.Kernel.turn": "explore run",
    "impl.explore.search.search.Search._judge": "explore",
    "impl.explore.choices.sources.steered": "explore",
    "impl.explore.reduction.drive.DrivenRun.step": "--every",
    "impl.explore.reduction.races.Races.demand": "--every",
    "impl.explore.reduction.footprint.Log.read": "--every",
    "impl.explore.reduction.footprint.Log.write_variable": "explore --every",
    "impl.explore.reduction.footprint.Log.bit": "explore --every",
    "impl.explore.reduction.rewrite.Rewriter.visit_Assign": "explore --every",
    "impl.explore.search.classes.choices_of": "--every",
    "impl.explore.report.recording.shrink": "explore --every",
    "impl.explore.report.steps_lane.StepsLane.pick": "explore",
    "impl.explore.report.data.turned": "explore",
    "impl.explore.report.data._row": "explore --every",
    "impl.explore.report.found.text_of": "explore",
    "impl.explore.command.scenes_of": "--svg",
    "impl.explore.command.confirm": "--confirm",
    "impl.bridges.command.simulate": "run",
}
_COMMANDS = {
    "check queue": "spec.commands.check.chosen",
    "compare": "model_tests.crawls.compare.runtimes",
    "conform asyncio --only QUEUE-1": "model_tests.conformance.command.run",
    "crawl http://127.0.0.1:9/": "impl.crawl.commands.crawl.read",
    "explain QUEUE-1": "model_tests.documents.explain.command.search",
    "explore {file}:main": "impl.explore.engine.Search",
    "ladder": "impl.ladder.command.show",
    "order": "model_tests.documents.order.command.pairs",
    "new gate": "model_tests.commands.new.written",
    "prove queue": "spec.commands.prove.selected",
    "explain queue": "spec.commands.render.document",
    "crawl report {file}": "impl.crawl.commands.report.read_journal",
    "explain --rules queue": "spec.commands.rules.rules",
    "run {file}:main": "impl.bridges.command.load",
    "simulate --pages 1": "impl.crawl.commands.simulate.simulate",
    "step queue": "spec.commands.step.walk",
    "vectors": "model_tests.conformance.vectors.command.lines",
}


def _plant(monkeypatch: Patch, target: str, error: type[Exception]) -> None:
    def planted(*args: Any, **keywords: Any) -> Any:
        raise error("planted")

    monkeypatch.setattr(target, planted)


@pytest.fixture
def race(tmp_path: Path) -> str:
    file = tmp_path / "race.py"
    file.write_text(RACE, encoding="utf-8")
    return f"{file}:main"


@pytest.mark.parametrize("target", _STAGES)
def test_each_stage(target: str, race: str, monkeypatch: Patch, tmp_path: Path, capsys: Captured) -> None:
    for way in _STAGES[target].split():
        for error in (KeyError, ValueError):
            _plant(monkeypatch, target, error)
            name = [str(tmp_path / "made.py")] if way in ("--svg", "--confirm") else []
            command = [way, race] if way in ("explore", "run") else ["explore", race, way, *name]
            assert cli.main(command) == 70, way
            out, err = capsys.readouterr()
            assert "no run failed" not in out
            assert "planted" in err
            assert re.search(rf"{error.__name__}: .*please report it", err.splitlines()[-1])


@pytest.mark.parametrize("words", _COMMANDS)
def test_each_command(words: str, race: str, monkeypatch: Patch, capsys: Captured) -> None:
    assert {each.split()[0] for each in _COMMANDS} == set(COMMANDS)
    for error in (ZeroDivisionError, KeyError, ValueError):
        _plant(monkeypatch, _COMMANDS[words], error)
        assert cli.main(words.format(file=race.removesuffix(":main")).split()) == 70
        last = capsys.readouterr().err.splitlines()[-1]
        assert last.startswith(f"loopspec {words.split()[0]}: an error inside loopspec, not of your program: ")


async def _puts() -> None:
    with suppress(Exception):
        await asyncio.Queue[int]().put(1)


@pytest.mark.parametrize(("target", "options"), [
    ("spec.kit.monitor.Monitor.follow", {"main": _puts, "spec": oracle.oracle(queue_model(1, 1, 1))}),
    ("impl.sim.kernel.Kernel.advance", {"main": partial(impl.sleep, 1), "runtime": "impl"}),
    ("impl.sim.kernel.Kernel.advance", {"main": partial(trio.sleep, 1), "runtime": "trio"}),
])  # fmt: skip
def test_oracles_and_runtimes(target: str, options: dict[str, Any], monkeypatch: Patch) -> None:
    """Also where the program catches the error."""
    _plant(monkeypatch, target, IndexError)
    with pytest.raises(InternalError, match="IndexError"):
        explore(**options)


def test_the_plugin(pytester: pytest.Pytester, monkeypatch: Patch) -> None:
    pytester.makepyfile("import pytest\n" + RACE.replace("async def main", "@pytest.mark.explore\nasync def test_it"))
    for target in ("impl.explore.search.search.Search._judge", "impl.explore.report.data.turned"):
        with monkeypatch.context() as patch:
            _plant(patch, target, KeyError)
            result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines(["explore: an error inside loopspec, not of your test; *", "*planted*"])


def test_files_of_the_user(tmp_path: Path, monkeypatch: Patch, capsys: Captured) -> None:
    """An error that no line of the file has led to is not about the file; one of its property is."""
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new", "gate_inside"]) == 0  # no other test makes a module of this name
    for command, target in (("check", "spec.kit.search.Graph.__init__"), ("step", "spec.commands.step.walk")):
        with monkeypatch.context() as patch:
            _plant(patch, target, KeyError)
            assert cli.main([command, "gate_inside.py"]) == 70
    text = Path("gate_inside.py").read_text(encoding="utf-8")
    Path("own.py").write_text(re.sub(r"(\n    return )", r"\n    return [][1]\1", text), encoding="utf-8")
    assert cli.main(["check", "own.py"]) == 2
    assert "own.py:" in capsys.readouterr().err.splitlines()[-2]
