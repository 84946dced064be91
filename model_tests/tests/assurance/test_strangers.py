"""The programs of strangers: the corpus, the judgement of a report, and the search on a sample of them."""

import ast
import gc
import sys
from dataclasses import replace

import pytest

from impl.bridges.user_program import MODULE

from ...assurance.strangers.__main__ import CORRECT, RACES, main, name_of, row_of, worse
from ...assurance.strangers.corpus import Cause, Stranger, strangers
from ...assurance.strangers.measure import SEEDS, Result, measured
from ...assurance.strangers.naming import RANK

#: Programs that are searched in every check, and the first seeds of each.
SAMPLE = ("p02", "p06b", "p13", "c02", "c03", "c12", "c18")
SOME = 2

LOST = """\
import asyncio

async def main():
    left = [1]
    async def buy(pauses):
        for _ in range(pauses):
            await asyncio.sleep(0)
        if left[0]:
            await asyncio.sleep(0)
            left[0] -= 1
    await asyncio.gather(buy(0), buy(3))
    assert left == [0], left
"""
CORRECTED = LOST.replace("await asyncio.sleep(0)\n            left", "left")


@pytest.fixture(autouse=True)
def as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each program that is loaded comes first on the path."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setitem(sys.modules, MODULE, sys)


@pytest.fixture
def lost() -> Stranger:
    return Stranger("lost", "a lost update", True, "a report", (Cause("left", (8, 10)),), (), "", "", LOST)


def test_the_corpus_is_whole() -> None:
    racy = [each for each in strangers().values() if each.racy]
    assert len(racy) == 32
    assert len([each for each in racy if not each.outside]) == 30
    assert len(strangers()) == 32 + 30
    for each in strangers().values():
        assert bool(each.causes) == each.racy, each.name
        functions = {node.name for node in ast.parse(each.text).body if isinstance(node, ast.AsyncFunctionDef)}
        assert "main" in functions, each.name


def test_each_program_has_its_row_and_each_gap_a_reason() -> None:
    every = strangers().values()
    assert sorted(RACES.read()) == sorted(name_of(each) for each in every if each.racy)
    assert sorted(CORRECT.read()) == sorted(name_of(each) for each in every if not each.racy)
    for line in RACES.read().values():
        name, _, found, _, how, why = line.strip("| ").split(" | ")
        assert why != "-" or (int(found.split()[0]) >= 18 and how in RANK[1:]), name


# aiohttp warns of each connector that is open when a run is cut.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", list(strangers()))
def test_no_result_falls_below_its_row(name: str, full: bool) -> None:
    stranger = strangers()[name]
    if not full and name not in SAMPLE:
        pytest.skip("not in the sample: --full")
    if stranger.absent:
        pytest.skip(f"it needs {', '.join(stranger.absent)}")
    gc.collect()
    gc.freeze()  # p15 collects in each run, and other tests leave millions of objects
    stored = (RACES if stranger.racy else CORRECT).read()[name_of(stranger)]
    assert worse(stranger, measured(stranger, SOME, every=100), stored) == ""


def test_a_lost_update_is_found_and_named(lost: Stranger) -> None:
    result = measured(lost, SOME)
    assert len(result.failed) == SOME
    assert result.named == "sentence", result.said
    for causes in (
        (Cause("right", (8, 10)),),
        (Cause("left", (8, 11)),),
        (Cause("timeout", (8,)),),
        (Cause("error", (8,)),),
    ):
        assert measured(replace(lost, causes=causes), 1).named == "no"
    assert measured(replace(lost, causes=(Cause("error", (12,)),)), 1).named == "sentence"


def test_a_result_that_is_worse_is_told_from_one_that_is_not(lost: Stranger) -> None:
    whole = Result("lost", SEEDS, [2] * SEEDS, "sentence")
    stored = row_of(lost, whole)
    assert worse(lost, whole, stored) == ""
    assert worse(lost, replace(whole, failed=[2] * 19), stored).startswith("found from 19 of 20 seeds")
    assert worse(lost, replace(whole, named="table"), stored) == "named: table, and before: sentence"
    assert worse(lost, Result("lost", SOME, [2], "sentence"), stored).startswith("found from 1 of 2 seeds")


def test_a_program_that_is_called_correct_and_is_not_is_accused(lost: Stranger) -> None:
    called = replace(lost, racy=False)
    result = measured(called, SOME)
    assert len(result.failed) == SOME
    assert result.every.startswith("failed")
    assert worse(called, result, row_of(called, result)) == "a correct program is accused"
    right = measured(replace(called, text=CORRECTED), SOME)
    assert (right.failed, right.every.partition(",")[0]) == ([], "exhausted")
    assert worse(called, right, row_of(called, right)) == ""


def test_the_command_says_what_is_worse(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing"]) == 2
    capsys.readouterr()
    name, once = name_of(strangers()["p02"]), ["p02", "--seeds", "1", "--jobs", "1"]
    assert main(once) == 0
    row = RACES.read()[name]
    monkeypatch.setattr(type(RACES), "read", lambda rows: {name: row.replace("| table |", "| sentence |")})
    assert main(once) == 1
    assert "WORSE p02: named: table, and before: sentence" in capsys.readouterr().out
