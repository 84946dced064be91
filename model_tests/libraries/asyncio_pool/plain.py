"""Cases of asyncio_pool: python plain.py [CASE...]"""

import asyncio
import sys

from asyncio_pool import AioPool


async def work(_: int) -> None:
    await asyncio.sleep(0.1)


async def cancel(at_once: bool) -> str:
    """A call is spawned in a pool of one and cancelled, before or after it began.  The next call should run."""
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


async def join(cancels: bool) -> str:
    """In a pool of one, a call runs and its rival waits.  At its end the call cancels the rival; join() should end."""
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


async def map(waits_for_a_place: bool) -> str:
    """A task that maps four items over a pool is cancelled: while it waits for a place, or for the results."""
    pool = AioPool(1 if waits_for_a_place else 4)
    task = asyncio.create_task(pool.map(work, range(4)))
    await asyncio.sleep(0.05)
    task.cancel()
    await asyncio.wait([task])
    await pool.join()
    return "cancelled" if task.cancelled() else "went on"


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "cancel": (cancel, "cancelled after it began", "cancelled at once"),
    "join": (join, "the rival is not cancelled", "the rival is cancelled"),
    "map": (map, "cancelled while it waits for the results", "cancelled while it waits for a place"),
}


def outcome(case: str, wrong: bool) -> str:
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
