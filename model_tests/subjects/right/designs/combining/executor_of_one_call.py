"""to_thread by an executor made for one call, with one thread, closed as soon as the call is handed in.

The documentation says that the function runs in a separate thread, but not that threads are shared or kept.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


async def to_thread(func: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    context = contextvars.copy_context()

    def call() -> R:
        try:
            return context.run(func, *args, **kwargs)
        except StopIteration as error:  # cannot be put into a future
            raise RuntimeError("function raised StopIteration") from error

    executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="one-call")
    running = executor.submit(call)
    executor.shutdown(wait=False)  # the thread ends after this one call
    return await asyncio.wrap_future(running)
