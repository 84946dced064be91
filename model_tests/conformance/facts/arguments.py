"""Facts about arguments: what is refused, with which error, and what edge values mean."""

from __future__ import annotations

from typing import Any

from .fact import asyncio, fact


@fact("WAIT-6", "wait")
async def wait_refuses() -> None:
    """wait() refuses nothing at all and an unknown return_when with ValueError, and the rest with TypeError."""
    future = asyncio.get_running_loop().create_future()
    coroutine = asyncio.sleep(0)
    refused: list[tuple[Any, Any, type[Exception]]] = [
        ([], "ALL_COMPLETED", ValueError),
        ((), "FIRST_COMPLETED", ValueError),
        ([future], "ANY", ValueError),
        (future, "ALL_COMPLETED", TypeError),
        (coroutine, "ALL_COMPLETED", TypeError),
        ([coroutine], "ALL_COMPLETED", TypeError),
        ([future, coroutine], "ALL_COMPLETED", TypeError),
    ]
    for things, until, error in refused:
        try:
            await asyncio.wait(things, timeout=1, return_when=until)
        except error:
            continue
        raise AssertionError(f"{things} was accepted")
    coroutine.close()


@fact("WAIT-1", "WAIT-3", "wait")
async def wait_takes_any_iterable() -> None:
    """wait() takes lists, tuples, sets and generators of futures, and returns two sets of them."""
    loop = asyncio.get_running_loop()
    for kind in (list, tuple, set, iter):
        first, second = loop.create_future(), loop.create_future()
        first.set_result(1)
        done, pending = await asyncio.wait(kind([first, second, first]), timeout=1)
        assert (done, pending) == ({first}, {second})
        assert type(done) is type(pending) is set


@fact("ASDONE-1", "ASDONE-2", "as_completed")
async def as_completed_takes_any_iterable() -> None:
    """as_completed() takes sets and generators, gives a thing that occurs twice once, and nothing for nothing."""
    assert [await step for step in asyncio.as_completed([])] == []
    future = asyncio.get_running_loop().create_future()
    future.set_result(1)
    for kind in (list, tuple, set, iter):
        assert [await step for step in asyncio.as_completed(kind([future, future]))] == [1]


@fact("ASDONE-1", "as_completed")
async def as_completed_refuses() -> None:
    """as_completed() refuses a future or a coroutine in the place of an iterable with TypeError."""
    future, coroutine = asyncio.get_running_loop().create_future(), asyncio.sleep(0)
    for wrong in (future, coroutine):
        try:
            list(asyncio.as_completed(wrong))
        except TypeError:
            continue
        raise AssertionError("it was accepted")
    coroutine.close()


@fact("GATHER-8", "GATHER-7", "gather")
async def gather_of_little() -> None:
    """gather() of nothing is [], of one thing a list of one, and of a thing twice its result twice."""
    assert await asyncio.gather() == []
    assert await asyncio.gather(asyncio.sleep(0, 1)) == [1]
    coroutine = asyncio.sleep(0, 2)
    assert await asyncio.gather(coroutine, coroutine) == [2, 2]
    future = asyncio.get_running_loop().create_future()
    future.set_result(None)
    assert await asyncio.gather(future, asyncio.sleep(0.01, 3), future, return_exceptions=True) == [
        None,
        3,
        None,
    ]


@fact("GATHER-1", "ENSURE-1", "gather", "shield", "ensure_future", "wait_for")
async def not_awaitable() -> None:
    """gather, shield, ensure_future and wait_for refuse what cannot be awaited with TypeError."""
    for wrong in (5, None, "text", asyncio.sleep):
        for call in (asyncio.gather, asyncio.shield, asyncio.ensure_future):
            try:
                call(wrong)
            except TypeError:
                continue
            raise AssertionError(f"{wrong} was accepted")
        try:
            await asyncio.wait_for(wrong, 1)
        except TypeError:
            continue
        raise AssertionError(f"{wrong} was accepted")


