"""In a pool of one, a call runs and its rival waits.  At its end the call cancels the rival; join() should end."""

import asyncio

from asyncio_pool import AioPool


async def main(cancels: bool) -> str:
    pool = AioPool(1)

    async def work(wins: bool) -> None:
        await asyncio.sleep(0.05)
        if wins and cancels:
            tasks[1].cancel()

    tasks = [asyncio.create_task(pool.exec(work(wins))) for wins in (True, False)]
    await asyncio.sleep(0.01)
    try:
        async with asyncio.timeout(1):
            await pool.join()
    except TimeoutError:
        return f"join() waits, and the pool is {'empty' if pool.is_empty else 'in use'}"
    finally:
        await asyncio.gather(*tasks, return_exceptions=True)
    return "join() ended"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the rival is not cancelled:", outcome(False))
    print("the rival is cancelled:", outcome(True))
