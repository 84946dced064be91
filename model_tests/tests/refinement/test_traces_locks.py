"""Real locks, semaphores, conditions and events along directed schedules; every wrong one is rejected in ten moves.

`make check` leads to every step up to a renaming of tasks; `make check-full` leads to every step, and takes one task
more.  Four tasks are two that wait, one that holds or notifies, and a newcomer; or three that wait, where the fourth
is the newcomer when it has handed over.
"""

from __future__ import annotations

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
from spec.locks import (
    BARGING_LOCK,
    CONDITION,
    LOCK,
    SEMAPHORE,
    At,
    Sort,
    event_model,
    lock_model,
)

from ...museum.mutants import Mutant
from ...museum.wrong_conditions import MORE_CONDITIONS, MORE_EVENTS, MORE_LOCKS, MORE_SEMAPHORES
from ...museum.wrong_locks import WRONG_LOCKS
from ...refinement.hold import hold
from ...refinement.machines.generated import SpecMachine
from ...refinement.machines.locks import condition_machine, event_machine, lock_machine
from ...refinement.schedules.directed import Schedule
from ...refinement.schedules.locks import (
    CASES,
    CONDITIONS,
    EVENTS,
    LINGERING,
    LOCKS,
    MUTEXES,
    SEMAPHORES,
    Case,
)
from ...refinement.schedules.locks import case as lock_case
from ...refinement.subjects import ASYNCIO, IMPL, Deviation, Subject

#: Of each case: its steps, and its schedules up to renaming.
FOUND: Final = {
    LOCKS: (4_752, 207),
    MUTEXES: (4_752, 207),
    SEMAPHORES: (16_648, 680),
    CONDITIONS: (4_504, 225),
    LINGERING: (2_664, 284),
    EVENTS: (1_888, 158),
}
#: A lock passes over the waiter that stands first, was cancelled and has not run yet; the text has the next one woken.
#: So these runs have other turns than the text's.
LEFT: Final = {LOCKS: 6}
#: The runs in which asyncio before 3.13 loses a notify (gh-112202).
LOST: Final = {CONDITIONS: 20, LINGERING: 20}
#: A wrong one is rejected within so many moves: of a schedule and, when it ends well, of the calls that follow.
MOST_MOVES: Final = 10


