"""quattro's TaskGroup, which derives from asyncio's.

What differs: it can have background tasks, and a limit for those that run at once.

What leaves that free: "An asynchronous context manager holding a group of tasks" (Task Groups) does not say what else
its class offers.
"""

from __future__ import annotations

from quattro import TaskGroup

__all__ = ["TaskGroup"]
