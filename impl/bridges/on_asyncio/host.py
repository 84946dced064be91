"""Host: the operations of a loop that our futures, tasks and primitives use (interfaces.py), on an asyncio event loop.

A host adapts one loop and decides nothing.  Making an item ready is `call_soon`; the current task is kept by the
functions that asyncio documents for task implementations (CPython documentation, "Extending": `_register_task`,
`_enter_task`, `_leave_task`).  A loop has one host at a time.  The host holds the loop, never the other way round, and
is freed with the last future that holds it.  Importing this file registers asyncio with `tasks/current.py`.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from asyncio import events
from asyncio.tasks import _enter_task, _leave_task, _register_task
from collections.abc import Callable, Coroutine, Iterable
from functools import wraps
from itertools import count
from typing import Any, ClassVar, Final, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from ...interfaces import CancelTarget, Runnable
from ...sim.kernel import Kernel
from ...tasks import current as running
from ...tasks.callback import Callback
from ...tasks.task import Task

# The types of its underscored names are unknown.
tasks: Any = asyncio.tasks

# Any in this file: objects that other runtimes pass on (results, arguments, tasks), as in interfaces.py.

P = ParamSpec("P")
R = TypeVar("R")

_names = count(1)
#: Since 3.14 asyncio's tasks in C and those in Python are registered apart; ours are found in both registries.
_TWO_REGISTRIES: Final = sys.version_info >= (3, 14) and tasks._c_current_task is not tasks._py_current_task


class AsyncioReady:
    """The interface of a loop's ready queue for futures and tasks (interfaces.Ready)."""

    __slots__ = ("_loop",)

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def append(self, item: Runnable, /) -> None:
        if isinstance(item, Callback):  # unwrapped, so that asyncio's debugging output shows the function
            assert item._fn is not None
            self._loop.call_soon(item._fn, *item._args, context=item.context)
        else:
            self._loop.call_soon(item.run, context=item.context)

    def extend(self, items: Iterable[Runnable], /) -> None:
        for item in items:
            self.append(item)


class AsyncioSpawner:
    """interfaces.Host and interfaces.Spawner over an asyncio event loop."""

    __slots__ = ("__weakref__", "loop", "ready")

    observer: ClassVar[None] = None
    Cancelled: ClassVar[type[BaseException]] = asyncio.CancelledError
    #: Set by on_asyncio/futures.py: our futures need a host, and a host needs this class of futures.
    CancelForwarder: ClassVar[Callable[[asyncio.AbstractEventLoop, CancelTarget], Any]]

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.ready = AsyncioReady(loop)

    # --- for futures and tasks ---------------------------------------------------------------------------

    @property
    def current(self) -> Any:
        """The running task."""
        return asyncio.current_task(self.loop)

    @current.setter
    def current(self, task: Any) -> None:
        if task is not None:
            _enter_task(self.loop, task)
        else:
            _leave_task(self.loop, self.current)
        if _TWO_REGISTRIES:  # a task in C has no place in that of the tasks in Python
            ours = task if isinstance(task, Task) else None
            if ours is not tasks._py_current_task(self.loop):
                tasks._py_swap_current_task(self.loop, ours)

    def adopt(self, task: Any) -> int:
        _register_task(task)
        if _TWO_REGISTRIES:
            tasks._py_register_task(task)
        return next(_names)

    def release(self, task: Any) -> None:
        """asyncio holds tasks weakly and does not count those that are done."""

    def report(self, what: dict[str, Any]) -> None:
        self.loop.call_exception_handler(what)

    # --- for primitives and combinators ------------------------------------------------------------------

    def create_future(self) -> Any:
        return self.loop.create_future()

    def create_cancel_forwarder(self, target: CancelTarget) -> Any:
        return type(self).CancelForwarder(self.loop, target)

    def create_task(self, coro: Coroutine[Any, Any, Any], **more: Any) -> Any:
        """Make a task as the loop does, with its task factory, which gets `more` as it is (TASK-25)."""
        return self.loop.create_task(coro, **more)

    def time(self) -> float:
        return self.loop.time()

    def call_soon(self, callback: Callable[..., object], *args: Any) -> asyncio.Handle:
        return self.loop.call_soon(callback, *args)

    def call_at(self, when: float, callback: Callable[..., object], *args: Any) -> asyncio.TimerHandle:
        return self.loop.call_at(when, callback, *args)

    async def alarm(self, delay: float) -> None:
        """Wait for `delay` seconds."""
        if delay != delay:
            raise ValueError("Invalid delay: NaN (not a number)")
        due = self.loop.create_future()
        timer = self.loop.call_later(delay, _resolve, due)
        try:
            await due
        finally:
            timer.cancel()


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


_hosts: WeakValueDictionary[int, AsyncioSpawner] = WeakValueDictionary()


def host_of(loop: Any) -> Any:
    """The host of a loop; a loop of ours is its own host."""
    if isinstance(loop, Kernel):
        return loop
    host = _hosts.get(id(loop))  # a host keeps its loop alive, so no other loop has this id
    if host is None:
        host = _hosts[id(loop)] = AsyncioSpawner(loop)
    return host


def default_loop() -> Any:
    """The default loop of asyncio, also where no loop is running."""
    return getattr(events, "_get_event_loop", events.get_event_loop)()


class _Asked(threading.local):
    by_name = False  # whether one of asyncio's functions was called by its name


_asked = _Asked()


class _Asyncio(running.ForeignRuntime):
    """asyncio's loops and futures, for `impl`."""

    def running_host(self) -> Any:
        loop = asyncio._get_running_loop()
        return None if loop is None else host_of(loop)

    def usual_host(self) -> Any:
        return host_of(default_loop()) if _asked.by_name else super().usual_host()

    def host_of(self, loop: Any) -> Any:
        return host_of(loop)

    def is_future(self, what: object) -> bool:
        return asyncio.isfuture(what)

    def callbacks(self, future: Any) -> Iterable[Callable[..., object]]:
        return [callback for callback, _ in getattr(future, "_callbacks", None) or ()]

    def waits_for(self, what: object) -> Any:
        return getattr(what, "_fut_waiter", None)


def by_name(function: Callable[P, R]) -> Callable[P, R]:
    """Wrap a function of ours as asyncio has it: where no loop is running, it uses asyncio's default loop.

    The function itself raises there, even after this file was imported.
    """

    @wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        before, _asked.by_name = _asked.by_name, True
        try:
            return function(*args, **kwargs)
        finally:
            _asked.by_name = before

    return called


running.register_runtime(_Asyncio())
