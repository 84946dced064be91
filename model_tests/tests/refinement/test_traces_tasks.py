"""Real tasks along directed and drawn schedules: all accepted, under both grades, and every wrong task rejected early.

`make check` has the first of each, `make check-full` all: 10,557 directed runs and 10,000 drawn ones of each subject.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest

from impl.sim.choices import Choices
from spec.kit.monitor import Monitor, Rejected
from spec.task import loop, task_fifo_model, task_model

from ...museum.mutants import MUTANTS, Mutant
from ...museum.wrong_tasks import WRONG_TASKS
from ...refinement.schedules.directed import TURN
from ...refinement.schedules.task_schedules import WORLDS, Run, World, schedules
from ...refinement.schedules.tasks import Tasks
from ...refinement.subjects import ASYNCIO, IMPL, Deviation, Subject

#: How many schedules there are of each world, and the most moves that one has.
SCHEDULES = {WORLDS[0]: (3884, 6), WORLDS[1]: (2824, 5), WORLDS[2]: (1929, 4), WORLDS[3]: (1920, 5)}
#: Moves of a drawn run; and so many runs of each world.
MOVES, DRAWN, DRAWN_FULL = 16, 75, 2_500
DIRECTED = 1_500

#: Of each wrong task or future: how many runs it takes, how many moves the last one has, and the grade that objects.
REJECTED = {
    "RunsWaitersAtOnce": (3, 1, "fifo"),
    "WakesNewestFirst": (651, 3, "fifo"),
    "AlwaysSuspends": (169, 3, "any"),
    "ResolvedTwice": (69, 2, "any"),
    "KeepsTheRequest": (381, 3, "any"),
    "CancelsOverTheHead": (261, 3, "any"),
    "DeafInWakeWindow": (1437, 4, "any"),
    "DeafBeforeItBegins": (9, 1, "any"),
    "ReturnsOverARequest": (33, 2, "any"),
    "FailsWithCancelledError": (9, 1, "any"),
    "NeverWithdraws": (121, 2, "fifo"),
    "CountsToOne": (109, 2, "any"),
    "KeepsItAtParking": (261, 3, "any"),
    "DropsItAtParking": (261, 3, "any"),
    "StopsAtTheFirst": (1389, 4, "any"),
}
#: Not told by this text: callbacks that come late are `future.py`'s, messages are no text's.
UNTOLD = {"DeafWhenDone", "DropsTheMessage"}
WRONG = [
    mutant
    for mutant in (*MUTANTS, *WRONG_TASKS)
    if not mutant.rule.startswith("QUEUE") and mutant.subject.name not in UNTOLD
]


@cache
def monitors(world: World) -> list[Monitor[loop.Const, Any]]:  # Any: states with a queue, and without
    """In any order, and first in, first out; shared by all tests, because they know more with every run."""
    args = world.tasks, world.futures, world.shields
    return [Monitor(task_model(*args, most=MOVES)), Monitor(task_fifo_model(*args, most=MOVES))]


def judged(subject: Subject) -> dict[World, Tasks]:
    """Tasks of that subject in each world."""
    return {world: Tasks(subject, monitors(world)) for world in WORLDS}


def directed() -> Iterator[Run]:
    """All directed runs, the worlds by turns."""
    left = {world: list(reversed(schedules(world))) for world in WORLDS}
    while any(left.values()):
        for world, runs in left.items():
            if runs:
                yield Run(world, runs.pop())


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
    moves = Counter(move.name for run in islice(directed(), DIRECTED) for move in run.schedule)
    assert set(moves) == {
        "turn", "cancel", "uncancel", "resolve", "await_", "await_done", "pause", "leave",
    }  # fmt: skip
    assert min(moves.values()) > 50
    assert sum(TURN in run.schedule[:-1] for run in islice(directed(), DIRECTED)) > DIRECTED / 2


@pytest.mark.parametrize("subject", [ASYNCIO, IMPL], ids=lambda subject: subject.name)
def test_directed_runs_are_accepted_under_both_grades(subject: Subject, full: bool) -> None:
    """Where a version has a known bug, what is rejected is exactly that."""
    wrong = rejected(judged(subject), islice(directed(), None if full else DIRECTED))
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
            moves += tasks.run_drawn(Choices.seeded(seed), MOVES, without)
    assert moves > 12 * (DRAWN_FULL if full else DRAWN) * len(WORLDS)  # a few runs end early


@pytest.mark.parametrize("mutant", WRONG, ids=lambda mutant: mutant.subject.name)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # some never begin a body, nor close it
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_wrong_tasks_are_rejected(mutant: Mutant) -> None:
    tasks = judged(mutant.subject)
    for number, run in enumerate(islice(directed(), DIRECTED), start=1):
        try:
            tasks[run.world].run(run.schedule)
        except Rejected as no:
            grade = "fifo" if "first in" in no.args[0].partition(":")[0] else "any"
            assert (number, len(run.schedule), grade) == REJECTED.get(mutant.subject.name)
            assert len(run.schedule) <= 10
            return
    pytest.fail(f"{mutant.subject.name} is accepted in {DIRECTED} runs")


def test_the_table_holds_all_that_are_wrong_and_no_other() -> None:
    assert set(REJECTED) == {mutant.subject.name for mutant in WRONG}
    assert len(REJECTED) == 15
