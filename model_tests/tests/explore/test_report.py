"""The report of each classic race: a snapshot, the shortest plan, the same as data, and a token that replays it."""

from __future__ import annotations

import asyncio
import gc
import json
import re
import sys
from collections.abc import Callable, Coroutine, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import impl
from impl.explore.choices.odometer import Odometer
from impl.explore.engine import program_of
from impl.explore.programs.program import Setup
from impl.explore.report.found import Failure
from impl.explore.report.recording import simplest
from impl.explore.report.scenes import scenes_of
from impl.explore.report.shrink import Played, shrink
from impl.explore.report.text import text_of

from ...conformance.subjects.subject import imported
from ...examples import races
from ...programs.substitution import substituted
from ..fixtures import Captured, Patch
from . import programs

Program = Callable[[], Coroutine[Any, Any, None]]

FOLDER = Path(races.__file__).parent
REPORTS = Path(__file__).parent / "reports"
ON_IMPL = substituted(races, impl)
#: The words that the report must contain: the variable or the primitive at fault, and the step that came too early.
AT_FAULT = {
    "lost_update": "balance: deposit 2 reads it (line {33}) before deposit 1 writes it (line {35})",
    "two_locks": "till: refund acquires it (line {53}) before sell asks for it (line {48})",
    "swallowed_cancel": "worker: swallowed_cancel cancels it (line {74}) before it goes on (line {67})",
    "dead_consumer": "prices['milk']: consumer 2 reads it (line {93}) before loader writes it (line {86})",
    "item_lost": "getter: canceller cancels it (line {120}) before it goes on (line {115})",
    "seen_set": "seen['/']: crawl 2 reads it (line {139}) before crawl 1 writes it (line {141})",
    "two_sleeps": "ready: connect reads it (line {159}) and the run ends before serve writes it (line {155})",
    "three_switches": "seat: customer writes it (line {171}) before expiry reads it (line {180})",
}


