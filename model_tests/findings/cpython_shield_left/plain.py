"""Five tasks wait for a shield or another result, then cancel the shield or leave it.  Each should be freed."""

import asyncio
import gc
import weakref
from typing import Any


async def request(stop: "asyncio.Future[None]", leaves: bool) -> None:
    shield = asyncio.shield(stop)
    await asyncio.wait([shield, asyncio.ensure_future(asyncio.sleep(0))], return_when=asyncio.FIRST_COMPLETED)
    if not leaves:
        shield.cancel()


async def main(leaves: bool) -> str:
    stop = asyncio.get_running_loop().create_future()
    refs: list[Any] = []
    for _ in range(5):
        task = asyncio.create_task(request(stop, leaves))
        refs.append(weakref.ref(task))
        await task
        del task
    await asyncio.sleep(0)
    gc.collect()
    return f"{sum(ref() is not None for ref in refs)} of 5 ended tasks are kept"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("it is cancelled:", outcome(False))
    print("it is left:", outcome(True))
