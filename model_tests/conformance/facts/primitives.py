"""Facts about queues, locks, semaphores, conditions, events and barriers: their arguments, accepted and refused."""

from __future__ import annotations

from typing import Any, Final

from .fact import asyncio, fact

QUEUES: Final = ("Queue", "LifoQueue", "PriorityQueue")
OTHERS: Final = ("Lock", "Event", "Condition", "Semaphore", "BoundedSemaphore", "Barrier")


@fact("QUEUE-1", *QUEUES)
async def sizes_of_queues() -> None:
    """A maxsize of 0 or less is none; maxsize, qsize(), empty() and full() agree."""
    for kind in (asyncio.Queue, asyncio.LifoQueue, asyncio.PriorityQueue):
        for maxsize in (0, -1, 1, 2):
            queue: Any = kind(maxsize)
            assert (queue.maxsize, queue.qsize(), queue.empty(), queue.full()) == (maxsize, 0, True, False)
            for number in range(maxsize if maxsize > 0 else 3):
                queue.put_nowait(number)
            assert (queue.empty(), queue.full()) == (False, maxsize > 0)
            try:
                queue.put_nowait(9)
            except asyncio.QueueFull:
                assert maxsize > 0
            else:
                assert maxsize <= 0


@fact("QUEUE-1", "QUEUE-29", "QUEUE-28", *QUEUES)
async def items_of_queues() -> None:
    """Any object is an item, None and False among them; each kind of queue has its order."""
    queue: Any = asyncio.Queue()
    things: list[Any] = [None, False, 0, [], asyncio.CancelledError()]
    for thing in things:
        await queue.put(thing)
    for thing in things:
        assert await queue.get() is thing
    for kind, order in ((asyncio.LifoQueue, [2, 1, 3]), (asyncio.PriorityQueue, [1, 2, 3])):
        queue = kind()
        for number in (3, 1, 2):
            queue.put_nowait(number)
        assert [queue.get_nowait() for _ in range(3)] == order


@fact("QUEUE-14", *QUEUES)
async def too_many_task_done() -> None:
    """task_done() more often than items were put raises ValueError."""
    for kind in (asyncio.Queue, asyncio.LifoQueue, asyncio.PriorityQueue):
        queue: Any = kind()
        await queue.join()
        queue.put_nowait(1)
        queue.task_done()
        try:
            queue.task_done()
        except ValueError:
            await queue.join()
            continue
        raise AssertionError("no ValueError")


@fact("QUEUE-14", "QUEUE-7", *QUEUES)
async def joins() -> None:
    """join() waits until task_done() was called for each item that was put, and returns at once if there is none."""
    for kind in (asyncio.Queue, asyncio.LifoQueue, asyncio.PriorityQueue):
        queue: Any = kind()
        await asyncio.wait_for(queue.join(), 1)
        for _ in range(2):
            queue.put_nowait(1)
            await queue.put(2)
            joins = [asyncio.create_task(queue.join()) for _ in range(2)]
            for _ in range(2):
                await queue.get()
            await asyncio.sleep(0.01)
            queue.task_done()
            await asyncio.sleep(0.01)
            assert not any(each.done() for each in joins)
            queue.task_done()
            await asyncio.wait_for(asyncio.gather(*joins), 1)
            await asyncio.wait_for(queue.join(), 1)


@fact("QUEUE-30", "QUEUE-31", "QUEUE-32", *QUEUES, since=(3, 13))
async def shut_down() -> None:
    """A queue that is shut down takes nothing; it gives its items, unless that was at once, and wakes all."""
    for kind in (asyncio.Queue, asyncio.LifoQueue, asyncio.PriorityQueue):
        for immediate in (False, True):
            full, empty = kind(1), kind()
            full.put_nowait(1)
            waiters = [full.put(2), full.put(3), empty.get(), empty.get()]
            waiters = [asyncio.create_task(each) for each in waiters]
            await asyncio.sleep(0.01)
            for queue in (full, empty):
                queue.shutdown(immediate=immediate)
                queue.shutdown(immediate)
            got = await asyncio.wait_for(asyncio.gather(*waiters, return_exceptions=True), 1)
            assert [type(error) for error in got] == [asyncio.QueueShutDown] * 4
            if not immediate:
                assert await full.get() == 1
                full.task_done()
            await asyncio.wait_for(full.join(), 1)
            for call, *args in ((full.get_nowait,), (empty.get_nowait,), (full.put_nowait, 1)):
                try:
                    call(*args)
                except asyncio.QueueShutDown:
                    continue
                raise AssertionError("it goes on")


