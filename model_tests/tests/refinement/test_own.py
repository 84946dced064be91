"""A specification of one's own, without a reference implementation: code is held to it, and so are programs.

The specification and the code are those that `loopspec new` writes; wrong code derives from it.
"""

from __future__ import annotations

import asyncio
import inspect
import re
import sys
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from impl.explore import Found
from spec.kit import Model, Rejected, Spec, SpecError, monitor, only

from ...explored import OwnOracle, explore
from ...explored.judged import RuleBroken, given
from ...new.template import ADAPTER, TEXT
from ...refinement.check_implementation import check_implementation
from ...refinement.machines.objects import answer, object_adapter
from ...refinement.schedules import directed
from ...refinement.schedules.directed import TURN, Search

# Any in this file: what the written files define.


def module(name: str, text: str, **given: object) -> Any:
    """What a written file defines; its import of the other file is given."""
    made = sys.modules[name] = ModuleType(name)  # dataclasses look their module up
    vars(made).update(given)
    exec(compile(text.replace("from gate import", "# from gate import"), f"{name}.py", "exec"), vars(made))
    return made


GATE = module("own_gate", TEXT)
CODE = module("own_gate_adapter", ADAPTER, Const=GATE.Const, State=GATE.State)
Permits: Any = CODE.Permits


class Deaf(Permits):  # type: ignore[misc]  # it was compiled here
    """A tick wakes no task."""

    def tick(self) -> None:
        self.waiters.clear()
        super().tick()


class Counted(Permits):  # type: ignore[misc]  # as above
    """A tick that calls that of the class before."""

    def tick(self) -> None:
        self.ticks = getattr(self, "ticks", 0) + 1
        super().tick()


class Heap(Permits):  # type: ignore[misc]  # as above
    """Permits pile up."""

    def tick(self) -> None:
        self.most += 1
        super().tick()


class Broken(Permits):  # type: ignore[misc]  # as above
    def tick(self) -> None:
        raise ZeroDivisionError("the clock is broken")


class Awaited(Permits):  # type: ignore[misc]  # as above
    async def tick(self) -> None:
        super().tick()


class Timeless(Permits):  # type: ignore[misc]  # as above
    tick = None


class Plain(Permits):  # type: ignore[misc]  # as above
    """A call never waits."""

    def acquire(self) -> None:
        self.free -= self.free > 0


class Handed(Permits):  # type: ignore[misc]  # as above
    """A call returns what its caller must await."""

    def acquire(self) -> Any:
        return super().acquire()


def held(code: Any, examples: int = 5) -> None:
    make = object_adapter(lambda k: code(k.most), agrees=CODE.agrees)
    check_implementation(GATE.SMALL, make=make, examples=examples)


# --- code that the machine drives -------------------------------------------------------------------------


def test_code_without_a_reference_is_held_to_the_specification(capsys: pytest.CaptureFixture[str]) -> None:
    held(Permits)
    check, monitor, machine = capsys.readouterr().out.splitlines()
    assert check == "check: 8 states, 20 edges, depth 4"
    assert monitor.startswith("monitor: ")
    runs, lines = (int(word) for word in monitor.replace(",", "").split() if word.isdigit())
    assert lines > runs > 10
    assert machine == "machine: 5 examples"


def test_a_specification_that_nothing_implements_asks_for_code() -> None:
    with pytest.raises(
        SpecError, match=r"gate: nothing here implements it; .*; or pass code of yours as make="
    ):
        check_implementation(GATE.SMALL)


def test_a_lost_wake_up_shows_what_was_seen_and_what_was_allowed() -> None:
    with pytest.raises(Rejected) as no:
        held(Deaf)
    assert str(no.value).splitlines() == [
        "gate: rejected at line 5: the loop is idle",
        "  still due: return done to 1, take(1)",
        "       seen              allowed",
        "    1  acquire(0)",
        "    2  return done to 0",
        "    3  acquire(1)",
        "    4  tick()",
        "    5  the loop is idle  acquire(0)",
        "                         return done to 1",
        "                         tick()",
    ]


def test_a_state_that_is_not_possible_shows_those_that_are() -> None:
    with pytest.raises(Rejected) as no:
        held(Heap)
    *_, last = str(no.value).splitlines()
    assert last == "    2  free=2  most=2  free=1  waiting={}"
    assert str(no.value).startswith("gate: rejected at line 2: free=2  most=2\n")


