"""Two payments follow each other, each in a transaction: each must be answered, also if one takes longer to end.

loopspec explore cashews_decorator/program.py:main --cancel pay
"""

import asyncio

from cashews import Cache


async def main() -> None:
    cache = Cache()
    cache.setup("mem://")

    @cache.transaction()  # type: ignore[untyped-decorator]
    async def charge(order: int) -> None:
        try:
            await cache.set(f"order:{order}", "paid")
            await asyncio.sleep(0.1)
        except asyncio.CancelledError:
            await asyncio.sleep(0.3)  # takes the charge back
            raise

    async def pay(order: int) -> None:
        await asyncio.sleep(0.2 * order)
        await charge(order)

    answers = await asyncio.gather(
        *[asyncio.create_task(pay(order)) for order in (1, 2)], return_exceptions=True
    )
    await cache.close()
    for answer in answers:
        assert not isinstance(answer, Exception), f"a payment raises {type(answer).__name__}"
