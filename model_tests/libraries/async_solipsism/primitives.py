"""The loop of async-solipsism: its time is virtual, and a program that nothing can wake ends with an error.

What differs: the clock jumps to the next timer as soon as nothing is ready; there are no real sockets.

What leaves that free: "Return the current time, as a float value, according to the event loop's internal monotonic
clock" (loop.time) says what the clock is not: the time of day.
"""

from __future__ import annotations

import asyncio

from async_solipsism import EventLoop


def new_event_loop() -> asyncio.AbstractEventLoop:
    loop: asyncio.AbstractEventLoop = EventLoop()
    return loop
