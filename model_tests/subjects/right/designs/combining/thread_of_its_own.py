"""Each call gets a new thread, which hands its outcome to the loop when it ends.

The documentation says "in a separate thread" and leaves free whether a pool keeps that thread.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from typing import Any


async def to_thread(func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    loop, context = asyncio.get_running_loop(), contextvars.copy_context()
    ended: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()

    def tell(value: Any, error: BaseException | None) -> None:
        if not ended.done():
            ended.set_result((value, error))

    def work() -> None:
        value, error = None, None
        try:
            value = context.run(func, *args, **kwargs)
        except BaseException as caught:
            error = caught
        try:
            loop.call_soon_threadsafe(tell, value, error)
        except RuntimeError:
            pass  # the loop was closed, so no task waits

    threading.Thread(target=work, name=f"to_thread {func!r}").start()
    value, error = await ended
    if error is not None:
        raise error
    return value
