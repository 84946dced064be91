"""Rung 27: two threads may lose updates of a sum, with a lock they lose none, and coroutines never do."""

from collections.abc import Callable

import pytest

from impl import Choices, DeadlockError
from impl.explore.choices.odometer import Odometer
from impl.ladder.rungs.sums import (
    TIMES,
    add_carelessly,
    in_two_coroutines,
    with_a_lock,
    with_coroutines,
    with_threads,
)
from impl.sim.baton import ENDINGS_MAX

from .conftest import simulated


def threads(choices: Choices, times: int = TIMES) -> int:
    with simulated(choices=choices) as world:
        return with_threads(world, times)


def locked(choices: Choices, times: int = TIMES) -> int:
    with simulated(choices=choices) as world:
        return with_a_lock(world, times)


def coroutines(choices: Choices, times: int = TIMES) -> int:
    return with_coroutines(choices.schedule, times)


def careless(choices: Choices, times: int = TIMES) -> int:
    return in_two_coroutines(choices.schedule, add_carelessly, times)


def every_run(program: Callable[[Choices], int]) -> dict[tuple[int, ...], int]:
    """The results of all runs, by the numbers drawn."""
    found: dict[tuple[int, ...], int] = {}
    odometer = Odometer()
    while True:
        total = program(odometer.choices())
        found[tuple(odometer.path)] = total
        if not odometer.next():
            return found


def test_two_threads_lose_updates() -> None:
    """10,000 each: none one after the other; some under the smallest seed that loses, the same each time."""
    assert threads(Choices.plain()) == 2 * TIMES
    seed = next(seed for seed in range(5) if threads(Choices.seeded(seed)) < 2 * TIMES)
    assert (seed, threads(Choices.seeded(seed))) == (0, 12555)


def test_the_smallest_loss() -> None:
    """One update each: both threads read, then both write."""
    runs = every_run(lambda choices: threads(choices, 1))
    assert set(runs.values()) == {1, 2}
    least = min((drawn for drawn, total in runs.items() if total < 2), key=lambda drawn: (sum(drawn), drawn))
    assert least == (0, 0, 1, 1, 0, 0)
    assert threads(Choices.listed({"schedule": least}), 1) == 1


def test_what_all_runs_of_two_updates_each_give() -> None:
    """From threads any sum from 2 to 4, with a lock always 4."""
    assert set(every_run(lambda choices: threads(choices, 2)).values()) == {2, 3, 4}
    assert set(every_run(lambda choices: locked(choices, 2)).values()) == {4}
    assert locked(Choices.seeded(0)) == 2 * TIMES


def test_coroutines_lose_nothing_under_every_order() -> None:
    assert set(every_run(lambda choices: coroutines(choices, 4)).values()) == {8}
    assert coroutines(Choices.seeded(0)) == 2 * TIMES


def test_coroutines_that_wait_between_the_read_and_the_write_lose_too() -> None:
    assert set(every_run(lambda choices: careless(choices, 1)).values()) == {1, 2}
    assert careless(Choices.seeded(0)) < 2 * TIMES


def test_the_end_of_an_environment_leaves_a_thread_that_catches_each_error() -> None:
    caught: list[BaseException] = []
    with simulated() as world:
        never = world.SimpleQueue()

        def poll() -> None:
            while True:
                try:
                    never.get()
                except BaseException as error:
                    caught.append(error)

        world.Thread(target=poll).start()
        with pytest.raises(DeadlockError):
            never.get()
    assert len(caught) == ENDINGS_MAX
