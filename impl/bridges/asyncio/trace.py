"""The digest of a run of a simulated asyncio loop, and its typed trace (sim/trace.py): the events of a run of impl.

The kernel announces timers, connections and turns of tasks to any observer.  Tasks, futures and queues of asyncio
announce nothing, so a traced run has a loop of its own: its tasks and futures announce themselves, and while it runs,
so do queues.  The trace changes nothing in the run, and untraced runs pay nothing for it.

A future of a class of the program's, or of asyncio.gather, is announced when a task first waits for it, and resolved
when that task wakes.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, ClassVar, TypeAlias
from weakref import WeakSet

from ...interfaces import Item, Runnable
from ...net import NetworkConditions
from ...sim.choices import Choices
from ...sim.garbage import Collector
from ...sim.inject import NOTHING, Injection
from ...sim.observers import Observers
from ...sim.order import Order
from ...sim.trace import Recorder
from ...threads.thread import ProgramThread, ThreadStep
from ..digest import BridgeDigest, thread_ran, thread_taken
from .handles import Called, Turn
from .loop import SimEventLoop
from .tasks import SimFuture, SimTask, number_of

#: A method of a queue.
Method: TypeAlias = Callable[..., Any]
#: A future or task, a coroutine, a result, an item or a queue of the program: of any type.
Theirs: TypeAlias = Any


class AsyncioDigest(BridgeDigest):
    """Observes one loop, `SimEventLoop(observer=AsyncioDigest())`, and collects its garbage.

    The steps of a run are turns of tasks, by their numbers, and callbacks, by their names.
    """

    __slots__ = ("_collector",)

    def __init__(self) -> None:
        super().__init__()
        self._collector = Collector()

    def taken(self, item: Runnable) -> None:
        if isinstance(item, Turn):
            self.add(f"turn {number_of(item.task)}")
        elif isinstance(item, Called):
            self.add(f"call {item.name()}")
        else:
            super().taken(item)
        self._collector.at(self.count)


class AsyncioRecorder(Recorder):
    """Records one TracedLoop."""

    __slots__ = ("_stepping", "_unannounced")

    task_class: ClassVar[type | tuple[type, ...]] = (asyncio.Task, ProgramThread)

    def __init__(self) -> None:
        super().__init__()
        self._stepping: object = None  # the task, from the beginning of its turn to the end of `ran`
        self._unannounced: WeakSet[Theirs] = WeakSet()  # pending ones; never iterated

    def creator(self) -> object | None:
        loop = asyncio._get_running_loop()
        return self._stepping if loop is None else asyncio.current_task(loop) or self._stepping

    def taken(self, item: Runnable) -> None:
        if isinstance(item, ThreadStep):
            thread_taken(self, item.task)
            return
        if not isinstance(item, Turn) or item.fn is None:
            return
        task, waker = item.task, item.waker()
        if waker in self._unannounced:
            self._unannounced.discard(waker)
            self.resolved(waker)
        if not self.knows(task):  # the program made it without the loop
            self.created(task)
        self.resumed(task)
        self._stepping = task
        if task._must_cancel or (asyncio.isfuture(waker) and waker.cancelled()):  # type: ignore[attr-defined]
            self.cancel_delivered(task)

    def ran(self, item: Runnable) -> None:
        if isinstance(item, ThreadStep):
            thread_ran(self, item.task)
            return
        if not isinstance(item, Turn) or item.fn is None:
            return
        task = item.task
        if task.done():
            self.resolved(task)
        else:
            on: Theirs = task._fut_waiter  # type: ignore[attr-defined]
            if on is not None and not self.knows(on):
                self.created(on)
                if not isinstance(on, asyncio.Task):  # the turns of a task announce its end
                    self._unannounced.add(on)
            self.parked(task, None if on is None else self.name(on))
        self._stepping = None

    def resolved(self, future: Theirs) -> None:
        # The attribute, because `exception()` counts as retrieving it.
        error = getattr(future, "_exception", None)
        self.ended(future, "cancelled" if future.cancelled() else "result" if error is None else "exception")


class TracedFuture(SimFuture):
    """A future that announces itself and its end."""

    __slots__ = ("_recorder",)

    def __init__(self, *, loop: TracedEventLoop) -> None:
        super().__init__(loop=loop)
        self._recorder = loop.recorder
        self._recorder.created(self)

    def set_result(self, result: Theirs, /) -> None:
        super().set_result(result)
        self._recorder.resolved(self)

    def set_exception(self, exception: type | BaseException, /) -> None:
        super().set_exception(exception)
        self._recorder.resolved(self)

    def cancel(self, msg: Theirs = None) -> bool:
        cancelled = super().cancel(msg)
        if cancelled:
            self._recorder.resolved(self)
        return cancelled


class TracedTask(SimTask):
    """A task that announces itself and requests to cancel it; the recorder sees its turns, and its end there."""

    __slots__ = ("_recorder",)

    def __init__(self, coro: Theirs, *, loop: TracedEventLoop, name: object = None, **more: Theirs) -> None:
        # As SimTask, but an eager task announces itself before its first step.
        self._serial = loop.serial()
        self._recorder = loop.recorder
        if asyncio.iscoroutine(coro):
            self._recorder.created(self)
        asyncio.Task.__init__(self, coro, loop=loop, name=loop.task_name() if name is None else str(name), **more)
        if self.done():
            self._recorder.resolved(self)
        else:
            loop.live[self] = None

    def cancel(self, msg: Theirs = None) -> bool:
        if not self.done():
            self._recorder.cancel_requested(self)
        return super().cancel(msg)


TracedFuture.__name__ = TracedFuture.__qualname__ = SimFuture.__name__
TracedTask.__name__ = TracedTask.__qualname__ = SimTask.__name__


class TracedEventLoop(SimEventLoop):
    """A simulated loop; `recorder` records its run, and `digest` observes it too."""

    task_class = TracedTask
    future_class = TracedFuture

    def __init__(
        self,
        choices: Choices | None,
        conditions: NetworkConditions,
        order: Order,
        digest: AsyncioDigest,
        inject: Injection = NOTHING,
    ) -> None:
        self.recorder = AsyncioRecorder()
        super().__init__(choices, conditions, order, Observers(self.recorder, digest), inject=inject)

    def run_forever(self) -> None:
        with _announced_queues:
            super().run_forever()


TracedEventLoop.__name__ = TracedEventLoop.__qualname__ = SimEventLoop.__name__


def _recorder() -> AsyncioRecorder | None:
    """The recorder of the traced loop that runs in this thread, or None."""
    loop = asyncio._get_running_loop()
    return loop.recorder if isinstance(loop, TracedEventLoop) else None


def _announce(queue: Theirs, what: Item) -> None:
    recorder = _recorder()
    if recorder is not None:
        if not recorder.knows(queue):  # it was made outside of the run
            recorder.created(queue)
        recorder.queue(queue, what)


def _moving(original: Method, what: Item) -> Method:
    """`_put` or `_get`, with an announcement unless a subclass only calls it in its own."""

    @wraps(original)
    def moved(self: Theirs, *item: Theirs) -> Theirs:
        result = original(self, *item)
        if getattr(type(self), original.__name__) is moved:
            _announce(self, what)
        return result

    return moved


class _AnnouncedQueues:
    """While a traced loop runs, queues of asyncio announce themselves and their items: methods are replaced for that.

    These are methods of asyncio.Queue, and the `_put` and `_get` of its subclasses, which may have their own.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs = 0
        self._replaced: list[tuple[type, str, Method]] = []

    def __enter__(self) -> None:
        with self._lock:
            self._runs += 1
            if self._runs == 1:
                original: Method = asyncio.Queue.__init__
                task_done: Method = asyncio.Queue.task_done

                @wraps(original)
                def initialized(queue: Theirs, *args: Theirs, **more: Theirs) -> None:
                    original(queue, *args, **more)
                    if (recorder := _recorder()) is not None:
                        recorder.created(queue)
                        with self._lock:
                            self._follow(type(queue))

                @wraps(task_done)
                def done(queue: Theirs) -> None:
                    if queue._unfinished_tasks > 0:  # else it raises
                        _announce(queue, Item.DONE)
                    task_done(queue)

                self._replace(asyncio.Queue, "__init__", initialized)
                self._replace(asyncio.Queue, "task_done", done)
                for cls in (asyncio.Queue, asyncio.LifoQueue, asyncio.PriorityQueue):
                    self._follow(cls)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._runs -= 1
            while self._runs == 0 and self._replaced:
                cls, name, original = self._replaced.pop()
                setattr(cls, name, original)

    def _follow(self, queue_class: type) -> None:
        for name, what in (("_put", Item.PUT), ("_get", Item.GOT)):
            cls = next(each for each in queue_class.__mro__ if name in vars(each))
            if (cls, name) not in ((each, method) for each, method, _ in self._replaced):
                self._replace(cls, name, _moving(vars(cls)[name], what))

    def _replace(self, cls: type, name: str, method: Method) -> None:
        self._replaced.append((cls, name, vars(cls)[name]))
        setattr(cls, name, method)


_announced_queues = _AnnouncedQueues()
