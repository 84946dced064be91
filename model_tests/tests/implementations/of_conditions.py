"""Programs that show the documentation's sentences about Event and Condition."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from .programs import CANCELS, Program, cancelled_at, end, turns


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


async def event_cancels(m: Any) -> None:
    for turn in CANCELS:
        event = m.Event()
        tasks = [asyncio.create_task(event.wait()) for _ in range(3)]
        setter = asyncio.create_task(set_after(event, 3))
        await cancelled_at(turn, tasks[0])
        assert [task.done() for task in tasks] == [True] * 3
        assert tasks[1].result() is tasks[2].result() is True
        await end([*tasks, setter])


async def set_after(event: Any, count: int) -> None:
    await turns(count)
    event.set()


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


async def condition_cancels(m: Any) -> None:
    """One notification, and a waiter cancelled at each turn around it: no wait ends in vain."""
    for turn in CANCELS:
        for victim in range(2):
            await condition_cancelled(m.Condition(), turn, victim)


async def condition_cancelled(condition: Any, turn: int, victim: int) -> None:
    ended: list[int] = []
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
    "Event": [event_states, event_cleared, event_cancels],
    "Condition": [condition_notifies, condition_wants_its_lock, condition_waits_for, condition_cancels],
}
#: The methods that a program needs; it is not run for a subject that lacks one.
NEEDS = {"event_cleared": ("clear",)}