def run(
    case: Case, subject: Subject, schedules: Sequence[Schedule]
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
def test_all_steps_are_led_to(case: Case) -> None:
    assert (len(case.search().found), len(case.schedules())) == FOUND[case]


@pytest.mark.parametrize("subject", [ASYNCIO, IMPL], ids=lambda subject: subject.name)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_real_ones_take_the_steps_that_they_are_led_to(case: Case, subject: Subject, full: bool) -> None:
    """What the text allows, they do, and nothing else; but for a named bug."""
    left, rejected = run(case, subject, case.schedules())
    assert left == LEFT.get(case, 0)
    assert len(rejected) == (LOST.get(case, 0) if Deviation.NOTIFY in subject.deviations else 0)
    for schedule, error in rejected:
        assert error.line == str(End())
        assert any(due.startswith("resume") for due in error.due)
        assert "cancel" in {move.name for move in schedule}
    if full and not rejected:
        every = dict.fromkeys(map(case.search().schedule, case.search().found))
        assert run(case, subject, list(every))[1] == []


@pytest.mark.parametrize("case", [MUTEXES, SEMAPHORES], ids=str)
@pytest.mark.parametrize("bounded", [impl.BoundedSemaphore, asyncio.BoundedSemaphore])
def test_bounded_semaphores_are_semaphores(
    case: Case, bounded: Any
) -> None:  # Any: a class of either library
    """SEM-3 apart: the specification has no release without an acquire."""
    base = IMPL if bounded is impl.BoundedSemaphore else ASYNCIO
    assert run(case, replace(base, new_semaphore=bounded), case.schedules()) == (0, [])


def test_three_tasks_wait_and_more_come() -> None:
    """The schedules lead to all steps from these states: a cancel of each, a hand-over, an iteration."""
    for case in CASES:
        waiting = [list(s.at.values()).count(At.WAIT) for s in case.search().states]
        assert max(waiting) >= 3, case


@pytest.mark.parametrize("subject", [ASYNCIO, IMPL], ids=lambda subject: subject.name)
@pytest.mark.parametrize(("tasks", "permits", "sort"), [(5, 1, LOCK), (5, 1, SEMAPHORE), (5, 0, CONDITION)])
def test_a_newcomer_beside_three_that_wait(
    tasks: int, permits: int, sort: Sort, subject: Subject, full: bool
) -> None:
    if not full:
        pytest.skip("the searches take long: --full")
    wider = lock_case("", tasks, permits, sort)
    _, rejected = run(wider, subject, wider.schedules())
    assert len(rejected) == (63 if sort is CONDITION and Deviation.NOTIFY in subject.deviations else 0)


def test_the_shortest_run_of_the_known_bug() -> None:
    """A, B in wait(); notify(); A.cancel(): B hangs, in asyncio before 3.13 and in a wrong condition of ours."""
    eats = next(wrong.wrong for wrong in WRONG_LOCKS if wrong.wrong.__name__ == "EatsTheNotification")
    subjects = [having("new_condition", eats)]
    subjects += [ASYNCIO] if Deviation.NOTIFY in ASYNCIO.deviations else []
    for subject in subjects:
        schedule, error = run(CONDITIONS, subject, CONDITIONS.schedules())[1][0]
        assert " ".join(map(str, schedule)) == "acquire(0) acquire(1) turn() notify(2) cancel(0)"
        assert error.due == ["resume(1)", "return done to 1"]


# Wrong ones.


def having(field: str, wrong: Any) -> Subject:  # Any: a class of whichever primitive
    return replace(IMPL, name=wrong.__name__, **{field: wrong})


#: Where a wrong class is looked at, by what it derives from.
WHERE: Final = {
    impl.Lock: ("new_lock", (LOCKS,)),
    impl.Semaphore: ("new_semaphore", (MUTEXES, SEMAPHORES)),
    impl.Condition: ("new_condition", (CONDITIONS, LINGERING)),
    impl.Event: ("new_event", (EVENTS,)),
}
WRONG: Final = [
    *(
        (having(field, wrong.wrong), wrong.rule, cases)
        for wrong in WRONG_LOCKS
        for right, (field, cases) in WHERE.items()
        if issubclass(wrong.wrong, right)
    ),
    *(
        (wrong.subject, wrong.rule, cases)
        for more, cases in (
            (MORE_LOCKS, (LOCKS,)),
            (MORE_SEMAPHORES, (MUTEXES, SEMAPHORES)),
            (MORE_CONDITIONS, (CONDITIONS, LINGERING)),
            (MORE_EVENTS, (EVENTS,)),
        )
        for wrong in more
    ),
]
#: Of each: in which case it is rejected first, after how many moves, the line, and what is due or allowed instead.
REJECTED: Final[dict[str, tuple[Case, int, str, str]]] = {
    "KeepsItsKnock": (LOCKS, 6, "the loop is idle", "return done to 2"),
    "KnocksAtTheNewest": (LOCKS, 5, "return done to 2", "return done to 1"),
    "BargingLock": (LOCKS, 6, "return done to 0", "return done to 1"),
    "KeepsThePermit": (MUTEXES, 10, "the loop is idle", "return done to 0"),
    "PutsThePermitBack": (MUTEXES, 6, "the loop is idle", "return done to 2"),
    "BargingSemaphore": (MUTEXES, 6, "return done to 0", "return done to 1"),
    "ReleasesTwice": (MUTEXES, 9, "return done to 0", "the loop is idle"),
    "EatsTheNotification": (CONDITIONS, 5, "the loop is idle", "return done to 1"),
    "HandsOnTooEarly": (LINGERING, 6, "the loop is idle", "return done to 1"),
    "GoesOnWithoutTheLock": (
        LINGERING,
        5,
        "return RuntimeError('Lock is not acquired.') to 0",
        "return cancelled to 0",
    ),
    "NotifiesTheGone": (CONDITIONS, 5, "the loop is idle", "return done to 1"),
    "SetsOne": (EVENTS, 4, "the loop is idle", "return done to 1"),
    "LooksTwice": (EVENTS, 4, "the loop is idle", "return done to 0"),
    "TakesItAlong": (LOCKS, 10, "the loop is idle", "return done to 0"),
    "DeafWhenWoken": (LOCKS, 5, "return done to 1", "return cancelled to 1"),
    "KnocksAtAll": (LOCKS, 5, "return done to 2", "the loop is idle"),
    "TellsNobody": (LOCKS, 6, "the loop is idle", "return done to 2"),
    "HandsToAll": (MUTEXES, 5, "return done to 2", "the loop is idle"),
    "HandsOverOne": (SEMAPHORES, 8, "the loop is idle", "return done to 0"),
    "NotifiesTheNewest": (CONDITIONS, 4, "return done to 1", "return done to 0"),
    "NotifiesAll": (CONDITIONS, 4, "return done to 1", "the loop is idle"),
    "NotifiesOneForAll": (CONDITIONS, 4, "the loop is idle", "return done to 1"),
    "KeepsTheNotify": (CONDITIONS, 6, "return done to 0", "the loop is idle"),
    "DeafWhenNotified": (CONDITIONS, 4, "return done to 0", "return cancelled to 0"),
    "StopsAtTheGone": (EVENTS, 5, "the loop is idle", "return done to 1"),
    "WaitsAnyway": (EVENTS, 6, "the loop is idle", "return done to 0"),
    "NeverCleared": (EVENTS, 5, "return done to 1", "return cancelled to 0"),
    "DeafWhenSet": (EVENTS, 4, "return done to 0", "return cancelled to 0"),
}


def first_rejection(case: Case, subject: Subject) -> tuple[int, Rejected] | None:
    """After how many moves the first run is rejected, and why."""
    driver = case.judged(subject)
    for schedule in case.schedules():
        for probe in ((), case.probe):
            try:
                driver.run(schedule, probe)
            except Rejected as error:
                return len(schedule) + len(probe), error
    return None


@pytest.mark.parametrize(("subject", "rule", "cases"), WRONG, ids=lambda value: getattr(value, "name", None))
def test_wrong_one_is_rejected(subject: Subject, rule: str, cases: tuple[Case, ...]) -> None:
    found = [(*rejection, case) for case in cases if (rejection := first_rejection(case, subject))]
    assert found, f"passes, in spite of a defect against {rule}"
    moves, error, case = min(found, key=lambda one: one[0])
    assert moves <= MOST_MOVES
    instead = error.due if error.line == str(End()) else error.allowed
    where, *pinned, other = REJECTED[subject.name]
    assert (case, [moves, error.line]) == (where, pinned), str(error)
    assert other in instead, str(error)


def test_every_rule_of_a_wrong_one_is_of_these_families() -> None:
    assert len(WRONG) == len(REJECTED)
    assert {rule.partition("-")[0] for _, rule, _ in WRONG} == {"LOCK", "SEM", "COND", "EVENT"}


# Machines, and `hold`.

MACHINES: Final = (lock_machine, condition_machine, event_machine)


def drive(machine: type[RuleBasedStateMachine], examples: int) -> None:
    """Whether something is found is asked here, not how small."""
    once = settings(
        max_examples=examples,
        stateful_step_count=40,
        phases=[Phase.generate],
        derandomize=True,
        database=None,
        report_multiple_bugs=False,
    )
    run_state_machine_as_test(machine, settings=once)


@pytest.mark.parametrize("subject", [ASYNCIO, IMPL], ids=lambda subject: subject.name)
@pytest.mark.parametrize("machine", MACHINES)
def test_machines_agree(
    machine: Callable[[Subject], type[SpecMachine]], subject: Subject, full: bool
) -> None:
    """But for the named bug, which a machine finds."""
    if machine is condition_machine and Deviation.NOTIFY in subject.deviations:
        with pytest.raises(Rejected, match="the loop is idle"):
            drive(machine(subject), 300)
    else:
        drive(machine(subject), 300 if full else 25)


@pytest.mark.parametrize("wrong", [MORE_LOCKS[0], MORE_CONDITIONS[0], MORE_EVENTS[0]], ids=lambda w: w.rule)
def test_machines_find_wrong_ones(wrong: Mutant) -> None:
    with pytest.raises(Rejected):
        drive(wrong.machine(wrong.subject), 300)


def test_instances_are_held(capsys: pytest.CaptureFixture[str]) -> None:
    """The texts are in the table of references."""
    hold(lock_model(2, 1), examples=5)
    hold(lock_model(2, 0, CONDITION), examples=5)
    hold(event_model(2), examples=5)
    told = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in told] == ["check", "monitor", "machine"] * 3


def test_what_asyncio_does_not_have_is_told() -> None:
    with pytest.raises(SpecError, match="no primitive of asyncio is of this kind"):
        hold(lock_model(2, 1, BARGING_LOCK))
