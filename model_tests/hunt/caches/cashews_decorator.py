"""cashews: calls of a function in a transaction each return, and commit, though they run at once."""

from __future__ import annotations

import asyncio

from cashews import Cache

from ..harness import Harness


async def main() -> list[str]:
    cache = Cache()
    cache.setup("mem://")

    @cache.transaction()
    async def pay(order: int) -> str:
        await cache.set(f"order:{order}", "paid", expire=1)
        await asyncio.sleep(0.3)
        return "paid"

    async def handle(order: int) -> str:
        answer: str = await pay(order)
        return answer

    try:
        tasks = [asyncio.create_task(handle(order)) for order in (1, 2)]
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        for order, answer in enumerate(answers, 1):
            paid = await cache.get(f"order:{order}")
            assert not isinstance(answer, Exception), f"a call raises {type(answer).__name__}"
            in_time = asyncio.get_running_loop().time() < 1
            assert answer != "paid" or paid == "paid" or not in_time, f"order {order} is lost"
        await asyncio.sleep(3)
        for order in (1, 2):
            assert await cache.get(f"order:{order}") is None, "an order has not expired"
        return [str(answer) for answer in answers if isinstance(answer, str)]
    finally:
        await cache.close()


HARNESS = Harness(
    "cashews",
    main,
    cancel="handle",
    finds={
        "AssertionError: a call raises ValueError": "cashews_decorator",
        "AssertionError: a call raises RuntimeError": "cashews_decorator",
        "AssertionError: an order has not expired": "cashews_expiry",
    },
)