@fact("ENSURE-1", "ensure_future")
async def ensured() -> None:
    """ensure_future() returns a future or a task itself, and makes a task of any other awaitable."""

    class Awaitable:
        def __await__(self) -> Any:
            return asyncio.sleep(0.01, 5).__await__()

    future = asyncio.get_running_loop().create_future()
    task = asyncio.ensure_future(asyncio.sleep(0, 1))
    made = asyncio.ensure_future(Awaitable())
    assert asyncio.ensure_future(future) is future
    assert asyncio.ensure_future(task) is task
    assert asyncio.isfuture(task)
    assert asyncio.isfuture(made)
    assert (await task, await made) == (1, 5)


@fact("TASK-6", "Task", "create_task")
async def no_coroutine() -> None:
    """create_task() and Task() refuse what is no coroutine with TypeError."""
    future = asyncio.get_running_loop().create_future()
    for wrong in (5, None, asyncio.sleep, future):
        for call in (asyncio.create_task, asyncio.Task):
            try:
                call(wrong)
            except TypeError:
                continue
            raise AssertionError(f"{wrong} was accepted")


@fact("FUT-6", "Future")
async def exceptions_of_a_future() -> None:
    """set_exception() takes an exception or a class of one; exception() returns it each time."""
    future = asyncio.get_running_loop().create_future()
    future.set_exception(KeyError)
    error = future.exception()
    assert isinstance(error, KeyError)
    assert future.exception() is error
    assert not future.cancelled()


@fact("FUT-1", "FUT-6", "Future")
async def results_of_a_future() -> None:
    """Any object is a result: None, False, an exception, a class, another future."""
    loop = asyncio.get_running_loop()
    results: list[Any] = [None, False, 0, KeyError(1), KeyError, loop.create_future(), NotImplemented]
    for result in results:
        future = loop.create_future()
        future.set_result(result)
        assert future.done()
        assert not future.cancelled()
        assert future.result() is result
        assert future.exception() is None
        assert await future is result


@fact("FUT-1", "FUT-6", "Future")
async def states_of_a_future() -> None:
    """A future is resolved once: InvalidStateError afterwards, and cancel() returns False."""
    loop = asyncio.get_running_loop()
    result, error, cancelled = (loop.create_future() for _ in range(3))
    result.set_result(1)
    error.set_exception(KeyError(1))
    assert cancelled.cancel() is True
    for future in (result, error, cancelled):
        for call, value in ((future.set_result, 2), (future.set_exception, OSError())):
            try:
                call(value)
            except asyncio.InvalidStateError:
                continue
            raise AssertionError("it was resolved again")
        assert future.cancel() is False
    assert result.result() == 1
    assert isinstance(error.exception(), KeyError)
    assert (result.cancelled(), error.cancelled(), cancelled.cancelled()) == (False, False, True)


@fact("FUT-10", "FUT-5", "Future")
async def callbacks_of_a_future() -> None:
    """Callbacks get the future, and are called in order, as often as they were added; all equal ones are removed."""
    loop = asyncio.get_running_loop()
    calls: list[Any] = []

    def first(future: Any) -> None:
        calls.append(("first", future))

    def second(future: Any) -> None:
        calls.append(("second", future))

    future = loop.create_future()
    for callback in (first, second, first, second, calls.append):
        future.add_done_callback(callback)
    assert future.remove_done_callback(second) == 2
    assert future.remove_done_callback(second) == 0
    future.set_result(1)
    assert not calls
    await asyncio.sleep(0.01)
    assert calls == [("first", future), ("first", future), future]
    assert future.remove_done_callback(first) == 0


@fact("FUT-5", "FUT-3", "Future")
async def callbacks_while_called() -> None:
    """A callback that adds another one to the same future has that called, too, later."""
    loop = asyncio.get_running_loop()
    calls = []

    def outer(future: Any) -> None:
        future.add_done_callback(lambda future: calls.append("inner"))
        calls.append("outer")

    future = loop.create_future()
    future.add_done_callback(outer)
    future.set_result(1)
    await asyncio.sleep(0.01)
    assert calls == ["outer", "inner"]


