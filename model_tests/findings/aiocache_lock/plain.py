"""Two classes have a method of one name, each with its own cache; these are called one after the other, or at once."""

import asyncio

from aiocache import cached_stampede


async def main(at_once: bool) -> str:
    class Users:
        @cached_stampede(lease=2, noself=True)  # type: ignore[untyped-decorator]
        async def get(self, number: int) -> str:
            await asyncio.sleep(0.1)
            return f"user {number}"

    class Orders:
        @cached_stampede(lease=2, noself=True)  # type: ignore[untyped-decorator]
        async def get(self, number: int) -> str:
            await asyncio.sleep(0.3)
            return f"order {number}"

    async def read_user() -> str:
        user: str = await Users().get(1)
        return user

    async def read_order() -> str:
        order: str = await Orders().get(1)
        return order

    readers = [asyncio.create_task(read_user())]
    await asyncio.sleep(0.02 if at_once else 0.2)
    readers.append(asyncio.create_task(read_order()))
    answers = await asyncio.gather(*readers, return_exceptions=True)
    return ", ".join(answer if isinstance(answer, str) else type(answer).__name__ for answer in answers)


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("one after the other:", outcome(False))
    print("at once:", outcome(True))
