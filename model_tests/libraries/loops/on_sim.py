"""impl's kernel and network under asyncio's own futures and tasks, on which programs of asyncio run as they are."""

from impl.bridges.asyncio.loop import SimEventLoop

new_event_loop = SimEventLoop
