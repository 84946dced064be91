"""threading.Lock, for a simulated run: there it is a deadlock to wait for a lock that the loop's own thread holds.

No other thread of the run would release it, so the real lock would stop the process.  A wait with a timeout lets the
time pass.  Outside of a run, and for a lock that another thread holds, it is the real lock.

queue.SimpleQueue is built in, so the guard cannot see a wait at it: the queue in Python, which the standard library has
for builds without the other, waits at a Condition, which the guard refuses in a run.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Final

from ...errors import DeadlockError
from ..simulation import origin_of, running, simulation

# Any in this file: the real lock, of a class that has no name in each Python.

_allocate: Final = threading.Lock
#: The class of a real lock.
REAL: Final[type] = type(_allocate())
_SECOND: Final = 1_000_000_000


class Lock:
    """threading.Lock.

    Parameters:
        real: the lock that this one stands for; None: a new one.
    """

    __slots__ = ("__weakref__", "_holder", "_place", "_real")

    def __init__(self, real: Any = None) -> None:
        self._real: Any = _allocate() if real is None else real
        self._holder: int | None = None
        self._place = ""  # where it was acquired, in a run

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """As threading.Lock's.

        Raises:
            DeadlockError: a simulated run would wait for ever.
        """
        here = simulation()
        got: bool = self._real.acquire(False)
        mine = self._holder == threading.get_ident()
        if not got and (not blocking or here is None or not mine or (timeout < 0 and timeout != -1)):
            got = self._real.acquire(blocking, timeout)
        elif not got and here is not None:
            if timeout == -1:
                raise self._blocks()
            here.kernel.advance(here.kernel.now + round(timeout * _SECOND))
        if got:
            self._holder, self._place = threading.get_ident(), "" if here is None else origin_of(running())[0]
        return got

    def _blocks(self) -> DeadlockError:
        held = f", held since {self._place}" if self._place else ""
        error = DeadlockError(f"a threading.Lock blocks the only thread at {origin_of(running())[0]}{held}")
        here = simulation()
        assert here is not None
        here.refused = here.refused or error  # the program may catch it
        return error

    def release(self) -> None:
        self._holder = None
        self._real.release()

    def locked(self) -> bool:
        return bool(self._real.locked())

    def _at_fork_reinit(self) -> None:
        self._holder = None
        self._real._at_fork_reinit()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def __repr__(self) -> str:
        return repr(self._real)


Lock.__module__ = "threading"


#: (module, name, replacement) of each built-in class with methods that cannot be replaced one by one.
REPLACEMENTS: Final = ((threading, "Lock", Lock), (queue, "SimpleQueue", vars(queue)["_PySimpleQueue"]))


@contextmanager
def replaced() -> Iterator[None]:
    """Replace threading.Lock and queue.SimpleQueue while the body runs, which imports a program."""
    before = [vars(module)[name] for module, name, _ in REPLACEMENTS]
    for module, name, kind in REPLACEMENTS:
        vars(module)[name] = kind
    try:
        yield
    finally:
        for (module, name, _), kind in zip(REPLACEMENTS, before, strict=True):
            vars(module)[name] = kind
