"""A user is read, and later an order, each through the cache of its class: each reader must get an answer.

loopspec explore aiocache_lock/program.py:main --cancel read_user
"""

import asyncio

from aiocache import cached_stampede


async def main() -> None:
    class Users:
        @cached_stampede(lease=2, noself=True)  # type: ignore[untyped-decorator]
        async def get(self, number: int) -> str:
            try:
                await asyncio.sleep(0.01)
            except asyncio.CancelledError:
                await asyncio.sleep(0.1)  # closes a connection, for instance
                raise
            return f"user {number}"

    class Orders:
        @cached_stampede(lease=2, noself=True)  # type: ignore[untyped-decorator]
        async def get(self, number: int) -> str:
            await asyncio.sleep(0.2)
            return f"order {number}"

    async def read_user() -> None:
        await Users().get(1)

    async def read_order() -> None:
        await asyncio.sleep(0.05)
        await Orders().get(1)

    readers = [asyncio.create_task(read_user()), asyncio.create_task(read_order())]
    for answer in await asyncio.gather(*readers, return_exceptions=True):
        assert not isinstance(answer, Exception), f"a reader gets {type(answer).__name__}"
