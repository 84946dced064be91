"""Wrong implementations of asyncio's futures and tasks."""

import asyncio
import functools
from typing import Any


class TaskThatTakesAllRequestsBack(asyncio.Task[Any]):
    """A task whose uncancel() takes back all requests to cancel it, not one.

    Breaks "Decrement the count of cancellation requests to this Task" of `Task.uncancel`.
    """

    def uncancel(self) -> int:
        while super().uncancel():
            pass
        return 0


@functools.wraps(asyncio.all_tasks, assigned=["__name__"])
def all_tasks_but_the_current_one(loop: asyncio.AbstractEventLoop | None = None) -> set[asyncio.Task[Any]]:
    """An all_tasks that leaves out the task that calls it.

    Breaks "Return a set of not yet finished Task objects run by the loop".
    """
    loop = loop or asyncio.get_running_loop()
    return asyncio.all_tasks(loop) - {asyncio.current_task(loop)}
