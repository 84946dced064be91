"""Real queues along directed schedules: 10,000 runs of each are accepted, and every wrong queue is rejected early.

No two runs are equal.  `make check` has the first 1,000 of each queue, `make check-full` all.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Final

import pytest

import impl
from spec.kit.core import Event
from spec.kit.monitor import Monitor, Rejected
from spec.kit.search import check
from spec.kit.trace import Do, End, Line, Return
from spec.queue import At, Said, queue_model

from ...implementations.checks import monitor
from ...implementations.checks.monitor import QUEUE_RUNS
from ...implementations.detection import Found
from ...implementations.mutant import Mutant
from ...refinement.held import HeldRuns
from ...refinement.machines.queue import queue_adapter
from ...refinement.machines.shortest_paths import TURN, Schedule
from ...refinement.schedules.drive import Driver
from ...refinement.schedules.queue import (
    CROWDED,
    LEAST,
    LIFO,
    SHUT,
    SIZES,
    WAITS,
    JudgedQueues,
    QueueSchedule,
    Size,
    directed,
    search,
    steps,
    withdrawals,
)
from ...refinement.subjects import ASYNCIO, IMPL, Subject
from ..implementations.caught_by import caught_by

RUNS = 10_283
#: The runs of queues that are shut down, of LifoQueues and of PriorityQueues, and how many `make check` has of each.
OTHERS = [(SHUT, 2_375), (LIFO, 1_492), (LEAST, 1_512)]
OTHERS_FIRST = 60
#: The runs in two parts, and the lines that each records until its schedules end.
PARTS = ((slice(1_000), 6_279), (slice(1_000, None), 102_695))
#: The runs of each crowded size, and how many `make check` has, of the first.
CROWDED_RUNS = [1_003, 528, 1_369]
CROWDED_FIRST = 120
SUBJECTS = [ASYNCIO, IMPL]
HELD = [HeldRuns("queue", tuple(each.name for each in SUBJECTS), traces=PARTS[0][0].stop + CROWDED_FIRST)]


def any_order() -> Subject:
    """Queues of impl on loops that let any ready task go next; each loop has a seed of its own."""
    seeds = itertools.count()
    return replace(IMPL, name="impl-any", new_loop=lambda: impl.Loop(impl.Choices.seeded(next(seeds)), order="any"))


def test_no_two_runs_are_equal() -> None:
    """And they lead to every step, up to renaming of tasks, of the sizes that were searched to the end."""
    assert len({(run.size[:2], run.size.items, run.schedule) for run in directed()}) == RUNS
    assert [len(steps(size)) for size in SIZES if size.most is None] == [4_302, 2_745]


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_real_queues_take_the_steps_that_they_are_led_to(subject: Subject, full: bool) -> None:
    """All are accepted and none leaves its path: real queues show all the runs that the specification allows."""
    judged = JudgedQueues(subject)
    for part, lines in PARTS if full else PARTS[:1]:
        recorded = 0
        for run in directed()[part]:
            seen = judged.run(run)
            assert seen == list(search(run.size).lines(run.schedule)), f"{run} left its path"
            recorded += len(seen)
        assert recorded == lines


@pytest.mark.short("impl", why="a second each")
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_three_tasks_wait_and_more_come(subject: Subject, full: bool) -> None:
    """The schedules lead to all steps from these states: a cancel of each, a hand-over, an iteration."""
    sizes = CROWDED if full else CROWDED[:1]
    for size, place in zip(sizes, (At.GET, At.PUT, At.JOIN), strict=False):
        assert max(list(s.at.values()).count(place) for s in search(size).states) >= 3
    runs = directed(sizes)
    assert [sum(run.size == size for run in runs) for size in sizes] == CROWDED_RUNS[: len(sizes)]
    judged = JudgedQueues(subject)
    for run in runs if full else runs[:CROWDED_FIRST]:
        assert judged.run(run) == list(search(run.size).lines(run.schedule)), f"{run} left its path"


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_requests_to_cancel_are_taken_back(subject: Subject, full: bool) -> None:
    """QUEUE-33, from every state that a schedule reaches; asyncio before 3.13 deviates, so there it is not asked."""
    judged, size = JudgedQueues(subject), SIZES[0]
    schedules = withdrawals(size)
    assert len(schedules) == 3_705
    for schedule in schedules if full else schedules[::24]:
        judged.run(QueueSchedule(size, schedule))


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_a_getter_that_is_cancelled_and_uncancelled_gets_its_item(subject: Subject) -> None:
    """The run without its uncancel, which the specification did not know, is rejected: it ends with a lost cancel."""
    get, put = Event("get", (0,)), Event("put_nowait", (1, 7))
    cancels = Event("cancel", (0,)), Event("uncancel", (0,))
    schedule = (get, TURN, put, *cancels, TURN)
    model = queue_model(2, 0, 1, items=8, withdraws=subject.withdraws)
    seen = Driver(queue_adapter(subject), model, WAITS).run(schedule)
    if not subject.withdraws:
        assert seen[-1] == Return(0, Said.CANCELLED)
        return
    assert seen == [Do(get), Do(put), Return(1, Said.DONE), *map(Do, cancels), Return(0, 7)]
    Monitor(model).follow([*seen, End()])
    with pytest.raises(Rejected, match="line 5: return 7 to 0"):
        Monitor(model).follow([line for line in seen if line != Do(schedule[4])])


#: A queue that is shut down at once wakes joiners before putters (`asyncio.Queue.shutdown`), and the search takes the
#: order of the text: of these runs, one leaves its path, to another that is allowed.
JOINERS_FIRST: Final[Schedule] = (
    *(Event("put_nowait", (0, 0)), Event("put", (0, 0)), Event("join", (1,)), TURN),
    *(Event("shutdown", (2, True)), TURN),
)


@pytest.mark.parametrize("subject", [ASYNCIO, IMPL], ids=lambda subject: subject.name)
@pytest.mark.parametrize(("sizes", "number"), OTHERS, ids=["shut down", "lifo", "least"])
def test_further_queues(subject: Subject, sizes: tuple[Size, ...], number: int, full: bool) -> None:
    """QUEUE-28 to QUEUE-32: none but one leaves its path; a queue of asyncio is shut down since 3.13."""
    if sizes == SHUT and subject.queue_shut is None:
        pytest.skip("its queues cannot be shut down")
    runs = directed(sizes)
    assert len(runs) == number
    judged = JudgedQueues(subject)
    some = runs if full else runs[:OTHERS_FIRST]
    left = [run for run in some if judged.run(run) != list(search(run.size).lines(run.schedule))]
    assert [run.schedule for run in left] == ([JOINERS_FIRST] if full and sizes == SHUT else [])


def test_a_queue_that_is_shut_down_and_wakes_nothing_is_rejected() -> None:
    """And so is one that raises QueueEmpty where it must raise QueueShutDown."""
    model = queue_model(2, 0, 1, shuts=True)
    shut: list[Line] = [Do(Event("shutdown", (1, False))), Return(1, Said.DONE)]
    Monitor(model).follow([Do(Event("get", (0,))), *shut, Return(0, Said.SHUT), End()])
    with pytest.raises(Rejected, match=r"the loop is idle\n  still due: get_resume\(0\)"):
        Monitor(model).follow([Do(Event("get", (0,))), *shut, End()])
    with pytest.raises(Rejected, match="line 4: return refused to 0"):
        Monitor(model).follow([*shut, Do(Event("get_nowait", (0,))), Return(0, Said.REFUSED)])


@pytest.mark.long("two thousand more runs")
def test_another_order_of_tasks_is_accepted_too() -> None:
    """Some runs leave their paths then, to where no schedule of asyncio's order leads."""
    judged = JudgedQueues(any_order())
    left = 0
    for run in directed()[:QUEUE_RUNS]:
        left += judged.run(run) != list(search(run.size).lines(run.schedule))
    assert left == 1_149


@pytest.mark.long("it searches all states")
def test_what_is_not_found_would_need_another_order_of_tasks() -> None:
    """Every step is found of a state where no task is about to run; a loop may pass others in an iteration."""
    size = SIZES[0]
    model = queue_model(size.tasks, size.maxsize, size.puts, items=size.items, withdraws=False)
    states = search(size).states
    found = {(states[before], event, states[after]) for before, event, after in search(size).found}
    every = {(s, event, t) for s in check(model).states for event, t in model.successors(s)}
    assert (len(found), len(every)) == (25_797, 44_658)
    assert found <= every
    hidden = {action.name for action in model.spec.actions.values() if action.hidden}
    for s in {s for s, _, _ in every - found}:
        assert any(event.name in hidden for event in model.enabled(s))


@caught_by("monitor", "Queue", "LifoQueue", "PriorityQueue")
def test_wrong_queue_is_rejected(mutant: Mutant, found: Found) -> None:
    """In the run that the table names; 2,000 random walks of 14 moves find three quarters of them."""
    assert monitor.again(mutant, found)
