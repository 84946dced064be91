"""The simulated asyncio loop as a host of the driver: unmodified asyncio programs, with reduction."""

from __future__ import annotations

import asyncio
from asyncio import events
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from ...bridges.asyncio.guard import guard
from ...bridges.asyncio.handles import Turn
from ...bridges.asyncio.loop import SimEventLoop
from ...bridges.asyncio.tasks import TaskView, abandon
from ...bridges.network import DEFAULT
from ...errors import StartsThreads
from ...interfaces import Runnable
from ...sim.kernel import Kernel
from ...threads.group import ThreadGroup
from .arguments import calls
from .drive import AnyTask, FixedChoices, Main, closing_quietly
from .expressions import substitutes
from .footprint import log
from .futures import WatchedFuture, WatchedTask
from .ready import Entry, LiveTasks, NamedReady
from .watch_asyncio import watched_asyncio


class _RecordingSimEventLoop(SimEventLoop):
    """Its tasks and futures record their accesses; it reports nothing."""

    task_class = WatchedTask
    future_class = WatchedFuture

    def create_task(self, coro: Any, **more: Any) -> asyncio.Task[Any]:  # Any: as asyncio's
        if self._factory is not None:
            calls(self._factory, (self, coro))
        return super().create_task(coro, **more)

    def group(self) -> ThreadGroup:
        """Raises StartsThreads: each schedule is run then."""
        self.refused = self.refused or StartsThreads("a thread", "the search of each schedule")
        raise self.refused

    def call_exception_handler(self, context: dict[str, Any]) -> None:  # Any: asyncio's context dict
        if self._handler is not None:
            calls(self._handler, (self, context))
            super().call_exception_handler(context)


class AsyncioHost:
    """One run on SimEventLoop."""

    def __init__(self) -> None:
        self.ready = NamedReady(_task_of)
        self.fixed = FixedChoices()
        self._loop = _RecordingSimEventLoop(self.fixed.choices, DEFAULT.conditions, "any", ready=self.ready)
        self.kernel: Kernel = self._loop.kernel
        self._live = self._loop.live = LiveTasks(self)

    @property
    def refused(self) -> BaseException | None:
        return self._loop.refused

    def begin(self, main: Main) -> AnyTask:
        events._set_running_loop(self._loop)
        self._loop._running = True
        return self._loop.create_task(main())

    def ended_by(self, error: BaseException) -> BaseException:
        return self._loop.ended_by(error)

    def left(self) -> list[AnyTask]:
        return self._live.unseen()

    def views(self) -> Iterable[Any]:
        return map(TaskView, self.left())

    def after_step(self, entry: Entry) -> None:
        task = _task_of(entry.item)
        if isinstance(task, WatchedTask):
            task.step_taken()
        elif task is not None:
            log.not_understood("a task of another class")

    def close(self) -> None:
        try:
            for task in self.left():
                for _ in range(3):  # a coroutine may catch GeneratorExit once
                    with closing_quietly():
                        abandon(task)
                        break
        finally:
            events._set_running_loop(None)
            self._loop._running = False
        with closing_quietly():
            self._loop.close()


def _task_of(item: Runnable) -> object | None:
    return item.task if isinstance(item, Turn) else None


def _future(*, loop: Any = None) -> asyncio.Future[Any]:
    """asyncio.Future(), called by the program: a future that records its accesses."""
    return (loop or asyncio.get_running_loop()).create_future()


@contextmanager
def asyncio_hosts(groups: bool = True, watches: bool = True) -> Iterator[Callable[[], AsyncioHost]]:
    """Within the block, asyncio's objects record their accesses; yields a function that makes the host of a run.

    Parameters:
        groups: has no effect: the callbacks of asyncio.gather keep their order.
        watches: False: no accesses are needed.
    """
    with ExitStack() as stack:
        stack.enter_context(guard())
        if watches:
            stack.enter_context(watched_asyncio())
            substitutes[asyncio.Future] = _future
            stack.callback(substitutes.pop, asyncio.Future)
        yield AsyncioHost
