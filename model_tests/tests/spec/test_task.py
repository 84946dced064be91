"""The specifications of tasks: cancel is one step, the rare paths occur, and recorded runs are judged correctly."""

from collections import Counter
from typing import Any

import pytest

from spec.kit import Do, End, Event, Line, Map, Monitor, Rejected, Return, check
from spec.kit.bounded import only
from spec.kit.mutants import mutant
from spec.task import Const, Fut, Is, Loop, hops_model, task, task_fifo_model, task_model
from spec.task.hop_mutants import await_in_a_circle
from spec.task.hops import Hops, task_hops, view
from spec.task.loop import reaches, waits
from spec.task.models import at_rest, constants, renamings
from spec.task.mutants import MUTANTS

T, U, F, G = Fut(0), Fut(1), Fut(2), Fut(3)


def do(name: str, *args: object, answer: object = None) -> list[Line]:
    """An action that is seen as it happens, and its answer if it has one."""
    event = Event(name, args)
    return [Do(event)] if answer is None else [Do(event), Return(args[0], answer)]


def step(t: Fut, got: Is = Is.RESULT) -> list[Line]:
    return do("step", t, answer=got)


def cancel(x: Fut, accepted: bool = True) -> list[Line]:
    return do("cancel", x, answer=accepted)


def resolve(f: Fut, how: Is = Is.RESULT, accepted: bool = True) -> list[Line]:
    return do("resolve", f, how, answer=accepted)


def park(t: Fut, f: Fut) -> list[Line]:
    return [*step(t), *do("await_", t, f)]


def two_tasks() -> Monitor[Const, Loop]:
    return Monitor(task_model(2, 2, most=9))


def follow(monitor: Monitor[Const, Loop], *parts: list[Line]) -> frozenset[Loop]:
    """Return the possible states of the loop after the run."""
    for part in parts:
        monitor.follow(part)
    return frozenset(m.state for m in monitor.now)


def rest(monitor: Monitor[Const, Loop]) -> None:
    """The loop is idle: no visible step is due, and no hidden one."""
    monitor.see(lambda s: at_rest(monitor.model.k, s), "no job is ready")
    monitor.feed(End())


@pytest.mark.parametrize(
    ("tasks", "futures", "shields"),
    [(2, 1, [2]), pytest.param(3, 0, [], marks=pytest.mark.long("three tasks"))],
)
def test_a_cancel_of_what_is_pending_has_one_outcome(tasks: int, futures: int, shields: list[int]) -> None:
    model = task_model(tasks, futures, shields, spec=only(task, "done_stays_done"))
    lengths: Counter[int] = Counter()
    for s in check(model, keep=False).states:
        for x in sorted(model.k.all):
            if s.state[x] == Is.PENDING and all(s.count[t] < model.k.most for t in model.k.tasks):
                assert len(model.after(s, Event("cancel", (x,)))) == 1
                lengths[sum(1 for y in model.k.all if reaches(s, x, y))] += 1
    assert set(lengths) == {1, 2, 3}


def test_the_rare_ways_of_a_request_are_taken() -> None:
    model = task_model(2, 1, spec=only(task, "done_stays_done"))
    ways: Counter[str] = Counter()
    graph = check(model, keep=True)
    for s, out in graph.out.items():
        ways["in the wake window"] += any(s.on[t] != t and t in s.must for t in model.k.tasks)
        ways["owed through a task"] += any(s.on[t] in model.k.tasks - {t} for t in s.owed)
        ways["handed on"] += sum(e.name == "await_" and e.args[0] in s.must for e, _ in out)
        ways["counted twice on the way"] += sum(
            e.name == "cancel" and sum(t.count[x] > s.count[x] for x in model.k.tasks) == 2 for e, t in out
        )
    assert {way for way, number in ways.items() if number} == set(ways)


def test_shields_tell_futures_apart() -> None:
    assert len(renamings(constants(3, 2))) == 12
    assert len(renamings(constants(3, 2, [3]))) == 6
    assert len(renamings(constants(2, 1, [0, 2]))) == 1


def test_a_request_goes_to_the_end_of_the_chain() -> None:
    (s,) = follow(two_tasks(), park(T, U), park(U, F), cancel(T))
    assert s.state[F] == Is.CANCELLED
    assert (s.count[T], s.count[U]) == (1, 1)
    assert waits(s, T)
    assert s.ready == {U}


def test_a_run_in_which_nothing_is_lost_comes_to_rest() -> None:
    twice = [*do("uncancel", T, answer=0), *do("uncancel", T, answer=0)]
    monitors: list[Monitor[Const, Any]] = [two_tasks(), Monitor(task_fifo_model(2, 2, most=9))]
    for monitor in monitors:  # Any: the fifo order has a state of its own
        follow(monitor, park(T, U), park(U, F), cancel(T), step(U, Is.CANCELLED))
        follow(monitor, do("leave", U, Is.CANCELLED))
        follow(monitor, step(T, Is.CANCELLED), do("await_done", T, F, answer=Is.CANCELLED))
        follow(monitor, cancel(F, accepted=False), twice, resolve(F, accepted=False))
        follow(monitor, do("pause", T), step(T), do("leave", T, Is.RESULT))
        monitor.feed(End())


