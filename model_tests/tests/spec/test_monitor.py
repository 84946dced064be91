"""The monitor: runs of a specification are accepted, in either style of recording; others are rejected, with the
reason.

A random run of a model is recorded by `Do` at the moment of an action, or by `Call` some time before.  It must be
accepted, and its state must be one of the monitor's candidates.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NewType

import pytest

from spec.kit.core import Event, Spec, SpecError
from spec.kit.model import Model
from spec.kit.monitor import Monitor, Rejected
from spec.kit.trace import Call, Do, End, Line, Return, Seen
from spec.queue import Const, Queue, Said, Sig, Task, queue, queue_model
from spec.queue.mutants import MUTANTS

UNHASHABLE: Any = [1]


def did(name: str, *args: Hashable) -> Do:
    return Do(Event(name, args))


def asked(name: str, *args: Hashable) -> Call:
    return Call(Event(name, args))


def recorded(model: Model[Any, Any], seed: int, *, calls: bool = False) -> tuple[list[Line], Any]:
    """Return the lines of a random run, which ends idle, and its final state.

    An action of a wrong specification is recorded by the name of the right one, which has its rule.
    """
    rng = random.Random(seed)
    actions = model.spec.actions
    name_of = {action.rule: action.name for action in queue.actions.values()}
    s = model.init[0]
    lines: list[Line] = []
    owed: dict[Hashable, Hashable] = {}
    for left in range(40, -40, -1):
        steps = [(e, t) for e, t in model.successors(s) if e.args[0] not in owed]
        if left <= 0:  # let it become idle
            steps = [(e, t) for e, t in steps if actions[e.name].hidden]
        if owed and (not steps or rng.random() < 0.3):
            caller = rng.choice(sorted(owed, key=repr))
            lines.append(Return(caller, owed.pop(caller)))
        elif steps:
            (name, args), t = rng.choice(steps)
            if not actions[name].hidden:
                lines.append((Call if calls else Do)(Event(name_of[actions[name].rule], args)))
            answer = actions[name].answer
            owed.update((args[0], x) for x in (answer(model.k, s, t, *args) if answer else ()))
            s = t
        elif left <= 0:
            break
    return [*lines, End()], s


@pytest.mark.parametrize("calls", [False, True])
def test_every_run_of_a_model_is_accepted(calls: bool, full: bool) -> None:
    model = queue_model(3, 1, 6, items=2)
    monitor = Monitor(model)
    for seed in range(60 if full else 30):
        lines, s = recorded(model, seed, calls=calls)
        monitor.restart()
        monitor.follow(lines)
        assert s in {m.state for m in monitor.now}
        assert monitor.lines == lines
    assert monitor.widest < 100


@pytest.mark.parametrize(
    "error",
    [
        "first_in_first_out",
        "at_most_maxsize_items",
        "leaves_only_when_served",
        "last_item_releases_join",
        "no_lost_putter",
    ],
)
def test_some_runs_of_a_text_with_an_error_are_rejected(error: str) -> None:
    wrong = queue_model(3, 2, 6, items=2, spec=MUTANTS[error])
    monitor = Monitor(queue_model(3, 2, 6, items=2))

    def accepted(lines: list[Line]) -> bool:
        monitor.restart()
        try:
            monitor.follow(lines)
        except Rejected:
            return False
        return True

    runs = (recorded(wrong, seed)[0] for seed in range(60))
    bad = next(run for run in runs if not accepted(run))
    monitor.restart()
    with pytest.raises(Rejected) as no:
        monitor.follow(bad)
    assert monitor.lines == no.value.accepted == bad[: len(monitor.lines)]
    assert no.value.line == str(bad[len(monitor.lines)])


#: A getter is woken, then cancelled: the item must reach the other getter.
HANDED_ON: list[Line] = [did("get", 0), did("get", 1), did("put", 2, 0)]
HANDED_ON += [Return(2, Said.DONE), did("cancel", 0)]


def test_a_lost_wake_up_is_found_where_the_loop_is_idle() -> None:
    monitor = Monitor(queue_model(3, 0, 2))
    monitor.follow([*HANDED_ON, Return(0, Said.CANCELLED), Return(1, 0), End()])
    monitor.restart()
    monitor.follow([*HANDED_ON, Return(0, Said.CANCELLED)])
    with pytest.raises(Rejected) as no:
        monitor.feed(End())
    assert no.value.accepted == [*HANDED_ON, Return(0, Said.CANCELLED)]
    assert (no.value.line, no.value.broken, no.value.thinned) == ("the loop is idle", [], [])
    assert "return 0 to 1" in no.value.allowed
    assert str(End()) not in no.value.allowed


def test_a_rejection_tells_what_would_have_been_allowed_and_changes_nothing() -> None:
    monitor = Monitor(queue_model(2, 1, 2))
    monitor.feed(did("put", 0, 0))
    before = monitor.now
    with pytest.raises(Rejected) as no:
        monitor.feed(Return(0, Said.REFUSED))
    assert str(no.value).splitlines() == [
        "queue: rejected at line 2: return refused to 0",
        "       seen                 allowed",
        "    1  put(0, 0)",
        "    2  return refused to 0  get(1)",
        "                            get_nowait(1)",
        "                            join(1)",
        "                            put(1, 0)",
        "                            put_nowait(1, 0)",
        "                            return done to 0",
    ]
    assert (monitor.now, monitor.lines) == (before, [did("put", 0, 0)])
    monitor.follow([Return(0, Said.DONE), did("get", 1), Return(1, 0), did("task_done", 1)])


def test_a_caller_is_in_one_call_at_a_time() -> None:
    monitor = Monitor(queue_model(2, 0, 2))
    monitor.feed(did("put", 0, 0))
    for line in (did("put", 0, 0), asked("put", 0, 0), End()):
        with pytest.raises(Rejected):
            monitor.feed(line)
    assert Event("get", (0,)) not in monitor.enabled()
    monitor.feed(Return(0, Said.DONE))
    assert Event("get", (0,)) in monitor.enabled()
    assert monitor.enabled() == [e for e in monitor.model.events if e in set(monitor.enabled())]
    assert monitor.enabled() == [e for e in monitor.model.events if monitor.may(e)]
    monitor.feed(asked("get", 0))
    assert monitor.enabled() == [e for e in monitor.model.events if monitor.may(e)] != []
    with pytest.raises(Rejected):
        monitor.feed(asked("get", 0))
    monitor.follow([Return(0, 0), End()])


def test_a_call_may_take_place_at_any_moment_until_it_returns() -> None:
    monitor = Monitor(queue_model(2, 0, 2, items=2))
    both: list[Line] = [asked("put", 0, 0), asked("put", 1, 1), Return(0, Said.DONE), Return(1, Said.DONE)]
    for first in (0, 1):
        monitor.restart()
        monitor.follow([*both, did("get", 0), Return(0, first), End()])
    monitor.restart()
    monitor.follow(both[:2])
    with pytest.raises(Rejected):
        monitor.feed(End())


def test_what_is_seen_of_a_state_thins_and_hidden_steps_may_follow() -> None:
    monitor = Monitor(queue_model(2, 0, 2))
    monitor.follow([did("get", 0), did("put", 1, 0), Return(1, Said.DONE)])
    assert monitor.due() == [Event("get_resume", (0,))]
    monitor.see(lambda s: s.sig[Task(0)] == Sig.WOKEN)
    monitor.follow([Return(0, 0), End()])
    with pytest.raises(Rejected, match="rejected at line 6: a full queue"):
        monitor.see(lambda s: len(s.buf) > 0, "a full queue")
    monitor.see(lambda s: len(s.buf) == 0)


def test_a_property_that_is_added_judges_recorded_runs_too() -> None:
    mine: Spec[Const, Queue] = Spec("mine", Queue, queue)

    @mine.invariant
    def small(k: Const, s: Queue) -> bool:
        """MY-1: One item is the most."""
        return len(s.buf) < 2

    @mine.invariant
    def unwoken(k: Const, s: Queue) -> bool:
        """MY-2: Task 1 never gets anything."""
        return all(t != 1 or s.held[t] == 0 for t in k.tasks)

    monitor = Monitor(queue_model(2, 0, 3, spec=mine))
    monitor.follow([did("put", 0, 0), Return(0, Said.DONE)])
    with pytest.raises(Rejected, match="\n  it breaks small\n") as no:
        monitor.feed(did("put", 0, 0))
    assert (no.value.broken, no.value.thinned) == (["small"], [])
    monitor.restart()
    monitor.follow([did("get", 1), did("put", 0, 0), Return(0, Said.DONE)])
    with pytest.raises(Rejected, match="\n  other explanations break unwoken\n") as no:
        monitor.feed(End())
    assert (no.value.broken, no.value.thinned) == ([], ["unwoken"])


def test_what_no_recorder_can_mean_is_an_error() -> None:
    monitor = Monitor(queue_model(2, 0, 2))
    with pytest.raises(SpecError, match="queue has no action 'grab'"):
        monitor.feed(did("grab", 0))
    with pytest.raises(SpecError, match=r"queue: put\(0\): put takes 2 parameters"):
        monitor.feed(asked("put", 0))
    with pytest.raises(SpecError, match="queue has no action 'grab'"):
        Monitor(queue_model(2, 0, 2), unseen=["grab"])
    assert monitor.lines == []


@pytest.mark.parametrize(("line", "told"), [
    (did("get", 9), r"get\(9\) has a value that is none of the model \(KeyError: 9\); its constants are "),
    (asked("get_nowait", 7), r"get_nowait\(7\) has a value that is none of the model"),
    (did("task_done", "a"), r"task_done\(a\) has a value that is none of the model"),
    (did("put", 0, UNHASHABLE), r"put\(0, \[1\]\): a value has no hash: write a number or a tuple"),
    (asked("put", UNHASHABLE, 1), "a value has no hash"),
    (Return(0, UNHASHABLE), r"return \[1\] to 0: a value has no hash"),
    (did("get_resume", 0), r"get_resume\(0\): get_resume is hidden: it happens by itself"),
    (asked("put_resume", 0), "put_resume is hidden"),
    (did("join_resume", 0), "leave the line out, or write Seen, not Do, if the recorder sees it happen"),
])  # fmt: skip
def test_a_line_that_no_run_can_have_is_an_error(line: Any, told: str) -> None:
    monitor = Monitor(queue_model(2, 0, 2))
    monitor.follow([did("get", 0), did("join", 1), Return(1, Said.DONE)])
    with pytest.raises(SpecError, match=f"^queue: .*{told}"):
        monitor.feed(line)
    monitor.follow([did("put", 1, 0), Return(1, Said.DONE)])
    monitor.feed(Seen(Event("get_resume", (0,))))
    with pytest.raises(Rejected):
        monitor.feed(Seen(Event("get_resume", (0,))))


# A specification for edge cases: a lamp that may flicker or go out by itself.

Hand = NewType("Hand", int)


@dataclass(frozen=True)
class Lamp:
    on: bool = False
    dead: bool = False


lamps: Spec[int, Lamp] = Spec("lamps", Lamp)


def shown(k: int, s: Lamp, t: Lamp, hand: Hand) -> tuple[bool]:
    return (t.on,)


@lamps.action(answer=shown)
def switch(k: int, s: Lamp, hand: Hand) -> Iterator[Lamp]:
    """LAMP-1: It is switched, if it works."""
    yield replace(s, on=not s.on and not s.dead)


@lamps.action(fair=True, hidden=True)
def hum(k: int, s: Lamp) -> Iterator[Lamp]:
    """LAMP-2: It hums all the time."""
    yield s


@lamps.action(hidden=True)
def die(k: int, s: Lamp) -> Iterator[Lamp]:
    """LAMP-3: It may break."""
    if not s.dead:
        yield Lamp(dead=True)


def lamp(spec: Spec[int, Lamp] = lamps) -> Model[int, Lamp]:
    return Model(spec, 0, (Lamp(),), {Hand: [Hand(0)]})


def test_a_step_without_change_or_without_duty_does_not_prevent_rest() -> None:
    monitor = Monitor(lamp())
    monitor.feed(End())
    assert monitor.due() == [Event("die")]
    monitor.follow([did("switch", 0), Return(0, True), End(), did("switch", 0), Return(0, False), End()])
    monitor.follow([did("switch", 0), Return(0, False), End()])
    assert {m.state for m in monitor.now} == {Lamp(dead=True)}


def broken_for_sure(k: int, s: Lamp) -> Iterator[Lamp]:
    """LAMP-3: It breaks."""
    if not s.dead:
        yield Lamp(dead=True)


def test_what_is_fair_and_hidden_must_have_happened() -> None:
    spec: Spec[int, Lamp] = Spec("frail", Lamp, lamps, without=["die"])
    spec.action(fair=True, hidden=True)(broken_for_sure)
    monitor = Monitor(lamp(spec))
    monitor.feed(End())
    assert {m.state for m in monitor.now} == {Lamp(dead=True)}
    with pytest.raises(Rejected):
        monitor.follow([did("switch", 0), Return(0, True)])


def test_visible_actions_may_be_unseen() -> None:
    monitor = Monitor(lamp(), unseen=["switch"])
    monitor.see(lambda s: s.on)
    assert monitor.enabled() == []
    with pytest.raises(Rejected):
        monitor.feed(End())  # the caller that switched it still waits for a result
    monitor.follow([Return(0, True), End()])


def test_a_text_is_refused_if_no_caller_gets_its_answers() -> None:
    spec: Spec[int, Lamp] = Spec("mute", Lamp)

    @spec.action(answer=lambda k, s, t: (t.on,))
    def ring(k: int, s: Lamp) -> Iterator[Lamp]:
        """LAMP-4: It rings."""
        yield s

    with pytest.raises(SpecError, match=r"mute\.ring has an answer but no caller: give it a parameter"):
        Monitor(lamp(spec))


def test_the_beginning_is_judged_too() -> None:
    spec: Spec[int, Lamp] = Spec("bright", Lamp, lamps)

    @spec.invariant
    def lit(k: int, s: Lamp) -> bool:
        """MY-1: It is always on."""
        return s.on

    with pytest.raises(Rejected, match="bright: rejected at line 1: the beginning\n  it breaks lit\n"):
        Monitor(lamp(spec))
