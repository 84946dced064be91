"""Shared by the designs of wait, gather, as_completed and task groups: arguments, an iterator of ends, a group."""

import asyncio
import sys
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator
from typing import Any, Final, Self

# Any: results of awaitables.
Child = asyncio.Future[Any]
KINDS: Final = (asyncio.ALL_COMPLETED, asyncio.FIRST_COMPLETED, asyncio.FIRST_EXCEPTION)


def futures_of(fs: Iterable[Child], return_when: str) -> set[Child]:
    """Return the futures that wait() was given, or raise as it does."""
    if asyncio.isfuture(fs) or isinstance(fs, Coroutine):
        raise TypeError("an iterable of futures is needed, not one of them")
    futures = set(fs)
    if any(isinstance(one, Coroutine) for one in futures):
        raise TypeError("coroutines are not allowed, make tasks of them")
    if not futures or return_when not in KINDS:
        raise ValueError("no futures are given, or return_when is unknown")
    return futures


def failed(future: Child) -> bool:
    """Return whether the future is done and has an exception."""
    return future.done() and not future.cancelled() and future.exception() is not None


def enough(futures: set[Child], return_when: str) -> bool:
    """Return whether wait() has nothing to wait for any more."""
    if return_when == asyncio.FIRST_COMPLETED:
        return any(one.done() for one in futures)
    if return_when == asyncio.FIRST_EXCEPTION and any(map(failed, futures)):
        return True
    return all(one.done() for one in futures)


def outcome(child: Child) -> Any:
    """Return the result of a future, or its exception."""
    try:
        return child.result()
    except BaseException as error:
        return error


def children_of(awaitables: Iterable[Any]) -> list[Child]:
    """Return the future of each argument of gather(); equal arguments have the same one."""
    made: dict[int, Child] = {}
    children = []
    for one in awaitables:
        if id(one) not in made:
            made[id(one)] = asyncio.ensure_future(one)
        children.append(made[id(one)])
    return children


class EndsBase(Iterator[Coroutine[Any, Any, Any]], AsyncIterator[Child]):
    """The iterator of as_completed() with so many steps; `_next_end` returns the future of the next step."""

    def __init__(self, steps: int) -> None:
        self._steps, self._step = steps, 0

    async def _next_end(self, step: int) -> Child:
        raise NotImplementedError

    async def _result(self, step: int) -> Any:
        return (await self._next_end(step)).result()

    def __next__(self) -> Coroutine[Any, Any, Any]:
        if self._step == self._steps:
            raise StopIteration
        self._step += 1
        return self._result(self._step - 1)

    async def __anext__(self) -> Child:
        if self._step == self._steps:
            raise StopAsyncIteration
        future = await self._next_end(self._step)
        self._step += 1
        return future


class GroupBase:
    """A task group that keeps its tasks in order; `_failed` is called for each task that fails, `_closed` is asked."""

    def __init__(self) -> None:
        self._parent: asyncio.Task[Any] | None = None
        self.tasks: list[asyncio.Task[Any]] = []
        self._live: set[asyncio.Task[Any]] = set()
        self._errors: list[BaseException] = []
        self._leaving = self._stopping = self._over = False
        self._pulled = False  #: whether the group has cancelled its parent
        self._asked = 0  #: requests to cancel the parent before the block

    @property
    def results(self) -> list[Any]:
        """The results of all tasks, in order."""
        return [task.result() for task in self.tasks]

    def _closed(self) -> bool:
        """Return whether the group takes no more tasks."""
        return self._parent is None or self._over or self._stopping

    def _failed(self) -> None:
        """Stop: a task has failed."""
        raise NotImplementedError

    async def __aenter__(self) -> Self:
        task = asyncio.current_task()
        if self._parent is not None or task is None:
            raise RuntimeError("a task group is entered once, and inside a task")
        self._parent, self._asked = task, task.cancelling()
        return self

    def create_task(self, coro: Coroutine[Any, Any, Any], **options: Any) -> asyncio.Task[Any]:
        if self._closed():
            coro.close()
            raise RuntimeError("the task group is not entered, or is shutting down, or is finished")
        task = asyncio.get_running_loop().create_task(coro, **options)
        self.tasks.append(task)
        self._live.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._live.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._errors.append(error)
            self._failed()

    def _raise_errors(self) -> None:
        """Raise the errors, if any; a request to cancel from outside is kept for the next await."""
        if self._errors and self._parent is not None:
            for one in self._errors:
                if isinstance(one, (KeyboardInterrupt, SystemExit)):
                    raise one
            if sys.version_info >= (3, 13) and self._parent.cancelling() > self._asked:
                self._parent.uncancel()
                self._parent.cancel()
            errors, self._errors = self._errors, []
            raise BaseExceptionGroup("unhandled errors in a TaskGroup", errors) from None