@fact("SEM-3", "SEM-2", "Semaphore", "BoundedSemaphore")
async def values_of_semaphores() -> None:
    """A negative value is a ValueError; with 0 nothing is free; release() above the bound is a ValueError."""
    for kind in (asyncio.Semaphore, asyncio.BoundedSemaphore):
        try:
            kind(-1)
        except ValueError:
            pass
        else:
            raise AssertionError("it was accepted")
        assert kind(0).locked()
        assert not kind().locked()
        assert not kind(2).locked()
    bounded, free = asyncio.BoundedSemaphore(1), asyncio.Semaphore(1)
    free.release()
    for _ in range(2):
        await free.acquire()
    assert free.locked()
    try:
        bounded.release()
    except ValueError:
        return
    raise AssertionError("released above the bound")


@fact("SEM-2", "SEM-3", "LOCK-6", "Semaphore", "BoundedSemaphore")
async def permits_are_counted() -> None:
    """As many tasks as the value says hold a semaphore at once; a waiter that is cancelled or late takes none."""
    for kind in (asyncio.Semaphore, asyncio.BoundedSemaphore):
        semaphore, holders = kind(2), 0
        most: list[int] = []

        async def holds(semaphore: Any = semaphore, most: list[int] = most) -> None:
            nonlocal holders
            async with semaphore:
                holders += 1
                most.append(holders)
                await asyncio.sleep(0.01)
                holders -= 1

        tasks = [asyncio.create_task(holds()) for _ in range(6)]
        await asyncio.sleep(0.005)
        tasks[3].cancel()
        try:
            await asyncio.wait_for(semaphore.acquire(), 0)
        except TimeoutError:
            pass
        await asyncio.wait(tasks, timeout=1)
        assert max(most) == 2
        assert len(most) == 5
        for _ in range(2):
            assert not semaphore.locked()
            await semaphore.acquire()
        assert semaphore.locked()


@fact("LOCK-1", "LOCK-4", "COND-1", "Lock", "Condition")
async def locks_not_held() -> None:
    """release() of a lock that is free, and wait() or notify() without the lock, raise RuntimeError."""
    lock, condition = asyncio.Lock(), asyncio.Condition()
    for call in (lock.release, condition.notify, condition.notify_all, condition.release):
        try:
            call()
        except RuntimeError:
            continue
        raise AssertionError("no RuntimeError")
    try:
        await asyncio.wait_for(condition.wait(), 1)
    except RuntimeError:
        assert await lock.acquire() is True
        assert await condition.acquire() is True
        assert lock.locked()
        assert condition.locked()
    else:
        raise AssertionError("no RuntimeError")


@fact("LOCK-7", "SEM-1", "COND-1", "Lock", "Semaphore", "BoundedSemaphore", "Condition")
async def blocks_of_primitives() -> None:
    """`async with` acquires, gives None, and releases, also if the block raises."""
    for thing in (asyncio.Lock(), asyncio.Semaphore(1), asyncio.BoundedSemaphore(1), asyncio.Condition()):
        for _ in range(2):
            try:
                async with thing as entered:
                    assert entered is None
                    assert thing.locked()
                    raise KeyError(1)
            except KeyError:
                assert not thing.locked()
            else:
                raise AssertionError("the error is lost")


@fact("COND-4", "Condition")
async def lock_of_a_condition() -> None:
    """A Condition uses the lock that it is given."""
    lock = asyncio.Lock()
    condition = asyncio.Condition(lock)
    async with condition:
        assert lock.locked()
        assert condition.locked()
    async with lock:
        assert condition.locked()
    assert not condition.locked()


@fact("COND-7", "Condition")
async def predicates() -> None:
    """wait_for() of a Condition returns the value of the predicate, at once if that is true, and raises its error."""
    condition = asyncio.Condition()
    items: list[int] = []

    async def waits() -> Any:
        async with condition:
            return await condition.wait_for(lambda: items)

    async with condition:
        assert await condition.wait_for(lambda: "now") == "now"
        try:
            await condition.wait_for(lambda: [][0])
        except IndexError:
            pass
        else:
            raise AssertionError("the error was not raised")
    task = asyncio.create_task(waits())
    await asyncio.sleep(0.01)
    async with condition:
        condition.notify_all()
    await asyncio.sleep(0.01)
    assert not task.done()
    async with condition:
        items.append(1)
        condition.notify()
    assert await asyncio.wait_for(task, 1) is items


