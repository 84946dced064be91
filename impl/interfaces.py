"""The interfaces between the parts of impl: the methods that each class may call, and nothing more.

Future and Task know a `Host`, Queue knows a `Maker`, `timeout` knows a `Spawner`, the simulated network knows a
`Clockwork`; none of them knows a loop class.  The same classes therefore run on our kernel, on another event
loop through a thin bridge, and in a test on a host of twenty lines.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Iterable
from contextlib import AbstractContextManager
from contextvars import Context
from enum import Enum
from typing import Any, ClassVar, Protocol, TypeAlias, TypedDict, runtime_checkable

#: A task, future or loop of any runtime: a bridge passes another runtime's.
Foreign: TypeAlias = Any
#: A result, an exception, or asyncio's cancel message: its type is the program's concern.
Value: TypeAlias = Any
#: asyncio's context dict for exception handlers: `message`, `exception`, `task`, `handle` and so on.
ErrorContext: TypeAlias = dict[str, Any]


class Runnable:
    """An item of a ready queue: a step of a task, a callback, or a future that a timer resolves.

    A concrete class, because calling its `run` is the hottest path of the loop.  The kernel applies `context`
    (`context.run(item.run)`); `run` does not.
    """

    __slots__ = ()

    #: Whether this is a callback: those keep their order under every policy; a task may be overtaken.
    is_callback: ClassVar[bool] = False

    #: Whether, as the target of a timer, it only resolves a future: under `any` the tasks that several of these wake
    #: run in any order, so their own order needs no draw.
    only_wakes: ClassVar[bool] = False

    #: Whether this is the step of a thread: it may run while the loop's own thread blocks.
    is_thread: ClassVar[bool] = False

    #: None, unless a class has a slot for it: a future that is the target of a timer needs none.
    context: Context | None = None

    def run(self) -> None:
        """Run once; raises only KeyboardInterrupt and SystemExit, which end the loop."""
        raise NotImplementedError

    def waker(self) -> object | None:
        """The future that made this item ready, or None; the waiters of one future keep their order."""
        return None

    def dead(self) -> bool:
        """Whether running would have no effect (a cancelled timer); a dead timer does not move the clock."""
        return False


@runtime_checkable
class Deadline(Protocol):
    """A timer of the program's own that calls back: those of the network and of `sleep` have no `when`."""

    def when(self) -> float:
        """The time at which it is due, in the loop's seconds."""


class Ready(Protocol):
    """The methods of a ready queue that futures and tasks call."""

    def append(self, item: Runnable, /) -> None: ...

    def extend(self, items: Iterable[Runnable], /) -> None: ...


class Item(Enum):
    """An event of a queue: an item was put, was taken, or was reported done."""

    PUT = "put"
    GOT = "got"
    DONE = "done"


class Observer:
    """Receives the events of a loop: a loop has one slot for it, and tests that for None when there is none.

    Objects call these methods at the moment of the event.  Every method here does nothing; override those that
    you need.  Objects are passed themselves, not by name: canonical names (creator, n-th creation) are made by
    the recorder (trace.py), so they cost nothing when recording is off.  The time is `now` of the clock that
    `bind` receives.
    """

    __slots__ = ()

    def bind(self, clock: Watched) -> None:
        """Receive the observed loop; called once, when that is made."""

    def created(self, thing: object) -> None:
        """A future, task, queue or connection was made (by the current task, if there is one)."""

    def taken(self, item: Runnable) -> None:
        """The kernel took `item` from the ready queue and is about to run it."""

    def ran(self, item: Runnable) -> None:
        """`item` has run: a task is now waiting, ready again, or done."""

    def resolved(self, future: object) -> None:
        """A future or a task was resolved: result, exception or cancellation."""

    def cancel_requested(self, task: object) -> None:
        """cancel() was called on a task that is not done."""

    def cancel_delivered(self, task: object) -> None:
        """CancelledError is about to be thrown into the task."""

    def queue(self, queue: object, what: Item) -> None:
        """An item was put, was taken, or was reported done."""

    def timer(self, when: int, target: Runnable) -> None:
        """A timer (due at `when`, virtual nanoseconds) made `target` ready."""

    def opened(self, conn: object, local: str, remote: str) -> None:
        """A connection was established between two addresses ("host:port")."""

    def carried(self, conn: object, data: bytes) -> None:
        """Bytes arrived at `conn`."""

    def closed(self, conn: object, how: str) -> None:
        """`conn` was closed: "eof", "close", "reset"."""

    def hosted(self, name: str, address: str) -> None:
        """The simulated network has a host of that name, at that numeric address."""

    def sent(self, conn: object, size: int) -> None:
        """`conn` has sent so many bytes, which are under way now."""

    def struck(self, host: str, fault: str) -> None:
        """A fault of the simulated network strikes: a look-up of the host, a connect to it, or a connection."""


