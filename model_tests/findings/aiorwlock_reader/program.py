"""A long read, a change that a user may give up, and a short read: the short one waits only for the change.

loopspec explore aiorwlock_reader/program.py:main --cancel ask
"""

import asyncio

from aiorwlock import RWLock

LONG = 10.0


async def change(lock: RWLock) -> None:
    async with lock.writer:
        await asyncio.sleep(0.01)


async def ask(lock: RWLock, ended: list[float]) -> None:
    changing = asyncio.create_task(change(lock))
    try:
        for _ in range(5):
            await asyncio.sleep(0.01)  # shows how long it takes
        await changing
    finally:
        changing.cancel()
        ended.append(asyncio.get_running_loop().time())


async def read(lock: RWLock, seconds: float) -> float:
    async with lock.reader:
        entered = asyncio.get_running_loop().time()
        await asyncio.sleep(seconds)
    return entered


async def main() -> None:
    lock = RWLock()
    ended: list[float] = []
    long = asyncio.create_task(read(lock, LONG))
    await asyncio.sleep(0.01)
    asker = asyncio.create_task(ask(lock, ended))
    await asyncio.sleep(0.01)
    short = asyncio.create_task(read(lock, 0))
    await asyncio.gather(long, asker, short, return_exceptions=True)
    for time in ended:
        assert short.result() < time + 1, "a reader waits, and no writer does"
