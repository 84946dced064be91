"""Harnesses of aiorwlock."""

import asyncio

from aiorwlock import RWLock

from ..harness import harness_of


class LockedPage:
    """The state behind the lock: the number of its readers and writers."""

    def __init__(self) -> None:
        self.readers = self.writers = 0


async def read(lock: RWLock, page: LockedPage) -> str:
    async with lock.reader:
        page.readers += 1
        try:
            assert page.writers == 0, "read while it is written"
            await asyncio.sleep(0.01)
        finally:
            page.readers -= 1
    return "read"


async def write(lock: RWLock, page: LockedPage) -> str:
    async with lock.writer:
        page.writers += 1
        try:
            assert (page.writers, page.readers) == (1, 0), "written while it is used"
            await asyncio.sleep(0.01)
        finally:
            page.writers -= 1
    return "written"


async def give_up(writer: asyncio.Task[str]) -> None:
    # Cancelled at any of its steps, it cancels the writer, as a timeout would.
    try:
        for _ in range(5):
            await asyncio.sleep(0.001)
    except asyncio.CancelledError:
        writer.cancel()


@harness_of(
    "aiorwlock",
    cancel="read,write,give_up",
    finds={"AssertionError: a reader waits, and no writer does": "aiorwlock_reader"},
)
async def aiorwlock_turns() -> list[str]:
    """A writer is alone, readers share, and a task that gives up waiting holds no other back."""
    lock, page = RWLock(), LockedPage()
    async with lock.reader:
        writer = asyncio.create_task(write(lock, page))
        await asyncio.sleep(0)
        reader = asyncio.create_task(read(lock, page))
        await asyncio.wait([asyncio.create_task(give_up(writer))])
        await asyncio.sleep(0.1)
        if writer.done():
            assert reader.done(), "a reader waits, and no writer does"
    tasks = [writer, reader]
    tasks += [asyncio.create_task(use(lock, page)) for use in (write, read, read, write, read)]
    results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        assert isinstance(result, str | asyncio.CancelledError), f"{result!r}"
    assert await write(lock, page) == "written"
    assert await read(lock, page) == "read"
    return [result for result in results if isinstance(result, str)]
