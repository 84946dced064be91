"""Programs to copy: asyncio and trio, with popular libraries; the asyncio ones run unchanged on any loop.

    aiohttp_race.py       a shop and two customers: in some runs its last ticket is sold twice
    shop.py               a race in eight lines, the first one of the README
    races.py              the classics: lost update, two locks, swallowed cancel, ...; a schedule makes each fail
    httpx_retries.py      a client that gets everything from a host that often fails
    anyio_listener.py     a server that limits the time of each request
    trio_timeout.py       the first answer of three, if it comes in time
    flaky/                tests of aiohttp, anyio and httpx that fail now and then: `pytest flaky` finds the schedules
    subjects/             a wrong queue, future and wait_for, which the conformance kit catches

The docstring of each says how to run it.
"""