@pytest.fixture(autouse=True)
def among_the_examples(monkeypatch: Patch, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """The files in a report are relative to the current directory; abandoned tasks are collected with their test."""
    monkeypatch.chdir(FOLDER)
    yield
    gc.collect()
    caplog.clear()


@cache
def failure_of(program: Program, late: float = 0.0, runs: int = 1000, **options: Any) -> Failure:
    return programs.failure_of(program, runs=runs, late=late, **options)


def late_of(program: Program) -> float:
    return 0.05 if program is races.two_sleeps else 0.0


def shown(program: Program) -> str:
    """The report of a race, without its token.  `write_reports` stores it."""
    simple = failure_of(program, late_of(program)).simple
    text = text_of(simple, f"loopspec run races.py:{program.__name__} --token {simple.token}")
    return text.replace(simple.token, "TOKEN") + "\n"


def write_reports() -> None:
    """Store the reports, after a change that was intended: run this by hand, in the folder of the examples."""
    for program in races.RACES:
        (REPORTS / f"{program.__name__}.txt").write_text(shown(program), encoding="utf-8")


@pytest.mark.parametrize("program", races.RACES, ids=lambda program: program.__name__)
def test_the_report_names_what_is_at_fault(program: Program) -> None:
    text = shown(program)
    assert re.sub(r"[{}]", "", AT_FAULT[program.__name__]) in text
    assert len(text.splitlines()) <= 24  # and a line for the verdict
    assert max(map(len, text.splitlines())) <= 118
    assert text == (REPORTS / f"{program.__name__}.txt").read_text(encoding="utf-8")


def test_the_same_as_data() -> None:
    simple = failure_of(races.two_locks).simple
    data = json.loads(json.dumps(simple.as_json()))
    assert (data["token"], data["least"]) == (simple.token, True)
    assert data["tasks"] == ["two_locks", "sell", "refund"]
    assert data["cycle"] == "sell waits for till, held by refund; refund waits for stock, held by sell"
    assert [row["touches"][0][:2] for row in data["rows"] if row["touches"]] == [
        ["stock", "acquire"],
        ["till", "acquire"],
        ["till", "waits for"],
        ["stock", "waits for"],
    ]
    (pair,) = data["turned"]
    assert pair == {
        "thing": "till",
        "first": {"task": "refund", "how": "acquire", "line": 53, "file": ""},
        "second": {"task": "sell", "how": "waits for", "line": 48, "file": ""},
        "reached": True,
    }


def fewest(program: Program) -> int:
    """The least number of choices that differ from 0 in a schedule of impl under which it fails: all are run."""
    runs, odometer = program_of("impl", Setup(program)), Odometer()
    least = 10**6
    with runs.around():
        while True:
            if runs.once(odometer.choices()).error is not None:
                least = min(least, sum(map(bool, odometer.path)))
            if not odometer.next():
                return least


@pytest.mark.parametrize("name", ["lost_update", "two_locks", "swallowed_cancel", "three_switches"])
def test_no_plan_is_simpler(name: str) -> None:
    program = getattr(ON_IMPL, name)
    failure = failure_of(program, runtime="impl", runs=1000)
    shrunk = simplest(failure.program, failure.plan, failure.error)
    assert shrunk.least
    assert sum(map(bool, shrunk.plan["schedule"])) == fewest(program)
    assert shrunk.runs < 600


def test_the_shrinker_changes_every_lane() -> None:
    """A failure that needs a cancel, a fault and two places in the schedule; the rest is noise."""

    def play(plan: Any) -> Played:
        drawn = {lane: [*plan[lane], *[0] * 9][:9] for lane in plan}
        drawn = {lane: [min(value, 3) for value in values] for lane, values in drawn.items()}
        schedule, faults = drawn["schedule"], drawn["faults"]
        return Played(sum(schedule) >= 4 and faults[2] == 2 and any(drawn["network"]), drawn)

    noise = {"schedule": [3, 1, 0, 2, 3, 1, 1], "network": [0, 2, 2, 3], "faults": [1, 1, 2, 2]}
    shrunk = shrink(noise, play)
    assert shrunk.plan == {"schedule": [1, 3], "network": [1], "faults": [0, 0, 2]}
    assert (shrunk.least, shrunk.runs) == (False, 600)  # there are more plans with three choices than that


def test_a_bound_that_is_hit_is_said() -> None:
    noise = {"schedule": [1] * 40}
    shrunk = shrink(noise, lambda plan: Played(sum(plan["schedule"]) == 40, plan), runs_max=50)
    assert (shrunk.plan, shrunk.least, shrunk.runs) == (noise, False, 50)


def test_a_program_that_fails_under_every_schedule() -> None:
    async def fails() -> None:
        await asyncio.sleep(0)
        raise ValueError("always")

    text = failure_of(fails).simple
    assert (text.turned, text.plain_passes) == (None, False)
    sentence = (
        "it fails in asyncio's own order, first in, first out, as well, "
        "and no passing run shows which order matters: there is no other order"
    )
    assert sentence in text_of(text).splitlines()
    (only,) = scenes_of(text)
    assert sentence in only.notes


def test_beside_a_run_that_passes_if_the_plain_one_fails() -> None:
    async def sold_twice() -> None:
        left = 1

        async def buy() -> None:
            nonlocal left
            if left:
                await asyncio.sleep(0)
                left -= 1

        await asyncio.gather(buy(), buy())
        assert left == 0

    simple = failure_of(sold_twice).simple
    assert simple.plan["schedule"] == []
    assert simple.turned is not None
    (pair,) = simple.turned
    assert (pair.thing, pair.first.how, pair.second.how) == ("left", "reads", "writes")
    own = "it fails in asyncio's own order, first in, first out, as well"
    assert f"order reversed compared with a passing run ({own}):" in text_of(simple)


def test_a_file_that_cannot_be_executed_twice_has_a_report_without_its_variables(tmp_path: Path) -> None:
    text = Path(races.__file__).read_text(encoding="utf-8")
    once = "import sys\nif hasattr(sys, 'executed_once'):\n    sys.exit('again')\nsys.executed_once = True\n"
    (tmp_path / "once.py").write_text(once + text, encoding="utf-8")
    module = imported(str(tmp_path / "once.py"))
    try:
        text = text_of(failure_of(module.two_locks).simple)
    finally:
        del sys.executed_once  # type: ignore[attr-defined]  # set by the file
    assert "till: refund acquires it (line 57) before sell asks for it (line 52)" in text


def test_an_injected_cancel_is_in_the_report() -> None:
    async def lost() -> None:
        jobs: asyncio.Queue[int] = asyncio.Queue()
        stored = []

        async def get() -> None:
            job = await jobs.get()
            await asyncio.sleep(0)
            stored.append(job)

        getter = asyncio.create_task(get(), name="getter")
        jobs.put_nowait(1)
        await asyncio.wait([getter])
        assert len(stored) + jobs.qsize() == 1, "a job is lost"

    text = text_of(failure_of(lost, cancel="getter").simple)
    assert "\n  getter is cancelled (injected)\n" in text
    assert "CancelledError, is cancelled" in text


def test_what_the_program_prints_is_shown_once(capsys: Captured) -> None:
    async def prints() -> None:
        print("one run")
        raise ValueError

    failure = failure_of(prints)
    capsys.readouterr()
    assert failure.simple.error == "ValueError"
    assert capsys.readouterr() == ("", "")


def test_a_pair_may_name_a_task_that_the_failed_run_has_not() -> None:
    """A cancel ends the failed run before the task that writes is made: its name comes from the run that passes."""

    async def main() -> None:
        written: list[int] = []

        async def write() -> None:
            written.append(1)

        async def spawn() -> None:
            await asyncio.sleep(0)
            await asyncio.create_task(write())

        async def check() -> None:
            await asyncio.wait([spawning])
            assert written

        spawning = asyncio.create_task(spawn())
        await check()

    pairs = failure_of(main, cancel="spawn", runs=200).simple.turned
    assert pairs is not None
    assert [pair.second.task for pair in pairs] == ["write"]
