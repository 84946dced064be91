"""Turns: asyncio.AbstractEventLoop on our kernel, without a network: callbacks, timers, tasks, running, errors.

1.  The kernel has the ready queue, the timers and the virtual clock, and runs in turns (kernel.py); tasks and futures
    are the standard library's, in C.  Every call of asyncio to a loop comes down to `ready.append` and `at`.
2.  Under the order `any`, order.py decides which items may run next; handles give it their kind (handles.py).
3.  The loop holds its tasks until they are done, so the garbage collector removes none of them.
4.  A program that cannot continue raises DeadlockError, which lists each task, its line and the reason of its wait.
5.  While the loop runs, a guard (bridges/asyncio/guard.py) refuses calls that would leave the simulation.
6.  Running, stopping and closing are those of LoopBase (loop_base.py).

7.  Threads of the program run one at a time (threads/group.py).  A callback that a thread adds by `call_soon`, which
    does not wake the loop, is not seen until something else wakes it.

Names and meanings are asyncio's (CPython documentation of 3.15, "Event Loop").
"""

from __future__ import annotations

import asyncio
import sys
import threading
import warnings
from asyncio import events
from collections.abc import Callable, Coroutine, Generator, Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import Context, copy_context
from typing import Any, ClassVar, TypeVar, TypeVarTuple

from ...errors import DeadlockError
from ...loop import MAX_TIME, NS_PER_SECOND, nanoseconds
from ...sim.loop_base import AnyGenerator
from ...tasks.callback import Callback
from ...threads.group import ThreadGroup
from ...threads.thread import running_thread
from ..guards import thread_starts
from ..guards.adoption import adopt
from ..simulated_loop import SimLoopBase
from ..simulation import OutsideSimulation
from .errors import note_origin
from .guard import guard
from .handles import Handle, Turn, timer_class, turn_of
from .tasks import BlockingTask, SimFuture, SimTask, TaskView, abandon, resolve