@fact("SLEEP-1", "sleep")
async def sleeps() -> None:
    """sleep() takes 0, negative numbers and fractions, and returns its result, also a false one."""
    loop = asyncio.get_running_loop()
    for delay, took in ((0, 0), (-1, 0), (0.01, 0.01), (0.02, 0.02)):
        results: list[Any] = [None, 0, [], KeyError(1)]
        for result in results:
            start = loop.time()
            assert await asyncio.sleep(delay, result) is result
            assert took - 0.001 < loop.time() - start < took + 0.5


@fact("WAITFOR-5", "WAITFOR-1", "wait_for")
async def limits() -> None:
    """wait_for() takes 0 and negative timeouts, fractions and None, by place or by name."""
    loop = asyncio.get_running_loop()
    done = loop.create_future()
    done.set_result(5)
    for timeout in (0, -1, 0.01, None):
        assert await asyncio.wait_for(done, timeout) == 5
        assert await asyncio.wait_for(fut=done, timeout=timeout) == 5
    for timeout, took in ((0, 0), (-1, 0), (0.01, 0.01), (0.02, 0.02)):
        start = loop.time()
        try:
            await asyncio.wait_for(asyncio.sleep(9), timeout)
        except TimeoutError:
            assert took - 0.001 < loop.time() - start < took + 0.5
        else:
            raise AssertionError("no TimeoutError")


@fact("TIMEOUT-7", "timeout", "Timeout", "timeout_at")
def timeout_outside_a_task() -> None:
    """A timeout is refused with RuntimeError outside of a task."""
    loop = asyncio.new_event_loop()
    seen: list[Any] = []

    async def enter() -> None:
        async with asyncio.timeout(1):
            pass

    def without_a_task() -> None:
        coroutine = enter()
        try:
            coroutine.send(None)
        except BaseException as error:
            seen.append(type(error))
        coroutine.close()

    loop.call_soon(without_a_task)
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()
    assert seen == [RuntimeError]


@fact("TIMEOUT-3", "TIMEOUT-4", "timeout", "Timeout", "timeout_at")
async def deadlines() -> None:
    """when() is the deadline on the loop's clock, as it was given or rescheduled, and None for none."""
    now = asyncio.get_running_loop().time()
    async with (
        asyncio.timeout(2) as first,
        asyncio.timeout_at(now + 3) as second,
        asyncio.timeout(None) as third,
    ):
        assert now + 2 <= first.when() < now + 2.5
        assert [second.when(), third.when()] == [now + 3, None]
        third.reschedule(now + 4)
        second.reschedule(None)
        assert [second.when(), third.when()] == [None, now + 4]
        await asyncio.sleep(0.01)
        assert not any([first.expired(), second.expired(), third.expired()])
    assert not any([first.expired(), second.expired(), third.expired()])


@fact("TIMEOUT-7", "timeout", "Timeout", "timeout_at")
async def timeout_once() -> None:
    """A timeout is entered once; reschedule() is refused before that, and when it has ended or expired."""
    block = asyncio.timeout(1)

    def refused(call: Any, *args: Any) -> bool:
        try:
            call(*args)
        except RuntimeError:
            return True
        return False

    assert refused(block.reschedule, 5)
    async with block:
        pass
    assert refused(block.reschedule, 5)
    assert refused(block.__aenter__().send, None)
    expired = asyncio.timeout(0)
    try:
        async with expired:
            await asyncio.sleep(0.01)
    except TimeoutError:
        assert expired.expired()
    assert refused(expired.reschedule, 5)


@fact("GROUP-7", "TaskGroup")
async def group_states() -> None:
    """A TaskGroup is entered once, and takes tasks only while it is active."""
    group = asyncio.TaskGroup()

    async def refused() -> bool:
        coroutine = asyncio.sleep(0)
        try:
            group.create_task(coroutine)
        except RuntimeError:
            coroutine.close()
            return True
        return False

    assert await refused()
    async with group:
        assert not await refused()
        try:
            await group.__aenter__()
        except RuntimeError:
            pass
        else:
            raise AssertionError("it was entered twice")
    assert await refused()


