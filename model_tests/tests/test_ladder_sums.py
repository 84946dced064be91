"""Rung 27: two threads may lose updates of a sum, under a lock they lose none, and coroutines never do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

import pytest

from impl import Choices
from impl.ladder.measure import a_world
from impl.ladder.rungs.sums import (
    TIMES,
    add_carelessly,
    in_two_coroutines,
    with_a_lock,
    with_coroutines,
    with_threads,
)
from impl.ladder.world.interfaces import World
from impl.ladder.world.real import RealWorld
from impl.ladder.world.simulated import SimulatedWorld
from impl.web.site import Site

NOTHING = Site({}, ())


@contextmanager
def simulated(choices: Choices) -> Iterator[World]:
    world = SimulatedWorld(NOTHING, choices)
    try:
        yield world
    finally:
        world.close()


def threads(choices: Choices, times: int = TIMES) -> int:
    with simulated(choices) as world:
        return with_threads(world, times)


def locked(choices: Choices, times: int = TIMES) -> int:
    with simulated(choices) as world:
        return with_a_lock(world, times)


def coroutines(choices: Choices, times: int = TIMES) -> int:
    return with_coroutines(choices.schedule, times)


def careless(choices: Choices, times: int = TIMES) -> int:
    return in_two_coroutines(choices.schedule, add_carelessly, times)


def run_of(program: Callable[[Choices], int], prefix: tuple[int, ...]) -> tuple[list[int], int]:
    """The widths of the choices of the run that begins so and goes on plainly, and its result."""
    widths: list[int] = []

    def source(n: int) -> int:
        widths.append(n)
        return prefix[len(widths) - 1] if len(widths) <= len(prefix) else 0

    return widths, program(Choices(lambda lane: source))


def every_run(program: Callable[[Choices], int]) -> dict[tuple[int, ...], int]:
    """The results of all runs, by what was drawn."""
    found: dict[tuple[int, ...], int] = {}
    todo: list[tuple[int, ...]] = [()]
    while todo:
        prefix = todo.pop()
        widths, result = run_of(program, prefix)
        drawn = prefix + (0,) * (len(widths) - len(prefix))
        found[drawn] = result
        for at in range(len(prefix), len(widths)):
            todo += [(*drawn[:at], value) for value in range(1, widths[at])]
    return found


def test_two_threads_one_after_the_other_lose_nothing() -> None:
    assert threads(Choices.plain()) == 2 * TIMES


def test_two_threads_lose_updates() -> None:
    """10,000 each, under the smallest seed that loses; the same every time."""
    seed = next(seed for seed in count() if threads(Choices.seeded(seed)) < 2 * TIMES)
    assert (seed, threads(Choices.seeded(seed))) == (0, 12555)


def test_the_smallest_loss() -> None:
    """Once each: both read, then both write.  Of all runs, these lose."""
    runs = every_run(lambda choices: threads(choices, 1))
    assert set(runs.values()) == {1, 2}
    least = min((drawn for drawn, total in runs.items() if total < 2), key=lambda drawn: (sum(drawn), drawn))
    assert least == (0, 0, 1, 1, 0, 0)
    assert threads(Choices.listed({"schedule": least}), 1) == 1
    assert [threads(Choices.seeded(seed), 1) for seed in range(3)] == [1, 2, 2]


def test_what_two_threads_may_come_to() -> None:
    """All runs of twice each: the sum is anything from 2 to 4, under a lock always 4."""
    assert set(every_run(lambda choices: threads(choices, 2)).values()) == {2, 3, 4}
    assert set(every_run(lambda choices: locked(choices, 2)).values()) == {4}


@pytest.mark.parametrize("seed", [0, 1])
def test_under_a_lock_none_is_lost(seed: int) -> None:
    assert locked(Choices.seeded(seed)) == 2 * TIMES


def test_coroutines_lose_nothing_under_every_order() -> None:
    assert set(every_run(lambda choices: coroutines(choices, 4)).values()) == {8}
    assert [coroutines(Choices.seeded(seed)) for seed in range(20)] == [20_000] * 20


def test_coroutines_that_wait_between_the_read_and_the_write_lose_too() -> None:
    assert set(every_run(lambda choices: careless(choices, 1)).values()) == {1, 2}
    assert careless(Choices.seeded(0)) < 20_000


def test_on_real_threads() -> None:
    world = RealWorld(NOTHING)
    try:
        assert with_a_lock(a_world(world), 300) == 600
        assert 2 <= with_threads(a_world(world), 300) <= 600
    finally:
        world.close()
