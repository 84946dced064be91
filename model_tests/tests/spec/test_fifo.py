"""The fifo order: a filter over any model; its steps are steps of the model, in the order of the queue."""

from functools import cache
from itertools import permutations

import pytest

from spec.future import Futures, future_fifo_model, future_model
from spec.kit import Do, Event, Line, Monitor, Rejected, Return, SpecError, Violation, check, liveness, only
from spec.kit.fifo import Fifo, Jobs, Queued, after, begin, filtered
from spec.kit.liveness import Lasso
from spec.kit.model import Model
from spec.kit.search import Graph
from spec.queue import Const, Queue, Sig, queue_model
from spec.task import Fut, Is, Loop, task, task_fifo_model, task_model
from spec.task.mutants import MUTANTS

T, U, F = Fut(0), Fut(1), Fut(2)
#: The text with one property: the other properties do not matter here.
BARE = only(task, "done_stays_done")

#: The waiters of a queue, and those that got an answer, if they run in that order.
WAITERS: Jobs[Const, Queue] = Jobs(
    turns=("get_resume", "put_resume", "join_resume", "unwind"),
    ready=lambda k, s: [t for t in sorted(k.tasks) if s.sig[t] != Sig.WAIT],
    waiting=lambda k, s: (),
)


@cache
def in_order(futures: int, *shields: int) -> Graph[Queued[Loop]]:
    """All states of two tasks, with their steps."""
    return check(task_fifo_model(2, futures, shields, spec=BARE), keep=True)


@pytest.mark.parametrize(("futures", "shields"), [
    pytest.param(1, [], marks=pytest.mark.long("a shield is a future, too"), id="plain"),
    pytest.param(0, [1], id="shield"),
])  # fmt: skip
def test_every_step_is_one_of_the_text_and_not_every_one_remains(futures: int, shields: list[int]) -> None:
    base = task_model(2, futures, shields, spec=BARE)
    below, found = check(base, keep=True), in_order(futures, *shields)
    for q, out in found.out.items():
        steps = set(below.out[q.below])
        assert all((event, r.below) in steps for event, r in out)
    reached = {q.below for q in found.states}
    assert 0.7 * len(below.states) < len(reached) < len(below.states)


def test_the_queue_has_each_ready_task_once() -> None:
    for q in in_order(0, 1).states:
        assert len(set(q.queue)) == len(q.queue)
        assert set(q.queue) == q.below.ready
        assert not set(q.line) & set(q.queue)


def waiters(first: Fut, second: Fut) -> list[Line]:
    """Two tasks await one future, which gets its result; then these run."""
    lines: list[Line] = []
    for t in (T, U):
        lines += [Do(Event("step", (t,))), Return(t, Is.RESULT), Do(Event("await_", (t, F)))]
    lines += [Do(Event("resolve", (F, Is.RESULT))), Return(F, True)]
    for t in (first, second):
        lines += [Do(Event("step", (t,))), Return(t, Is.RESULT), Do(Event("leave", (t, Is.RESULT)))]
    return lines


def test_the_task_that_waited_longer_runs_first() -> None:
    Monitor(task_model(2, 1)).follow(waiters(T, U))
    Monitor(task_model(2, 1)).follow(waiters(U, T))
    Monitor(task_fifo_model(2, 1)).follow(waiters(T, U))
    with pytest.raises(Rejected) as no:
        Monitor(task_fifo_model(2, 1)).follow(waiters(U, T))
    assert no.value.line == "step(1)"
    assert "step(0)" in no.value.allowed


@pytest.mark.long("seconds of a search for a lasso")
def test_a_ready_task_is_sure_to_run_only_if_tasks_run_in_order() -> None:
    model = task_fifo_model(2, 1, withdraws=False)
    liveness.check(model, check(model, keep=True))
    loose = task_model(2, 1, withdraws=False, spec=only(task, "ready_job_gets_its_turn"))
    with pytest.raises(Lasso, match="pause"):
        liveness.check(loose, check(loose, keep=True))


def test_requests_that_come_and_go_can_keep_a_turn_from_coming() -> None:
    model = task_fifo_model(1, 0)
    with pytest.raises(Lasso, match="uncancel"):
        liveness.check(model, check(model, keep=True))