def test_a_stillborn_task_needs_no_turn() -> None:
    monitor = two_tasks()
    follow(monitor, cancel(T), step(U), do("leave", U, Is.ERROR))
    monitor.see(lambda s: s.state[T] == Is.CANCELLED, "T is cancelled")
    rest(monitor)


#: Known defects of implementations: each a run of at most ten lines before the last, which is wrong.
WRONG: dict[str, list[list[Line]]] = {
    "lost between wake-up and turn": [park(T, F), resolve(F), cancel(T), step(T, Is.RESULT)],
    "begun though it was cancelled before": [cancel(T), do("step", T)],
    "not handed on": [step(T), cancel(T), do("await_", T, F), resolve(F, Is.RESULT)],
    "stops at the first task": [park(T, U), park(U, F), cancel(T), do("step", T)],
    "thrown after uncancel": [step(T), cancel(T), do("uncancel", T, answer=0), do("pause", T), step(T, Is.CANCELLED)],
    "a result runs a job that waits for it": [park(T, F), step(U), resolve(F), do("step", T)],
    "awaits what is done, and parks": [step(T), resolve(F), do("await_", T, F)],
    "takes two results": [resolve(F), resolve(F, Is.ERROR, accepted=True)],
    "cancels what is done": [resolve(F), cancel(F, accepted=True)],
    "awaits in a circle": [park(T, U), park(U, T)],
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_run_is_rejected_at_its_last_line(wrong: str) -> None:
    monitor, lines = two_tasks(), [line for part in WRONG[wrong] for line in part]
    assert len(lines) <= 10
    with pytest.raises(Rejected) as no:
        monitor.follow(lines)
    assert len(no.value.accepted) == len(lines) - 1


def test_the_end_of_a_run_shows_what_is_lost() -> None:
    monitor = two_tasks()
    follow(monitor, park(T, F), step(U), do("leave", U, Is.RESULT), resolve(F))
    with pytest.raises(Rejected, match="no job is ready"):
        rest(monitor)
    follow(monitor, step(T), cancel(T), do("leave", T, Is.RESULT))
    with pytest.raises(Rejected):
        monitor.see(lambda s: s.state[T] == Is.RESULT, "it returned under a request")
    rest(monitor)


def test_a_shield_follows_in_a_turn_of_its_own() -> None:
    monitor = Monitor(task_model(1, 1, [1], most=9))
    outer = Fut(2)
    follow(monitor, park(T, outer), resolve(Fut(1)))
    monitor.see(lambda s: s.state[outer] == Is.PENDING, "the shield is pending")
    follow(monitor, step(T, Is.RESULT), do("leave", T, Is.RESULT))
    rest(monitor)
    monitor.restart()
    (s,) = follow(monitor, park(T, outer), cancel(T))
    assert (s.state[outer], s.state[Fut(1)]) == (Is.CANCELLED, Is.PENDING)


def test_the_monitor_judges_by_the_text_it_is_given() -> None:
    lines = [*park(T, F), *resolve(F)]
    Monitor(task_model(1, 2)).follow([*step(T), *do("await_", T, U), *resolve(U)])
    wrong = Monitor(task_model(2, 2, spec=MUTANTS["no_lost_wakeup"]))
    with pytest.raises(Rejected, match="resolve_wrong"):
        wrong.follow([*park(T, F), *do("resolve_wrong", F, Is.RESULT)])
    two_tasks().follow(lines)


def test_a_call_under_way_is_seen_as_over() -> None:
    model = hops_model(2, 1)
    (s,) = model.init
    for name, *args in ("turn", T), ("await_", T, U), ("turn", U), ("await_", U, F), ("cancel", T):
        (s,) = model.after(s, Event(str(name), tuple(args)))
    seen = []
    while s.asked != model.k.loop:
        seen.append(s.asked)
        before = view(model.k, s)
        (s,) = model.after(s, Event("go_on"))
        assert view(model.k, s) == before
    assert seen == [T, U, F]
    assert s.loop == before
    assert s.loop.count == Map({T: 1, U: 1, F: 0})


def test_in_a_circle_a_call_is_never_over() -> None:
    spec = mutant(task_hops, "tasks await each other", await_=await_in_a_circle)
    model = hops_model(2, 1, spec=spec, most=9)
    (s,) = model.init
    waits = "await_in_a_circle"
    for name, *args in ("turn", T), (waits, T, U), ("turn", U), (waits, U, T), ("cancel", T):
        (s,) = model.after(s, Event(str(name), tuple(args)))
    asked = []
    for _ in range(6):
        asked.append(s.asked)
        (s,) = model.after(s, Event("go_on"))
    assert asked == [T, U] * 3
    assert isinstance(s, Hops)
    assert (s.loop.count[T], s.loop.count[U]) == (3, 3)
    assert s.loop.must == frozenset()
