"""Harnesses of cashews."""

import asyncio
from collections.abc import AsyncIterator

from cashews import Cache

from ..harness import harness_of


@harness_of(
    "cashews",
    cancel="handle",
    finds={
        "AssertionError: a call raises ValueError": "cashews_decorator",
        "AssertionError: a call raises RuntimeError": "cashews_decorator",
        "AssertionError: an order has not expired": "cashews_expiry",
    },
)
async def cashews_decorator() -> list[str]:
    """Calls of a function in a transaction each return, and commit, though they run at once."""
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


@harness_of(
    "cashews",
    cancel="read",
    finds={"AssertionError: [[]*] is given again as *": "cashews_iterator"},
)
async def cashews_iterator() -> list[int]:
    """A cached iterator gives the same items again, whichever readers of it were cancelled."""
    cache = Cache()
    cache.setup("mem://")
    items = [1, 2, 3]

    @cache.iterator(ttl=60, key="items")
    async def listed() -> AsyncIterator[int]:
        for item in items:
            await asyncio.sleep(0.01)
            yield item

    async def read() -> list[int]:
        return [item async for item in listed()]

    try:
        await asyncio.wait([asyncio.create_task(read())])
        del items[1:]
        second = await read()
        third = await read()
        assert second == third, f"{second} is given again as {third}"
        return second
    finally:
        await cache.close()


LEASE = 1.0


@harness_of(
    "cashews",
    cancel="ask",
    slow=True,
    finds={"AssertionError: two hold the lock*": "cashews_lock"},
)
async def cashews_locked() -> int:
    """A locked function runs once at a time, also if one that lost its lock by time ends later."""
    cache = Cache()
    cache.setup("mem://?check_interval=0.05")
    inside: list[float] = []
    reports = 0

    @cache.locked(ttl=LEASE, key="report", check_interval=0.1)
    async def report() -> None:
        nonlocal reports
        start = asyncio.get_running_loop().time()
        others = [entered for entered in inside if start - entered < LEASE]
        assert not others, "two hold the lock, and neither has had it for its whole time"
        inside.append(start)
        try:
            await asyncio.sleep(0.5)
            reports += 1
        except asyncio.CancelledError:
            await asyncio.sleep(1.45)
            raise
        finally:
            inside.remove(start)

    async def ask() -> None:
        await report()

    try:
        tasks = [asyncio.create_task(ask()) for _ in range(3)]
        for answer in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(answer, Exception):
                raise answer
        async with asyncio.timeout(10):
            await ask()
        return reports
    finally:
        await cache.close()


@harness_of(
    "cashews",
    cancel="read",
    finds={"AssertionError: a reader was not cancelled, and ends so": "cashews_shared"},
)
async def cashews_shared() -> int:
    """Callers of a cached function share a load, and each that is not cancelled gets its value."""
    cache = Cache()
    cache.setup("mem://")
    loads: list[int] = []

    @cache(ttl=60, key="page:{page}")
    async def load(page: int) -> int:
        loads.append(page)
        await asyncio.sleep(0.01)
        return page

    async def read(page: int) -> int:
        value: int = await load(page)
        return value

    pages = (1, 1, 2, 1)
    readers = [asyncio.create_task(read(page)) for page in pages]
    try:
        await asyncio.wait(readers)
        for page, reader in zip(pages, readers, strict=True):
            if reader.cancelled():
                assert reader.cancelling(), "a reader was not cancelled, and ends so"
            else:
                assert reader.result() == page
        assert await read(1) == 1
        return len(loads)
    finally:
        await cache.close()


@harness_of(
    "cashews",
    cancel="work",
    finds={"AssertionError: the * write of a worker is lost": "cashews_transaction"},
)
async def cashews_transaction() -> list[str]:
    """A value written after a transaction is kept, whichever way it ended, and so is its last commit."""
    cache = Cache()
    cache.setup("mem://")

    async def work(name: str) -> None:
        try:
            async with cache.transaction():
                await cache.set(f"{name}:first", "written")
                await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            pass
        async with cache.transaction():
            await cache.set(f"{name}:second", "written")
        await cache.set(f"{name}:third", "written")

    try:
        workers = [asyncio.create_task(work(name)) for name in ("a", "b")]
        await asyncio.gather(*workers, return_exceptions=True)
        for worker, name in zip(workers, ("a", "b"), strict=True):
            if not worker.cancelled():
                worker.result()
                for key in ("second", "third"):
                    assert await cache.get(f"{name}:{key}"), f"the {key} write of a worker is lost"
        return ["cancelled" if worker.cancelled() else "done" for worker in workers]
    finally:
        await cache.close()
