"""aiochannel: after close() the items are got, and every putter, getter and join() ends, however often it is closed."""

from __future__ import annotations

import asyncio

from aiochannel import Channel, ChannelClosed

from ..harness import Harness

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


async def main() -> list[int]:
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


HARNESS = Harness(
    "aiochannel",
    main,
    cancel="produce,consume",
    finds={
        "*InvalidStateError*": "aiochannel_close",
        "AssertionError: produce: ChannelFull()": "aiochannel_full",
    },
)
