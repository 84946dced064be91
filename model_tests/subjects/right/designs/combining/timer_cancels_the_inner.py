"""wait_for makes a task of its awaitable, and a timer cancels that task itself.

The documentation says that the awaitable is cancelled on timeout; it leaves free which part of the code cancels it.
"""

from __future__ import annotations

import asyncio
from typing import Any


async def wait_for(fut: Any, timeout: float | None) -> Any:
    inner = asyncio.ensure_future(fut)
    if timeout is None or inner.done():
        return await inner
    me = asyncio.current_task()
    before = me.cancelling() if me is not None else 0
    late = False

    def strike() -> None:
        nonlocal late
        late = inner.cancel()

    timer: asyncio.TimerHandle | None = None
    if timeout <= 0:
        strike()
    else:
        timer = asyncio.get_running_loop().call_later(timeout, strike)
    try:
        return await inner
    except asyncio.CancelledError as error:
        if late and (me is None or me.cancelling() <= before):
            raise TimeoutError from error
        raise
    finally:
        if timer is not None:
            timer.cancel()
