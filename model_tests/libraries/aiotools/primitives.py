"""aiotools' TaskGroup, which derives from asyncio's.

What differs: it has a name, and a context variable says which group a task is in.

What leaves that free: "An asynchronous context manager holding a group of tasks" (Task Groups) does not say what else
its class offers.
"""

from __future__ import annotations

from aiotools import TaskGroup

__all__ = ["TaskGroup"]
