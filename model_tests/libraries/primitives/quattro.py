"""quattro's TaskGroup, which derives from asyncio's.

Difference: it can have background tasks, and a limit for those that run at once.

Freedom: "An asynchronous context manager holding a group of tasks" (Task Groups) leaves the rest of
its class free.
"""

from __future__ import annotations

from quattro import TaskGroup

__all__ = ["TaskGroup"]
