"""Cases of cashews: python plain.py [CASE...]"""

import asyncio
import sys
from collections.abc import AsyncIterator

from cashews import Cache


async def decorator(cache: Cache, at_once: bool) -> str:
    """A function in a transaction is called twice, one after the other, or at once.  Each call should return."""

    @cache.transaction()  # type: ignore[untyped-decorator]
    async def pay(order: int) -> str:
        await cache.set(f"order:{order}", "paid")
        await asyncio.sleep(0.1)
        return "paid"

    calls = [asyncio.create_task(pay(1))]
    await asyncio.sleep(0.05 if at_once else 0.3)
    calls.append(asyncio.create_task(pay(2)))
    answers = await asyncio.gather(*calls, return_exceptions=True)
    return ", ".join(answer if isinstance(answer, str) else type(answer).__name__ for answer in answers)


async def expiry(cache: Cache, in_transaction: bool) -> str:
    """A value of half a second is written, outside of a transaction or in one.  After a second it should be gone."""
    if in_transaction:
        async with cache.transaction():
            await cache.set("session", "open", expire=0.5)
    else:
        await cache.set("session", "open", expire=0.5)
    await asyncio.sleep(1)
    return "kept" if await cache.get("session") else "expired"


async def iterator(cache: Cache, two: bool) -> str:
    """A list is read through a cache, and again when it is shorter.  A first reader stops at row one, or after two."""
    rows = [1, 2, 3]

    @cache.iterator(ttl=60, key="rows")  # type: ignore[untyped-decorator]
    async def listed() -> AsyncIterator[int]:
        for row in rows:
            await asyncio.sleep(0.01)
            yield row

    async def read(most: int) -> list[int]:
        got: list[int] = []
        async for row in listed():
            if len(got) == most:
                break
            got.append(row)
        return got

    await read(2 if two else 0)
    del rows[1:]
    second, third = await read(9), await read(9)
    return f"{second} is given again as {third}"


async def lock(cache: Cache, longer: bool) -> str:
    """A task holds a lock for less than its time, or for longer; then two want it.  No two should have it at once."""
    inside, most = 0, 0

    async def first() -> None:
        async with cache.lock("report", expire=0.4):
            await asyncio.sleep(0.8 if longer else 0.1)

    async def later() -> None:
        nonlocal inside, most
        async with cache.lock("report", expire=5, check_interval=0.02):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.8)
            inside -= 1

    tasks = [asyncio.create_task(first())]
    await asyncio.sleep(0.02)
    tasks += [asyncio.create_task(later()) for _ in range(2)]
    await asyncio.gather(*tasks)
    return f"{most} at once"


async def shared(cache: Cache, cancelled: bool) -> str:
    """Two tasks read the same page through a cache, and the first is cancelled, or not.  The second should get it."""

    @cache(ttl=60, key="page:{page}")  # type: ignore[untyped-decorator]
    async def load(page: int) -> int:
        await asyncio.sleep(0.1)
        return page

    async def read() -> str:
        try:
            await load(1)
        except asyncio.CancelledError:
            return "cancelled"
        return "a value"

    first, second = asyncio.create_task(read()), asyncio.create_task(read())
    await asyncio.sleep(0.03)
    if cancelled:
        first.cancel()
    return f"the other: {await second}"


async def transaction(cache: Cache, in_commit: bool) -> str:
    """A task is cancelled in the body of a transaction, or in its commit.  Its next write should be kept."""

    async def work() -> None:
        try:
            async with cache.transaction():
                await cache.set("first", "written")
                if not in_commit:
                    await asyncio.sleep(0.1)
                # Its first suspension from here on is in the commit.
                asyncio.get_running_loop().call_soon(worker.cancel)
        except asyncio.CancelledError:
            pass
        await cache.set("second", "written")

    worker = asyncio.create_task(work())
    if not in_commit:
        await asyncio.sleep(0.03)
        worker.cancel()
    await asyncio.wait([worker])
    return f"the next write: {'kept' if await cache.get('second') else 'lost'}"


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "decorator": (decorator, "one after the other", "at once"),
    "expiry": (expiry, "outside of a transaction", "in a transaction"),
    "iterator": (iterator, "it stops at the first row", "it stops after two"),
    "lock": (lock, "held for less than its time", "held for longer"),
    "shared": (shared, "the first is not cancelled", "the first is cancelled"),
    "transaction": (transaction, "cancelled in the body", "cancelled in the commit"),
}


async def main(case: str, wrong: bool) -> str:
    cache = Cache()
    cache.setup("mem://?check_interval=0.05")
    try:
        return await CASES[case][0](cache, wrong)
    finally:
        await cache.close()


def outcome(case: str, wrong: bool) -> str:
    return asyncio.run(main(case, wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
