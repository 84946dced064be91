"""Barrier, beyond the vectors: all orders of a few moves, its attributes, and the class of its error.

Barrier has no specification.  In its place, `wrong` counts the tasks of small runs, independently of the class.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import impl

from ...implementations.all_mutants import BY_NAME
from ...programs.enumeration import interleavings
from ...refinement.subjects import LoopLike, TaskLike, one_turn

#: A Barrier class, of impl or of asyncio.
BarrierClass = Any


def test_what_it_shows() -> None:
    barrier = impl.Barrier(2)
    impl.run(barrier.abort())
    assert (barrier.parties, repr(barrier)) == (2, "<Barrier [broken]>")


async def test_the_error_is_its_own_class_attribute() -> None:
    """A bridge uses another runtime's."""
    barrier = type("Other", (impl.Barrier,), {"Broken": KeyError})(2)
    await barrier.abort()
    with pytest.raises(KeyError):
        await barrier.wait()


def wrong(barrier: BarrierClass, loop: LoopLike, waiters: int, moves: str) -> bool:
    """Return whether a run breaks BARRIER-1 or BARRIER-4: so many tasks wait for one more, then the moves follow:
    a task comes (h), a waiter is cancelled (its number), the loop runs one iteration (t).
    """
    parties = waiters + 1
    gate, numbers, began = barrier(parties), list[int](), list[int]()
    tasks: list[TaskLike] = []

    async def waits(task: int) -> None:
        began.append(task)
        numbers.append(await gate.wait())

    def come() -> None:
        tasks.append(loop.create_task(waits(len(tasks)), name=f"W{len(tasks)}"))

    for _ in range(waiters):
        come()
    one_turn(loop)
    cancelled = set()
    for move in moves + "t" * 16:
        if move == "h":
            come()
        elif move == "t":
            one_turn(loop)
        elif tasks[int(move) - 1].cancel():
            cancelled.add(int(move) - 1)
    left = [task for task in tasks if not task.done()]
    told = {number for number, task in enumerate(tasks) if task.done() and task.cancelled()}
    for task in left:
        task.cancel()
    one_turn(loop)
    loop.close()
    opened = bool(numbers)
    return (
        told != cancelled
        or len(left) >= parties
        or (opened and len(began) < parties)
        or sorted(set(numbers)) != sorted(numbers)
        or not set(numbers) <= set(range(parties))
    )


def first_wrong(barrier: BarrierClass, new_loop: Callable[[], LoopLike], waiters: int) -> str | None:
    """Return the shortest moves after which a run is wrong; None if there are none."""
    cancels = "123"[:waiters]
    length = 7 - waiters
    found = interleavings("h" + cancels + "t", length, length)
    return next((moves for moves in found if wrong(barrier, new_loop(), waiters, moves)), None)


@pytest.mark.parametrize("waiters", [2, 3])
def test_all_orders_of_a_few_moves(waiters: int) -> None:
    """BARRIER-1, BARRIER-4."""
    assert first_wrong(impl.Barrier, impl.Loop, waiters) is None


def test_a_wrong_barrier_is_caught() -> None:
    """BARRIER-1: asyncio has the same defect (gh-155233)."""
    assert first_wrong(BY_NAME["BarrierNumbersByCount"].wrong, impl.Loop, 2) == "1hh"
    assert first_wrong(asyncio.Barrier, asyncio.new_event_loop, 2) == "1hh"


async def test_an_aborted_barrier_of_one_party_does_not_open() -> None:
    """BARRIER-3: although the party that waits is all of them."""
    barrier = impl.Barrier(1)
    await barrier.abort()
    with pytest.raises(impl.BrokenBarrierError, match="aborted"):
        await barrier.wait()
    assert barrier.broken
