"""Our order of events is asyncio's, event by event, on random programs whose order asyncio fixes.

Both run the same data (programs/random_programs.py) in virtual time.  What is compared is the whole list of events,
with its times.  Seeds give programs in bulk; lists of small numbers give programs that Hypothesis shrinks.  A
program that fails is printed with the first event that differs.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from contextvars import Context
from pprint import pformat
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impl

from ..programs.interpreter import OURS, VIRTUAL_ASYNCIO, Event, run
from ..programs.random_programs import (
    CallAtOnce,
    CallSoon,
    Pause,
    Program,
    Resolve,
    Sleep,
    Spawn,
    program,
)
from ..subjects import IMPL, Deviation, LoopLike

#: gh-116720: before CPython 3.13 uncancel() to zero does not withdraw an undelivered cancel, so it is left out there.
UNCANCEL = Deviation.UNCANCEL not in VIRTUAL_ASYNCIO.subject.deviations

PROGRAMS = 1000
EVENTS_MIN = 20_000
#: In how many of the programs each of these must have been seen, at least.
SEEN_MIN = {
    "cancelled": 400,
    "swallowed": 100,
    "cleanup": 200,
    "CallLater": 300,
    "Sleep": 300,
    "turn": 400,
    "CallAtOnce": 100,
    "Get": 250,
    "Put": 250,
    "Join": 150,
    "AddCallback": 150,
    "AwaitChild": 200,
    "failed": 20,
    "handler": 50,
    "waits for ever": 300,
}


def drawn(choices: impl.Choices) -> Program:
    return program(choices.program, uncancel=UNCANCEL)


def difference(drawn: Program, new_loop: Callable[[], LoopLike] = IMPL.new_loop) -> tuple[list[Event], str]:
    """Our events, and in words where asyncio's differ from them: empty if nowhere."""
    ours, theirs = run(drawn, OURS, new_loop), run(drawn, VIRTUAL_ASYNCIO)
    if ours == theirs:
        return ours, ""
    same = next(
        (n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs))
    )
    return ours, "\n".join(
        [
            pformat(drawn),
            f"the same until event {same}: {pformat(ours[max(0, same - 3) : same])}",
            f"ours:    {ours[same : same + 1]}",
            f"asyncio: {theirs[same : same + 1]}",
        ]
    )


def seen(events: Iterable[Event]) -> set[str]:
    """What a run exercised, in the words of SEEN_MIN."""
    found = set()
    for _, who, what, result in events:
        found |= {what, who} | ({result} if result in ("cancelled", "failed") and what != "end" else set())
        if what == "rest" and result:
            found.add("waits for ever")
    return found


def test_our_order_is_asyncios_on_a_thousand_seeds(full: bool) -> None:
    programs = PROGRAMS * (10 if full else 1)
    count: Counter[str] = Counter()
    events = 0
    for seed in range(programs):
        ours, differs = difference(drawn(impl.Choices.seeded(seed)))
        assert not differs, f"seed {seed}\n{differs}"
        events += len(ours)
        count.update(seen(ours))
    assert events > EVENTS_MIN
    assert {what: count[what] for what, least in SEEN_MIN.items() if count[what] < least} == {}


@settings(max_examples=200)
@given(st.lists(st.integers(0, 7), max_size=120))
def test_our_order_is_asyncios_on_what_shrinks(values: list[int]) -> None:
    _, differs = difference(drawn(impl.Choices.listed({"program": values})))
    assert not differs, differs


# --- the comparison sees what it is to see -------------------------------------------------------------------


class LastInFirstOut(impl.Loop):
    """A loop whose call_soon jumps the queue."""

    __slots__ = ()

    def call_soon(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> impl.Callback:  # Any: as the base class
        handle = super().call_soon(callback, *args, context=context)
        assert isinstance(self.ready, deque)
        self.ready.rotate(1)
        return handle


class TimersWhenIdle(impl.Loop):
    """A loop that looks at its timers only when nothing is ready, so that spinners starve them."""

    __slots__ = ()

    def turn(self) -> None:
        timers, self._timers = self._timers, []
        if not self.ready:
            timers, self._timers = self._timers, timers
        super().turn()
        self._timers = sorted(timers + self._timers)


SPINNER_BESIDE_TIMER = Program(1, (0,), (Spawn((Pause(4),)), Pause(1), CallAtOnce(())))


@pytest.mark.parametrize("broken", [LastInFirstOut, TimersWhenIdle])
def test_a_loop_of_another_order_is_found(broken: type[impl.Loop]) -> None:
    found = (difference(drawn(impl.Choices.seeded(seed)), broken)[1] for seed in range(PROGRAMS))
    assert any(found)


@pytest.mark.parametrize(
    ("name", "body", "times"),
    [
        ("two sleeps", (Spawn((Sleep(2),)), Sleep(1)), [0, 1, 2]),
        ("a spinner does not move the clock", (Pause(4), Sleep(3)), [0, 3]),
        ("call_soon", (CallSoon((Resolve(0, False),)),), [0]),
    ],
)
def test_time_is_virtual_on_both(
    name: str, body: tuple[Spawn | Sleep | Pause | CallSoon, ...], times: list[int]
) -> None:
    ours, differs = difference(Program(1, (0,), body))
    assert not differs
    assert sorted({time for time, *_ in ours}) == times


def test_a_due_timer_stands_behind_what_was_ready_and_before_what_comes_later() -> None:
    """KERNEL-1: the spinner, ready before, goes first; its next turn comes after the callback."""
    ours, differs = difference(SPINNER_BESIDE_TIMER)
    assert not differs
    order = [
        result if what == "turn" else "timer"
        for _, who, what, result in ours
        if what == "called" or (who[0] == "1" and what == "turn")
    ]
    assert order == [0, "timer", 1, 2, 3]


def test_the_same_list_is_the_same_program() -> None:
    """A program is its choices: drawn again from what was drawn, it is equal, and shorter lists are valid too."""
    choices = impl.Choices.seeded(3)
    first = drawn(choices)
    values = choices.drawn()["program"]
    assert drawn(impl.Choices.listed({"program": values})) == first
    for length in range(len(values)):
        drawn(impl.Choices.listed({"program": values[:length]}))


def test_the_smallest_program_is_empty() -> None:
    assert drawn(impl.Choices.plain()) == Program(1, (0,), ())
