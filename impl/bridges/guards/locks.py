"""The locks of threading, for a simulated run: a wait for one lets the threads of the run and its clock go on.

The other primitives of threading and queue are written in Python, on these locks, so they are simulated by them.
queue.SimpleQueue is built in: the queue in Python, which the standard library has for builds without the other, is in
its place.  Outside of a run, and for a lock that a thread of no run holds, each is the real lock.

Private to CPython (3.11 to 3.15): `_PyRLock` of threading and `_PySimpleQueue` of queue, those in Python.

A call of the program's that takes or releases a lock is a point (threads/group.py): also one within a method of
threading or queue, but not one that another library makes, such as concurrent.futures or trio.
"""

from __future__ import annotations

import _thread
import os
import queue
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import CodeType, FrameType, TracebackType
from typing import Any, ClassVar, Final, TypeAlias

from ... import errors
from ...errors import DeadlockError
from ...sim.frames import is_library
from ...sim.state import is_quiet
from ...threads.group import ThreadGroup
from ...threads.thread import ProgramThread, running_thread
from ..simulation import Simulation, origin_of, running, simulation

# Any in this file: the real lock, of a class that has no name in each Python.

#: The error that leaves a `with` block.
_Left: TypeAlias = type[BaseException] | None

_allocate: Final = _thread.allocate_lock
#: The classes of real locks.
REAL: Final[type] = type(_allocate())
REAL_RLOCK: Final[type] = _thread.RLock
_PyRLock: Final[Any] = vars(threading)["_PyRLock"]
_PRIMITIVES: Final = (threading.__file__, queue.__file__)
_ABOVE: Final = (*_PRIMITIVES, __file__)
_RECORDER: Final = os.path.join(os.path.dirname(os.path.abspath(errors.__file__)), "explore", "")
#: The methods of threading.py that start, run and end threads, or wait at a condition: no points.
_SILENT: Final = ("Thread.", "Timer.", "_DummyThread.", "Condition._release_save", "Condition._acquire_restore")


@cache
def _is_of_program(code: CodeType) -> bool:
    return not (is_library(code.co_filename) or is_quiet(code.co_filename))


@cache
def _is_of_recorder(code: CodeType) -> bool:
    """Whether a code makes the calls of a rewritten program."""
    return code.co_filename.startswith(_RECORDER)


def at_point(frame: FrameType | None) -> bool:
    """Whether the program calls a method of a primitive, in this frame or above it."""
    while frame is not None and ((code := frame.f_code).co_filename in _ABOVE or _is_of_recorder(code)):
        if code.co_qualname.startswith(_SILENT):
            return False
        frame = frame.f_back
    return frame is not None and _is_of_program(frame.f_code)


class Lock:
    """threading.Lock.

    Parameters:
        real: the lock that this one stands for; None: a new one.
    """

    __slots__ = ("__weakref__", "_holder", "_inside", "_place", "_real", "_waiters", "owner")

    _has_points: ClassVar[bool] = True

    def __init__(self, real: Any = None) -> None:
        self._real: Any = _allocate() if real is None else real
        self._holder: int | None = None
        #: The run in which it was acquired; None: it was in none.
        self._inside: Simulation | None = None
        self._place = ""  # where it was acquired, in a run
        self._waiters: deque[ProgramThread] | None = None
        #: The thread of the run, or the task of the loop, that has acquired it.
        self.owner: Any = None

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """As threading.Lock's.

        Raises:
            DeadlockError: a simulated run would wait for ever.
        """
        here = simulation()
        if here is None:
            return self._acquire_outside(blocking, timeout)
        group = here.threads
        if group is not None and self._has_points and at_point(sys._getframe(1)):
            group.point()
        got: bool = self._real.acquire(False)
        if not got and (not blocking or timeout == 0 or (timeout < 0 and timeout != -1)):
            got = self._real.acquire(blocking, timeout)  # it fails, or raises
        elif not got and self._inside is not here and self._holder != threading.get_ident():
            got = self._real.acquire(blocking, timeout)  # a thread of no run holds it
        elif not got:
            got = self._wait(here, None if timeout == -1 else timeout)
        if got:
            self._acquired(here)
        return got

    def _acquire_outside(self, blocking: bool, timeout: float) -> bool:
        got: bool = self._real.acquire(blocking, timeout)
        if got:
            self._holder, self._inside, self._place, self.owner = threading.get_ident(), None, "", None
        return got

    def _wait(self, here: Simulation, seconds: float | None) -> bool:
        """Wait in a run for a lock that one of its threads holds; returns whether it was acquired."""
        if seconds is None and not (here.threads and here.threads.alive) and not _within_primitive(sys._getframe(2)):
            raise self._blocks(here)
        if self._waiters is None:
            self._waiters = deque()
        group = here.group()
        while group.wait(self._waiters, lambda: not self._real.locked(), seconds, self):
            if self._real.acquire(False):
                return True
        return False

    def _acquired(self, here: Simulation) -> None:
        self._holder, self._inside = threading.get_ident(), here
        thread = running_thread()
        if thread is None:
            self.owner, self._place = here.current() if self._has_points else None, origin_of(running())[0]
        else:
            self.owner = thread if self._has_points else None
            thread.group.held[id(self)] = self, thread

    def _blocks(self, here: Simulation) -> DeadlockError:
        held = f", held since {self._place}" if self._place else ""
        error = DeadlockError(f"a threading.Lock blocks the only thread at {origin_of(running())[0]}{held}")
        here.refused = here.refused or error  # the program may catch it
        return error

    def release(self) -> None:
        thread = running_thread()
        if thread is not None:
            if thread.ending and not self._real.locked():
                return  # a `with` block is left that did not get it back
            thread.group.held.pop(id(self), None)
        self._holder, self.owner = None, None
        self._real.release()
        here = self._inside
        if here is not None and here.threads is not None:
            group: ThreadGroup = here.threads
            if self._waiters:
                group.wake_all(self._waiters)
            if self._has_points and at_point(sys._getframe(1)):
                group.point()

    def reset(self) -> None:
        """Unlock it: the thread that held it is gone."""
        self._holder, self.owner = None, None
        if self._real.locked():
            self._real.release()

    def locked(self) -> bool:
        return bool(self._real.locked())

    def _at_fork_reinit(self) -> None:
        self._holder = None
        self._real._at_fork_reinit()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, kind: _Left, error: BaseException | None, trace: TracebackType | None) -> None:
        self.release()

    def __repr__(self) -> str:
        return repr(self._real)


