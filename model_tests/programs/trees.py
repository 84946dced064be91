"""Small programs with known numbers of schedules; a module with asyncio's names can replace asyncio."""

import asyncio


async def yields(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def awaited(tasks: int, count: int) -> None:
    for task in [asyncio.create_task(yields(count)) for _ in range(tasks)]:
        await task


async def gathered(tasks: int, count: int) -> None:
    await asyncio.gather(*(yields(count) for _ in range(tasks)))


async def two_by_three() -> None:
    await awaited(2, 3)


async def two_by_three_gathered() -> None:
    await gathered(2, 3)


async def three_by_two_gathered() -> None:
    await gathered(3, 2)


async def lost_update() -> int:
    value = 0

    async def add() -> None:
        nonlocal value
        seen = value
        await asyncio.sleep(0)
        value = seen + 1

    await asyncio.gather(add(), add(), add())
    return value


async def locked() -> int:
    value = 0
    lock = asyncio.Lock()

    async def add() -> None:
        nonlocal value
        async with lock:
            seen = value
            await asyncio.sleep(0)
            value = seen + 1

    await asyncio.gather(add(), add(), add())
    return value


async def queue() -> list[int]:
    items: asyncio.Queue[int] = asyncio.Queue(1)
    got: list[int] = []

    async def put(item: int) -> None:
        await items.put(item)
        await items.put(item + 10)

    async def get() -> None:
        got.append(await items.get())
        got.append(await items.get())

    await asyncio.gather(put(0), put(1), get(), get())
    return sorted(got)


async def two_sleepers() -> None:
    for task in [asyncio.create_task(asyncio.sleep(1)) for _ in range(2)]:
        await task
