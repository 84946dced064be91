"""aiochannel: each item that was put is got once or left, in order, though putters and getters are cancelled."""

from __future__ import annotations

import asyncio

from aiochannel import Channel

from ..harness import Harness

ITEMS = 3


async def put(channel: Channel, item: int, put_in: list[int]) -> None:
    await channel.put(item)
    put_in.append(item)


async def get(channel: Channel, got: list[int]) -> None:
    got.append(await channel.get())


def waiting(tasks: list[asyncio.Task[None]]) -> list[asyncio.Task[None]]:
    return [task for task in tasks if not task.done()]


async def main() -> tuple[list[int], int]:
    channel: Channel = Channel(1)
    put_in: list[int] = []
    got: list[int] = []
    left: list[int] = []
    putters = [asyncio.create_task(put(channel, item, put_in)) for item in range(ITEMS)]
    getters = [asyncio.create_task(get(channel, got)) for _ in range(ITEMS)]
    await asyncio.sleep(0.01)
    # A waiting task is served as soon as there is an item or room for it; if not, this waits for ever.
    while tasks := waiting(getters):
        if channel.full():
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        else:
            await put(channel, ITEMS, put_in)
    while tasks := waiting(putters):
        if channel.empty():
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        else:
            left.append(channel.get_nowait())
    channel.close()
    left += [item async for item in channel]
    await channel.join()
    assert sorted(got + left) == sorted(put_in), f"put {put_in}, got {got}, left {left}"
    for result in await asyncio.gather(*putters, *getters, return_exceptions=True):
        assert result is None or isinstance(result, asyncio.CancelledError), f"{result!r}"
    return got, len(left)


HARNESS = Harness("aiochannel", main, cancel="put,get")
