"""The base of the loops of impl and of the simulated asyncio loop: running, asynchronous generators, closing.

`LoopBase` has the methods that are the same in both; its docstring lists those that a loop adds.

A program may leave tasks and asynchronous generators behind when it returns.  An asynchronous generator that is not
exhausted holds a `finally` that may await, so only a loop can run it.  The interpreter calls a hook of the loop when
such a generator starts, and another when it is dropped before its end (`sys.set_asyncgen_hooks`).  A dropped one is
closed by a task at once; the others are closed when the program has returned, in the order of their start:
that order is visible to the program, so a weak set will not do.

Source: CPython documentation of 3.15, "Event Loop" and `loop.shutdown_asyncgens`; PEP 525, "Finalization".
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Generator, Iterable
from sys import get_asyncgen_hooks, set_asyncgen_hooks
from typing import Any, ClassVar, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from ..errors import DeadlockError, InternalError, Refusal
from ..interfaces import Foreign
from ..tasks.task import Task

T = TypeVar("T")

#: Generators and tasks with values of any type.
AnyGenerator: TypeAlias = AsyncGenerator[Any, Any]
AnyTask: TypeAlias = Task[Any]


class LoopBase:
    """Running until stopped or until a future is done, asynchronous generators, closing.

    It has no state of its own, so that it can be combined with any other base.  A loop has the attributes below, which
    its constructor sets, and these methods: `run_turns`, `_set_running`, `_as_future`, `_close_later`, `_discard`.
    Names and meanings are those of asyncio.AbstractEventLoop.
    """

    # None, but not as a literal: mypy would refuse to assign the attributes below, as their slots are a subclass's.
    __slots__ = tuple[str, ...]()

    #: Whether `run_turns` is to return after this turn.
    stopping: bool
    _closed: bool
    _running: bool
    #: The asynchronous generators that started; None: none did yet.
    _begun: AsyncGenRegistry | None
    #: The first thing that the program used and that cannot be simulated; on impl's own loop there is none.
    refused: BaseException | None = None
    #: The refusal of a run with a thread that does not end; None: there was none.
    unending: Refusal | None = None

    #: Whether an exception that ends the loop counts as retrieved from a future that the caller made, too.  CPython
    #: reports those (Lib/asyncio/base_events.py of 3.15, run_until_complete).
    _retrieves_all: ClassVar[bool] = True

    # --- added by a loop ---------------------------------------------------------------------------------

    def run_turns(self) -> None:
        """Run turns until `stopping` is set; finish the turn that sets it.

        Raises:
            DeadlockError: nothing can ever happen any more.
        """
        raise NotImplementedError

    @staticmethod
    def _set_running(loop: Foreign) -> Foreign:
        """Make `loop` the running one of this thread; returns the one before, to be set again afterwards."""
        raise NotImplementedError

    def _as_future(self, what: Foreign) -> Foreign:
        """`what` itself if it is a future, else a new task of it."""
        raise NotImplementedError

    def _close_later(self, generator: AnyGenerator) -> None:
        """Close a generator by a task that is made in the next turn."""
        raise NotImplementedError

    def finish_threads(self, steps: int) -> None:
        """After the program: let its threads end, in at most so many steps; a loop without threads does nothing."""

    def _discard(self) -> None:
        """Drop the tasks, callbacks and timers that are left."""
        raise NotImplementedError

    # --- running -----------------------------------------------------------------------------------------

    def run_forever(self) -> None:
        """Run turns until `stop` is called; finish the turn that calls it."""
        self._must_be_idle()
        self._running = True
        before = self._set_running(self)
        begins, dropped = get_asyncgen_hooks()
        set_asyncgen_hooks(self._generator_begins, self._generator_dropped)
        try:
            self.run_turns()
        finally:
            set_asyncgen_hooks(begins, dropped)
            self._set_running(before)
            self.stopping = False
            self._running = False

    def stop(self) -> None:
        """End `run_forever` after this turn; called before it, run one turn."""
        self.stopping = True

    def run_until_complete(self, future: Awaitable[T] | Generator[Any, None, T]) -> T:  # Any: as asyncio types it
        """Run until a future is done, or a coroutine, as a task; returns its result.

        Raises:
            BaseException: its error.
            RuntimeError: the loop was stopped before.
            DeadlockError: it can never be done.
            InternalError: the loop, or the source of its choices, went wrong.
        """
        self._must_be_idle()
        awaited = self._as_future(future)
        awaited.add_done_callback(self._stop_after)
        try:
            self.run_forever()
        except BaseException as error:
            retrieves = self._retrieves_all or awaited is not future
            if retrieves and awaited.done() and not awaited.cancelled():
                awaited.exception()  # it ended the loop and is raised here: it is not reported as well
            if isinstance(error, Exception) and not isinstance(error, DeadlockError | InternalError):
                # An error of the program ends in its task, or is reported.
                raise InternalError.of(error) from error
            raise
        finally:
            if not awaited.done():
                awaited.remove_done_callback(self._stop_after)
        if not awaited.done():
            raise RuntimeError("Event loop stopped before Future completed.")
        try:
            result: T = awaited.result()
            return result
        finally:
            del awaited, future  # an error's traceback holds this frame: it must not hold the error

    def _stop_after(self, future: Foreign) -> None:
        error = None if future.cancelled() else future.exception()
        if not isinstance(error, KeyboardInterrupt | SystemExit):  # those have ended the run themselves
            self.stop()

    def is_running(self) -> bool:
        return self._running

    def _must_be_open(self) -> None:
        if self._closed:
            raise RuntimeError("Event loop is closed")

    def _must_be_idle(self) -> None:
        if self._closed:
            self._must_be_open()  # it raises; each run checks twice, and the call costs
        if self._running:
            raise RuntimeError("This event loop is already running")

    # --- asynchronous generators -------------------------------------------------------------------------

    def _generator_begins(self, generator: AnyGenerator) -> None:
        if self._begun is None:
            self._begun = AsyncGenRegistry()
        self._begun.add(generator)

    def _generator_dropped(self, generator: AnyGenerator) -> None:
        # It is unfinished; nothing of it may run here.
        if self._begun is not None:
            self._begun.remove(generator)
        if not self._closed:
            self._close_later(generator)

    def has_generators(self) -> bool:
        """Whether an asynchronous generator has started."""
        return self._begun is not None

    def unfinished_generators(self) -> list[AnyGenerator]:
        """The asynchronous generators that are alive and not exhausted, in the order of their start."""
        alive = [] if self._begun is None else self._begun.alive()
        return [generator for generator in alive if getattr(generator, "ag_frame", None) is not None]

    def _take_begun(self) -> list[AnyGenerator]:
        """Remove and return the generators that are alive, in the order of their start."""
        return [] if self._begun is None else self._begun.take()

    # --- closing -----------------------------------------------------------------------------------------

    def is_closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        """Drop the tasks, callbacks and timers that are left; closing twice is harmless.

        Raises:
            RuntimeError: the loop is running.
        """
        if self._running:
            raise RuntimeError("Cannot close a running event loop")
        self._closed = True
        self._discard()


class AsyncGenRegistry:
    """The asynchronous generators that started on a loop and may not be exhausted; it holds them weakly."""

    __slots__ = ("_by_id",)

    def __init__(self) -> None:
        self._by_id: WeakValueDictionary[int, AnyGenerator] = WeakValueDictionary()

    def add(self, generator: AnyGenerator) -> None:
        self._by_id[id(generator)] = generator

    def remove(self, generator: AnyGenerator) -> None:
        self._by_id.pop(id(generator), None)

    def take(self) -> list[AnyGenerator]:
        """Remove and return those that are alive, in the order of their start."""
        alive = self.alive()
        self._by_id.clear()
        return alive

    def alive(self) -> list[AnyGenerator]:
        """Those that are alive, in the order of their start."""
        return list(self._by_id.values())


async def all_done(tasks: Iterable[AnyTask]) -> None:
    """Wait until every task is done, and raise none of their exceptions."""
    for task in tasks:
        if not task.done():
            await _Over(task)


class _Over:
    """Awaiting it waits until a task is done and does not read its result, so no exception is raised again."""

    __slots__ = ("_task",)

    def __init__(self, task: AnyTask) -> None:
        self._task = task

    def __await__(self) -> Generator[AnyTask, None, None]:
        yield self._task
