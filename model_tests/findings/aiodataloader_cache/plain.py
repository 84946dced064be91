"""Two tasks read a key, and the first is cancelled, or is not.  The second, and a later one, should get a value."""

import asyncio

from aiodataloader import DataLoader


async def fetch(keys: list[int]) -> list[int]:
    await asyncio.sleep(0.05)
    return keys


async def main(cancelled: bool) -> str:
    loader = DataLoader(fetch)

    async def read() -> str:
        try:
            await loader.load(1)
        except asyncio.CancelledError:
            return "cancelled"
        return "a value"

    first, second = asyncio.create_task(read()), asyncio.create_task(read())
    await asyncio.sleep(0.01)
    if cancelled:
        first.cancel()
    return f"the other: {await second}; a later one: {await read()}"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the first is not cancelled:", outcome(False))
    print("the first is cancelled:", outcome(True))
