"""Programs to copy: asyncio and trio, with popular libraries; the asyncio ones run unchanged on any loop.

    aiohttp_race.py       a shop and two customers: in some runs its last ticket is sold twice
    httpx_retries.py      a client that gets everything from a host that often fails
    anyio_listener.py     a server that limits the time of each request
    trio_timeout.py       the first answer of three, if one arrives in time

The docstring of each says how to run it.
"""
