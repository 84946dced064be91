"""The kernel against its literal definition: iterations, the clock, and the two ends of a program that cannot go on."""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

import impl
from impl.interfaces import Runnable
from impl.sim.choices import Choices
from impl.sim.inject import Injection
from impl.sim.kernel import Kernel

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
@example(([(1, None)], [(0, 3), (3, 2)], [(2, None)], [(2, 2)]))  # twice TURNS_MAX iterations at one instant
def test_the_kernel_is_its_definition(program: Sequence[Acts]) -> None:
    """KERNEL-1, KERNEL-2, KERNEL-3."""
    log, end = ran(program)
    event(end)
    iterations = defined(program)
    if end == "livelock":
        iterations = iterations[: lengths(iterations).index(len(log)) + 1]
        spun = [iteration for iteration in iterations if iteration[0][0] == log[-1][0]]
        assert TURNS_MAX <= len(spun) <= 2 * TURNS_MAX
    else:
        spins = Counter(iteration[0][0] for iteration in iterations)
        assert max(spins.values()) <= 2 * TURNS_MAX
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


class Sleeper(Runnable):
    """The end of a sleep, which may be cancelled; it stops the kernel."""

    __slots__ = ("cancelled", "kernel")

    only_wakes = True

    def __init__(self, kernel: Kernel) -> None:
        self.kernel, self.cancelled = kernel, False

    def dead(self) -> bool:
        return self.cancelled

    def run(self) -> None:
        self.kernel.stopping = True


def test_a_late_timer_keeps_no_other_one_from_its_time() -> None:
    kernel = Kernel(choices=Choices.listed({"faults": [1]}), inject=Injection(late_freely=True))
    first, second, third = sleepers = [Sleeper(kernel) for _ in range(3)]
    for when, sleeper in zip((1, 2, 9), sleepers, strict=True):
        kernel.timer(when, sleeper)
    kernel.advance(5)
    assert list(kernel.ready) == [second, first]
    assert kernel.outstanding() == [second, first, "in 4", third]


def test_a_cancelled_timer_is_no_part_of_the_state() -> None:
    kernel = Kernel()
    sleepers = [Sleeper(kernel), Sleeper(kernel)]
    for sleeper in sleepers:
        kernel.at(5, sleeper)
    sleepers[0].cancelled = True
    assert kernel.outstanding() == ["in 5", sleepers[1]]


def test_a_loop_that_is_stopped_ends_though_nothing_is_done() -> None:
    kernel = Kernel()
    kernel.ready.append(Sleeper(kernel))
    kernel.run_until(lambda: False)
    assert kernel.stopping
