"""Programs that are judged by a specification of one's own: the classes and calls that are recorded."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from impl.explore import CannotExplore
from spec.kit import Model, Spec, SpecError, monitor, only

from ...explored import OwnOracle, explore
from ...explored.instrumentation import RuleBroken
from ...explored.methods import given
from ..fixtures import Patch
from .gate import GATE, Counted, Deaf, Handed, Permits, Timeless, judged, program

# Any in this file: names of the written files.


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


@pytest.mark.parametrize(("main", "told"), [
    (program(Permits, tasks=3), "the model has no acquire(2): give it more tasks, or more values"),
    (program(Permits, cancel=True),
     "gate has no action 'cancel', and a task is cancelled in a call: add the action cancel(task)"),
])  # fmt: skip
def test_what_the_model_lacks_is_named(main: Callable[[], Any], told: str) -> None:
    with pytest.raises(CannotExplore, match=f"^cannot be explored: {re.escape(told)}$") as refused:
        judged(main)
    assert refused.value.found.verdict == "refused"


def test_a_program_that_fails_by_itself_fails_though_the_model_is_too_small() -> None:
    async def main() -> None:
        await program(Permits, tasks=3)()
        raise AssertionError("too few")

    found = judged(main)
    assert found.failure is not None
    assert str(found.failure.error) == "too few"


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


@pytest.mark.parametrize(("named", "told"), [
    ((int,), "int has no method acquire, tick: it needs one for each action of gate that is not hidden"),
    ((Permits, Timeless), "Timeless has no method tick: it needs one for each action of gate that is not hidden"),
    ((Permits(1),), "gate: .* is no class: name the class of the objects that it judges"),
    ((), r"gate: name the classes whose objects it judges: OwnOracle\(model, YourClass\)"),
])  # fmt: skip
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

    with pytest.raises(CannotExplore, match="Late must be defined before the program runs, to be judged"):
        judged(main)


def test_a_class_without_calls_of_its_own_may_be_defined_while_the_program_runs() -> None:
    async def main() -> None:
        class Late(Permits):  # type: ignore[misc]
            name = "late"

        await asyncio.create_task(Late(1).acquire())

    assert judged(main).verdict == "not exhausted"


def test_hidden_actions_without_a_bound_end_the_run(monkeypatch: Patch) -> None:
    spec: Spec[Any, Any] = Spec("gate", GATE.State, extends=GATE.gate)

    @spec.action(hidden=True)
    def swell(k: Any, s: Any) -> Iterator[Any]:
        """GATE-6: Permits come from nowhere."""
        yield replace(s, free=s.free + 1)

    monkeypatch.setattr(monitor, "MOST_POSSIBLE", 50)
    model = GATE.model(only(spec, "nothing"))
    found = explore(program(Permits), spec=OwnOracle(model, Permits), runs=1)
    assert found.failure is not None
    assert str(found.failure.error).startswith("gate: more than 50 states are possible at line 1: bound ")


def test_a_plain_method_of_a_program_that_returns_an_awaitable_is_refused() -> None:
    found = judged(program(Handed))
    assert found.failure is not None
    assert str(found.failure.error).startswith("acquire is not async, but returns what must be awaited: ")
