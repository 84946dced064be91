"""A function in a transaction is called twice, one after the other, or at once.  Each call should return."""

import asyncio

from cashews import Cache


async def main(at_once: bool) -> str:
    cache = Cache()
    cache.setup("mem://")

    @cache.transaction()  # type: ignore[untyped-decorator]
    async def pay(order: int) -> str:
        await cache.set(f"order:{order}", "paid")
        await asyncio.sleep(0.1)
        return "paid"

    calls = [asyncio.create_task(pay(1))]
    await asyncio.sleep(0.05 if at_once else 0.3)
    calls.append(asyncio.create_task(pay(2)))
    answers = await asyncio.gather(*calls, return_exceptions=True)
    await cache.close()
    return ", ".join(answer if isinstance(answer, str) else type(answer).__name__ for answer in answers)


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("one after the other:", outcome(False))
    print("at once:", outcome(True))
