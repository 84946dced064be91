"""The guard around a simulated run: a program that uses the real world gets an error instead.

1.  While a loop runs, functions and classes of some modules are replaced: `socket.socket` by a socket of the simulated
    network, the clocks of `time` by the virtual clock (it starts at EPOCH; `time.sleep` advances it),
    `asyncio.all_tasks` and `as_completed` by functions that keep an order (asyncio/in_order.py), and the class of TLS
    objects by one whose traffic has the same sizes in every run (asyncio/tls.py).  A replacement behaves as the
    original unless a simulated loop runs in *this* thread.  So other threads, and code that keeps a replacement, work
    as before.
2.  The interpreter's audit events (PEP 578) report what reaches the operating system by any other path: a real socket,
    a look-up, a process, a thread.  In the loop's thread these raise OutsideSimulation, whose text says what to use
    instead.  A module that is being imported is exempt.  The first run adds the hook; a hook cannot be removed, but it
    does nothing where no simulated loop runs.
3.  The same guard surrounds a run of another runtime (trio/run.py), a `Guest`, which has its own advice.
4.  A function of `time` that a module imported by name before the run is replaced there too (by_name.py).
5.  The guard does not see code that reads the real clock without `time` (`datetime.datetime.now`): its values differ
    from run to run, as those of `os.urandom` do.
"""

from __future__ import annotations

import asyncio
import functools
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any, Final, TypeAlias, cast

from ..sim.kernel import Kernel
from .addresses import numeric
from .asyncio.in_order import all_tasks, as_completed
from .asyncio.sockets import SimSocket
from .asyncio.tls import SteadyTLS
from .by_name import ByName
from .simulation import OutsideSimulation, guest, simulation

#: A module or class, a function of one, an argument of an audit event: of many types.
Thing: TypeAlias = Any

#: The start of the virtual clock, in seconds since 1970: 2024-01-01, 00:00 UTC.
EPOCH: Final = 1_704_067_200


# --- audit events --------------------------------------------------------------------------------------------

_STREAMS = "asyncio's streams, asyncio.create_server, or socket.socket, which is a simulated one"
_LOOKUP = "await loop.getaddrinfo(...), which asks the simulated network"
_PROCESS = "a coroutine or a function of this program"
_INLINE = "loop.run_in_executor(None, ...) or asyncio.to_thread, which run the function inline"

#: audit event -> (the thing it is about, the thing to use instead); both go into the text of the error
_SEEN: Final = {
    "socket.__new__": ("a real socket", _STREAMS),
    "socket.bind": ("a real socket", _STREAMS),
    "socket.connect": ("a real socket", _STREAMS),
    "socket.getaddrinfo": ("a blocking look-up of a name", _LOOKUP),
    "socket.gethostbyname": ("a blocking look-up of a name", _LOOKUP),
    "socket.gethostbyaddr": ("a blocking look-up of an address", _LOOKUP),
    "socket.getnameinfo": ("a blocking look-up of an address", "await loop.getnameinfo(...)"),
    "subprocess.Popen": ("a subprocess", _PROCESS),
    "os.system": ("a subprocess", _PROCESS),
    "os.posix_spawn": ("a subprocess", _PROCESS),
    "os.spawn": ("a subprocess", _PROCESS),
    "os.fork": ("a fork", _PROCESS),
    "os.forkpty": ("a fork", _PROCESS),
    "os.exec": ("another program in this process", _PROCESS),
    "_thread.start_new_thread": ("a thread", _INLINE),
    "_thread.start_joinable_thread": ("a thread", _INLINE),
    # not the interpreter's event: `_audited` raises it
    "threading.wait": ("to wait for another thread", "asyncio's own Event, Condition or Queue"),
}


def _hook(event: str, args: tuple[Thing, ...]) -> None:
    seen = _SEEN.get(event)
    if seen is None or simulation() is None or _harmless(event, args) or _importing():
        return
    what, suggestion = seen
    other = guest()
    if other is not None:
        advice = other.suggestion(event)
        if advice is None:
            return
        suggestion = advice
    raise OutsideSimulation(what, suggestion)