# Any in this file: arguments of callbacks, results of tasks, asyncio's context dict: the program's affair.

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Turns(SimLoopBase):
    """A mixin of SimEventLoop: callbacks, timers, futures, tasks, and running.

    Needs: `call_exception_handler`, `get_debug`, `set_debug`.  Gives: those methods of asyncio.AbstractEventLoop
    that need no network.
    """

    #: The classes of the tasks and futures that the loop makes.
    task_class: ClassVar[type[SimTask]] = SimTask
    future_class: ClassVar[type[SimFuture]] = SimFuture

    def __init__(self) -> None:
        """Set the mixin's own state; SimEventLoop calls this after SimLoopBase's."""
        self._ready: Callable[[Any], None] = self.kernel.ready.append
        self._closed = False
        self._running = False
        self._factory: Callable[..., asyncio.Future[Any]] | None = None
        self._begun = None
        self._default_executor: ThreadPoolExecutor | None = None
        self._executor_shutdown_called = False
        #: The items that threads have added without waking the loop.
        self._unseen: list[Handle] = []

    def __repr__(self) -> str:
        state = "running" if self._running else "closed" if self._closed else "idle"
        return f"<{type(self).__name__} {state} at {self.time():.6f} s>"

    # --- calling back ------------------------------------------------------------------------------------

    def call_soon(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        if self._closed:
            raise RuntimeError("Event loop is closed")
        if context is None:
            context = copy_context()
        task = turn_of(callback)
        handle = Handle(callback, args, context) if task is None else Turn(callback, args, context, task, self.live)
        if self._debug:
            note_origin(handle)
        self._ready(handle)
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        """As call_soon.

        Raises:
            OutsideSimulation: another thread calls it while the loop runs.
        """
        thread = running_thread()
        if self.threads is not None and (thread is None or thread.group is self.threads):
            return self._called_back(self.threads, lambda: self.call_soon(callback, *args, context=context))
        if self._running and events._get_running_loop() is not self:
            refused = OutsideSimulation("a callback from another thread", "a thread that the run starts")
            self.refused = self.refused or refused  # the other thread is in no simulation
            raise refused
        return self.call_soon(callback, *args, context=context)

    def _called_back(self, group: ThreadGroup, call: Callable[[], asyncio.Handle]) -> asyncio.Handle:
        """Make a call of call_soon that wakes the loop; another thread may go on after it."""
        group.wakes = True
        try:
            handle = call()
        finally:
            group.wakes = False
        if running_thread() is not None:
            group.point()
        return handle

    def call_later(
        self, delay: float, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.TimerHandle:
        if delay is None:
            raise TypeError("delay must not be None")
        return self._call_at(self.kernel.now / NS_PER_SECOND + delay, callback, args, context)

    def call_at(
        self, when: float, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.TimerHandle:
        if when is None:
            raise TypeError("when cannot be None")
        return self._call_at(when, callback, args, context)

    def _call_at(
        self, when: float, callback: Callable[..., object], args: tuple[Any, ...], context: Context | None
    ) -> asyncio.TimerHandle:
        self._must_be_open()
        if "time" in self.__dict__:  # asyncio would ask it whether a timer is due
            raise OutsideSimulation("a replaced time() of the loop", "asyncio.sleep, which takes no real time")
        context = copy_context() if context is None else context
        timer = timer_class(callback)(when, callback, args, context)
        if self._debug:
            note_origin(timer, 1)
        due = nanoseconds(when)
        # When it is called, time() shall not say that it is early.
        while due / NS_PER_SECOND < when and due < MAX_TIME:
            due += 1
        if due < MAX_TIME:
            self.kernel.timer(due, timer)
        return timer

    def time(self) -> float:
        return self.clock.read() / NS_PER_SECOND

    # --- making ------------------------------------------------------------------------------------------

    def create_future(self) -> asyncio.Future[Any]:
        return self.future_class(loop=self)

    def create_task(
        self,
        coro: Generator[Any, None, Any] | Coroutine[Any, Any, Any],
        **more: Any,
    ) -> asyncio.Task[Any]:
        self._must_be_open()
        if self._factory is None:
            return self.task_class(coro, loop=self, **more)
        name = None
        if sys.version_info < (3, 14):  # since then a factory gets the keywords as they are given (TASK-25)
            name, context = more.pop("name", None), more.pop("context", None)
            if context is not None:
                more["context"] = context
        task: Any = self._factory(self, coro, **more)
        if name is not None and hasattr(task, "set_name"):
            task.set_name(name)
        if isinstance(task, asyncio.Task) and not task.done():
            self.live[task] = None
        return task  # type: ignore[no-any-return]  # the program's factory made it

    def set_task_factory(self, factory: Any) -> None:
        if factory is not None and not callable(factory):
            raise TypeError("task factory must be a callable or None")
        if sys.version_info >= (3, 12) and factory is asyncio.eager_task_factory:
            factory = asyncio.create_eager_task_factory(self.task_class)  # the same, with our hashes
        self._factory = factory

    def get_task_factory(self) -> Any:
        return self._factory

    # --- running -----------------------------------------------------------------------------------------

    #: Exceptions of futures that the caller made are reported, as in CPython.
    _retrieves_all: ClassVar[bool] = False

    @staticmethod
    def _set_running(loop: asyncio.AbstractEventLoop | None) -> asyncio.AbstractEventLoop | None:
        before = events._get_running_loop()
        events._set_running_loop(loop)
        return before

    def run_turns(self) -> None:
        """As LoopBase, within the guard.

        Raises:
            DeadlockError: nothing can ever happen any more (LivelockError: the clock stands still for ever).
        """
        tracked = sys.get_coroutine_origin_tracking_depth()
        try:
            self.set_debug(self.get_debug())
            with guard():
                self.kernel.run_turns()
        except DeadlockError as error:
            raise self.kernel.hang(self.views(), error) from None
        finally:
            sys.set_coroutine_origin_tracking_depth(tracked)

    def _as_future(self, what: Any) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = asyncio.ensure_future(what, loop=self)
        return future

    def _stop_after(self, future: asyncio.Future[Any]) -> None:
        super()._stop_after(future)  # digests know this method by its name

    def wind_up(self) -> None:
        """Cancel the tasks that are left and wait for them, then close asynchronous generators, as asyncio.run does.

        Raises:
            DeadlockError: a task swallows its cancellation and waits on.
        """
        left = [task for task in self.live if not task.done()]  # a task that ended the loop is done
        for task in left:
            task.cancel()
        if left:
            self.run_until_complete(asyncio.wait(left))
        for task in left:
            if not task.cancelled() and task.exception() is not None:
                what = {"message": "unhandled exception during asyncio.run() shutdown"}
                self.call_exception_handler({**what, "exception": task.exception(), "task": task})
        self.run_until_complete(self.shutdown_asyncgens())
        if self._default_executor is not None:
            ending = self.create_task(self.shutdown_default_executor())
            try:
                self.run_until_complete(ending)
            except DeadlockError:
                abandon(ending)
                raise

    def _discard(self) -> None:
        self._end_threads()
        if self.outside is not None:
            self.outside.close()
        self.kernel.clear()
        self.live.clear()

    def _must_be_idle(self) -> None:
        super()._must_be_idle()
        if events._get_running_loop() is not None:
            raise RuntimeError("Cannot run the event loop while another loop is running")

    # --- asynchronous generators and executors -----------------------------------------------------------

    def _close_later(self, generator: AnyGenerator) -> None:
        self.call_soon(self.create_task, generator.aclose())

    async def shutdown_asyncgens(self) -> None:
        begun = self._take_begun()
        results = await asyncio.gather(*(each.aclose() for each in begun), return_exceptions=True)
        for generator, result in zip(begun, results, strict=True):
            if isinstance(result, Exception):
                self.call_exception_handler(
                    {
                        "message": f"an error occurred during closing of asynchronous generator {generator!r}",
                        "exception": result,
                        "asyncgen": generator,
                    }
                )

    def run_in_executor(self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        """As asyncio's: a pool of threads has threads of the run, and one of processes calls inline."""
        self._must_be_open()
        if executor is None:
            self._check_default_executor()
            if self._default_executor is None:
                self._default_executor = ThreadPoolExecutor(thread_name_prefix="asyncio")
            executor = self._default_executor
        return asyncio.wrap_future(executor.submit(func, *args), loop=self)

    def set_default_executor(self, executor: Any) -> None:
        if not isinstance(executor, ThreadPoolExecutor):
            raise TypeError("executor must be ThreadPoolExecutor instance")
        self._default_executor = executor

    def _check_default_executor(self) -> None:
        if self._executor_shutdown_called:
            raise RuntimeError("Executor shutdown has been called")

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        """As asyncio's since 3.12: a thread waits for those of the executor, for `timeout` seconds at most."""
        self._executor_shutdown_called = True
        executor = self._default_executor
        if executor is None:
            return
        ended = self.create_future()

        def wait() -> None:
            executor.shutdown(wait=True)
            if not self.is_closed():
                self.call_soon_threadsafe(resolve, ended)

        thread = threading.Thread(target=wait)
        thread.start()
        try:
            async with asyncio.timeout(timeout):
                await ended
        except TimeoutError:
            warnings.warn(f"The executor did not finish joining its threads within {timeout} seconds.", stacklevel=2)
            executor.shutdown(wait=False)
        else:
            thread.join()

    # --- threads -----------------------------------------------------------------------------------------

    def group(self) -> ThreadGroup:
        if self.threads is None:
            adopt()
            self._ready = self._from_threads
        return super().group()

    def _from_threads(self, item: Handle) -> None:
        """Make an item ready; one of a thread that has not woken the loop waits until something else does."""
        group, ready = self.threads, self.kernel.ready
        assert group is not None
        asleep = group.holds is None and running_thread() is not None and not group.wakes
        if asleep and all(each.is_thread for each in ready):
            self._unseen.append(item)
            when = self.kernel.next_of_loop()
            if when is not None:  # its timer wakes the loop, which sees the item first
                self.kernel.at(when - 1, Callback(self._see))
            return
        self._see()
        ready.append(item)

    def _see(self) -> None:
        """Make the items ready that threads have added without waking the loop."""
        self.kernel.ready.extend(self._unseen)
        self._unseen.clear()

    def views(self) -> Iterable[Any]:
        thing = None if self.threads is None else self.threads.holds
        current = None if thing is None else asyncio.current_task(self)
        tasks = [BlockingTask(task, thing) if task is current else TaskView(task) for task in self.live]
        threads = () if self.threads is None else self.threads.left()
        # A task without a line of the program waits for a thread, mostly.
        return [
            *(task for task in tasks if task.has_line()),
            *threads,
            *(task for task in tasks if not task.has_line()),
        ]

    def finish_threads(self, steps: int) -> None:
        """Let the threads that are no daemons end, in at most so many steps, and those of the default executor."""
        if self.threads is not None:
            with guard():
                self.threads.finish(steps)

    def _end_threads(self) -> None:
        if self.threads is not None:
            with guard(), thread_starts.quiet():
                self.unending = self.threads.end()
