"""`schedules()`: the smallest example is reached, inputs and schedule together."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
import trio
from hypothesis import HealthCheck, find, settings
from hypothesis import strategies as st

from impl.errors import DeadlockError

from ...explored import Schedule, schedules, strategy
from .programs import NAMES, Main

SEEDS = 3
WANTS = st.lists(st.integers(1, 3), min_size=1, max_size=5)


def smallest(examples: st.SearchStrategy[Any], fails: Callable[..., bool], seed: int) -> Any:
    """The example that Hypothesis reports."""
    how = settings(max_examples=3000, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    return find(examples, lambda example: fails(*example), settings=how, random=random.Random(seed))


def raises(schedule: Schedule, main: Main, **options: Any) -> bool:
    """Whether the program fails under this schedule."""
    try:
        schedule.run(main, **options)
    except (AssertionError, DeadlockError):
        return True
    return False


async def shop(stock: int, wants: list[int]) -> None:
    """The program of the documentation: it checks, waits, and acts."""
    left = stock

    async def buy(amount: int) -> None:
        nonlocal left
        if left >= amount:
            await asyncio.sleep(0)
            left -= amount

    await asyncio.gather(*map(buy, wants))
    assert left >= 0


@pytest.mark.parametrize("seed", range(SEEDS))
def test_inputs_and_schedule_shrink_to_the_least_of_both(seed: int) -> None:
    stock, wants, schedule = smallest(
        st.tuples(st.integers(1, 5), WANTS, schedules()),
        lambda stock, wants, schedule: raises(schedule, lambda: shop(stock, wants)),
        seed,
    )
    assert (stock, wants, schedule) == (1, [1, 1], Schedule())
    assert repr(schedule) == "Schedule()"


async def torn(bystanders: int) -> None:
    """A reader sees a value between two writes, unless the tasks run in asyncio's own order."""
    value = 0

    async def write() -> None:
        nonlocal value
        value += 1
        await asyncio.sleep(0)
        value += 1

    async def read() -> None:
        await asyncio.sleep(0)
        assert value != 1

    await asyncio.gather(write(), read(), *(asyncio.sleep(0) for _ in range(bystanders)))


def test_a_schedule_that_must_deviate_does_so_once() -> None:
    assert not raises(Schedule(), lambda: torn(0))
    bystanders, schedule = smallest(
        st.tuples(st.integers(0, 3), schedules()),
        lambda bystanders, schedule: raises(schedule, lambda: torn(bystanders)),
        0,
    )
    assert bystanders == 0
    assert [value for value in schedule.schedule if value] == [1]


def test_the_documented_example_fails_with_that_example() -> None:
    """The docstring is run as it stands."""
    text = strategy.__doc__ or ""
    program = "\n".join(line.removeprefix("    ") for line in text.splitlines() if line.startswith("    "))
    space: dict[str, Any] = {}
    exec(program, space)
    with pytest.raises(AssertionError) as failure:
        settings(database=None, deadline=None)(space["test_shop"])()
    notes = "\n".join(failure.value.__notes__)
    for line in ("stock=1,", "wants=[1, 1],", "schedule=Schedule(),"):
        assert line in notes
        assert line.rstrip(",") in text


@pytest.mark.parametrize("runtime", ["asyncio", "impl", "trio"])
def test_every_runtime_has_other_orders(runtime: Any) -> None:
    async def main() -> str:
        order: list[str] = []

        async def note(name: str) -> None:
            order.append(name)

        if runtime == "trio":
            async with trio.open_nursery() as nursery:
                for name in "abc":
                    nursery.start_soon(note, name)
        else:
            await NAMES[runtime].gather(*map(note, "abc"))
        return "".join(order)

    seen = {Schedule(bytes(drawn)).run(main, runtime=runtime) for drawn in product(range(3), repeat=3)}
    assert seen == {"abc", "acb", "bac", "bca", "cab", "cba"}


def test_a_wide_choice_takes_more_bytes() -> None:
    drawn = Schedule(network=bytes([1, 2, 3])).choices().network
    assert [drawn(1000), drawn(256), drawn(2), drawn(1)] == [0x102, 3, 0, 0]


def test_a_lane_that_is_not_drawn_is_plain() -> None:
    found = find(schedules(["network"]), lambda each: each.network > b"", settings=settings(database=None))
    assert found == Schedule(network=b"\0")
    with pytest.raises(ValueError, match=r"no such lane: net; .* are schedule, network, faults, program"):
        schedules(["net"])
    with pytest.raises(ValueError, match="no such runtime"):
        Schedule().run(lambda: shop(1, [1]), runtime="curio")  # type: ignore[arg-type]
