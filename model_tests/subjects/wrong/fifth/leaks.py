"""Wrong shield, wait, sleep, Future and TaskGroup: each keeps a reference that is no longer needed."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

_TaskGroup: Any = asyncio.TaskGroup
_ALL = asyncio.ALL_COMPLETED
_ENDS = {asyncio.FIRST_COMPLETED, asyncio.FIRST_EXCEPTION, _ALL}


def _wake(future: asyncio.Future[Any], result: Any) -> None:
    if not future.done():
        future.set_result(result)


def _failed(future: asyncio.Future[Any]) -> bool:
    return not future.cancelled() and future.exception() is not None


@functools.wraps(asyncio.shield, assigned=["__name__"])
def shield_stays_on_the_inner_future(arg: Any) -> Any:
    """A shield that was cancelled is kept by the future it shielded, until that ends.

    Breaks tasks.py, shield(), _outer_done_callback(): "if not inner.done():
    inner.remove_done_callback(_inner_done_callback)"
    """
    inner = asyncio.ensure_future(arg)
    if inner.done():
        return inner
    outer = inner.get_loop().create_future()

    def on_inner_done(inner: asyncio.Future[Any]) -> None:
        if outer.cancelled():
            _failed(inner)  # its error is retrieved
        elif inner.cancelled():
            outer.cancel()
        elif (error := inner.exception()) is not None:
            outer.set_exception(error)
        else:
            outer.set_result(inner.result())

    inner.add_done_callback(on_inner_done)
    return outer


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_leaves_its_callbacks(fs: Any, *, timeout: float | None = None, return_when: str = _ALL) -> Any:
    """After wait() the pending futures keep its callback, and with it all the futures that were waited for.

    Breaks tasks.py, _wait(): "finally: ... for f in fs: f.remove_done_callback(_on_completion)"
    """
    if asyncio.isfuture(fs) or asyncio.iscoroutine(fs):
        raise TypeError(f"expect a list of futures, not {type(fs).__name__}")
    fs = set(fs)
    if not fs or not all(map(asyncio.isfuture, fs)) or return_when not in _ENDS:
        return await asyncio.wait(fs, timeout=timeout, return_when=return_when)  # which raises
    loop = asyncio.get_running_loop()
    waiter = loop.create_future()
    timer = None if timeout is None else loop.call_later(timeout, _wake, waiter, None)

    ended: list[Any] = []

    def on_completion(future: asyncio.Future[Any]) -> None:
        ended.append(future)
        enough = len(ended) == len(fs) or return_when == asyncio.FIRST_COMPLETED
        if enough or (return_when == asyncio.FIRST_EXCEPTION and _failed(future)):
            _wake(waiter, None)

    for future in fs:
        future.add_done_callback(on_completion)
    try:
        await waiter
    finally:
        if timer is not None:
            timer.cancel()
    done = {future for future in fs if future.done()}
    return done, fs - done


class TaskGroupThatKeepsItsTasks(_TaskGroup):
    """A group keeps each task that it has started, with its result, so a server's group grows for ever.

    Breaks taskgroups.py, _on_task_done(): "self._tasks.discard(task)"
    """

    def __init__(self) -> None:
        super().__init__()
        self._started: list[Any] = []

    def create_task(self, *args: Any, **options: Any) -> Any:
        task = super().create_task(*args, **options)
        self._started.append(task)
        return task
