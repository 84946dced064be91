"""The small-scope enumeration: its interleavings and programs; tests/implementations says which mutants it catches."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest

from ...conformance.cases.scenarios import SCENARIOS
from ...conformance.cases.sources import Case, enumeration
from ...conformance.judge import Judge, State
from ...conformance.loops.garbage import left_behind
from ...programs.enumeration import interleavings, programs
from ...programs.runtimes import observe
from ...programs.vectors.catalogue.handovers import SELECTED, SELECTED_OF_CONDITION


@pytest.fixture(autouse=True, scope="module")
def _left_behind() -> Iterator[None]:
    with left_behind():
        yield


@cache
def cases() -> dict[str, Case]:
    return {case.name: case for case in enumeration()}


def test_interleavings_are_all_moves_in_all_orders() -> None:
    found = interleavings("h12t", 2, 3)
    assert found[:5] == ["", "h", "1", "2", "hh"]
    assert {"h1", "1h", "th1", "t1h", "tth", "t2h"} < set(found)
    assert [string for string in found if string.endswith("t")] == []
    assert [string for string in found if string.count("1") > 1] == []


@pytest.mark.long("it makes them all")
def test_the_number_of_programs() -> None:
    """Pinned, so that a program that is lost fails a test."""
    assert len(cases()) == 18_071
    assert len(set(interleavings("h12t", 2, 4))) == len(interleavings("h12t", 2, 4)) == 43


def test_waiters_wait_before_main_hands_over() -> None:
    scenario = next(scenario for scenario in SCENARIOS if scenario.name == "Queue.get")
    made = dict(programs(scenario))["2 th1"]
    assert made["main"][:4] == [
        ["let", "q", ["Queue"]],
        ["let", "a", ["create_task", ["body", "waits_a"]]],
        ["let", "b", ["create_task", ["body", "waits_b"]]],
        ["turn"],
    ]
    assert made["main"][4:6] == [["do", ["q.put_nowait", 2]], ["do", ["a.cancel"]]]


def test_only_the_name_of_a_task_is_filled_in() -> None:
    made = [case.program for case in enumeration(lambda rule: rule == "WAIT-2")]
    assert all("'FIRST_EXCEPTION'" in str(program["bodies"]) for program in made)


def test_what_the_catalogue_selects_are_interleavings() -> None:
    for selected in (*SELECTED, *SELECTED_OF_CONDITION):
        waiters, moves = selected.split()
        cancels = "123"[: int(waiters)]
        assert moves in interleavings("h" + cancels + "t", 5, 5)


def test_asyncio_keeps_the_rules_but_for_its_known_bugs(full: bool) -> None:
    judge = Judge((), (), lambda rule: True)
    for case in islice(enumeration(), 0, None, 1 if full else 100):
        for runtime in ("asyncio", "asyncio-py"):
            verdict = judge.judge(case, observe(case.program, runtime))
            assert verdict.state is not State.BROKEN, (case.name, verdict)


def test_no_task_waits_after_a_shutdown() -> None:
    """QUEUE-31, QUEUE-32; of impl, without another implementation to compare it with."""
    seen = 0
    for case in enumeration(lambda rule: rule in ("QUEUE-31", "QUEUE-32")):
        if "q.shutdown" in str(case.program["main"]):
            seen += 1
            assert [line for line in case.reference if line[1] == "end" and line[3] == "pending"] == []
    assert seen == 666
