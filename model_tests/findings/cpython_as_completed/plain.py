"""Five tasks take the first of two results, by wait() or as_completed().  Each should be freed when it has ended."""

import asyncio
import gc
import weakref
from typing import Any


async def request(stop: "asyncio.Future[None]", steps: bool) -> None:
    work = asyncio.ensure_future(asyncio.sleep(0))
    if not steps:
        await asyncio.wait([stop, work], return_when=asyncio.FIRST_COMPLETED)
        return
    for step in asyncio.as_completed([stop, work]):
        await step
        return


async def main(steps: bool) -> str:
    stop = asyncio.get_running_loop().create_future()
    refs: list[Any] = []
    for _ in range(5):
        task = asyncio.create_task(request(stop, steps))
        refs.append(weakref.ref(task))
        await task
        del task
    await asyncio.sleep(0)
    gc.collect()
    return f"{sum(ref() is not None for ref in refs)} of 5 ended tasks are kept"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("by wait():", outcome(False))
    print("by as_completed():", outcome(True))