@fact("GROUP-1", "TaskGroup")
async def group_itself() -> None:
    """The with block of a TaskGroup gets the group; create_task() returns a task with the result."""
    group = asyncio.TaskGroup()
    async with group as entered:
        assert entered is group
        task = group.create_task(asyncio.sleep(0.01, 5))
    assert task.result() == 5


@fact("SHIELD-1", "shield")
async def shield_of_what_is_done() -> None:
    """A shield of a future that is done has its outcome; a shield is never the inner future of one that waits."""
    loop = asyncio.get_running_loop()
    waits, done, failed = (loop.create_future() for _ in range(3))
    done.set_result(5)
    failed.set_exception(KeyError(1))
    assert await asyncio.shield(done) == 5
    try:
        await asyncio.shield(failed)
    except KeyError:
        pass
    outer = asyncio.shield(waits)
    assert outer is not waits
    outer.cancel()
    waits.set_result(7)
    assert await waits == 7
    assert outer.cancelled()


@fact("QUEUE-1", "Queue", "LifoQueue", "PriorityQueue")
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


@fact("QUEUE-1", "QUEUE-29", "QUEUE-28", "Queue", "LifoQueue", "PriorityQueue")
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


@fact("QUEUE-14", "Queue", "LifoQueue", "PriorityQueue")
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
    """wait_for() of a Condition returns the value of the predicate, at once if that is true."""
    condition = asyncio.Condition()
    items: list[int] = []

    async def waits() -> Any:
        async with condition:
            return await condition.wait_for(lambda: items)

    async with condition:
        assert await condition.wait_for(lambda: "now") == "now"
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


@fact("SHIELD-2", "SHIELD-1", "shield")
async def shields_protect() -> None:
    """A shield protects a coroutine, a task, a future and another awaitable alike."""
    ended = []

    async def work(number: int) -> None:
        await asyncio.sleep(0.01)
        ended.append(number)

    class Awaitable:
        def __await__(self) -> Any:
            return work(2).__await__()

    for inner in (work(0), asyncio.create_task(work(1)), Awaitable()):
        outer = asyncio.shield(inner)
        await asyncio.sleep(0)
        outer.cancel()
    await asyncio.sleep(0.05)
    assert sorted(ended) == [0, 1, 2]
    assert outer.cancelled()


@fact("GATHER-1", "WAITFOR-1", "ASDONE-1", "gather", "wait_for", "as_completed", "shield", "ensure_future")
async def kinds_of_awaitables() -> None:
    """Coroutines, tasks, futures that are done and others, and other awaitables are awaited alike."""
    loop = asyncio.get_running_loop()

    class Awaitable:
        def __await__(self) -> Any:
            return asyncio.sleep(0.01, 5).__await__()

    def some() -> list[Any]:
        done, later = loop.create_future(), loop.create_future()
        done.set_result(5)
        loop.call_later(0.01, later.set_result, 5)
        return [asyncio.sleep(0, 5), asyncio.create_task(asyncio.sleep(0.01, 5)), done, later, Awaitable()]

    assert await asyncio.gather(*some()) == [5] * 5
    assert [await asyncio.wait_for(each, 1) for each in some()] == [5] * 5
    assert [await asyncio.wait_for(each, None) for each in some()] == [5] * 5
    assert [await step for step in asyncio.as_completed(some())] == [5] * 5
    assert [await asyncio.shield(each) for each in some()] == [5] * 5
    assert [await asyncio.ensure_future(each) for each in some()] == [5] * 5


