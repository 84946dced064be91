"""aiotools' TaskGroup, which derives from asyncio's.

Difference: it has a name, and a context variable says which group a task is in.

Freedom: "An asynchronous context manager holding a group of tasks" (Task Groups) leaves the rest of
its class free.
"""

from __future__ import annotations

from aiotools import TaskGroup

__all__ = ["TaskGroup"]
