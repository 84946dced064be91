"""The Queue of backports.asyncio.queues, which has the shutdown of Python 3.13.

What differs: before 3.13 it derives from asyncio's class; since then it is asyncio's.

What leaves that free: nothing needs to; it promises what asyncio does.
"""

from __future__ import annotations

from backports.asyncio.queues import Queue, QueueShutDown

__all__ = ["Queue", "QueueShutDown"]
