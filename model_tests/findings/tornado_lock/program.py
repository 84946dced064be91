"""Tasks that hold a lock in turn: one that is cancelled must not make the next wait for ever.

loopspec explore tornado_lock/program.py:main --cancel work
"""

import asyncio

from tornado.locks import Lock


async def work(lock: Lock) -> str:
    async with lock:
        await asyncio.sleep(0.01)
    return "done"


async def main() -> None:
    lock = Lock()
    async with asyncio.timeout(10):
        tasks = [asyncio.create_task(work(lock)) for _ in range(3)]
        results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        assert result == "done" or isinstance(result, asyncio.CancelledError), repr(result)
