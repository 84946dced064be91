"""A session of a second is written in a transaction: after three seconds it must be gone.

loopspec explore cashews_expiry/program.py:main --cancel log_in
"""

import asyncio

from cashews import Cache


async def main() -> None:
    cache = Cache()
    cache.setup("mem://")

    async def log_in() -> None:
        async with cache.transaction():
            await cache.set("session", "open", expire=1)
            try:
                await asyncio.sleep(0)
            except asyncio.CancelledError:
                await asyncio.sleep(0.1)  # finishes what it has begun

    await asyncio.wait([asyncio.create_task(log_in())])
    await asyncio.sleep(3)
    session = await cache.get("session")
    await cache.close()
    assert session is None, "a session of a second is open after three"