class Clockwork(Protocol):
    """The methods of the kernel that the simulated network calls."""

    @property
    def now(self) -> int:
        """The virtual time in nanoseconds."""

    @property
    def observer(self) -> Observer | None: ...

    def at(self, when: int, target: Runnable) -> None:
        """Make `target` ready at `when` (virtual nanoseconds), or at once if that is past."""


class Watched(Clockwork, Protocol):
    """The attributes of the observed loop that an observer may read."""

    @property
    def current(self) -> Foreign: ...  # as in Host


class Host(Protocol):
    """The methods of a loop that Future and Task call."""

    @property
    def ready(self) -> Ready: ...

    #: The running task, or None.
    current: Foreign

    @property
    def observer(self) -> Observer | None: ...

    def adopt(self, task: Foreign) -> int:
        """Register a new task; returns its number on this loop, from 1."""

    def release(self, task: Foreign) -> None:
        """Remove a task that is done."""

    def report(self, what: ErrorContext) -> None:
        """Pass `what` to the exception handler."""


class Waiter(Protocol):
    """The methods of a future that the primitives call; asyncio's own C Future satisfies it."""

    def done(self) -> bool: ...

    def cancelled(self) -> bool: ...

    def cancel(self, msg: Value = None) -> bool: ...

    # The primitives resolve with None or True and read nothing back.
    def set_result(self, result: Value, /) -> None: ...

    # Any: the values that a future yields, and is sent, are between it and the tasks of its runtime.
    def __await__(self) -> Generator[Any, Any, Any]: ...


class Promise(Waiter, Protocol):
    """The methods of a future or a task that the combinators call; asyncio's, in C or in Python, satisfy it."""

    def result(self) -> Value: ...

    def exception(self) -> BaseException | None: ...

    def set_exception(self, exception: Value, /) -> None: ...

    def add_done_callback(self, fn: Callable[[Foreign], object], /) -> None: ...

    def remove_done_callback(self, fn: Callable[[Foreign], object], /) -> int: ...

    def get_loop(self) -> Foreign: ...  # `running.host_of` finds its host


class CancelTarget(Protocol):
    """Answers `cancel` of a future that stands for several others (gather's)."""

    def cancel(self, msg: Value) -> bool:
        """Cancel the others; returns whether any of them accepted the request."""


class Maker(Protocol):
    """The names of a loop that Queue, Lock, Event, Condition and Semaphore use."""

    @property
    def Cancelled(self) -> type[BaseException]:  # noqa: N802  (a class)
        """The CancelledError of that loop: a bridge's is another runtime's."""

    def create_future(self) -> Waiter: ...


class TimerHandle(Protocol):
    """The result of call_soon and call_at."""

    def cancel(self) -> None: ...


class TaskOptions(TypedDict, total=False):
    """The keywords of `Loop.create_task`; the task factory of another runtime may take others, too."""

    name: str | None
    context: Context | None
    eager_start: bool | None


class Spawner(Maker, Protocol):
    """The methods of a loop that gather, wait, wait_for, timeout, shield and TaskGroup call."""

    @property
    def current(self) -> Foreign: ...  # as in Host

    def create_future(self) -> Promise: ...

    def create_cancel_forwarder(self, target: CancelTarget) -> Promise:
        """A pending future of that runtime with the attribute `target`; while it is pending, its `cancel(msg)` is
        `target.cancel(msg)`."""

    def time(self) -> float:
        """The time in seconds."""

    def alarm(self, delay: float) -> Awaitable[None]:
        """An awaitable that takes `delay` seconds, not less; `delay` > 0."""

    def call_soon(self, callback: Callable[..., object], *args: object) -> TimerHandle:
        """Call `callback(*args)` in the next iteration."""

    def call_at(self, when: float, callback: Callable[..., object], *args: object) -> TimerHandle: ...

    @property
    def create_task(self) -> Callable[..., Foreign]:
        """The function that makes a task of a coroutine; its keywords are the loop's, or those of its task factory."""

    def report(self, what: ErrorContext) -> None: ...  # as Host.report


@runtime_checkable
class Oracle(Protocol):
    """Judges the runs of an exploration, as the monitor of a specification does."""

    def watching(self) -> AbstractContextManager[object]:
        """The context of a whole exploration, within which the objects of a program record their calls."""

    def begin(self) -> None:
        """A run begins."""

    def end(self, at_rest: bool) -> BaseException | None:
        """The run has ended, or, if it is `at_rest`, could not continue; returns the error if it was not allowed."""
