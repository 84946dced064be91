"""Teaching code: rungs 19 to 22, Tornado's coroutines as they were before Tornado ran on asyncio.

Read future.py, ioloop.py, coroutine.py and fetch.py in this order; sums.py is an example.
"""

from .fetch import run

__all__ = ["run"]
