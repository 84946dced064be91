"""A reader holds the lock, a writer waits for 50 ms, and gives up.  A reader that came meanwhile should get in."""

import asyncio

import aiorwlock


async def main(behind: bool) -> str:
    lock = aiorwlock.RWLock()
    entered = asyncio.Event()

    async def write() -> None:
        async with asyncio.timeout(0.05), lock.writer:
            pass

    async def read() -> None:
        async with lock.reader:
            entered.set()

    async with lock.reader:
        writer = asyncio.create_task(write())
        await asyncio.sleep(0.02 if behind else 0.1)
        reader = asyncio.create_task(read())
        await asyncio.sleep(0.5)
        shown = "reads" if entered.is_set() else "waits, and no writer does"
    await asyncio.gather(writer, reader, return_exceptions=True)
    return shown


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("a reader that comes after the writer gave up:", outcome(False))
    print("a reader that comes before:", outcome(True))
