"""Programs that show the documentation's sentences about Lock, Semaphore and BoundedSemaphore."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from .programs import CANCELS, REST, Program, cancelled_at, end, turns


async def lock_states(m: Any) -> None:
    lock = m.Lock()
    assert not lock.locked()
    assert await lock.acquire() is True
    assert lock.locked()
    lock.release()
    assert not lock.locked()
    async with lock:
        assert lock.locked()
    assert not lock.locked()
    with pytest.raises(RuntimeError):
        lock.release()


async def lock_fair_and_exclusive(m: Any) -> None:
    lock, seen, inside = m.Lock(), [], 0

    async def user(number: int) -> None:
        nonlocal inside
        for _ in range(2):
            async with lock:
                inside += 1
                assert inside == 1
                seen.append(number)
                await turns(2)
                inside -= 1

    await asyncio.gather(*(user(number) for number in range(4)))
    assert seen == [*range(4)] * 2


async def lock_cancels(m: Any) -> None:
    for turn in CANCELS:
        for holds in (0, 1, 3):
            await lock_cancelled(m.Lock(), turn, holds)


async def lock_cancelled(lock: Any, turn: int, holds: int) -> None:
    """Of three tasks after a holder the first is cancelled at a turn; the others have the lock in order."""
    got: list[str] = []

    async def user(name: str, holds: int) -> None:
        async with lock:
            got.append(name)
            await turns(holds)

    tasks = [asyncio.create_task(user(name, holds)) for name in "hvab"]
    await cancelled_at(turn, tasks[1])
    await turns(3 * REST)
    assert [name for name in got if name != "v"] == ["h", "a", "b"]
    assert not lock.locked()
    assert all(task.done() for task in tasks)
    await end(tasks)


async def semaphore_counts(m: Any) -> None:
    semaphore = m.Semaphore(2)
    assert await semaphore.acquire() is True
    assert not semaphore.locked()
    await semaphore.acquire()
    assert semaphore.locked()
    semaphore.release()
    assert not semaphore.locked()
    semaphore.release()
    semaphore.release()  # a Semaphore has no bound
    for _ in range(3):
        await semaphore.acquire()
    assert semaphore.locked()
    with pytest.raises(ValueError, match=r".*"):
        m.Semaphore(-1)


async def semaphore_bounds_the_users(m: Any) -> None:
    semaphore, inside, most, ended = m.Semaphore(2), 0, 0, 0

    async def user() -> None:
        nonlocal inside, most, ended
        async with semaphore:
            inside += 1
            most = max(most, inside)
            await turns(2)
            inside -= 1
        ended += 1

    await asyncio.gather(*(user() for _ in range(5)))
    assert (most, inside, ended) == (2, 0, 5)


async def semaphore_cancels(m: Any) -> None:
    for turn in CANCELS:
        for value in (1, 2):
            await semaphore_cancelled(m.Semaphore(value), turn, value)


async def semaphore_cancelled(semaphore: Any, turn: int, value: int) -> None:
    """A task is cancelled at a turn; the others all end, and as many permits are free as at the beginning."""
    ended: list[str] = []

    async def user(name: str) -> None:
        async with semaphore:
            await turns(2)
        ended.append(name)

    tasks = [asyncio.create_task(user(name)) for name in "hgvab"]
    await cancelled_at(turn, tasks[2])
    await turns(2 * REST)
    assert sorted({*ended, "v"}) == sorted("hgvab")
    for _ in range(value):
        assert not semaphore.locked()
        await semaphore.acquire()
    assert semaphore.locked()
    await end(tasks)


async def bounded_semaphore_has_a_bound(m: Any) -> None:
    semaphore = m.BoundedSemaphore(1)
    async with semaphore:
        assert semaphore.locked()
    assert not semaphore.locked()
    with pytest.raises(ValueError, match=r".*"):
        semaphore.release()
    with pytest.raises(ValueError, match=r".*"):
        m.BoundedSemaphore(-1)


PROGRAMS: dict[str, list[Program]] = {
    "Lock": [lock_states, lock_fair_and_exclusive, lock_cancels],
    "Semaphore": [semaphore_counts, semaphore_bounds_the_users, semaphore_cancels],
    "BoundedSemaphore": [bounded_semaphore_has_a_bound],
}
