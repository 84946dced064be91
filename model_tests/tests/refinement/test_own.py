"""A specification of one's own, without a reference implementation: code is held to it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from spec.kit import Model, Rejected, Spec, SpecError

from ...commands.template import TEXT
from ...refinement.check_implementation import check_implementation
from ...refinement.machines import shortest_paths
from ...refinement.machines.objects import object_adapter
from ...refinement.machines.outcomes import Raised, answer
from ...refinement.machines.shortest_paths import TURN, ScheduleSearch
from ..fixtures import Captured, Patch
from ..process import python
from .gate import CODE, GATE, Deaf, Handed, Permits, Timeless, module

# Any in this file: names of the written files.


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


class Plain(Permits):  # type: ignore[misc]  # as above
    """A call never waits."""

    def acquire(self) -> None:
        self.free -= self.free > 0


def held(code: Any, examples: int = 5) -> None:
    make = object_adapter(lambda k: code(k.most), agrees=CODE.agrees)
    check_implementation(GATE.SMALL, make=make, examples=examples)


def test_code_without_a_reference_is_held_to_the_specification(capsys: Captured) -> None:
    held(Permits)
    check, monitor, machine = capsys.readouterr().out.splitlines()
    assert check == "check: 8 states, 20 edges, depth 4"
    assert monitor.startswith("monitor: ")
    runs, lines = (int(word) for word in monitor.replace(",", "").split() if word.isdigit())
    assert lines > runs > 10
    assert machine == "machine: 5 examples"


def test_code_of_a_user_is_checked_without_the_crawl_and_other_runtimes() -> None:
    """The libraries that Hypothesis loads itself, where they are installed, are not counted."""
    program = "import sys, hypothesis; before = {*sys.modules}; import model_tests.refinement.check_implementation, "
    program += "model_tests.explored.own; print(*sorted({*sys.modules} - before))"
    loaded = python("-c", program, check=True)
    assert "impl.explore" in loaded.stdout
    assert not re.search(r"\b(crawls?|trio|aiohttp|h11|idna|turbohtml)\b", loaded.stdout)


def test_a_specification_that_nothing_implements_asks_for_code() -> None:
    with pytest.raises(SpecError, match=r"gate: nothing here implements it; .* code of yours as make="):
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


@pytest.mark.parametrize(("code", "error", "told"), [
    (Broken, ZeroDivisionError, "the clock is broken"),
    (Awaited, SpecError, r"tick\(\) has no caller that could await it: make it a plain method"),
    (Timeless, SpecError, r"gate\.tick: the adapter does not know this action: .* or declare hidden=True what happens "
     "by itself$"),
    (Plain, Rejected, r"^gate: rejected at line 4: return done to 0\n"),
    (Handed, SpecError, "^acquire is not async, but returns what must be awaited: write `async def acquire`$"),
])  # fmt: skip
def test_wrong_code_is_refused_or_rejected(code: Any, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        held(code)


@pytest.mark.parametrize(("outcome", "word"), [
    (None, "done"),
    (Raised(asyncio.CancelledError()), "cancelled"),
    (Raised(asyncio.QueueFull()), "QueueFull"),
    (3, 3),
    ((3, "done"), (3, "done")),
    ([3], "value [3]"),
    (([3],), "value ([3],)"),
    ("done", "value 'done'"),
    (asyncio.QueueFull(), "value QueueFull()"),
])  # fmt: skip
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
    def cancel(k: Any, s: Any, task: GATE.Task) -> Iterator[Any]:
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
        """GATE-4: A permit becomes free, unseen by programs."""
        if s.free < k.most:
            yield replace(s, free=s.free + 1)

    found: Model[Any, Any] = GATE.model(spec)
    return found


def test_schedules_know_a_hidden_event_without_a_caller() -> None:
    search = ScheduleSearch(hidden_tick(), ["acquire"])
    by = {step.event.name: search.schedule(step) for step in search.found}
    assert "refill" in by
    assert by["refill"][-1] == TURN


def test_schedules_know_a_task_that_is_woken_in_vain() -> None:
    """A tick makes both tasks ready; one of them takes the permit in the next turn, and the other waits on."""
    search = ScheduleSearch(GATE.model(), ["acquire"])
    both = [s for s in search.found if s.event.name == "take" and len(search.states[s.before].waiting) == 2]
    assert both
    for step in both:
        *_, last = search.follow(search.schedule(step))
        assert last == step


def test_a_search_of_schedules_wakes_a_task_once_until_it_runs() -> None:
    """If no call waits, other tasks take a permit before a woken one runs, and the next tick wakes that one again."""
    search = ScheduleSearch(GATE.model(), [], 100)
    assert len(search.found) < 100
    assert max(len(ready) for (_, ready), _ in search.found.values()) == 2


def test_a_search_of_schedules_is_bounded_by_its_points(monkeypatch: Patch) -> None:
    whole = len(ScheduleSearch(GATE.model(), ["acquire"], 15).found)
    monkeypatch.setattr(shortest_paths, "POINTS_PER_STEP", 1)
    assert 0 < len(ScheduleSearch(GATE.model(), ["acquire"], 15).found) < whole