@fact("COND-7", "COND-4", "Condition")
async def predicates_under_the_lock() -> None:
    """wait_for() of a Condition calls the predicate with the lock, after each wait, and returns with the lock."""
    condition = asyncio.Condition()
    items: list[int] = []
    got: list[Any] = []
    others: list[bool] = []

    def there() -> bool:
        others.append(condition.locked())
        return bool(items)

    async def takes(number: int) -> None:
        async with condition:
            await condition.wait_for(there)
            assert condition.locked()
            got.append((number, items.pop()))

    tasks = [asyncio.create_task(takes(number)) for number in range(2)]
    await asyncio.sleep(0.01)
    async with condition:
        items.append(7)
        condition.notify_all()
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.01)
    assert [task.done() for task in tasks].count(True) == 1
    assert [item for _, item in got] == [7]
    assert all(others)
    for task in tasks:
        task.cancel()


@fact("COND-1", "COND-6", "Condition")
async def numbers_of_notify() -> None:
    """notify(n) wakes n waiters, and all of them if there are fewer."""
    condition = asyncio.Condition()

    async def waits() -> None:
        async with condition:
            await condition.wait()

    waiters = [asyncio.create_task(waits()) for _ in range(4)]
    await asyncio.sleep(0.01)
    for number, woken in ((1, 1), (2, 3), (9, 4)):
        async with condition:
            condition.notify(number)
        await asyncio.sleep(0.01)
        assert sum(waiter.done() for waiter in waiters) == woken


@fact("EVENT-1", "Event")
async def events() -> None:
    """wait() of an Event returns True; set() wakes every waiter, and clear() none."""
    event = asyncio.Event()
    waiters = [asyncio.create_task(event.wait()) for _ in range(3)]
    await asyncio.sleep(0.01)
    event.clear()
    await asyncio.sleep(0.01)
    assert not any(waiter.done() for waiter in waiters)
    event.set()
    event.set()
    assert event.is_set() is True
    event.clear()
    assert event.is_set() is False
    assert await asyncio.wait_for(asyncio.gather(*waiters), 1) == [True] * 3
    event.set()
    assert await event.wait() is True


@fact("BARRIER-1", "BARRIER-4", "Barrier")
async def barriers() -> None:
    """wait() of a Barrier returns each place from 0 once; parties below 1 are a ValueError."""
    for parties in (0, -1):
        try:
            asyncio.Barrier(parties)
        except ValueError:
            continue
        raise AssertionError("it was accepted")
    barrier = asyncio.Barrier(3)
    for _ in range(2):
        assert (barrier.parties, barrier.n_waiting, barrier.broken) == (3, 0, False)
        places = await asyncio.wait_for(asyncio.gather(*(barrier.wait() for _ in range(3))), 1)
        assert sorted(places) == [0, 1, 2]
    async with asyncio.Barrier(1) as place:
        assert place == 0


@fact("COND-9", "Condition")
async def notified_tasks() -> None:
    """Two calls of notify() wake two tasks, and one passes over a task that was cancelled before."""
    condition = asyncio.Condition()

    async def waits() -> None:
        async with condition:
            await condition.wait()

    for cancels, notifies in ((0, 2), (1, 1), (2, 1)):
        tasks = [asyncio.create_task(waits()) for _ in range(4)]
        await asyncio.sleep(1)
        async with condition:
            for task in tasks[:cancels]:
                task.cancel()
            for _ in range(notifies):
                condition.notify()
        await asyncio.sleep(1)
        assert sum(task.done() and not task.cancelled() for task in tasks) >= notifies
        async with condition:
            condition.notify_all()
        await asyncio.wait(tasks)


@fact("QUEUE-10", "LOCK-12", "EVENT-6", "BARRIER-1", *QUEUES, *OTHERS, documented=False)
def made_outside() -> None:
    """A queue, or another primitive, can be made where no loop runs."""
    queues: Any = [asyncio.Queue(), asyncio.LifoQueue(), asyncio.PriorityQueue()]
    locks = [asyncio.Lock(), asyncio.Condition(), asyncio.Semaphore(), asyncio.BoundedSemaphore()]
    event, barrier = asyncio.Event(), asyncio.Barrier(2)

    async def uses() -> None:
        waiting = [asyncio.create_task(each.get()) for each in queues]
        waiting += [asyncio.create_task(event.wait()), asyncio.create_task(barrier.wait())]
        await asyncio.sleep(0.01)
        for queue in queues:
            queue.put_nowait(1)
        for lock in locks:
            async with lock:
                pass
        event.set()
        await barrier.wait()
        await asyncio.wait(waiting)

    asyncio.run(uses())
