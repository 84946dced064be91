"""Five tasks wait until one of two futures fails, by wait() or gather().  Each should be freed when it has ended."""

import asyncio
import gc
import weakref
from typing import Any


async def fails() -> None:
    raise KeyError


async def request(stop: "asyncio.Future[None]", gathers: bool) -> None:
    work = asyncio.ensure_future(fails())
    try:
        if gathers:
            await asyncio.gather(stop, work)
        else:
            await asyncio.wait([stop, work], return_when=asyncio.FIRST_EXCEPTION)
            work.result()
    except KeyError:
        pass


async def main(gathers: bool) -> str:
    stop = asyncio.get_running_loop().create_future()
    refs: list[Any] = []
    for _ in range(5):
        task = asyncio.create_task(request(stop, gathers))
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
    print("by gather():", outcome(True))
