"""Harnesses of culsans."""

import asyncio
from types import ModuleType
from typing import Any, TypeAlias

import culsans

from ..harness import harness_of

ITEMS = 3
#: A queue of culsans, or of janus, which has the same methods.
TwoSided: TypeAlias = Any


async def put(queue: TwoSided, item: int, put_in: list[int]) -> None:
    await queue.async_q.put(item)
    put_in.append(item)


async def get(queue: TwoSided, got: list[int]) -> None:
    got.append(await queue.async_q.get())
    queue.async_q.task_done()


async def join(queue: TwoSided) -> None:
    await queue.async_q.join()


def waiting(tasks: list[asyncio.Task[None]]) -> list[asyncio.Task[None]]:
    return [task for task in tasks if not task.done()]


async def hold(library: ModuleType) -> tuple[list[int], int]:
    queue: TwoSided = library.Queue(1)
    put_in: list[int] = []
    got: list[int] = []
    left: list[int] = []
    getters = [asyncio.create_task(get(queue, got)) for _ in range(2)]
    putters = [asyncio.create_task(put(queue, item, put_in)) for item in range(ITEMS)]
    joiner = asyncio.create_task(join(queue))
    await asyncio.sleep(0.01)
    # A waiting task is served as soon as there is an item or room for it; if not, this waits for ever.
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
    assert isinstance(ended, library.AsyncQueueShutDown | asyncio.CancelledError), f"{ended!r}"
    for result in results:
        assert result is None or isinstance(result, asyncio.CancelledError), f"{result!r}"
    return got, len(left)


@harness_of("culsans", cancel="put,get,join")
async def culsans_queue() -> tuple[list[int], int]:
    """Each item that was put is got once or left, put, get and join() end, and so does shutdown."""
    return await hold(culsans)
