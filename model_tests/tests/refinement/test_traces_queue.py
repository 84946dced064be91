"""Real queues along directed schedules: 10,000 runs of each are accepted, and every wrong queue is rejected early.

No two runs are equal.  `make check` has the first 2,000 of each queue, `make check-full` all.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

import impl
from spec.kit.monitor import Rejected
from spec.kit.search import check
from spec.kit.trace import End
from spec.queue import At, queue_model

from ...museum.mutants import MUTANTS, Mutant, wrong_queue
from ...museum.wrong_locks import WRONG_LOCKS
from ...museum.wrong_queues import WRONG_QUEUES
from ...refinement.schedules.queue import CROWDED, SIZES, Judged, directed, search, steps
from ...refinement.subjects import ASYNCIO, IMPL, Subject

RUNS = 10_283
#: The runs in two parts, and the lines that each records until its schedules end.
PARTS = ((slice(2_000), 14_670), (slice(2_000, None), 94_304))
#: The runs of each crowded size, and how many `make check` has of them all.
CROWDED_RUNS = [1_003, 528, 1_369]
CROWDED_FIRST = 600
#: A wrong queue must be rejected within so many runs.
ENOUGH = 2_000

QUEUES = [
    *(mutant for mutant in MUTANTS if mutant.rule.startswith("QUEUE")),
    *WRONG_QUEUES,
    *(
        wrong_queue(wrong.wrong, wrong.rule, wrong.met)
        for wrong in WRONG_LOCKS
        if wrong.rule in ("QUEUE-5", "QUEUE-3")
    ),
]
#: Of each wrong queue: how many runs it takes, the line that is rejected, and what is due or allowed instead.
REJECTED = {
    "GetterKeepsWakeUp": (210, "the loop is idle", "return 0 to 1"),
    "PutterKeepsWakeUp": (1690, "the loop is idle", "return done to 1"),
    "GetterTakesItAlong": (99, "return done to 1", "return refused to 1"),
    "PutterPutsAllTheSame": (389, "return refused to 0", "return done to 0"),
    "TrustsItsWakeUp": (91, "return refused to 0", "the loop is idle"),
    "ServesNewestFirst": (33, "return 0 to 1", "return 0 to 0"),
    "JoinsOnce": (29, "return done to 0", "the loop is idle"),
    "JoinLooksAgain": (336, "the loop is idle", "return done to 1"),
    "CountsBelowZero": (9, "return done to 0", "return refused to 0"),
    "HandsItOver": (99, "return done to 1", "return refused to 1"),
    "CountsNoPut": (25, "return done to 0", "the loop is idle"),
    "JoinsWhenEmpty": (113, "return done to 2", "the loop is idle"),
    "ReleasesOneJoin": (626, "the loop is idle", "return done to 2"),
    "GetWakesNobody": (109, "the loop is idle", "return done to 2"),
    "WakesTheGone": (79, "the loop is idle", "return 0 to 1"),
    "WakesForTheFirstItem": (206, "the loop is idle", "return 0 to 1"),
    "WakesForTheFirstRoom": (1682, "the loop is idle", "return done to 1"),
    "PutterTrustsItsWakeUp": (846, "return done to 0", "the loop is idle"),
    "HoldsOneMore": (1, "return done to 1", "return refused to 1"),
    "NewestItemFirst": (720, "return 1 to 0", "return 0 to 0"),
    "WaitsAgainInFront": (202, "return 0 to 0", "return 0 to 1"),
    "DeafWhenWoken": (99, "return 0 to 0", "return cancelled to 0"),
    "PutsForTheGone": (305, "return refused to 0", "return done to 0"),
    "KeepsTheInvitation": (210, "the loop is idle", "return 0 to 1"),
    "InvitesTheNewest": (33, "return 0 to 1", "return 0 to 0"),
}


def any_order() -> Subject:
    """Queues of impl on loops in which any ready task may go next; each loop has a seed of its own."""
    seeds = itertools.count()
    return replace(
        IMPL, name="impl-any", new_loop=lambda: impl.Loop(impl.Choices.seeded(next(seeds)), order="any")
    )


def test_no_two_runs_are_equal() -> None:
    """And they lead to every step, up to renaming of tasks, of the sizes that were searched to the end."""
    assert len({(run.size[:2], run.size.items, run.schedule) for run in directed()}) == RUNS
    assert [len(steps(size)) for size in SIZES if size.most is None] == [4_302, 2_745]


@pytest.mark.parametrize("subject", [ASYNCIO, IMPL], ids=lambda subject: subject.name)
def test_real_queues_take_the_steps_that_they_are_led_to(subject: Subject, full: bool) -> None:
    """All are accepted and none leaves its path: what the specification allows, real queues do."""
    judged = Judged(subject)
    for part, lines in PARTS if full else PARTS[:1]:
        recorded = 0
        for run in directed()[part]:
            seen = judged.run(run)
            assert seen == list(search(run.size).lines(run.schedule)), f"{run} left its path"
            recorded += len(seen)
        assert recorded == lines


@pytest.mark.parametrize("subject", [ASYNCIO, IMPL], ids=lambda subject: subject.name)
def test_three_tasks_wait_and_more_come(subject: Subject, full: bool) -> None:
    """The schedules lead to all steps from these states: a cancel of each, a hand-over, an iteration."""
    for size, place in zip(CROWDED, (At.GET, At.PUT, At.JOIN), strict=True):
        assert max(list(s.at.values()).count(place) for s in search(size).states) >= 3
    runs = directed(CROWDED)
    assert [sum(run.size == size for run in runs) for size in CROWDED] == CROWDED_RUNS
    judged = Judged(subject)
    for run in runs if full else runs[:CROWDED_FIRST]:
        assert judged.run(run) == list(search(run.size).lines(run.schedule)), f"{run} left its path"


def test_another_order_of_tasks_is_accepted_too() -> None:
    """Some runs leave their paths then, to where no schedule of asyncio's order leads."""
    judged = Judged(any_order())
    left = 0
    for run in directed()[:ENOUGH]:
        left += judged.run(run) != list(search(run.size).lines(run.schedule))
    assert left == 1_149


