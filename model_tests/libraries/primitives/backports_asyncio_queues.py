"""The Queue of backports.asyncio.queues, which has the shutdown of Python 3.13.

Difference: before 3.13 it derives from asyncio's class; since then it is asyncio's.

Freedom: none is needed; it does as asyncio does.
"""

from __future__ import annotations

from backports.asyncio.queues import Queue, QueueShutDown

__all__ = ["Queue", "QueueShutDown"]