@fact("WAIT-1", "WAIT-2", "WAIT-3", "wait")
async def wait_for_what_is_done() -> None:
    """wait() counts what is done already, failed or cancelled, and each thing once."""
    loop = asyncio.get_running_loop()
    result, error, cancelled, waits = (loop.create_future() for _ in range(4))
    result.set_result(1)
    error.set_exception(KeyError(1))
    cancelled.cancel()
    for until, things, done in (
        ("ALL_COMPLETED", [result, error, cancelled, result], {result, error, cancelled}),
        ("FIRST_COMPLETED", [waits, cancelled], {cancelled}),
        ("FIRST_EXCEPTION", [waits, error, waits], {error}),
        ("FIRST_EXCEPTION", [waits, result, cancelled], {result, cancelled}),
    ):
        got = await asyncio.wait(things, timeout=0.05, return_when=until)
        assert got == (done, set(things) - done)
    later = loop.create_future()
    loop.call_later(0.01, later.set_result, 1)
    start = loop.time()
    assert await asyncio.wait([later, later, result], timeout=1) == ({later, result}, set())
    assert loop.time() - start < 0.5
    error.exception()


@fact("SLEEP-1", "sleep", "wait_for", "timeout")
async def for_ever() -> None:
    """Infinity is a delay, and a limit."""
    infinity = float("inf")
    task = asyncio.create_task(asyncio.sleep(infinity))
    assert await asyncio.wait_for(asyncio.sleep(0.01, 5), infinity) == 5
    async with asyncio.timeout(infinity):
        await asyncio.sleep(0.01)
    assert not task.done()
    task.cancel()


@fact("TASK-9", "Task", "create_task", "TaskGroup")
async def any_name() -> None:
    """A name is kept as a string, also an empty one or that of a number."""
    loop = asyncio.get_running_loop()
    for name in ("", 0, 5, "a name", False):
        task = asyncio.Task(asyncio.sleep(0), loop=loop, name=name)
        other = asyncio.create_task(asyncio.sleep(0), name=name)
        assert (task.get_name(), other.get_name()) == (str(name), str(name))
        other.set_name(name)
        assert other.get_name() == str(name)
        await asyncio.wait([task, other])


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


@fact("QUEUE-14", "QUEUE-7", "Queue", "LifoQueue", "PriorityQueue")
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


@fact("QUEUE-30", "QUEUE-31", "QUEUE-32", "Queue", "LifoQueue", "PriorityQueue", since=(3, 13))
async def shut_down() -> None:
    """A queue that is shut down takes nothing; it gives what it has, unless that was at once, and wakes all."""
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


@fact("WAIT-4", "wait")
async def no_time_to_wait() -> None:
    """wait() with a timeout of 0 or less returns what is done, and the rest as pending, at once."""
    loop = asyncio.get_running_loop()
    done, waits = loop.create_future(), loop.create_future()
    done.set_result(1)
    for timeout in (0, -1):
        start = loop.time()
        assert await asyncio.wait([done, waits], timeout=timeout) == ({done}, {waits})
        assert await asyncio.wait([waits], timeout=timeout) == (set(), {waits})
        assert loop.time() - start < 0.5
    assert not waits.cancelled()


@fact("GATHER-1", "ENSURE-1", "gather", "shield", "wait_for")
async def lists_are_not_awaitable() -> None:
    """A list of coroutines is refused with TypeError, and so is a coroutine function."""
    coroutine = asyncio.sleep(0)
    for wrong in ([coroutine], (coroutine,), {coroutine}, asyncio.sleep):
        try:
            asyncio.gather(wrong)
        except TypeError:
            continue
        raise AssertionError("it was accepted")
    coroutine.close()


@fact("TIMEOUT-3", "TIMEOUT-5", "timeout", "Timeout", "timeout_at")
async def rescheduled() -> None:
    """reschedule() moves the deadline either way; None removes it; a moment that has passed ends the block."""
    loop = asyncio.get_running_loop()
    for first, then, ends in (
        (9, 0.01, True),
        (0.01, 9, False),
        (0.01, None, False),
        (None, -1, True),
        (9, 0, True),
    ):
        start = loop.time()
        try:
            async with asyncio.timeout(first) as block:
                block.reschedule(None if then is None else loop.time() + then)
                await asyncio.sleep(0.05)
        except TimeoutError:
            assert ends
            assert block.expired()
            assert loop.time() - start < 0.045
        else:
            assert not ends
            assert not block.expired()


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