#: The functions that run a program; an import further up the stack is not the program's.
_FLOORS: Final = [Kernel.run_turns.__code__]


def importing_ends_at(code: CodeType) -> None:
    """Register the function that runs a guest's programs."""
    _FLOORS.append(code)


def _importing() -> bool:
    """Whether the run is importing a module: that uses the system once in a process, not once in a run."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code not in _FLOORS:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


def _harmless(event: str, args: tuple[Thing, ...]) -> bool:
    """Whether it is a look-up that sends no query: of no host, or of a numeric one."""
    return event == "socket.getaddrinfo" and (args[0] is None or numeric(args[0]))


# --- replacements ------------------------------------------------------------------------------------------


def _clock(name: str, begins: int, scale: int) -> Callable[[], float]:
    """A clock of `time`: virtual where a simulated loop runs.  `scale`: 1 for whole nanoseconds, 10**9 for seconds."""
    real = getattr(time, name)

    def clock() -> float:
        here = simulation()
        if here is None:
            return cast(float, real())
        now = begins * 1_000_000_000 + here.kernel.now
        return now if scale == 1 else now / scale

    clock.__name__ = clock.__qualname__ = name
    return clock


_sleep = time.sleep


def _blocking_sleep(seconds: float, /) -> None:
    """Block the loop: the clock advances, and no other task runs."""
    here = simulation()
    if here is None:
        _sleep(seconds)
    elif seconds < 0:
        raise ValueError("sleep length must be non-negative")
    else:
        here.kernel.advance(here.kernel.now + round(seconds * 1_000_000_000))


def _audited(real: Callable[..., Thing], event: str) -> Callable[..., Thing]:
    """The function with an audit event, for one that raises none on some Python (a thread: since 3.12)."""

    @functools.wraps(real)
    def audited(*args: Thing, **kwargs: Thing) -> Thing:
        _hook(event, args)
        return real(*args, **kwargs)

    return audited


def _replacements() -> list[tuple[Thing, str, Thing]]:
    """The (module or class, name, replacement) of each."""
    places: list[tuple[Thing, str, Thing]] = [
        (socket, "socket", SimSocket),
        (socket, "socketpair", _audited(socket.socketpair, "socket.__new__")),
        (socket, "fromfd", _audited(socket.fromfd, "socket.__new__")),
        (threading.Thread, "start", _audited(threading.Thread.start, "_thread.start_new_thread")),
        (threading.Condition, "wait", _audited(threading.Condition.wait, "threading.wait")),
        (ssl.SSLContext, "sslobject_class", SteadyTLS),
        (asyncio, "all_tasks", all_tasks),
        (asyncio.tasks, "all_tasks", all_tasks),
        (asyncio, "as_completed", as_completed),
        (asyncio.tasks, "as_completed", as_completed),
        (time, "sleep", _blocking_sleep),
    ]
    for name, begins in (("time", EPOCH), ("monotonic", 0), ("perf_counter", 0)):
        places.append((time, name, _clock(name, begins, 1_000_000_000)))
        places.append((time, f"{name}_ns", _clock(f"{name}_ns", begins, 1)))
    return places


class _Fences:
    """Counts the simulated loops of all threads: the first makes the replacements, the last restores the originals."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._hooked = False
        self._new: list[tuple[Thing, str, Thing]] = []
        self._by_name = ByName(())
        self._old: list[Thing] = []

    def enter(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside > 1:
                return
            if not self._hooked:
                self._new = _replacements()
                functions = [each for each in self._new if each[0] in (time, asyncio)]
                self._by_name = ByName((getattr(where, name), what) for where, name, what in functions)
                sys.addaudithook(_hook)
                self._hooked = True
            self._by_name.look()
            self._old = [getattr(where, name) for where, name, _ in self._new]
            for where, name, what in self._new:
                setattr(where, name, what)

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                for (where, name, _), what in zip(self._new, self._old, strict=True):
                    setattr(where, name, what)


_fences = _Fences()


@contextmanager
def guard() -> Iterator[None]:
    """Run the body under the guard."""
    _fences.enter()
    try:
        yield
    finally:
        _fences.leave()
