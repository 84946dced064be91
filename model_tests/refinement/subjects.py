"""Subjects: the implementations under test, as namespaces with asyncio's names.

A machine knows no runtime.  It gets a `Subject`, creates its loop, futures, tasks and queues from that, and moves the
loop by `one_turn` alone.  So it can act between any two turns, above all between the resolution of a future and the run
of its waiter.  A known difference of a subject from the documentation of CPython 3.15 is a named `Deviation`; a machine
leaves such an operation out, so that everything else that it finds is news.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from enum import Enum
from types import SimpleNamespace
from typing import Any, Protocol, TypeAlias

import impl

# `Any` in this file: asyncio's own signatures leave results, messages and contexts open.


#: A task of any implementation, with the methods of asyncio's.
TaskLike: TypeAlias = "asyncio.Task[Any]"


class LoopLike(Protocol):
    """The methods of a loop that the machines call."""

    def create_future(self) -> Any: ...
    def create_task(self, coro: Coroutine[Any, Any, Any], /, *, name: str) -> Any: ...
    def call_soon(self, callback: Callable[..., object], /, *args: Any) -> object: ...
    def stop(self) -> None: ...
    def run_forever(self) -> None: ...
    def close(self) -> None: ...
    def set_exception_handler(self, handler: Callable[[Any, dict[str, Any]], object] | None, /) -> None: ...


class Deviation(Enum):
    """A known bug of a subject: where it stands, and what is wrong."""

    UNCANCEL = "gh-116720: before CPython 3.13 uncancel() to zero does not withdraw an undelivered cancel"
    NOTIFY = "gh-112202: before CPython 3.13 a notify of a waiter that is cancelled before it runs is lost"


@dataclass(frozen=True)
class Subject:
    """An implementation under test: a namespace with asyncio's names, and its loops."""

    name: str
    names: Any
    new_loop: Callable[[], LoopLike]
    deviations: frozenset[Deviation] = frozenset()

    def replacing(self, **others: Any) -> Subject:
        """The subject with other classes or functions under some of its names."""
        return replace(self, names=SimpleNamespace(**vars(self.names) | others))

    @property
    def queue_shut(self) -> type[Exception] | None:
        """None: its queues cannot be shut down, as those of CPython before 3.13."""
        return getattr(self.names, "QueueShutDown", None)

    @property
    def withdraws(self) -> bool:
        """Whether the last uncancel() takes back a request that was not delivered yet."""
        return Deviation.UNCANCEL not in self.deviations


#: Makes a subject of its fields.
subject_of = Subject

ASYNCIO = Subject(
    "asyncio",
    asyncio,
    asyncio.new_event_loop,
    frozenset() if sys.version_info >= (3, 13) else frozenset(Deviation),
)

IMPL = Subject("impl", impl, impl.Loop)


def one_turn(loop: LoopLike) -> None:
    """Run exactly one turn: what is ready now, and nothing of what that schedules.

    Source: CPython documentation, `loop.run_forever`: if `stop` is called before, the loop runs all callbacks
    that are already scheduled, and then exits; what they schedule runs the next time.
    """
    loop.call_soon(loop.stop)
    loop.run_forever()
