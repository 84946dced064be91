"""The peer trio: the facade over a nursery, events, memory channels and cancel scopes.

trio has one way to run, `trio.run`, which is measured as both `fresh` and `run`.  A task is cancelled through a cancel
scope of its own, as trio's documentation recommends.
"""

from collections.abc import Awaitable, Callable, Generator
from typing import Any, Final

import trio
import trio.testing

from .facade import Api, Bytes, Main, Peer, Work


class _Once:
    """An event with a future's interface."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event = trio.Event()

    def set_result(self, result: None) -> None:
        self._event.set()

    def __await__(self) -> Generator[Any, Any, object]:  # Any: between the coroutine and trio
        return self._event.wait().__await__()


class _MemoryChannel:
    """The two ends of a memory channel, with a queue's interface."""

    __slots__ = ("get", "put")

    def __init__(self, bound: int) -> None:
        sender, receiver = trio.open_memory_channel[int](bound)
        self.put: Callable[[int], Awaitable[None]] = sender.send
        self.get: Callable[[], Awaitable[int]] = receiver.receive


async def _pair() -> tuple[Bytes, Bytes]:
    return trio.testing.memory_stream_pair()


def _itself(work: Work) -> Work:
    """Await the coroutine: trio starts functions, and the workloads have coroutines."""
    return work


async def _within(scope: trio.CancelScope, work: Work) -> None:
    with scope:
        await work


def _api(nursery: trio.Nursery) -> Api:
    def spawn(work: Work) -> None:
        nursery.start_soon(_itself, work)

    def cancellable(work: Work) -> trio.CancelScope:
        scope = trio.CancelScope()
        nursery.start_soon(_within, scope, work)
        return scope

    return Api(future=_Once, queue=_MemoryChannel, sleep=trio.sleep, spawn=spawn, cancellable=cancellable, pair=_pair)


async def _entered(main: Main) -> int:
    async with trio.open_nursery() as nursery:
        return await main(_api(nursery))


def _run(main: Main) -> int:
    return trio.run(_entered, main)


PEER: Final = Peer("trio", _run, _run)