def test_an_action_without_a_caller_raises_into_the_test() -> None:
    with pytest.raises(ZeroDivisionError, match="the clock is broken"):
        held(Broken)


def test_an_action_without_a_caller_is_a_plain_method() -> None:
    with pytest.raises(
        SpecError, match=r"tick\(\) has no caller that could await it: make it a plain method"
    ):
        held(Awaited)


def test_an_action_that_the_code_lacks_is_named() -> None:
    with pytest.raises(
        SpecError,
        match=r"gate\.tick: the adapter does not know this action: .* or declare hidden=True what happens by itself$",
    ):
        held(Timeless)


def test_a_call_that_should_wait_and_returns_is_rejected() -> None:
    with pytest.raises(Rejected, match=r"^gate: rejected at line 4: return done to 0\n"):
        held(Plain)


def test_a_plain_method_that_returns_an_awaitable_is_refused() -> None:
    told = "acquire is not async, but returns what must be awaited: write `async def acquire`"
    with pytest.raises(SpecError, match=f"^{re.escape(told)}$"):
        held(Handed)


@pytest.mark.parametrize(
    ("outcome", "word"),
    [
        (None, "done"),
        (asyncio.CancelledError(), "cancelled"),
        (asyncio.QueueFull(), "QueueFull"),
        (3, 3),
        ([3], "[3]"),
    ],
)
def test_an_outcome_has_a_word(outcome: object, word: object) -> None:
    assert answer(outcome) == word


def test_a_rejection_says_that_no_action_gives_the_answer() -> None:
    other = TEXT.replace('DONE = "done"', 'DONE = "passed"')
    spec = module("own_words", other)
    make = object_adapter(lambda k: Permits(k.most), agrees=CODE.agrees)
    with pytest.raises(Rejected) as no:
        check_implementation(spec.SMALL, make=make, examples=5)
    told = "  no action answers done; the answers are passed: an adapter may translate it (said=)"
    assert str(no.value).splitlines()[:2] == ["gate: rejected at line 2: return done to 0", told]


def test_the_code_that_is_written_hands_a_wake_up_on() -> None:
    """It stays right when its specification gets a cancel, as that of spec/LIMITER.md does."""
    spec: Spec[Any, Any] = Spec("gate", GATE.State, extends=GATE.gate)

    @spec.action(answer=lambda k, s, t, task: ("cancelled",))
    def cancel(k: Any, s: Any, task: int) -> Iterator[Any]:
        """GATE-6: A task that waits is cancelled."""
        if task in s.waiting:
            yield replace(s, waiting=s.waiting - {task})

    make = object_adapter(lambda k: Permits(k.most), agrees=CODE.agrees)
    check_implementation(GATE.model(spec), make=make, examples=5)


def hidden_tick() -> Model[Any, Any]:
    """The same, but permits become free by themselves."""
    spec: Spec[Any, Any] = Spec("quiet", GATE.State, extends=GATE.gate, without=["tick"])

    @spec.action(hidden=True)
    def refill(k: Any, s: Any) -> Iterator[Any]:
        """GATE-4: A permit becomes free, of which no program knows."""
        if s.free < k.most:
            yield replace(s, free=s.free + 1)

    found: Model[Any, Any] = GATE.model(spec)
    return found


def test_schedules_know_a_hidden_event_without_a_caller() -> None:
    search = Search(hidden_tick(), ["acquire"])
    by = {step.event.name: search.schedule(step) for step in search.found}
    assert "refill" in by
    assert by["refill"][-1] == TURN


def test_schedules_know_a_task_that_is_woken_in_vain() -> None:
    """A tick makes both tasks ready; one of them takes the permit in the next turn, and the other waits on."""
    search = Search(GATE.model(), ["acquire"])
    both = [s for s in search.found if s.event.name == "take" and len(search.states[s.before].waiting) == 2]
    assert both
    for step in both:
        *_, last = search.follow(search.schedule(step))
        assert last == step


def test_a_search_of_schedules_wakes_a_task_once_until_it_runs() -> None:
    """If no call waits, other tasks take a permit before a woken one runs, and the next tick wakes that one again."""
    search = Search(GATE.model(), [], 100)
    assert len(search.found) < 100
    assert max(len(point.ready) for point, _ in search.found.values()) == 2


