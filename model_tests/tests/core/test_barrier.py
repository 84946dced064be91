"""Barrier: parties, the numbers that wait() returns, draining, reset, abort, cancelled waiters.

Barrier has no specification.  In its place, `wrong` counts the tasks of small runs, independently of the class.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import impl
from impl import sleep

from ...museum.wrong_locks import CountsParties
from ...programs.enumeration import interleavings
from ...refinement.subjects import LoopLike, TaskLike, one_turn

#: A Barrier class, of impl or of asyncio.
BarrierClass = Any


async def turns(number: int = 9) -> None:
    for _ in range(number):
        await sleep(0)


@pytest.mark.parametrize("parties", [0, -1])
def test_it_takes_a_party(parties: int) -> None:
    with pytest.raises(ValueError, match="parties"):
        impl.Barrier(parties)


def test_one_party_never_waits() -> None:
    barrier = impl.Barrier(1)
    for _ in range(2):
        assert impl.run(barrier.wait()) == 0


def test_all_go_on_when_the_last_has_come() -> None:
    """BARRIER-1: each returns its own number; several times."""

    async def main() -> list[list[int]]:
        barrier = impl.Barrier(3)
        rounds = []
        for _ in range(3):
            tasks = [impl.create_task(barrier.wait()) for _ in range(2)]
            await turns()
            assert (barrier.n_waiting, barrier.parties, barrier.broken) == (2, 3, False)
            assert not any(task.done() for task in tasks)
            place = await barrier.wait()
            rounds.append([place, *[await task for task in tasks]])
            assert barrier.n_waiting == 0
        return rounds

    assert [sorted(places) for places in impl.run(main())] == [[0, 1, 2]] * 3


def test_async_with_gives_the_place() -> None:
    async def main() -> int:
        async with impl.Barrier(1) as place:
            return place

    assert impl.run(main()) == 0


def test_no_place_is_taken_twice_after_a_cancel() -> None:
    """BARRIER-1, BARRIER-4 (gh-155233)."""

    async def main() -> list[int]:
        barrier = impl.Barrier(3)
        first, second = (impl.create_task(barrier.wait()) for _ in range(2))
        await turns()
        first.cancel()
        await turns()
        assert (first.cancelled(), barrier.n_waiting) == (True, 1)
        others = [impl.create_task(barrier.wait()) for _ in range(2)]
        return [await task for task in (second, *others)]

    assert sorted(impl.run(main())) == [0, 1, 2]


def test_newcomers_wait_while_it_drains() -> None:
    """BARRIER-5: a task that waits again at once does not take part in the same opening twice."""

    async def main() -> list[tuple[str, int]]:
        barrier = impl.Barrier(2)
        passed: list[tuple[str, int]] = []

        async def goes_round(name: str) -> None:
            for lap in range(3):
                await barrier.wait()
                passed.append((name, lap))

        tasks = [impl.create_task(goes_round(name)) for name in "ab"]
        for task in tasks:
            await task
        return passed

    laps = [lap for _, lap in impl.run(main())]
    assert laps == [0, 0, 1, 1, 2, 2]


def test_reset_breaks_the_waiters_and_leaves_the_barrier_new() -> None:
    """BARRIER-2."""

    async def main() -> list[int]:
        barrier = impl.Barrier(3)
        tasks = [impl.create_task(barrier.wait()) for _ in range(2)]
        await turns()
        await barrier.reset()
        for task in tasks:
            with pytest.raises(impl.BrokenBarrierError):
                await task
        assert (barrier.n_waiting, barrier.broken) == (0, False)
        tasks = [impl.create_task(barrier.wait()) for _ in range(3)]
        return [await task for task in tasks]

    assert sorted(impl.run(main())) == [0, 1, 2]


def test_abort_breaks_it_until_a_reset() -> None:
    """BARRIER-3."""

    async def main() -> int:
        barrier = impl.Barrier(2)
        task = impl.create_task(barrier.wait())
        await turns()
        await barrier.abort()
        assert (barrier.broken, repr(barrier)) == (True, "<Barrier [broken]>")
        for waiter in (task, impl.create_task(barrier.wait())):
            with pytest.raises(impl.BrokenBarrierError):
                await waiter
        await barrier.reset()
        assert not barrier.broken
        impl.create_task(barrier.wait())
        return await barrier.wait()

    assert impl.run(main()) in (0, 1)


def test_the_error_is_its_own_class_attribute() -> None:
    """A bridge uses another runtime's."""

    class Mine(RuntimeError):
        pass

    class Other(impl.Barrier):
        Broken = Mine

    async def main() -> None:
        barrier = Other(2)
        await barrier.abort()
        await barrier.wait()

    with pytest.raises(Mine):
        impl.run(main())


# All orders of: a task comes, a waiter is cancelled, the loop runs one iteration.


def wrong(barrier: BarrierClass, loop: LoopLike, waiters: int, moves: str) -> bool:
    """Return whether a run breaks BARRIER-1 or BARRIER-4: so many tasks wait for one more, then the moves follow."""
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
    assert first_wrong(CountsParties, impl.Loop, 2) == "1hh"
    assert first_wrong(asyncio.Barrier, asyncio.new_event_loop, 2) == "1hh"
