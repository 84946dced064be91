"""A call is spawned in a pool of one and cancelled, before or after it began.  The next call should run."""

import asyncio

from asyncio_pool import AioPool


async def main(at_once: bool) -> str:
    pool = AioPool(1)
    call = await pool.spawn(asyncio.sleep(10))
    if not at_once:
        await asyncio.sleep(0.01)
    await pool.cancel(call)
    try:
        async with asyncio.timeout(1):
            await pool.exec(asyncio.sleep(0.01))
    except TimeoutError:
        return "the next call waits, and none runs"
    return "the next call ran"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("cancelled after it began:", outcome(False))
    print("cancelled at once:", outcome(True))