def test_a_symmetric_model_visits_the_classes_of_all_orders_of_creation(full: bool) -> None:
    """Two tasks may await each other; the long form has a future besides."""
    found = task_fifo_model(2, int(full), spec=BARE, symmetric=True)
    whole = task_fifo_model(2, int(full), spec=BARE)
    canon = found.canon
    assert canon is not None
    (q,) = whole.init
    whole.init = tuple(Queued(q.below, order, q.line) for order in permutations(q.queue))
    assert {canon(s) for s in check(whole).states} == set(check(found).states)


def test_callbacks_of_different_futures_run_in_the_order_in_which_they_were_due() -> None:
    lines: list[Line] = [Do(Event("add", (f, c))) for f in (0, 1) for c in (0, 1)]
    for f in (1, 0):
        lines += [Do(Event("resolve", (f, Is.RESULT))), Return(f, True)]
    loose = Monitor(future_model(2, 2, 2))
    loose.follow(lines)
    assert {ran(m.state) for m in loose.now} == {(a, b) for a in range(3) for b in range(3)}
    first = Monitor(future_fifo_model(2, 2, 2))
    first.follow(lines)
    assert {ran(m.state.below) for m in first.now} == {(0, 0), (0, 1), (0, 2), (1, 2), (2, 2)}


def ran(s: Futures) -> tuple[int, int]:
    """How many callbacks of the two futures ran."""
    return len(s.ran[Fut(0)]), len(s.ran[Fut(1)])


def test_it_filters_a_text_that_knows_nothing_of_it() -> None:
    base = queue_model(2, 1, 2)
    model = Fifo(base, WAITERS)
    found = check(model)
    reached = {q.below for q in found.states}
    assert reached <= set(check(base).states)
    for q in found.states:
        ahead = {e.args for e in model.enabled(q) if e.name in WAITERS.turns}
        assert ahead == {q.queue[:1]} - {()}


def test_a_filtered_model_is_of_its_text_and_can_be_of_another() -> None:
    model = task_fifo_model(1, 1)
    assert model.original is task
    assert model.spec.state is Queued
    assert list(model.spec.properties) == list(task.properties)
    other = model.over(only(task, "done_stays_done"))
    assert isinstance(other, Fifo)
    assert list(other.spec.properties) == ["done_stays_done"]
    assert [q.below for q in check(other).states] == [q.below for q in check(model).states]
    with pytest.raises(SpecError, match="no domain"):
        Fifo(Model(task, model.k, model.base.init, {}), model.jobs)


def test_a_property_that_is_broken_below_is_told_with_the_queue() -> None:
    wrong = task_fifo_model(1, 1, spec=only(MUTANTS["own_end"], "own_end"))
    with pytest.raises(Violation, match="own_end") as broken:
        check(wrong)
    head, _, last = str(broken.value).splitlines()
    title = "task: cancel ends an unbegun task at once, first in, first out"
    assert head.startswith(f"{title}: own_end (CANCEL-7)")
    assert "state[0]: pending -> cancelled" in last
    assert "queue: (0) -> ()" in last


#: Jobs that are letters: a state is the ready jobs, then the waiting ones.
LETTERS: Jobs[None, tuple[str, str]] = Jobs((), ready=lambda k, s: s[0], waiting=lambda k, s: s[1])


@pytest.mark.parametrize(("queue", "line", "ready", "waiting", "then"), [
    ("", "ba", "ab", "", ("ba", "")),  # made ready at once: in queue order
    ("c", "ba", "abc", "", ("cba", "")),
    ("", "b", "ab", "", ("ba", "")),  # a job that did not wait runs after those that did
    ("ca", "", "aacc", "", ("caac", "")),  # two steps each: the second ones at the end
    ("cab", "", "bc", "", ("cb", "")),  # a job that is no longer ready leaves
    ("", "cb", "", "abc", ("", "cba")),
    ("a", "", "", "a", ("", "a")),
])  # fmt: skip
def test_a_new_task_is_last(queue: str, line: str, ready: str, waiting: str, then: tuple[str, str]) -> None:
    q = after(None, LETTERS, Queued((ready, waiting), tuple(queue), tuple(line)))
    assert ("".join(q.queue), "".join(q.line)) == then


def test_at_the_beginning_everybody_comes_at_once() -> None:
    assert begin(None, LETTERS, ("cab", "ed")) == Queued(("cab", "ed"), ("a", "b", "c"), ("d", "e"))
    assert filtered(task, task_fifo_model(1, 1).jobs).name == "task, first in, first out"