class InnerLock(Lock):
    """A lock that a primitive makes for its own waits: none of its calls is a point."""

    __slots__ = ()

    _has_points: ClassVar[bool] = False


def _within_primitive(frame: FrameType | None) -> bool:
    """Whether a method of threading or queue has called, and not only one of an RLock."""
    code = frame and frame.f_code
    return code is not None and code.co_filename in _PRIMITIVES and not code.co_qualname.startswith("_RLock.")


class _Block(Lock):
    """The lock of an RLock: a reset leaves that without an owner."""

    __slots__ = ("_of",)

    def __init__(self, of: RLock) -> None:
        super().__init__()
        self._of = of

    def reset(self) -> None:
        self._of._owner, self._of._count = None, 0
        super().reset()


class RLock(_PyRLock):  # type: ignore[misc]  # it has no type
    """threading.RLock: that of the standard library in Python."""

    def __init__(self) -> None:
        super().__init__()
        self._block = _Block(self)

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        return bool(super().acquire(blocking, timeout))

    def release(self) -> None:
        thread = running_thread()
        if thread is None or not thread.ending or self._is_owned():
            super().release()  # else a `with` block is left that did not get it back

    def locked(self) -> bool:
        return self._block.locked()

    def __enter__(self) -> bool:
        return self.acquire()

    def __repr__(self) -> str:
        return f"<{'locked' if self.locked() else 'unlocked'} threading.RLock count={self._count}>"


Lock.__module__ = RLock.__module__ = "_thread"  # trio asks for it


def is_free(real: Any) -> bool:
    """Whether no other thread holds a real RLock."""
    got: bool = real.acquire(False)
    if got:
        real.release()
    return got


#: The locks that stand for real ones, by the id of those, which they refer to.
_standing: Final[dict[int, tuple[Any, Lock | RLock]]] = {}


def standing_for(real: Any) -> Lock | RLock:
    """The lock that stands for a real one, which no thread holds if it is an RLock: the same each time."""
    if id(real) not in _standing:
        _standing[id(real)] = real, RLock() if type(real) is REAL_RLOCK else Lock(real)
    return _standing[id(real)][1]


#: (module, name, replacement) of each built-in class with methods that cannot be replaced one by one.
REPLACEMENTS: Final = (
    (threading, "Lock", Lock),
    (threading, "RLock", RLock),
    (queue, "SimpleQueue", vars(queue)["_PySimpleQueue"]),
)


@contextmanager
def replaced() -> Iterator[None]:
    """Replace the locks of threading and queue.SimpleQueue while the body runs, which imports a program."""
    before = [vars(module)[name] for module, name, _ in REPLACEMENTS]
    for module, name, kind in REPLACEMENTS:
        vars(module)[name] = kind
    try:
        yield
    finally:
        for (module, name, _), kind in zip(REPLACEMENTS, before, strict=True):
            vars(module)[name] = kind
