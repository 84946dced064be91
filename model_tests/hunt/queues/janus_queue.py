"""janus: each item that was put is got once or left, put, get and join() end, and so does shutdown."""

from __future__ import annotations

import asyncio

import janus

from ..harness import Harness

ITEMS = 3


async def put(queue: janus.Queue[int], item: int, put_in: list[int]) -> None:
    await queue.async_q.put(item)
    put_in.append(item)


async def get(queue: janus.Queue[int], got: list[int]) -> None:
    got.append(await queue.async_q.get())
    queue.async_q.task_done()


async def join(queue: janus.Queue[int]) -> None:
    await queue.async_q.join()


def waiting(tasks: list[asyncio.Task[None]]) -> list[asyncio.Task[None]]:
    return [task for task in tasks if not task.done()]


async def main() -> tuple[list[int], int]:
    queue: janus.Queue[int] = janus.Queue(1)
    put_in: list[int] = []
    got: list[int] = []
    left: list[int] = []
    getters = [asyncio.create_task(get(queue, got)) for _ in range(2)]
    putters = [asyncio.create_task(put(queue, item, put_in)) for item in range(ITEMS)]
    joiner = asyncio.create_task(join(queue))
    await asyncio.sleep(0.01)
    # What waits is served as soon as there is an item or room for it; if not, this waits for ever.
    while tasks := waiting(getters):
        if queue.async_q.full():
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        else:
            await put(queue, ITEMS, put_in)
    while tasks := waiting(putters):
        if queue.async_q.empty():
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        else:
            await get(queue, left)
    while not queue.async_q.empty():
        await get(queue, left)
    assert sorted(got + left) == sorted(put_in), f"put {put_in}, got {got}, left {left}"
    await asyncio.wait([joiner])
    last = asyncio.create_task(get(queue, left))
    await asyncio.sleep(0.01)
    await queue.aclose()
    *results, ended = await asyncio.gather(*getters, *putters, last, return_exceptions=True)
    assert isinstance(ended, janus.AsyncQueueShutDown | asyncio.CancelledError), f"{ended!r}"
    for result in results:
        assert result is None or isinstance(result, asyncio.CancelledError), f"{result!r}"
    return got, len(left)


HARNESS = Harness(
    "janus",
    main,
    cancel="put,get,join",
    allowed={
        # It is not seen with Python 3.13.
        "AssertionError: put waits, and its turn has come": "Condition of CPython 3.11 loses a notify, gh-112202",
        "DeadlockError*_async_not_full*": "Condition of CPython 3.11 loses a notify, gh-112202",
    },
)
