"""trio-asyncio's loop that runs without a program of trio: trio as an event loop of asyncio's kind."""

from trio_asyncio._sync import SyncTrioEventLoop

new_event_loop = SyncTrioEventLoop