def test_a_search_of_schedules_is_bounded_by_its_points(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = len(Search(GATE.model(), ["acquire"], 15).found)
    monkeypatch.setattr(directed, "POINTS_PER_STEP", 1)
    assert 0 < len(Search(GATE.model(), ["acquire"], 15).found) < whole


# --- programs that are explored ---------------------------------------------------------------------------


def program(code: Any, tasks: int = 2, cancel: bool = False) -> Callable[[], Any]:
    """Some tasks acquire; then time passes, and one may be cancelled at that moment."""

    async def main() -> None:
        permits, other = code(1), code(1)
        await asyncio.create_task(other.acquire())
        loop = asyncio.get_running_loop()
        waiting = [loop.create_task(permits.acquire()) for _ in range(tasks)]
        for moment in range(1, tasks):
            loop.call_later(moment, permits.tick)
        if cancel:
            loop.call_later(1, waiting[-1].cancel)
        await asyncio.wait(waiting)

    return main


def judged(main: Callable[[], Any], code: Any = Permits, **more: Any) -> Found:
    return explore(main, spec=OwnOracle(GATE.model(), code, **more), runs=20)


def test_a_right_program_is_accepted_and_objects_are_judged_apart() -> None:
    found = judged(program(Permits))
    assert (found.failure, found.runs) == (None, 20)


def test_a_call_without_a_caller_within_another_is_no_second_one() -> None:
    assert judged(program(Counted)).failure is None


def test_the_arguments_of_a_call_are_those_of_the_signature() -> None:
    def put(thing: object, a: int, b: int = 2, *, c: int = 3) -> None:
        pass

    signature = inspect.signature(put)
    assert given(signature, 3, ("q",), {"b": 5, "a": 4}) == ("q", 4, 5)
    assert given(signature, 3, ("q", 4), {}) == ("q", 4, 2)
    assert given(signature, 2, ("q", 4), {}) == ("q", 4)
    assert given(signature, 2, ("q", 4), {"c": 6}) == ("q", 4, 6)
    assert given(signature, 2, ("q",), {"wrong": 6}) == ("q", 6), "the call itself raises"


def test_a_program_at_rest_beside_a_free_permit_is_reported_with_the_rule() -> None:
    found = judged(program(Deaf))
    assert found.failure is not None
    error = found.failure.error
    assert isinstance(error, RuleBroken)
    assert error.rules == ["GATE-3"]
    head, *table = str(error).splitlines()
    assert head == "GATE-3: A task that waits takes a permit that became free."
    assert "  still due: return done to 1, take(1)" in table


def test_the_model_of_an_object_may_depend_on_it() -> None:
    """Here with the wrong constants, so that the second task should wait."""

    async def main() -> None:
        permits = Permits(2)
        await asyncio.gather(permits.acquire(), permits.acquire())

    def model_of(permits: Any) -> Model[Any, Any]:
        k = replace(GATE.model().k, most=permits.most)
        return replace(GATE.model(), k=k, init=(GATE.State(k.most, frozenset()),))

    found = judged(main)
    assert found.failure is not None
    assert "allowed" in str(found.failure.error)
    assert judged(main, model_of=model_of).failure is None


@pytest.mark.parametrize(
    ("main", "told"),
    [
        (program(Permits, tasks=3), "the model has no acquire(2): give it more tasks, or more values"),
        (program(Permits, cancel=True), "gate has no action 'cancel'"),
    ],
)
def test_what_the_model_lacks_is_named(main: Callable[[], Any], told: str) -> None:
    found = judged(main)
    assert found.failure is not None
    assert isinstance(found.failure.error, SpecError)
    assert str(found.failure.error) == told


def test_a_call_within_a_call_is_not_recorded() -> None:
    class Eager(Permits):  # type: ignore[misc]
        """It lets time pass itself, which its callers do not see."""

        async def acquire(self) -> None:
            self.tick()
            await super().acquire()

    async def main() -> None:
        await asyncio.create_task(Eager(1).acquire())

    assert judged(main).failure is None


class Wide:
    """Every task gets a permit."""

    def __init__(self, most: int) -> None:
        self.free = most

    async def acquire(self) -> None:
        self.free -= self.free > 0

    def tick(self) -> None:
        self.free = 1


class Child(Wide):
    """Both methods are inherited."""


class Grandchild(Child):
    """It takes the tick over from the class that it derives from."""

    def tick(self) -> None:
        super().tick()


class Patient:
    """Its objects wait, and are of no class that is judged."""

    async def acquire(self) -> None:
        await asyncio.sleep(0)


class Mixed(Patient, Child):
    """A class that derives from the one that is named, and inherits `acquire` from another."""


@pytest.mark.parametrize(
    ("code", "named"),
    [(Child, Child), (Grandchild, Grandchild), (Grandchild, Wide), (Mixed, Mixed), (Mixed, Child)],
)
def test_calls_of_inherited_methods_are_judged(code: type, named: type) -> None:
    before = [dict(vars(each)) for each in (Wide, Child, Grandchild, Mixed)]
    found = judged(program(code), named)
    assert found.failure is not None
    assert isinstance(found.failure.error, RuleBroken)
    assert "  return done to 1" in str(found.failure.error)
    assert [dict(vars(each)) for each in (Wide, Child, Grandchild, Mixed)] == before


def test_a_right_class_may_inherit_its_methods() -> None:
    class Inherits(Permits):  # type: ignore[misc]
        async def acquire(self) -> None:
            await super().acquire()

    assert judged(program(Inherits), Inherits).verdict == "not exhausted"


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ((int,), "int has no method acquire, tick: it needs one for each action of gate that is not hidden"),
        (
            (Permits, Timeless),
            "Timeless has no method tick: it needs one for each action of gate that is not hidden",
        ),
        ((Permits(1),), "gate: .* is no class: name the class of the objects that it judges"),
        ((), r"gate: name the classes whose objects it judges: OwnOracle\(model, YourClass\)"),
    ],
)
def test_a_class_without_the_methods_of_the_actions_is_refused(named: Any, told: str) -> None:
    with pytest.raises(SpecError, match=f"^{told}$"):
        OwnOracle(GATE.model(), *named)


