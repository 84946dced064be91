"""Real tasks along directed schedules: all are accepted, first in, first out; and every wrong task is rejected.

`make check` has the first of them, `make check-full` all: 10,557 runs of each subject.  Drawn runs are those of the
machine (test_machines.py).
"""

from collections import Counter
from collections.abc import Iterable
from itertools import islice

import pytest

from spec.kit.monitor import Rejected

from ...implementations.checks import monitor
from ...implementations.checks.monitor import TASK_RUNS
from ...implementations.detection import Found
from ...implementations.mutant import Mutant
from ...refinement.held import HeldRuns
from ...refinement.machines.shortest_paths import TURN
from ...refinement.schedules.tasks import WORLDS, JudgedTasks, TaskSchedule, directed, schedules
from ...refinement.subjects import ASYNCIO, IMPL, Deviation, Subject
from ..implementations.caught_by import caught_by

#: How many schedules there are of each world, and the most moves that one has.
SCHEDULES = {WORLDS[0]: (3884, 6), WORLDS[1]: (2824, 5), WORLDS[2]: (1929, 4), WORLDS[3]: (1920, 5)}
SUBJECTS = [ASYNCIO, IMPL]
#: The runs of each subject in `make check`.
FIRST = TASK_RUNS // 4
HELD = [HeldRuns("task", tuple(each.name for each in SUBJECTS), traces=FIRST)]


def rejected(subject: Subject, runs: Iterable[TaskSchedule]) -> list[TaskSchedule]:
    """The runs that the specification does not allow."""
    judged = JudgedTasks(subject)
    found = []
    for run in runs:
        try:
            judged.run(run)
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


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_directed_runs_are_accepted(subject: Subject, full: bool) -> None:
    """The rejected runs of a version with a known bug are exactly those with the bug."""
    wrong = rejected(subject, islice(directed(), None if full else FIRST))
    if Deviation.UNCANCEL in subject.deviations:
        assert wrong
        assert all(any(move.name == "uncancel" for move in run.schedule) for run in wrong)
    else:
        assert wrong == []


@caught_by("monitor", "Future", "Task", "shield", "sleep")
def test_wrong_tasks_are_rejected(mutant: Mutant, found: Found) -> None:
    assert found["moves"] <= 10
    assert monitor.again(mutant, found)
