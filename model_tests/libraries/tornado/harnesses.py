"""Harnesses of tornado."""

import asyncio
import logging
from datetime import timedelta
from typing import Any

from tornado import httpserver, locks, queues, web
from tornado.util import TimeoutError as TornadoTimeout

from ..fakes.determinism import InOrder
from ..fakes.http_client import PORT, answers, fetch, keep
from ..fakes.patience import end
from ..harness import harness_of

ITEMS = 3


async def use(lock: locks.Lock) -> None:
    async with lock:
        await asyncio.sleep(0.001)


async def get(queue: Any, got: list[int]) -> None:
    got.append(await queue.get())


@harness_of(
    "tornado",
    cancel="use,get",
    finds={"DeadlockError*": "tornado_lock", "AssertionError: [[]*": "tornado_queue"},
)
async def tornado_native() -> list[int]:
    """A lock serves the next task, and a queue loses no item, though asyncio cancels a task that waits."""
    lock = locks.Lock()
    queue: queues.Queue[int] = queues.Queue(ITEMS)
    got: list[int] = []
    users = [asyncio.create_task(use(lock)) for _ in range(3)]
    getters = [asyncio.create_task(get(queue, got)) for _ in range(2)]
    for item in range(ITEMS):
        await asyncio.sleep(0.001)
        await queue.put(item)
    await asyncio.gather(*users, *getters, return_exceptions=True)
    assert len(got) + queue.qsize() == ITEMS, f"[{len(got)}] of {ITEMS} items were got, {queue.qsize()} are left"
    await use(lock)
    return got


logging.getLogger("tornado").addHandler(logging.NullHandler())  # of clients that go


class Hello(web.RequestHandler):
    async def get(self) -> None:
        self.set_header("Content-Length", "6")
        self.write("hel")
        await self.flush()
        await asyncio.sleep(0.02)
        self.write("lo\n")

    post = get


@harness_of("tornado", cancel="fetch,keep", slow=True)
async def tornado_server() -> list[object]:
    """A web server serves each client though others go, and close_all_connections() ends all, at any step."""
    app = web.Application([("/", Hello)], log_function=lambda handler: None)
    server = httpserver.HTTPServer(app)
    server._connections = InOrder()  # type: ignore[assignment]
    server.listen(PORT, "localhost")
    clients = [asyncio.create_task(fetch(begin)) for begin in (0, 0.05)]
    clients += [asyncio.create_task(keep(part)) for part in (b"", b"GET / HTTP/1.1\r\n")]
    await asyncio.sleep(0.08)
    server.stop()
    await end(asyncio.ensure_future(server.close_all_connections()), "closing does not end")
    hello = await answers(clients)
    await asyncio.sleep(1)  # closing connections end
    return hello


USERS = 4


class SingleRoom:
    """A room for one."""

    def __init__(self) -> None:
        self.inside = 0


async def use_in_time(lock: Any, room: SingleRoom, seconds: float) -> str:
    try:
        with await lock.acquire(timeout=timedelta(seconds=seconds)):
            room.inside += 1
            assert room.inside == 1, "two are inside"
            await asyncio.sleep(0.01)
            room.inside -= 1
    except TornadoTimeout:
        return "too late"
    return "used"


async def wait(condition: locks.Condition, seconds: float) -> bool:
    return await condition.wait(timeout=timedelta(seconds=seconds))


async def use_locks() -> int:
    outcomes = []
    for lock in (locks.Lock(), locks.Semaphore(1), locks.BoundedSemaphore(1)):
        room = SingleRoom()
        seconds = (0.005 * number for number in range(1, USERS + 1))
        users = [asyncio.create_task(use_in_time(lock, room, second)) for second in seconds]
        outcomes += await asyncio.gather(*users)
        assert await use_in_time(lock, room, 1) == "used", "the lock is free, and its next user waits"
    condition = locks.Condition()
    waiters = [asyncio.create_task(wait(condition, second)) for second in (0.01, 0.02, 5)]
    await asyncio.sleep(0.01)
    # Some have given up: the notify is for one that has not.
    last = condition.wait(timeout=timedelta(seconds=100))
    for _ in range(len(waiters) + 1):
        condition.notify()
    assert await last, "the condition was notified as often as it has waiters, and one waits"
    notified = await asyncio.gather(*waiters)
    return outcomes.count("used") + sum(notified)


async def put(queue: Any, item: int, put_in: list[int]) -> None:
    try:
        await queue.put(item, timeout=timedelta(seconds=0.01 * item + 0.01))
    except TornadoTimeout:
        return
    put_in.append(item)


async def get_in_time(queue: Any, seconds: float, got: list[int]) -> None:
    await asyncio.sleep(seconds)
    try:
        item = await queue.get(timeout=timedelta(seconds=seconds))
    except TornadoTimeout:
        return
    got.append(item)
    queue.task_done()


async def use_queue() -> tuple[list[int], int]:
    queue: queues.Queue[int] = queues.Queue(1)
    put_in: list[int] = []
    got: list[int] = []
    tasks = [asyncio.create_task(put(queue, item, put_in)) for item in range(ITEMS)]
    tasks += [asyncio.create_task(get_in_time(queue, seconds, got)) for seconds in (0.001, 0.01, 0.02)]
    await asyncio.gather(*tasks)
    left: list[int] = []
    while queue.qsize():
        await get_in_time(queue, 1, left)
    assert sorted(got + left) == sorted(put_in), f"put {put_in}, got {got}, left {left}"
    await queue.join()
    await put(queue, ITEMS, put_in)
    await get_in_time(queue, 1, left)
    assert ITEMS in left, "the queue is used again"
    return got, len(left)


@harness_of("tornado")
async def tornado_timeouts() -> tuple[int, tuple[list[int], int]]:
    """When a waiter gives up by a timeout of tornado's own, a lock serves the next, and a queue loses no item."""
    return await use_locks(), await use_queue()
