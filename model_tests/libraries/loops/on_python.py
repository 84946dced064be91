"""asyncio with the futures and tasks that CPython has in Python instead of those in C."""

from ...implementations.parts.asyncios import Future, Task
from ...programs.runtimes import tell_c_of_pure_tasks

tell_c_of_pure_tasks()

__all__ = ["Future", "Task"]
