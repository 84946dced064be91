"""The kernel: its iterations and its clock are their literal definition, and its order of events is asyncio's.

programs/test_compare.py checks that random programs agree with asyncio.  Here small programs pin order and time on both
loops, and detect loops with another order.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextvars import Context
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import impl
from impl.interfaces import Runnable
from impl.sim.kernel import Kernel

from ...programs.differences import explain
from ...programs.runtimes import Line, Ours, Program, observe
from ...refinement.held import HeldRuns

EXAMPLES = 100
#: Iterations at one instant that are a livelock; and the items after which a program is stopped.
TURNS_MAX, STOPPED = 5, 80
HELD = [HeldRuns(rule, ("impl",), examples=EXAMPLES) for rule in ("KERNEL-1", "KERNEL-2", "KERNEL-3")]

#: The items that an item makes ready when it runs, each now (None) or so many nanoseconds later.
Acts = Sequence[tuple[int, int | None]]
Log = list[tuple[int, int]]
acts = st.lists(st.tuples(st.integers(0, 3), st.none() | st.integers(0, 3)), max_size=2)
programs = st.tuples(acts, acts, acts, acts)


class Item(Runnable):
    """An item of a program, which notes the time and its number."""

    __slots__ = ("kernel", "log", "number", "program")

    def __init__(self, kernel: Kernel, program: Sequence[Acts], log: Log, number: int) -> None:
        self.kernel, self.program, self.log, self.number = kernel, program, log, number

    def run(self) -> None:
        kernel = self.kernel
        self.log.append((kernel.now, self.number))
        for number, delay in self.program[self.number]:
            made = Item(kernel, self.program, self.log, number)
            if delay is None:
                kernel.ready.append(made)
            else:
                kernel.at(kernel.now + delay, made)
        kernel.stopping = len(self.log) >= STOPPED


def ran(program: Sequence[Acts]) -> tuple[Log, str]:
    """Run a program on the kernel, with item 0 ready; return its notes, and how it ended."""
    kernel, log = Kernel(turns_max=TURNS_MAX), Log()
    kernel.ready.append(Item(kernel, program, log, 0))
    try:
        kernel.run_turns()
    except impl.LivelockError:
        return log, "livelock"
    except impl.DeadlockError:
        return log, "deadlock"
    return log, "stopped"


def defined(program: Sequence[Acts]) -> list[Log]:
    """Return the notes of each iteration, by definition, until nothing can happen, or the program is stopped.

    A program that never stops spinning has more iterations at one instant than any kernel may run.
    """
    now, ready, timers = 0, [0], list[tuple[int, int, int]]()
    iterations: list[Log] = []
    set_ = 0
    while (ready or timers) and sum(map(len, iterations)) < STOPPED:
        now = now if ready else max(now, min(timers)[0])
        due = sorted(timer for timer in timers if timer[0] <= now)
        timers = [timer for timer in timers if timer[0] > now]
        batch, ready = ready + [number for _, _, number in due], []
        iterations.append([(now, number) for number in batch])
        for number in batch:
            for made, delay in program[number]:
                if delay is None:
                    ready.append(made)
                else:
                    set_ += 1
                    timers.append((now + delay, set_, made))
    return iterations


@settings(max_examples=EXAMPLES)
@given(programs)
def test_the_kernel_is_its_definition(program: Sequence[Acts]) -> None:
    """KERNEL-1, KERNEL-2, KERNEL-3."""
    log, end = ran(program)
    event(end)
    iterations = defined(program)
    if end == "livelock":
        iterations = iterations[: lengths(iterations).index(len(log)) + 1]
        spun = [iteration for iteration in iterations if iteration[0][0] == log[-1][0]]
        assert TURNS_MAX <= len(spun) < 2 * TURNS_MAX
    else:
        spins = Counter(iteration[0][0] for iteration in iterations)
        assert max(spins.values()) < 2 * TURNS_MAX
        assert end == ("deadlock" if len(log) < STOPPED else "stopped")
    assert log == [noted for iteration in iterations for noted in iteration]


def lengths(iterations: Sequence[Log]) -> list[int]:
    """Return the length of the log after each iteration."""
    return list(accumulate(map(len, iterations)))


@pytest.mark.parametrize(
    ("program", "end"),
    [([[]], "deadlock"), ([[(0, None)]], "livelock"), ([[(0, 0)]], "livelock"), ([[(0, 1)]], "stopped")],
)
def test_each_end_has_a_program(program: Sequence[Acts], end: str) -> None:
    assert ran(program)[1] == end


# `Any` in this file: programs are JSON, and a callback's arguments are of any type.
MANY_TURNS = [part for turn in range(4) for part in (["turn"], ["do", ["int", turn]])]


def on_both(program: Program) -> list[Line]:
    """Return the lines of a program; they must be equal on ours and on asyncio."""
    ours = observe(program, "impl")
    assert ours == observe(program, "asyncio")
    return ours


def program_of(main: list[Any], **bodies: list[Any]) -> Program:
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
    lines = on_both(program_of(main, naps=[["await", ["sleep", 0.002]]]))
    assert {time for time, actor, *_ in lines if actor != "end"} == times


def test_a_due_timer_stands_behind_what_was_ready_and_before_what_comes_later() -> None:
    """KERNEL-1: the spinner, ready before, runs first; its next step follows the callback."""
    lines = on_both(
        program_of(
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

    def call_soon(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> impl.Callback:
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
    two_spin = program_of(main, one=MANY_TURNS, two=MANY_TURNS)
    assert explain(two_spin, observe(two_spin, Ours(loop=broken())), on_both(two_spin)) is None
