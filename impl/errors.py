"""The errors of the loop, with asyncio's names and asyncio's places in the hierarchy of exceptions."""

from __future__ import annotations

#: This package: "impl" in a checkout, "loopspec.impl" in the wheel.  Its logger has the same name.
PACKAGE = __name__.rpartition(".")[0]
#: asyncio's name for the builtin (since 3.11).
TimeoutError = TimeoutError


class CancelledError(BaseException):
    """The task was cancelled; `args` holds the message of `cancel(msg)`, if there was one.

    It is a BaseException, so `except Exception` does not catch it (CPython documentation, `asyncio.CancelledError`,
    since 3.8).
    """


class InvalidStateError(Exception):
    """A future was resolved twice, or its result was read before there was one."""


class QueueEmpty(Exception):
    """`get_nowait` found no item."""


class QueueFull(Exception):
    """`put_nowait` found no free place."""


class QueueShutDown(Exception):
    """The queue was shut down: no item can be put any more, or none is left to get."""


class BrokenBarrierError(RuntimeError):
    """The barrier was reset while a task waited at it, or was broken by `abort`."""


class DeadlockError(RuntimeError):
    """Nothing is ready, no timer is set, nothing is on the wire: the program cannot continue.

    asyncio would hang.  The text names every task, the line at which it waits, and the object that it waits for.
    """


class LivelockError(DeadlockError):
    """Tasks keep running while the virtual clock stands still: the program spins for ever."""
