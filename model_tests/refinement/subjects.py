"""Subjects: the implementations under test, as namespaces with asyncio's names.

A machine knows no runtime.  It gets a `Subject`, creates its loop, futures, tasks and queues from that, and moves the
loop by `one_turn` alone.  So it can act between any two turns, above all between the resolution of a future and the run
of its waiter.  A known difference of a subject from the documentation of CPython 3.15 is a named `Deviation`; a machine
leaves such an operation out, so that everything else that it finds is news.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Coroutine, Generator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

import impl

# `Any` in this file: asyncio's own signatures leave results, messages and contexts open.


class FutureLike(Protocol):
    """The methods of a future or of a task that the machines call."""

    def done(self) -> bool: ...
    def cancelled(self) -> bool: ...
    def result(self) -> Any: ...
    def exception(self) -> BaseException | None: ...
    def cancel(self, msg: Any = None) -> bool: ...
    def set_result(self, result: Any, /) -> None: ...
    def set_exception(self, exception: BaseException, /) -> None: ...
    def add_done_callback(self, fn: Callable[[Any], object], /) -> None: ...
    def remove_done_callback(self, fn: Callable[[Any], object], /) -> int: ...
    def __await__(self) -> Generator[Any, Any, Any]: ...


class TaskLike(FutureLike, Protocol):
    """The methods of a task alone that the machines call."""

    def cancelling(self) -> int: ...
    def uncancel(self) -> int: ...
    def get_name(self) -> str: ...


class LoopLike(Protocol):
    """The methods of a loop that the machines call."""

    def create_future(self) -> FutureLike: ...
    def create_task(self, coro: Coroutine[Any, Any, Any], /, *, name: str) -> TaskLike: ...
    def call_soon(self, callback: Callable[..., object], /, *args: Any) -> object: ...
    def stop(self) -> None: ...
    def run_forever(self) -> None: ...
    def close(self) -> None: ...
    def set_exception_handler(self, handler: Callable[[Any, dict[str, Any]], object] | None, /) -> None: ...


class QueueLike(Protocol):
    """The methods of a queue that the machines call."""

    def qsize(self) -> int: ...
    def empty(self) -> bool: ...
    def full(self) -> bool: ...
    def put(self, item: Any, /) -> Coroutine[Any, Any, None]: ...
    def get(self) -> Coroutine[Any, Any, Any]: ...
    def join(self) -> Coroutine[Any, Any, object]: ...
    def put_nowait(self, item: Any, /) -> None: ...
    def get_nowait(self) -> Any: ...
    def task_done(self) -> None: ...


class LockLike(Protocol):
    """The methods of a lock or of a semaphore that the machines call."""

    def acquire(self) -> Coroutine[Any, Any, object]: ...
    def release(self) -> None: ...
    def locked(self) -> bool: ...


class ConditionLike(LockLike, Protocol):
    """The methods of a condition that the machines call."""

    def wait(self) -> Coroutine[Any, Any, object]: ...
    def notify(self, n: int = 1) -> None: ...
    def notify_all(self) -> None: ...


class EventLike(Protocol):
    """The methods of an event that the machines call."""

    def set(self) -> None: ...
    def clear(self) -> None: ...
    def is_set(self) -> bool: ...
    def wait(self) -> Coroutine[Any, Any, object]: ...


class Deviation(Enum):
    """A known bug of a subject: its place, and its description."""

    UNCANCEL = "gh-116720: before CPython 3.13 uncancel() to zero does not withdraw an undelivered cancel"
    NOTIFY = "gh-112202: before CPython 3.13 a notify of a waiter that is cancelled before it runs is lost"


@dataclass(frozen=True)
class Subject:
    """An implementation under test."""

    name: str
    new_loop: Callable[[], LoopLike]
    new_queue: Callable[[int], QueueLike]
    new_lifo_queue: Callable[[int], QueueLike]
    new_priority_queue: Callable[[int], QueueLike]
    new_lock: Callable[[], LockLike]
    new_semaphore: Callable[[int], LockLike]
    new_condition: Callable[[], ConditionLike]
    new_event: Callable[[], EventLike]
    sleep: Callable[[float], Awaitable[object]]
    shield: Callable[[Any], Any]
    cancelled_error: type[BaseException]
    invalid_state: type[Exception]
    queue_empty: type[Exception]
    queue_full: type[Exception]
    #: None: its queues cannot be shut down, as those of CPython before 3.13.
    queue_shut: type[Exception] | None
    deviations: frozenset[Deviation] = frozenset()

    @property
    def withdraws(self) -> bool:
        """Whether the last uncancel() takes back a request that was not delivered yet."""
        return Deviation.UNCANCEL not in self.deviations


def subject_of(
    name: str, names: Any, new_loop: Callable[[], LoopLike], deviations: frozenset[Deviation] = frozenset()
) -> Subject:
    """The subject of a namespace with asyncio's names."""
    return Subject(
        name=name,
        new_loop=new_loop,
        new_queue=names.Queue,
        new_lifo_queue=names.LifoQueue,
        new_priority_queue=names.PriorityQueue,
        new_lock=names.Lock,
        new_semaphore=names.Semaphore,
        new_condition=names.Condition,
        new_event=names.Event,
        sleep=names.sleep,
        shield=names.shield,
        cancelled_error=names.CancelledError,
        invalid_state=names.InvalidStateError,
        queue_empty=names.QueueEmpty,
        queue_full=names.QueueFull,
        queue_shut=getattr(names, "QueueShutDown", None),
        deviations=deviations,
    )


ASYNCIO = subject_of(
    "asyncio",
    asyncio,
    asyncio.new_event_loop,
    frozenset() if sys.version_info >= (3, 13) else frozenset(Deviation),
)

IMPL = subject_of("impl", impl, impl.Loop)


def one_turn(loop: LoopLike) -> None:
    """Run exactly one turn: the callbacks that are ready now, and none that these schedule.

    Source: CPython documentation, `loop.run_forever`: if `stop` is called before, the loop runs all callbacks
    that are already scheduled, and then exits; callbacks that they schedule run the next time.
    """
    loop.call_soon(loop.stop)
    loop.run_forever()
