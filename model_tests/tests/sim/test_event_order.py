"""Our order of events is asyncio's, event by event, with its times, on programs that asyncio gives a fixed order.

programs/test_compare.py checks that random programs agree.  Here small programs pin order and time on both loops, and
detect loops with another order.
"""

from collections import deque
from collections.abc import Callable
from contextvars import Context
from typing import Any

import pytest

import impl

from ...programs.differences import explain
from ...programs.runtimes import Line, Ours, Program, observe

# `Any` in this file: programs are JSON, and a callback's arguments are of any type.
MANY_TURNS = [part for turn in range(4) for part in (["turn"], ["do", ["int", turn]])]


def on_both(program: Program) -> list[Line]:
    """Return the lines of a program; they must be equal on ours and on asyncio."""
    ours = observe(program, "impl")
    assert ours == observe(program, "asyncio")
    return ours


def program(main: list[Any], **bodies: list[Any]) -> Program:
    return {"main": main, "bodies": bodies, "callbacks": {"called": []}}


@pytest.mark.parametrize(
    ("main", "times"),
    [
        ([["let", "t", ["create_task", ["body", "naps"]]], ["await", ["sleep", 0.001]], ["await", "t"]], {1, 2}),
        ([["turn", 4], ["await", ["sleep", 0.003]]], {3}),
        ([["do", ["loop.call_soon", "called"]], ["turn"]], {0}),
        ([["do", ["loop.call_later", 7200, "called"]]], {0, 7_200_000}),
    ],
)  # fmt: skip
def test_time_is_virtual_on_both(main: list[Any], times: set[int]) -> None:
    """A spinner does not move the clock; hours take no time."""
    lines = on_both(program(main, naps=[["await", ["sleep", 0.002]]]))
    assert {time for time, actor, *_ in lines if actor != "end"} == times


def test_a_due_timer_stands_behind_what_was_ready_and_before_what_comes_later() -> None:
    """KERNEL-1: the spinner, ready before, runs first; its next step follows the callback."""
    lines = on_both(
        program(
            [
                ["let", "t", ["create_task", ["body", "spins"]]],
                ["turn"],
                ["do", ["loop.call_later", 0, "called"]],
            ],
            spins=MANY_TURNS,
        )
    )
    order = [what for _, actor, what, _ in lines if actor in ("spins", "called")]
    assert order == ["int(0)", "called", "int(1)", "int(2)", "int(3)"]


# --- the comparison can fail ---------------------------------------------------------------------------------


class LastInFirstOut(impl.Loop):
    """A loop with a call_soon that jumps the queue."""

    __slots__ = ()

    def call_soon(self, callback: Callable[..., object], *args: Any, context: Context | None = None) -> impl.Callback:
        handle = super().call_soon(callback, *args, context=context)
        assert isinstance(self.ready, deque)
        self.ready.rotate(1)
        return handle


class TimersWhenIdle(impl.Loop):
    """A loop that checks its timers only when nothing is ready, so that spinners starve them."""

    __slots__ = ()

    def turn(self) -> None:
        timers, self._timers = self._timers, []
        if not self.ready:
            timers, self._timers = self._timers, timers
        super().turn()
        self._timers = sorted(timers + self._timers)


@pytest.mark.parametrize("broken", [LastInFirstOut, TimersWhenIdle])
def test_a_loop_of_another_order_is_found(broken: type[impl.Loop]) -> None:
    """Two tasks spin, a callback is scheduled behind them, and a timer becomes due."""
    begin = [["let", name, ["create_task", ["body", name]]] for name in ("one", "two")]
    schedules = [["do", ["loop.call_soon", "called"]], ["do", ["loop.call_later", 0, "called"]]]
    main = [*begin, ["turn"], *schedules, ["turn", 9]]
    two_spin = program(main, one=MANY_TURNS, two=MANY_TURNS)
    assert explain(two_spin, observe(two_spin, Ours(loop=broken())), on_both(two_spin)) is None
