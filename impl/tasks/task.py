"""Task: a coroutine that the loop drives, and a future of its result.

1.  A task is a Runnable: `run` is one step (TASK-2), from the coroutine's current place to its next `await` that must
    wait.  The task parks on that future (TASK-3) and is woken when the future is done (TASK-1).  At a bare `yield`
    (`sleep(0)`) it goes to the end of the ready queue (TASK-4).
2.  On wake-up the coroutine is always sent None; `Future.__await__` then asks the future for its result.
3.  A cancel is a request (CANCEL-1).  It is counted and forwarded to the future that the task awaits.  A future is
    cancelled; a task forwards the request in turn, to the end of the chain.  A task that has not begun, is running, or
    awaits a done future (the wake window) has nothing to forward to: it keeps the request, which is thrown at its next
    step (CANCEL-2) or handed to the next future that it parks on (CANCEL-3).  A task that is cancelled before it began
    never runs its body (CANCEL-4).
4.  The coroutine may swallow the CancelledError; a task that returns under an undelivered request is cancelled all the
    same (CANCEL-5, bpo-30048).  `uncancel` takes one request back; the last one withdraws an undelivered request
    (CANCEL-6, gh-116720).
5.  Awaiting a task that awaits the caller, directly or through other tasks, raises in the caller (AWAIT-1): asyncio
    would park them for ever.  So chains have an end, and cancel is a loop, not a recursion: no chain is too long.
6.  The message of a cancel reaches every task that awaits the cancelled one (CANCEL-10); in asyncio only the first.

Names and meanings are those of `asyncio.Task` (CPython documentation of 3.15, "Coroutines and Tasks").
"""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from contextvars import Context
from types import CoroutineType, FrameType, GeneratorType
from typing import Any, ClassVar, TypeVar

from ..interfaces import Host
from .current import running_loop
from .future import CANCELLED, FAILED, PENDING, RESULT, Future, FutureError
from .generators import as_coroutine

T = TypeVar("T")

# Any: PEP 492 leaves the values open that a coroutine yields to its driver and is sent.
Runs = Coroutine[Any, Any, T] | Generator[Any, Any, T]
# Any: asyncio's message is any object.
Message = Any


def _message(error: BaseException) -> Message:
    return error.args[0] if error.args else None


def endless(cycle: list[Task[Any]]) -> str:
    """The text of the error of a task that would close a cycle of awaits (AWAIT-1)."""
    return "awaiting would never end: " + " awaits ".join(repr(task.get_name()) for task in cycle)


