"""The errors of the loop, with asyncio's names and asyncio's places in the hierarchy of exceptions.

Theory of operation.  Nothing here is caught by `except Exception` that asyncio would let through: a cancel
is a `BaseException` (CPython documentation, `asyncio.CancelledError`, since 3.8).  What asyncio has no name
for, because it would simply hang, is `DeadlockError` and `LivelockError`: here a hang is an observation.
"""

from __future__ import annotations

#: This package: "impl" in a checkout, "loopspec.impl" in the wheel.  Its logger has the same name.
PACKAGE = __name__.rpartition(".")[0]
#: asyncio's name for the builtin (since 3.11).
TimeoutError = TimeoutError


class CancelledError(BaseException):
    """The task was asked to stop; `args` holds the message of `cancel(msg)`, if there was one."""


class InvalidStateError(Exception):
    """A future was resolved twice, or was asked for a result that it does not have yet."""


class QueueEmpty(Exception):
    """`get_nowait` found no item."""


class QueueFull(Exception):
    """`put_nowait` found no free place."""


class QueueShutDown(Exception):
    """The queue was shut down: nothing can be put any more, or nothing is left to be got."""


class BrokenBarrierError(RuntimeError):
    """The barrier was reset while a task waited at it, or was broken by `abort`."""


class DeadlockError(RuntimeError):
    """Nothing is ready, no timer is set, nothing is on the wire: the program can never go on.

    The text names every task, the line at which it waits, and what it waits for.
    """


class LivelockError(DeadlockError):
    """Tasks keep running while the virtual clock stands still: the program spins for ever."""
