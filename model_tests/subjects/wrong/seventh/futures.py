"""Wrong implementations of futures, tasks and ensure_future."""

import asyncio
import functools
from typing import Any


class FutureIgnoresSecondResult(asyncio.Future[Any]):
    """A future that ignores a result when it is done, without an error.

    Breaks "Raises an InvalidStateError error if the Future is already done."
    """

    def set_result(self, result: Any, /) -> None:
        if not self.done():
            super().set_result(result)


class TaskIgnoresSecondCancel(asyncio.Task[Any]):
    """A task that refuses a cancel while an earlier one is counted, also if its coroutine caught that.

    Breaks "arranges for a CancelledError exception to be thrown into the wrapped coroutine on the next cycle".
    """

    def cancel(self, msg: Any | None = None) -> bool:
        if self.cancelling():
            return False
        return super().cancel(msg)


async def _result_of(future: Any) -> Any:
    return await future


@functools.wraps(asyncio.ensure_future, assigned=["__name__"])
def ensure_future_wraps_future(obj: Any, *, loop: asyncio.AbstractEventLoop | None = None) -> Any:
    """An ensure_future that wraps a plain future in a task.

    Breaks "obj argument as is, if obj is a Future, a Task, or a Future-like object".
    """
    future = asyncio.ensure_future(obj, loop=loop)
    if future is obj and not isinstance(obj, asyncio.Task):
        return asyncio.ensure_future(_result_of(obj), loop=obj.get_loop())
    return future
