"""The small faces between the rooms: what each class may ask of the world, and nothing more.

Theory of operation.  Future and Task know a `Host`, Queue knows a `Maker`, `timeout` knows a `Spawner`, the
simulated network knows a `Clockwork`; none of them knows a loop class.  So the same classes stand on our
kernel, on another event loop by a thin bridge, and in a test on twenty lines.  What a host keeps in its ready
queue is a `Runnable`: a concrete class, because calling a method of one is the hottest path of the loop.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from contextvars import Context

    from .observer import Observer


class Runnable:
    """What a ready queue holds: a task's turn, a plain callback, a future that a timer resolves.

    `context` is applied by whoever takes the item from the queue (`context.run(item.run)`), not by `run`.
    """

    __slots__ = ()

    #: A plain callback keeps its place among the plain ones under every order; a task's turn may be overtaken.
    plain: ClassVar[bool] = False

    #: None, unless a class has a slot for it: a future, as the target of a timer, needs none.
    context: Context | None = None

    def run(self) -> None:
        """Take one turn; raises only what is to end the loop (KeyboardInterrupt, SystemExit)."""
        raise NotImplementedError

    def woken_by(self) -> object | None:
        """The future whose resolution made this item ready, if it was one: its waiters keep their order."""
        return None

    def dead(self) -> bool:
        """Whether running would do nothing any more (a cancelled timer): then nobody waits for its time."""
        return False


class Ready(Protocol):
    """The end of a ready queue that futures and tasks see."""

    def append(self, item: Runnable, /) -> None: ...

    def extend(self, items: Iterable[Runnable], /) -> None: ...


class Host(Protocol):
    """All that Future and Task may ask of a loop."""

    @property
    def ready(self) -> Ready: ...

    #: The task whose turn it is. Any: a bridge has another runtime's tasks here.
    current: Any

    @property
    def observer(self) -> Observer | None: ...

    def adopt(self, task: Any) -> int:  # Any: as current
        """Take note of a new task; returns its number on this loop, from 1."""

    def release(self, task: Any) -> None:  # Any: as current
        """Forget a task: it is done."""

    def report(self, what: dict[str, Any]) -> None:
        """Hand `what` (asyncio's context dict: `message`, `exception`, ...) to the exception handler."""


class Waiter(Protocol):
    """What a primitive needs of a future; asyncio's own C Future satisfies it."""

    def done(self) -> bool: ...

    def cancelled(self) -> bool: ...

    # asyncio's cancel takes any message object.
    def cancel(self, msg: Any = None) -> bool: ...

    # The primitives resolve with None or True and read nothing back.
    def set_result(self, result: Any, /) -> None: ...

    # What a future yields and is sent is the affair of its own task class.
    def __await__(self) -> Generator[Any, Any, Any]: ...


class Promise(Waiter, Protocol):
    """What a combinator needs of a future or a task; asyncio's own, in C or in Python, satisfy it."""

    def result(self) -> Any: ...  # Any, here and below: what it holds is its maker's affair

    def exception(self) -> BaseException | None: ...

    def set_exception(self, exception: Any, /) -> None: ...

    def add_done_callback(self, fn: Callable[[Any], object], /) -> None: ...

    def remove_done_callback(self, fn: Callable[[Any], object], /) -> int: ...

    def get_loop(self) -> Any: ...  # Any: the loop of that runtime; `running.host_of` finds its host


class Asks(Protocol):
    """Who answers when a future is asked to cancel that others stand behind (gather's)."""

    def cancel(self, msg: Any) -> bool:  # Any: as Waiter.cancel
        """Ask those behind it; says whether any of them heard."""


class Maker(Protocol):
    """All that Queue, Lock, Event, Condition and Semaphore may ask of a loop."""

    @property
    def Cancelled(self) -> type[BaseException]:  # noqa: N802  (a class)
        """The CancelledError of that loop: a bridge's is another runtime's."""

    def create_future(self) -> Waiter: ...


class TimerHandle(Protocol):
    """What call_soon and call_at give back."""

    def cancel(self) -> None: ...


class Spawner(Maker, Protocol):
    """All that gather, wait, wait_for, timeout, shield and TaskGroup may ask of a loop."""

    @property
    def current(self) -> Any: ...  # as in Host

    def create_future(self) -> Promise: ...

    def create_delegate(self, asks: Asks) -> Promise:
        """A pending future of that runtime whose `asks` is given, and whose `cancel(msg)`, while it is pending, is
        `asks.cancel(msg)`."""

    def time(self) -> float:
        """The time in seconds."""

    def alarm(self, delay: float) -> Awaitable[None]:
        """What takes `delay` seconds to await, not less; > 0."""

    def call_soon(self, callback: Callable[..., object], *args: object) -> TimerHandle:
        """Call it in the next turn."""

    def call_at(self, when: float, callback: Callable[..., object], *args: object) -> TimerHandle: ...

    # Any: what the coroutine yields and returns is its own affair; the task is that runtime's.
    def create_task(
        self, coro: Coroutine[Any, Any, Any], *, name: str | None = None, context: Context | None = None
    ) -> Any: ...

    def report(self, what: dict[str, Any]) -> None: ...  # as Host.report


class Clockwork(Protocol):
    """All that the simulated network may ask of the kernel."""

    @property
    def now(self) -> int:
        """The virtual time in nanoseconds."""

    @property
    def observer(self) -> Observer | None: ...

    def at(self, when: int, target: Runnable) -> None:
        """Make `target` ready at `when` (virtual nanoseconds), or at once if that is past."""


class Watched(Clockwork, Protocol):
    """All that an observer may ask of the loop that it watches."""

    @property
    def current(self) -> Any: ...  # as in Host
