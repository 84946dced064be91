"""asyncio with the futures and tasks that CPython has in Python instead of those in C.

Difference: none that a sentence of the documentation names.
"""

from __future__ import annotations

from .own_future import PyFuture as Future
from .own_future import PyTask as Task

__all__ = ["Future", "Task"]
