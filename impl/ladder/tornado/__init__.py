"""Teaching code: rungs 19 to 22, Tornado's way of coroutines, as it was before Tornado stood on asyncio.

future.py, ioloop.py, coroutine.py and fetch.py, to be read in this order; sums.py is an example.
"""

from .fetch import run, waiting_unit

__all__ = ["run", "waiting_unit"]