def test_a_built_in_class_is_refused() -> None:
    spec: Spec[Any, Any] = Spec("clears", GATE.State, extends=GATE.gate, without=["acquire", "tick"])

    @spec.action()
    def clear(k: Any, s: Any) -> Iterator[Any]:
        """GATE-9: Nothing changes."""
        yield s

    with pytest.raises(SpecError, match=r"^calls of deque cannot be recorded, because it is built in: "):
        explore(program(Permits), spec=OwnOracle(GATE.model(spec), deque), runs=1)


def test_a_search_that_judges_no_call_has_failed() -> None:
    found = judged(program(Permits), Deaf)
    assert (found.failure, found.verdict) == (None, "failed")
    assert found.never == ["a call of Deaf (acquire, tick) is judged"]


def test_a_class_that_is_defined_while_the_program_runs_is_refused() -> None:
    """Its inherited calls are recorded, its own are not: to judge some of them would accuse it, or accept it."""

    async def main() -> None:
        class Late(Permits):  # type: ignore[misc]
            def tick(self) -> None:
                self.free = 2

        await asyncio.create_task(Late(1).acquire())

    found = judged(main)
    assert found.failure is not None
    assert str(found.failure.error) == "Late must be defined before the program runs, to be judged"


def test_a_class_without_calls_of_its_own_may_be_defined_while_the_program_runs() -> None:
    async def main() -> None:
        class Late(Permits):  # type: ignore[misc]
            name = "late"

        await asyncio.create_task(Late(1).acquire())

    assert judged(main).verdict == "not exhausted"


def test_hidden_actions_without_a_bound_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    spec: Spec[Any, Any] = Spec("gate", GATE.State, extends=GATE.gate)

    @spec.action(hidden=True)
    def swell(k: Any, s: Any) -> Iterator[Any]:
        """GATE-6: Permits come from nowhere."""
        yield replace(s, free=s.free + 1)

    monkeypatch.setattr(monitor, "MOST_POSSIBLE", 50)
    model = GATE.model(only(spec, "nothing"))
    found = explore(program(Permits), spec=OwnOracle(model, Permits), runs=1)
    assert found.failure is not None
    assert str(found.failure.error).startswith(
        "gate: more than 50 states are possible at line 1: bound what "
    )


def test_a_plain_method_of_a_program_that_returns_an_awaitable_is_refused() -> None:
    found = judged(program(Handed))
    assert found.failure is not None
    assert str(found.failure.error).startswith("acquire is not async, but returns what must be awaited: ")


def test_the_methods_are_as_before_afterwards() -> None:
    before = dict(vars(Permits))
    judged(program(Permits))
    assert dict(vars(Permits)) == before
