import asyncio


async def main() -> None:
    prices: dict[str, int] = {}

    async def load() -> None:
        await asyncio.sleep(0)  # the file is read
        prices["tea"] = 2

    async def sell() -> int:
        await asyncio.sleep(0)  # a customer comes in
        return prices["tea"]

    await asyncio.gather(load(), sell())
