"""A task waits for a lock, and is cancelled when the lock was released.  Another should get the lock."""

import asyncio

from tornado.locks import Lock


async def main(cancels: bool) -> str:
    lock = Lock()
    await lock.acquire()

    async def holds() -> None:
        async with lock:
            pass

    task = asyncio.create_task(holds())
    await asyncio.sleep(0.01)
    lock.release()
    if cancels:
        task.cancel()
    await asyncio.wait([task])
    try:
        await asyncio.wait_for(holds(), 0.5)
    except TimeoutError:
        return "nothing holds the lock, and it is locked"
    return "acquired"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("without a cancel:", outcome(False))
    print("with a cancel:", outcome(True))
