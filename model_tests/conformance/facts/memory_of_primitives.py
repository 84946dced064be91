"""Facts about memory: a queue or another primitive keeps no object that it no longer needs."""

from __future__ import annotations

import gc
import weakref
from typing import Any

from .fact import asyncio, fact


@fact("LEAK-1", "Queue", "LifoQueue", "PriorityQueue")
async def queues_free_their_items() -> None:
    """A queue keeps no item that was taken, and nothing of a getter or a putter that was cancelled."""
    thing_class: Any = type("Thing", (), {"__lt__": lambda self, other: False})
    for kind in (asyncio.Queue, asyncio.LifoQueue, asyncio.PriorityQueue):
        queue: Any = kind(2)
        refs = []
        for _ in range(2):
            thing = thing_class()
            refs.append(weakref.ref(thing))
            await queue.put(thing)
        thing = thing_class()
        refs.append(weakref.ref(thing))
        putter = asyncio.create_task(queue.put(thing))
        await asyncio.sleep(0.01)
        putter.cancel()
        await asyncio.wait([putter])
        for _ in range(2):
            thing = queue.get_nowait()
        getter = asyncio.create_task(queue.get())
        await asyncio.sleep(0.01)
        getter.cancel()
        await asyncio.wait([getter])
        refs += [weakref.ref(putter), weakref.ref(getter)]
        del thing, putter, getter
        gc.collect()
        assert [ref() for ref in refs] == [None] * 5


@fact("LEAK-1", "Queue", "LifoQueue", "PriorityQueue")
async def queues_free_their_users() -> None:
    """A queue keeps nothing of a task that has put, got, joined, or said that it is done."""
    for kind in (asyncio.Queue, asyncio.LifoQueue, asyncio.PriorityQueue):
        queue: Any = kind(1)

        async def puts(queue: Any = queue) -> None:
            await queue.put(1)
            await queue.put(2)
            await queue.join()

        async def gets(queue: Any = queue) -> None:
            for _ in range(2):
                await queue.get()
                queue.task_done()

        tasks: Any = [asyncio.create_task(body()) for body in (puts, gets)]
        await asyncio.wait(tasks, timeout=1)
        refs = [weakref.ref(task) for task in tasks]
        assert all(task.done() for task in tasks)
        del tasks
        gc.collect()
        assert [ref() for ref in refs] == [None, None]


@fact("LEAK-2", "Lock", "Event", "Condition", "Semaphore", "Barrier")
async def primitives_free_their_waiters() -> None:
    """A primitive keeps nothing of a waiter that was cancelled, or that it has woken."""
    lock, event, semaphore = asyncio.Lock(), asyncio.Event(), asyncio.Semaphore(0)
    condition, barrier = asyncio.Condition(), asyncio.Barrier(2)
    await lock.acquire()

    async def waits() -> None:
        async with condition:
            await condition.wait()

    for body in (lock.acquire, event.wait, semaphore.acquire, waits, barrier.wait):
        task: Any = asyncio.create_task(body())
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait([task])
        ref = weakref.ref(task)
        del task
        gc.collect()
        assert ref() is None, body.__name__


@fact("LEAK-2", "Lock", "Event", "Condition", "Semaphore", "Barrier")
async def primitives_free_their_users() -> None:
    """A primitive keeps nothing of a task that has acquired, released, set, notified or passed it."""
    lock, event, semaphore = asyncio.Lock(), asyncio.Event(), asyncio.Semaphore(1)
    condition, barrier = asyncio.Condition(), asyncio.Barrier(1)

    async def locks() -> None:
        async with lock:
            await asyncio.sleep(0.01)

    async def sets() -> None:
        event.set()
        await event.wait()

    async def notifies() -> None:
        async with condition:
            condition.notify_all()
            await condition.wait_for(lambda: True)

    async def acquires() -> None:
        async with semaphore:
            await asyncio.sleep(0.01)

    for body in (locks, sets, notifies, acquires, barrier.wait):
        tasks: Any = [asyncio.create_task(body()) for _ in range(2)]
        await asyncio.wait(tasks)
        refs = [weakref.ref(task) for task in tasks]
        del tasks
        gc.collect()
        assert [ref() for ref in refs] == [None, None], body.__name__


@fact("LEAK-2", "Condition")
async def predicates_are_freed() -> None:
    """A Condition keeps no predicate that is true, or of a waiter that was cancelled."""
    condition = asyncio.Condition()
    refs: list[Any] = []

    async def waits(value: bool) -> None:
        thing = type("Predicate", (), {"__call__": lambda self: value})()
        refs.append(weakref.ref(thing))
        async with condition:
            await condition.wait_for(thing)

    for value in (True, False):
        task: Any = asyncio.create_task(waits(value))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait([task])
        del task
    gc.collect()
    assert [ref() for ref in refs] == [None, None]