class Task(Future[T]):
    """A running coroutine (asyncio.Task); its first step is taken in a later loop iteration (TASK-6).

    Parameters:
        coro: a coroutine, or a generator that yields futures, as in the chapter.
        loop: the host; by default the running loop.
        name: its name in reports (TASK-9); by default "Task-" and a number that counts the loop's tasks.
        context: the context of all its steps; None: that of the loop itself.
        eager_start: take the first step within this call (TASK-14).

    Raises:
        TypeError: `coro` is neither a coroutine nor a generator, or `context` is no Context (TASK-11; gh-157301).
    """

    # `_value` of a pending task is the error of a bad yield, if there was one: the next step throws it.
    __slots__ = ("_cancels", "_coro", "_name", "_request", "_waiting", "context")

    is_callback: ClassVar[bool] = False

    #: The part of the error that a cancelled task keeps: its message; a bridge keeps the whole error.
    _kept = staticmethod(_message)

    #: The class of tasks with this `cancel`, which a loop forwards to.  Set below, and by a bridge.
    _chained: ClassVar[type[Task[Any]]]

    def __init__(
        self,
        coro: Runs[T],
        loop: Host | None = None,
        name: str | None = None,
        context: Context | None = None,
        eager_start: bool = False,
    ) -> None:
        if context is not None and context.__class__ is not Context:  # it cannot have subclasses
            raise TypeError(f"a contextvars.Context was expected, got {context!r}")
        if coro.__class__ is not CoroutineType:
            coro = self._driven(coro)
        # Future.__init__, inline: one call less for each task.
        self._host = loop = running_loop() if loop is None else loop
        self._stage = PENDING
        self._value = self._line = None
        self.context = context
        self._coro: Any = coro  # Any: see Runs
        # The future that it parked on; kept until the next step, so that the wake window shows.
        self._waiting: Any = None
        self._request: BaseException | None = None  # an undelivered request to cancel
        self._cancels = 0
        number = loop.adopt(self)
        self._name: str | int = number if name is None else str(name)
        if not eager_start:
            loop.ready.append(self)
        if loop.observer is not None:
            loop.observer.created(self)
        if eager_start:
            self._begin_now(loop)

    def _begin_now(self, loop: Host) -> None:
        """Take the first step within the step of the creator (TASK-14)."""
        outer = loop.current
        if outer is not None:  # none in a callback
            loop.current = None
        try:
            if self.context is None:
                self.run()
            else:
                self.context.run(self.run)
        except (KeyboardInterrupt, SystemExit):
            self.exception()  # the creator gets it: it is not reported as well
            raise
        finally:
            if outer is not None:
                loop.current = outer

    # --- names -------------------------------------------------------------------------------------------

    def get_name(self) -> str:
        """The name that it was given, or `Task-` and its number (TASK-9)."""
        name = self._name
        return name if isinstance(name, str) else f"Task-{name}"

    def set_name(self, value: object) -> None:
        """Give it another name: `str(value)` (TASK-9)."""
        self._name = str(value)

    def get_coro(self) -> Any:  # Any: see Runs
        """The coroutine that the task drives."""
        return self._coro

    def get_context(self) -> Context | None:
        """The context of its steps; None: that of the loop itself."""
        return self.context

    def get_stack(self, *, limit: int | None = None) -> list[FrameType]:
        """The one frame of a waiting coroutine, or the frames of its exception's traceback.

        Parameters:
            limit: the greatest number of frames, the oldest first; None: all.
        """
        frame = getattr(self._coro, "cr_frame", None)
        frames: list[FrameType] = [] if frame is None else [frame]
        trace = self._value.error.__traceback__ if self._stage == FAILED else None
        while trace is not None:
            frames.append(trace.tb_frame)
            trace = trace.tb_next
        return frames[:limit]

    @property
    def waits_for(self) -> Future[Any] | None:
        """The future that the task is parked on, or was woken by and has not seen yet, or None."""
        waiting: Future[Any] | None = self._waiting
        return waiting

    @property
    def failure(self) -> tuple[BaseException | None, bool]:
        """Its error, and whether something has retrieved that; `exception()` would."""
        held = self._value
        return (held.error, held.seen) if self._stage == FAILED else (None, False)

    def waker(self) -> object | None:
        waiting: object | None = self._waiting
        return waiting

    # --- only the coroutine ends a task (TASK-5, TASK-7) -------------------------------------------------

    def set_result(self, result: T) -> None:
        raise RuntimeError("Task does not support set_result operation")

    def set_exception(self, exception: BaseException | type[BaseException]) -> None:
        raise RuntimeError("Task does not support set_exception operation")

    # --- cancelling --------------------------------------------------------------------------------------

    def cancel(self, msg: Message = None) -> bool:
        """Request cancellation, with a message for the CancelledError (CANCEL-10); False if the task is already done.

        It does not stop the task: it arranges for CancelledError to be raised at the task's next step (CANCEL-7).
        """
        if self._stage != PENDING:
            return super().cancel(msg)
        task: Task[Any] = self
        while True:
            task._cancels += 1
            observer = task._host.observer
            if observer is not None:
                observer.cancel_requested(task)
            waiting = task._waiting
            if waiting.__class__ is task._chained and waiting._stage == PENDING:
                task = waiting
            else:
                if waiting is None or not waiting.cancel(msg):
                    task._request = task.Cancelled() if msg is None else task.Cancelled(msg)
                return True

    def cancelling(self) -> int:
        """The number of requests to cancel that `uncancel` has not taken back (CANCEL-9)."""
        return self._cancels

    def uncancel(self) -> int:
        """Take one request back; return the number that remains (CANCEL-6)."""
        if self._cancels > 0:
            self._cancels -= 1
            if self._cancels == 0:
                self._request = None
        return self._cancels

    # --- stepping ----------------------------------------------------------------------------------------

    def run(self) -> None:
        """One step (TASK-2)."""
        if self._stage != PENDING:
            raise self.Invalid(f"step(): already done: {self!r}")
        loop = self._host
        loop.current = self
        try:
            if self._request is None is self._value:
                self._waiting = None
                got = self._coro.send(None)
            else:
                got = self._coro.throw(self._to_throw())
        except StopIteration as stop:
            if self._request is None:
                loop.release(self)
                self._finish(RESULT, stop.value)
            else:
                self._end(CANCELLED, _message(self._request))
        except self.Cancelled as error:
            self._end(CANCELLED, self._kept(error))
        except (KeyboardInterrupt, SystemExit) as error:  # TASK-13
            self._end(FAILED, self._failure(error))
            raise
        except BaseException as error:
            self._end(FAILED, self._failure(error))
            del self  # since 3.12 the error's frames include this one: it must not hold the task
        else:
            if got is None:
                loop.ready.append(self)
            elif (
                got.__class__ is Future
                and got._line is None
                and got._stage == PENDING
                and got._host is loop
                and self._request is None
            ):  # _park, inline: one call less for each wait
                self._waiting = got
                got._line = self
            else:
                self._park(got)
        finally:
            loop.current = None

    def _to_throw(self) -> BaseException:
        """The error that the next step throws: a request to cancel comes before the error of a bad yield.

        A future that ended with CancelledError before the request came gives its own error, as in CPython.
        """
        request, waiting = self._request, self._waiting
        self._waiting = None
        if request is None:
            misuse: RuntimeError = self._value
            self._value = None
            return misuse
        self._request = self._value = None
        observer = self._host.observer
        if observer is not None:
            observer.cancel_delivered(self)
        if isinstance(waiting, Future):
            if waiting._stage == CANCELLED:
                return waiting._cancelled_error()
            if waiting._stage == FAILED:
                error: BaseException = waiting._value.error
                waiting._value.seen = True  # the waiter has it: it is not reported (FUT-9)
                if isinstance(error, self.Cancelled):
                    return error
        return request

    def _park(self, got: object) -> None:
        """Park on the yielded future; a yield of anything else raises at the next step (TASK-8)."""
        if not isinstance(got, Future):
            self._refuse(f"{self!r} got a bad yield: {got!r}; await a future, a task or a coroutine")
        elif got._host is not self._host:
            self._refuse(f"{self!r} got {got!r}, which is attached to a different loop")
        elif cycle := self._cycle_through(got):
            self._refuse(endless(cycle))
        else:
            self._waiting = got
            got.wait_in_line(self)
            request = self._request
            if request is not None and got.cancel(_message(request)):  # CANCEL-3, CANCEL-8
                self._request = None

    def _cycle_through(self, got: Future[Any]) -> list[Task[Any]]:
        """The cycle that awaiting `got` would close, from this task to this task, or an empty list (AWAIT-1)."""
        if self._line is None and got is not self:  # no task awaits this one, so no cycle can close
            return []
        path: list[Task[Any]] = [self]
        at: object = got
        while isinstance(at, Task):
            path.append(at)
            if at is self:
                return path
            at = at._waiting
        return []

    def _refuse(self, text: str) -> None:
        self._value = RuntimeError(text)
        self._host.ready.append(self)

    def _end(self, state: int, value: Any) -> None:  # Any: as Future._finish
        self._request = None
        self._host.release(self)
        self._finish(state, value)

    @staticmethod
    def _driven(coro: Runs[T]) -> Coroutine[Any, Any, T]:  # Any: see Runs
        """`coro` as a coroutine, which a task can drive."""
        if isinstance(coro, GeneratorType):
            return as_coroutine(coro)
        if isinstance(coro, Coroutine):
            return coro
        raise TypeError(f"a coroutine was expected, got {coro!r}")

    def _failure(self, error: BaseException) -> FutureError:
        """A Failure with the traceback from the coroutine's frame on: our frame would make a cycle through the task."""
        trace = error.__traceback__
        if trace is not None:
            trace = trace.tb_next
        return FutureError(error.with_traceback(trace), trace, self)

    def throw_away(self) -> None:
        """End the task when the loop closes: close the coroutine and drop the waiters.

        Raises:
            BaseException: the error that the coroutine raised instead of ending.
        """
        self._line = None
        try:
            self._coro.close()
        finally:
            self._waiting = None
            if self._stage == PENDING:
                self._end(CANCELLED, None)

    def _called(self) -> str:
        return f"Task {self.get_name()!r}"

    def __repr__(self) -> str:
        return f"<Task {self.get_name()!r} {('pending', 'finished', 'failed', 'cancelled')[self._stage]}>"


Task._chained = Task
