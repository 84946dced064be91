"""Real tasks along directed and drawn schedules: all accepted, under both grades, and every wrong task rejected early.

`make check` has the first of each, `make check-full` all: 10,557 directed runs and 10,000 drawn ones of each subject.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from impl.sim.choices import Choices
from spec.kit.monitor import Rejected

from ...mutants.caught import Found
from ...mutants.checks import monitor
from ...mutants.checks.monitor import MOVES_MOST, TASK_RUNS, directed, monitors
from ...mutants.mutant import Mutant
from ...refinement.schedules.directed import TURN
from ...refinement.schedules.task_schedules import WORLDS, Run, World, schedules
from ...refinement.schedules.tasks import Tasks
from ...refinement.subjects import ASYNCIO, IMPL, Deviation, Subject
from ..mutants.caught_by import caught_by

#: How many schedules there are of each world, and the most moves that one has.
SCHEDULES = {WORLDS[0]: (3884, 6), WORLDS[1]: (2824, 5), WORLDS[2]: (1929, 4), WORLDS[3]: (1920, 5)}
#: Drawn runs of each world.
DRAWN, DRAWN_FULL = 75, 2_500


def judged(subject: Subject) -> dict[World, Tasks]:
    """Tasks of that subject in each world."""
    return {world: Tasks(subject, monitors(world)) for world in WORLDS}


def rejected(tasks: dict[World, Tasks], runs: Iterator[Run]) -> list[Run]:
    """Those runs that the specification does not allow."""
    found = []
    for run in runs:
        try:
            tasks[run.world].run(run.schedule)
        except Rejected:
            found.append(run)
    return found


def test_the_schedules_are_those_and_short() -> None:
    assert {world: (len(schedules(world)), max(map(len, schedules(world)))) for world in WORLDS} == SCHEDULES
    assert all(len(set(schedules(world))) == len(schedules(world)) for world in WORLDS)


def test_schedules_go_everywhere() -> None:
    """Every kind of move is made, within turns and between them."""
    moves = Counter(move.name for run in islice(directed(), TASK_RUNS) for move in run.schedule)
    assert set(moves) == {
        "turn", "cancel", "uncancel", "resolve", "await_", "await_done", "pause", "leave",
    }  # fmt: skip
    assert min(moves.values()) > 50
    assert sum(TURN in run.schedule[:-1] for run in islice(directed(), TASK_RUNS)) > TASK_RUNS / 2


@pytest.mark.parametrize("subject", [ASYNCIO, IMPL], ids=lambda subject: subject.name)
def test_directed_runs_are_accepted_under_both_grades(subject: Subject, full: bool) -> None:
    """Where a version has a known bug, what is rejected is exactly that."""
    wrong = rejected(judged(subject), islice(directed(), None if full else TASK_RUNS))
    if Deviation.UNCANCEL in subject.deviations:
        assert wrong
        assert all(any(move.name == "uncancel" for move in run.schedule) for run in wrong)
    else:
        assert wrong == []


@pytest.mark.parametrize("subject", [ASYNCIO, IMPL], ids=lambda subject: subject.name)
def test_drawn_runs_are_accepted_under_both_grades(subject: Subject, full: bool) -> None:
    without = {"uncancel"} if Deviation.UNCANCEL in subject.deviations else set()
    moves = 0
    for tasks in judged(subject).values():
        for seed in range(DRAWN_FULL if full else DRAWN):
            moves += tasks.run_drawn(Choices.seeded(seed), MOVES_MOST, without)
    assert moves > 12 * (DRAWN_FULL if full else DRAWN) * len(WORLDS)  # a few runs end early


@caught_by("monitor", "Future", "Task", "shield", "sleep")
def test_wrong_tasks_are_rejected(mutant: Mutant, found: Found) -> None:
    assert found["moves"] <= 10
    assert monitor.again(mutant, found)
