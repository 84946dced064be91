"""The loop of async-solipsism: its time is virtual, and a program that nothing can wake ends with an error.

Difference: the clock jumps to the next timer as soon as nothing is ready; there are no real sockets.

Freedom: "Return the current time, as a float value, according to the event loop's internal monotonic
clock" (loop.time) excludes one clock: the time of day.
"""

import asyncio

from async_solipsism import EventLoop


def new_event_loop() -> asyncio.AbstractEventLoop:
    loop: asyncio.AbstractEventLoop = EventLoop()
    return loop
