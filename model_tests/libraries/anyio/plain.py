"""Cases of anyio: python plain.py [CASE...]"""

import asyncio
import sys

import anyio
from anyio.functools import lru_cache


async def cache_key(fails: bool) -> str:
    """Two calls of a cached function share an argument; the first fails, or not.  The second should return a value."""
    calls = 0

    @lru_cache(maxsize=1)
    async def load(page: int) -> int:
        nonlocal calls
        calls += 1
        first = calls == 1
        await asyncio.sleep(0.05)
        if first and fails:
            raise ConnectionError
        return page

    tasks = []
    for page in (1, 1, 2):
        tasks.append(asyncio.create_task(load(page)))
        await asyncio.sleep(0.01)
    await asyncio.gather(*tasks, return_exceptions=True)
    error = tasks[1].exception()
    return "a value" if error is None else type(error).__name__


async def cache_place(fails: bool) -> str:
    """Two pages are loaded through a cache for two, after a load that failed, or did not.  Both should be cached."""
    failing = fails

    @lru_cache(maxsize=2)
    async def load(page: int) -> int:
        await asyncio.sleep(0)
        if failing:
            raise ConnectionError
        return page

    try:
        await load(1)
    except ConnectionError:
        failing = False
    for page in (1, 2):
        await load(page)
    before = load.cache_info().hits
    for page in (1, 2):
        await load(page)
    return f"{load.cache_info().hits - before} of 2 are cached"


async def send(at_once: bool) -> str:
    """A task waits in send(), its scope is cancelled, and the stream drained, later or at once.  It should be empty."""
    sender, receiver = anyio.create_memory_object_stream[int](0)
    scope = anyio.CancelScope()

    async def send() -> None:
        with scope:
            await sender.send(1)

    task = asyncio.create_task(send())
    await asyncio.sleep(0.01)
    scope.cancel()
    if not at_once:
        await asyncio.sleep(0.01)
    received = 0
    try:
        while True:
            receiver.receive_nowait()
            received += 1
    except anyio.WouldBlock:
        pass
    await task
    sender.close()
    receiver.close()
    return f"send() was {'cancelled' if scope.cancelled_caught else 'done'}, {received} received"


async def stream(natively: bool) -> str:
    """A task receives from a stream, and is cancelled when an item was sent.  The item should be received or left."""
    sender, receiver = anyio.create_memory_object_stream[int](1)
    got = []
    scope = anyio.CancelScope()

    async def receive() -> None:
        with scope:
            got.append(await receiver.receive())

    task = asyncio.create_task(receive())
    await asyncio.sleep(0.01)
    sender.send_nowait(1)
    if natively:
        task.cancel()
    else:
        scope.cancel()
    await asyncio.wait([task])
    left = receiver.statistics().current_buffer_used
    sender.close()
    receiver.close()
    return f"{len(got)} received, {left} left"


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "cache_key": (cache_key, "the first call returns", "the first call fails"),
    "cache_place": (cache_place, "no load has failed", "the first load has failed"),
    "send": (send, "drained later", "drained at once"),
    "stream": (stream, "CancelScope.cancel()", "Task.cancel()"),
}


def outcome(case: str, wrong: bool) -> str:
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
