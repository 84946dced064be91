"""PyPI's asyncio 3.4.3, which predates `async def`, as a runtime: run by Python 3.6 with that asyncio on the path.

That asyncio knows coroutines as generators only.  So its generator functions are marked as coroutines for `await`, its
futures get `__await__` and its locks `async with`.  A task that is given a native coroutine drives it from a
generator.  The behaviour of its primitives is not changed.  Its queue with a `join` is called JoinableQueue.
"""

import asyncio
import inspect
import sys
import types
from typing import Any

try:
    from .runtime import Runtime
except ImportError:  # run beside runtime.py, outside this package
    from runtime import Runtime  # type: ignore[import-not-found, no-redef]  # found beside it

# `Any` in this file: that asyncio has no types.


def mark(space: Any, inside: Any = None) -> None:
    """Mark the generator functions of a module, or of a class, so that their results can be awaited."""
    for name, thing in list(vars(space).items()):
        if inspect.isgeneratorfunction(thing) and name != "__iter__":
            setattr(space, name, types.coroutine(thing))
        elif inspect.isclass(thing) and inside is None and thing.__module__.startswith("asyncio"):
            mark(thing, inside=space)


def driven(coro: Any) -> Any:
    """Drive a native coroutine from a generator."""
    got = yield from coro.__await__()
    return got


def begin(task: Any, coro: Any, loop: Any = None) -> None:
    """Initialize a task: it drives a native coroutine from a generator."""
    ORIGINAL(task, coro if inspect.isgenerator(coro) else driven(coro), loop=loop)


async def enter(lock: Any) -> None:
    await lock.acquire()


async def leave(lock: Any, *error: Any) -> None:
    lock.release()


ORIGINAL = asyncio.Task.__init__  # type: Any


def modernize(space: Any = asyncio) -> None:
    """Patch asyncio so that `async def` can use it."""
    for name, module in list(sys.modules.items()):
        if name.startswith("asyncio"):
            mark(module)
    space.coroutines._COROUTINE_TYPES += (types.CoroutineType,)
    space.Task.__init__ = begin
    space.Future.__await__ = space.Future.__iter__
    space.ensure_future = getattr(space, "async")
    space.BaseEventLoop.create_future = lambda loop: space.Future(loop=loop)
    space.Queue = space.JoinableQueue
    for lock in (space.Lock, space.Semaphore, space.Condition):
        lock.__aenter__, lock.__aexit__ = enter, leave


class Ancient(Runtime):
    """That asyncio's loop in virtual time; its primitives need the loop as an argument."""

    def __init__(self) -> None:
        super().__init__()
        asyncio.set_event_loop(self.loop)
