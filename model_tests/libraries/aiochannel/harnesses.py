"""Harnesses of aiochannel."""

import asyncio

from aiochannel import Channel, ChannelClosed

from ..harness import harness_of

PRODUCERS, CONSUMERS, ITEMS = 2, 2, 2


async def produce(channel: Channel, number: int, put_in: list[int]) -> None:
    try:
        for item in range(ITEMS):
            await channel.put(number * ITEMS + item)
            put_in.append(number * ITEMS + item)
    except ChannelClosed:
        pass
    finally:
        # The first producer that ends closes the channel, and so does each after it.
        channel.close()


async def consume(channel: Channel, got: list[int]) -> None:
    async for item in channel:
        got.append(item)


@harness_of(
    "aiochannel",
    cancel="produce,consume",
    finds={
        "*InvalidStateError*": "aiochannel_close",
        "AssertionError: produce: ChannelFull()": "aiochannel_full",
    },
)
async def aiochannel_close() -> list[int]:
    """After close() the items are got, and every putter, getter and join() ends, however often it is closed."""
    channel: Channel = Channel(1)
    put_in: list[int] = []
    got: list[int] = []
    tasks = [asyncio.create_task(produce(channel, number, put_in)) for number in range(PRODUCERS)]
    tasks += [asyncio.create_task(consume(channel, got)) for _ in range(CONSUMERS)]
    await asyncio.sleep(0.01)
    channel.close()  # if both consumers were cancelled, nothing else ends the producers
    results = await asyncio.gather(*tasks, return_exceptions=True)
    for task, result in zip(tasks, results, strict=True):
        ended = result is None or isinstance(result, asyncio.CancelledError)
        assert ended, f"{task.get_coro().__name__}: {result!r}"  # type: ignore[union-attr]
    await consume(channel, got)
    assert sorted(got) == sorted(put_in), f"put {put_in}, got {got}"
    await channel.join()
    return got


PUTTERS = 3


async def put(channel: Channel, item: int, put_in: list[int]) -> None:
    await channel.put(item)
    put_in.append(item)


async def get(channel: Channel, got: list[int]) -> None:
    got.append(await channel.get())


def waiting(tasks: list[asyncio.Task[None]]) -> list[asyncio.Task[None]]:
    return [task for task in tasks if not task.done()]


@harness_of("aiochannel", cancel="put,get")
async def aiochannel_items() -> tuple[list[int], int]:
    """Each item that was put is got once or left, in order, though putters and getters are cancelled."""
    channel: Channel = Channel(1)
    put_in: list[int] = []
    got: list[int] = []
    left: list[int] = []
    putters = [asyncio.create_task(put(channel, item, put_in)) for item in range(PUTTERS)]
    getters = [asyncio.create_task(get(channel, got)) for _ in range(PUTTERS)]
    await asyncio.sleep(0.01)
    # A waiting task is served as soon as there is an item or room for it; if not, this waits for ever.
    while tasks := waiting(getters):
        if channel.full():
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        else:
            await put(channel, PUTTERS, put_in)
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