def test_what_is_not_found_would_need_another_order_of_tasks() -> None:
    """Every step is found of a state in which no task is about to run; a loop may pass others in an iteration."""
    size = SIZES[0]
    model = queue_model(size.tasks, size.maxsize, size.puts, items=size.items)
    states = search(size).states
    found = {(states[before], event, states[after]) for before, event, after in search(size).found}
    every = {(s, event, t) for s in check(model).states for event, t in model.successors(s)}
    assert (len(found), len(every)) == (25_797, 44_658)
    assert found <= every
    hidden = {action.name for action in model.spec.actions.values() if action.hidden}
    for s in {s for s, _, _ in every - found}:
        assert any(event.name in hidden for event in model.enabled(s))


def first_rejection(subject: Subject) -> tuple[int, Rejected] | None:
    """How many runs it takes until one is rejected, and why."""
    judged = Judged(subject)
    for number, run in enumerate(directed()[:ENOUGH], start=1):
        try:
            judged.run(run)
        except Rejected as rejected:
            return number, rejected
    return None


@pytest.mark.parametrize("wrong", QUEUES, ids=lambda wrong: wrong.subject.name)
def test_wrong_queue_is_rejected(wrong: Mutant) -> None:
    """2,000 random walks of 14 moves find 18 of the 23; a cancelled getter that keeps its wake-up is not among them."""
    found = first_rejection(wrong.subject)
    assert found is not None, f"passes, in spite of a defect against {wrong.rule} (met: {wrong.met})"
    number, rejected = found
    runs_needed, line, instead = REJECTED[wrong.subject.name]
    assert (number, rejected.line) == (runs_needed, line), str(rejected)
    assert instead in (rejected.due if line == str(End()) else rejected.allowed), str(rejected)
    assert rejected.accepted, "something was accepted before"
