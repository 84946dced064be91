"""Cases of tornado: python plain.py [CASE...]"""

import asyncio
import sys

from tornado.locks import Lock
from tornado.queues import Queue


async def lock(cancels: bool) -> str:
    """A task waits for a lock, and is cancelled when the lock was released.  Another should get the lock."""
    lock = Lock()
    await lock.acquire()

    async def holds() -> None:
        async with lock:
            pass

    task = asyncio.create_task(holds())
    await asyncio.sleep(0.01)
    lock.release()
    if cancels:
        task.cancel()
    await asyncio.wait([task])
    try:
        await asyncio.wait_for(holds(), 0.5)
    except TimeoutError:
        return "nothing holds the lock, and it is locked"
    return "acquired"


async def queue(cancels: bool) -> str:
    """A task gets from a queue, and is cancelled when an item was put.  The item should be got or be left."""
    queue: Queue[int] = Queue()
    got = []

    async def gets() -> None:
        got.append(await queue.get())

    task = asyncio.create_task(gets())
    await asyncio.sleep(0.01)
    queue.put_nowait(1)
    if cancels:
        task.cancel()
    await asyncio.wait([task])
    return f"{len(got)} got, {queue.qsize()} left"


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "lock": (lock, "without a cancel", "with a cancel"),
    "queue": (queue, "without a cancel", "with a cancel"),
}


def outcome(case: str, wrong: bool) -> str:
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
