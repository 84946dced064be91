"""A task gets from a queue, and is cancelled when an item was put.  The item should be got or be left."""

import asyncio

from tornado.queues import Queue


async def main(cancels: bool) -> str:
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


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("without a cancel:", outcome(False))
    print("with a cancel:", outcome(True))
