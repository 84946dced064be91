"""Real locks, semaphores, conditions and events along directed schedules; every wrong one is rejected in ten moves.

`make check` leads to every step up to a renaming of tasks; `make check-full` leads to every step, and takes one task
more.  Four tasks are two that wait, one that holds or notifies, and a newcomer; or three that wait, where the fourth
is the newcomer when it has handed over.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

import impl
from spec.kit.core import SpecError
from spec.kit.monitor import Rejected
from spec.kit.trace import End
from spec.locks import BARGING_LOCK, CONDITION, LOCK, SEMAPHORE, At, Sort, event_model, lock_model

from ...implementations.all_mutants import BY_NAME
from ...implementations.checks import monitor
from ...implementations.detection import Found
from ...implementations.mutant import Mutant
from ...refinement.check_implementation import check_implementation
from ...refinement.held import HeldRuns
from ...refinement.machines.generator import SpecMachine
from ...refinement.machines.locks import condition_machine, event_machine, lock_machine
from ...refinement.machines.shortest_paths import Schedule
from ...refinement.schedules.locks import (
    CASES,
    CONDITIONS,
    EVENTS,
    LINGERING,
    LOCKS,
    MUTEXES,
    SEMAPHORES,
    SizedLock,
)
from ...refinement.schedules.locks import case as lock_case
from ...refinement.subjects import ASYNCIO, IMPL, Deviation, Subject
from ..fixtures import Captured
from ..implementations.caught_by import caught_by

#: Of each case the steps, its schedules up to renaming, and those that end with requests taken back.
FOUND: Final = {
    LOCKS: (5_112, 211, 846),
    MUTEXES: (4_752, 207, 844),
    SEMAPHORES: (16_648, 680, 2_868),
    CONDITIONS: (4_504, 225, 576),
    LINGERING: (2_664, 284, 576),
    EVENTS: (3_840, 271, 672),
}
SUBJECTS = [ASYNCIO, IMPL]
#: The examples of each machine on each subject.
EXAMPLES = 10
#: `make check` has one schedule in so many.
PART = 3
#: A lock passes over the waiter that stands first, was cancelled and has not run yet; the text has the next one woken.
#: So these runs have other turns than the text's.
LEFT: Final = {LOCKS: 8}
#: The runs where asyncio before 3.13 loses a notify (gh-112202).
LOST: Final = {CONDITIONS: 20, LINGERING: 20}
#: A wrong one is rejected within so many moves: of a schedule and, when it ends well, of the calls that follow.
MOST_MOVES: Final = 10
#: asyncio's names of the primitives of these texts.
NAMES: Final = ("Lock", "Semaphore", "BoundedSemaphore", "Condition", "Event")
RUNTIMES = tuple(each.name for each in SUBJECTS)
HELD = [
    *(
        HeldRuns("locks", RUNTIMES, traces=number // PART)
        for case, (_, number, _) in FOUND.items()
        if case is not EVENTS
    ),
    HeldRuns("events", RUNTIMES, traces=FOUND[EVENTS][1] // PART),
    *(HeldRuns(of, RUNTIMES, examples=EXAMPLES) for of in ("locks", "locks", "events")),
]  # fmt: skip


def run(
    case: SizedLock, subject: Subject, schedules: Sequence[Schedule]
) -> tuple[int, list[tuple[Schedule, Rejected]]]:
    """How many runs have left their paths, if paths say something, and those that were rejected."""
    driver, left, rejected = case.judged(subject), 0, []
    for schedule in schedules:
        try:
            seen = driver.run(schedule, case.probe)
            left += case is not LINGERING and seen != case.path(schedule)
        except Rejected as error:
            rejected.append((schedule, error))
    return left, rejected


@pytest.mark.parametrize("case", CASES, ids=str)
def test_all_steps_are_led_to(case: SizedLock) -> None:
    assert (len(case.search().found), len(case.schedules())) == FOUND[case][:2]


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_real_ones_take_the_steps_that_they_are_led_to(case: SizedLock, subject: Subject, full: bool) -> None:
    """The primitives keep to the specification; but for a named bug."""
    schedules = case.schedules() if full else case.schedules()[::PART]
    left, rejected = run(case, subject, schedules)
    loses = Deviation.NOTIFY in subject.deviations and case in LOST
    if full:
        assert left == LEFT.get(case, 0)
        assert len(rejected) == (LOST[case] if loses else 0)
    else:
        assert left <= LEFT.get(case, 0)
        assert bool(rejected) == loses
    for schedule, error in rejected:
        assert error.line == str(End())
        assert any(due.startswith("resume") for due in error.due)
        assert "cancel" in {move.name for move in schedule}
    if full and not rejected:
        every = dict.fromkeys(map(case.search().schedule, case.search().found))
        assert run(case, subject, list(every))[1] == []


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_requests_to_cancel_are_taken_back(case: SizedLock, subject: Subject, full: bool) -> None:
    """LOCK-18 and EVENT-13, from every state that a schedule reaches; asyncio before 3.13 deviates."""
    if not subject.withdraws:
        pytest.skip("gh-116720")
    schedules = case.withdrawals()
    assert len(schedules) == FOUND[case][2]
    driver = case.judged(subject)
    for schedule in schedules if full else schedules[::24]:
        driver.run(schedule, case.probe)


@pytest.mark.parametrize("case", [MUTEXES, SEMAPHORES], ids=str)
@pytest.mark.parametrize("bounded", [impl.BoundedSemaphore, asyncio.BoundedSemaphore])
def test_bounded_semaphores_are_semaphores(
    case: SizedLock, bounded: Any, full: bool
) -> None:  # Any: a class of either library
    """SEM-3 apart: the specification has no release without an acquire."""
    base = IMPL if bounded is impl.BoundedSemaphore else ASYNCIO
    schedules = case.schedules() if full else case.schedules()[:: 3 * PART]
    assert run(case, replace(base, new_semaphore=bounded), schedules) == (0, [])


def test_three_tasks_wait_and_more_come() -> None:
    """The schedules lead to all steps from these states: a cancel of each, a hand-over, an iteration."""
    for case in CASES:
        waiting = [list(s.at.values()).count(At.WAIT) for s in case.search().states]
        assert max(waiting) >= 3, case


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
@pytest.mark.parametrize(("tasks", "permits", "sort"), [(5, 1, LOCK), (5, 1, SEMAPHORE), (5, 0, CONDITION)])
@pytest.mark.long("the searches take long")
def test_a_newcomer_beside_three_that_wait(tasks: int, permits: int, sort: Sort, subject: Subject) -> None:
    wider = lock_case("", tasks, permits, sort)
    _, rejected = run(wider, subject, wider.schedules())
    assert len(rejected) == (63 if sort is CONDITION and Deviation.NOTIFY in subject.deviations else 0)


def test_the_shortest_run_of_the_known_bug() -> None:
    """A, B in wait(); notify(); A.cancel(): B hangs, in asyncio before 3.13 and in a wrong condition of ours."""
    subjects = [BY_NAME["ConditionKeepsNotification"].subject()]
    subjects += [ASYNCIO] if Deviation.NOTIFY in ASYNCIO.deviations else []
    for subject in subjects:
        schedule, error = run(CONDITIONS, subject, CONDITIONS.schedules())[1][0]
        assert " ".join(map(str, schedule)) == "acquire(0) acquire(1) turn() notify(2) cancel(0)"
        assert error.due == ["resume(1)", "return done to 1"]


@caught_by("monitor", *NAMES)
def test_wrong_one_is_rejected(mutant: Mutant, found: Found) -> None:
    assert found["moves"] <= MOST_MOVES
    assert monitor.again(mutant, found)


# Machines, and `check_implementation`.

MACHINES: Final = (lock_machine, condition_machine, event_machine)


def drive(machine: type[RuleBasedStateMachine], examples: int, steps: int = 40) -> None:
    """Whether something is found is asked here, not how small."""
    exact: Any = {"derandomize": True, "database": None, "report_multiple_bugs": False}
    once = settings(max_examples=examples, stateful_step_count=steps, phases=[Phase.generate], **exact)
    run_state_machine_as_test(machine, settings=once)


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
@pytest.mark.parametrize("machine", MACHINES)
def test_machines(machine: Callable[[Subject], type[SpecMachine]], subject: Subject, full: bool) -> None:
    """But for the named bug, which a machine finds."""
    if machine is condition_machine and Deviation.NOTIFY in subject.deviations:
        with pytest.raises(Rejected, match="the loop is idle"):
            drive(machine(subject), 300)
    elif full:
        drive(machine(subject), 300)
    else:
        drive(machine(subject), EXAMPLES, steps=20)


def test_instances_are_held(capsys: Captured) -> None:
    """The texts are in the table of references."""
    check_implementation(lock_model(2, 1), examples=5)
    check_implementation(lock_model(2, 0, CONDITION), examples=5)
    check_implementation(event_model(2), examples=5)
    told = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in told] == ["check", "monitor", "machine"] * 3


def test_what_asyncio_does_not_have_is_told() -> None:
    with pytest.raises(SpecError, match="no primitive of asyncio is of this kind"):
        check_implementation(lock_model(2, 1, BARGING_LOCK))
