"""Programs that show the documentation's sentences about Lock, Semaphore, BoundedSemaphore, Event and Condition."""

import asyncio
from typing import Any

import pytest

from .programs import REST, Program, at_each_turn, cancelled_at, end, turns


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


@at_each_turn((0, 1, 3))
async def lock_cancels(m: Any, turn: int, holds: int) -> None:
    """Of three tasks after a holder the first is cancelled at a turn; the others have the lock in order."""
    lock, got = m.Lock(), list[str]()

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


@at_each_turn((1, 2))
async def semaphore_cancels(m: Any, turn: int, value: int) -> None:
    """A task is cancelled at a turn; the others all end, and as many permits are free as at the beginning."""
    semaphore, ended = m.Semaphore(value), list[str]()

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


async def event_states(m: Any) -> None:
    event = m.Event()
    assert not event.is_set()
    tasks = [asyncio.create_task(event.wait()) for _ in range(3)]
    await turns()
    assert not any(task.done() for task in tasks)
    event.set()
    assert event.is_set()
    assert await asyncio.gather(*tasks) == [True] * 3
    assert await event.wait() is True


async def event_cleared(m: Any) -> None:
    """A task that waited at `set` returns although the event was cleared at once; a later one blocks."""
    event = m.Event()
    before = asyncio.create_task(event.wait())
    await turns()
    event.set()
    event.clear()
    after = asyncio.create_task(event.wait())
    await turns()
    assert before.done()
    assert not event.is_set()
    assert not after.done()
    await end([before, after])


@at_each_turn()
async def event_cancels(m: Any, turn: int) -> None:
    event = m.Event()

    async def sets() -> None:
        await turns(3)
        event.set()

    tasks = [asyncio.create_task(event.wait()) for _ in range(3)]
    setter = asyncio.create_task(sets())
    await cancelled_at(turn, tasks[0])
    assert [task.done() for task in tasks] == [True] * 3
    assert tasks[1].result() is tasks[2].result() is True
    await end([*tasks, setter])


async def waiting(condition: Any, count: int, ended: list[int]) -> list[asyncio.Task[Any]]:
    """Start so many tasks that wait once, and note their numbers when they return with the lock."""

    async def wait(number: int) -> None:
        async with condition:
            assert await condition.wait() is True
            assert condition.locked()
            ended.append(number)

    tasks = [asyncio.create_task(wait(number)) for number in range(count)]
    await turns()
    return tasks


async def condition_notifies(m: Any) -> None:
    condition, ended = m.Condition(), list[int]()
    tasks = await waiting(condition, 4, ended)
    async with condition:
        condition.notify(2)
        assert ended == []
    await turns()
    assert len(ended) >= 2
    async with condition:
        condition.notify_all()
    await turns()
    assert sorted(ended) == [0, 1, 2, 3]
    assert not condition.locked()
    await end(tasks)


async def condition_wants_its_lock(m: Any) -> None:
    condition = m.Condition()
    with pytest.raises(RuntimeError):
        condition.notify()
    with pytest.raises(RuntimeError):
        condition.notify_all()
    with pytest.raises(RuntimeError):
        await condition.wait()
    async with condition:
        condition.notify()


async def condition_waits_for(m: Any) -> None:
    condition, value = m.Condition(), 0

    async def wait() -> Any:
        async with condition:
            return await condition.wait_for(lambda: value > 2 and f"{value} is enough")

    task = asyncio.create_task(wait())
    for _ in range(3):
        await turns()
        assert not task.done()
        async with condition:
            value += 1
            condition.notify_all()
    assert await task == "3 is enough"


@at_each_turn(range(2))
async def condition_cancels(m: Any, turn: int, victim: int) -> None:
    """One notification, and a waiter cancelled at each turn around it: no wait ends in vain."""
    condition, ended = m.Condition(), list[int]()
    tasks = await waiting(condition, 2, ended)

    async def notify() -> None:
        await turns(3)
        async with condition:
            condition.notify()

    tasks.append(asyncio.create_task(notify()))
    await cancelled_at(turn, tasks[victim])
    assert ended, "the notification woke no task"
    assert not condition.locked()
    assert tasks[victim].done()
    await end(tasks)


PROGRAMS: dict[str, list[Program]] = {
    "Lock": [lock_states, lock_fair_and_exclusive, lock_cancels],
    "Semaphore": [semaphore_counts, semaphore_bounds_the_users, semaphore_cancels],
    "BoundedSemaphore": [bounded_semaphore_has_a_bound],
    "Event": [event_states, event_cleared, event_cancels],
    "Condition": [condition_notifies, condition_wants_its_lock, condition_waits_for, condition_cancels],
}
#: The methods that a program needs; it is not run for a subject that lacks one.
NEEDS = {"event_cleared": ("clear",)}
