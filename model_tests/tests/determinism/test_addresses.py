"""Runs are equal although the addresses of objects differ: tasks that asyncio makes of sets, and sets of tasks."""

from __future__ import annotations

import asyncio

import pytest

from impl.bridges.asyncio import in_order
from impl.bridges.asyncio.run import simulate

from . import values
from .registry import Program

#: Programs that depend on the order of a set; values.py has others, which two processes run equally.
PROGRAMS: list[Program] = [
    values.as_completed_of_coroutines,
    values.as_completed_over_a_set,
    values.as_completed_without_waiting,
    values.as_completed_of_an_unordered_mixture,
    values.set_of_tasks,
    values.set_that_is_waited_for,
    values.group_that_is_cancelled,
]


def runs_of(program: Program, seed: int = 1) -> set[str]:
    """Different runs, and results, of 8 attempts between which objects of all sizes are kept."""
    kept: list[object] = []
    seen: set[str] = set()
    for attempt in range(8):
        kept += [bytearray(size) for size in range(0, 600, 7 + attempt)]
        kept += [values.at_once(n) for n in range(attempt)]
        run = simulate(program, seed=seed)
        seen.add(f"{run.digest} {run.outcome()}")
        kept.append(run)
    for each in kept:
        if asyncio.iscoroutine(each):
            each.close()
    return seen


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_addresses_of_objects_do_not_matter(program: Program) -> None:
    assert len(runs_of(program)) == 1


def test_without_the_replacement_they_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_order, "_tasks_of", set)
    assert len(runs_of(values.as_completed_without_waiting)) > 1
