"""The fence: while a simulated loop, or a simulated run of trio, runs, nothing of its thread leaves it unseen.

Theory of operation.
1.  What programs name through a module is replaced while a loop runs, and put back afterwards: `socket.socket` by a
    socket of the simulated network, the clocks of `time` by the virtual one (it begins at EPOCH; `time.sleep` moves
    it), `asyncio.all_tasks` by one whose set is made in order of creation, and the class of TLS objects by one whose
    traffic has the same sizes in every run (asyncio/tls.py).  Each replacement asks whether a simulated loop runs in
    *this* thread, and is the original elsewhere: other threads notice nothing, nor does who kept a replacement.
2.  What does reach the operating system is seen by the interpreter's audit events (PEP 578), however the program
    came by the function: a real socket, a look-up, a process, a thread.  Within the loop's thread they raise
    OutsideSimulation, which says what to use instead; but a module that is imported meanwhile may do what it likes.
    The one hook is added with the first run, for ever, for a hook cannot be taken away; where no simulated loop runs
    it does nothing.
3.  The same fence stands around a run of another runtime (trio/run.py), a `Guest`, which says what to use instead.
4.  A function of `time` that a module imported by name, before the run, is replaced there (by_name.py).
5.  What reads the real clock without going through `time` (`datetime.datetime.now`) is not seen: its values differ
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
from typing import Any, Final, cast

from ..sim.kernel import Kernel
from .addresses import numeric
from .asyncio.sockets import SimSocket
from .asyncio.tls import SteadyTLS
from .by_name import ByName
from .simulation import OutsideSimulation, guest, simulation

# Any in this file: what is replaced, and the arguments of audit events, are of many types.

#: What the virtual clock begins at, in seconds since 1970: 2024-01-01, 00:00 UTC.
EPOCH: Final = 1_704_067_200


# --- what is seen --------------------------------------------------------------------------------------------

_STREAMS = "asyncio's streams, asyncio.create_server, or socket.socket, which is a simulated one"
_LOOKUP = "await loop.getaddrinfo(...), which asks the simulated network"
_PROCESS = "a coroutine or a function of this program"
_INLINE = "loop.run_in_executor(None, ...) or asyncio.to_thread, which run the function inline"

#: audit event -> (what it is, what to use instead)
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
    "threading.wait": (
        "to wait for another thread",
        "asyncio's own Event, Condition or Queue",
    ),  # ours, see _audited
}


def _hook(event: str, args: tuple[Any, ...]) -> None:
    seen = _SEEN.get(event)
    if seen is None or simulation() is None or _harmless(event, args) or _importing():
        return
    what, instead = seen
    other = guest()
    if other is not None:
        advice = other.instead(event)
        if advice is None:
            return
        instead = advice
    raise OutsideSimulation(what, instead)


#: What runs a program: whatever imports stand above it are no concern of the program's.
_FLOORS: Final = [Kernel.run_turns.__code__]


def importing_ends_at(code: CodeType) -> None:
    """A guest's programs are run by that."""
    _FLOORS.append(code)


def _importing() -> bool:
    """Whether a module is being imported, within the run: what it asks of the system it asks once in a process."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code not in _FLOORS:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


def _harmless(event: str, args: tuple[Any, ...]) -> bool:
    """Whether it is a look-up that asks nobody: of no host, or of a numeric one."""
    return event == "socket.getaddrinfo" and (args[0] is None or numeric(args[0]))


# --- what is replaced ----------------------------------------------------------------------------------------


def _clock(name: str, begins: int, scale: int) -> Callable[[], float]:
    """A clock of `time`: virtual where a simulated loop runs.  `scale` is its unit in ns; 1: it is an int."""
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
_all_tasks = asyncio.all_tasks


def _blocking_sleep(seconds: float, /) -> None:
    """Block the loop for so long: nobody else runs, the clock moves."""
    here = simulation()
    if here is None:
        _sleep(seconds)
    elif seconds < 0:
        raise ValueError("sleep length must be non-negative")
    else:
        here.kernel.advance(here.kernel.now + round(seconds * 1_000_000_000))


def _tasks_in_order(loop: Any = None) -> set[asyncio.Task[Any]]:
    if loop is None:
        loop = asyncio.get_running_loop()
    if not getattr(loop, "is_simulated", False):
        return _all_tasks(loop)
    return {task for task in loop.live if not task.done()}


def _audited(real: Callable[..., Any], event: str) -> Callable[..., Any]:
    """The function, which raises no audit event, or none on some Python (a thread: since 3.12), as if it raised one."""

    @functools.wraps(real)
    def audited(*args: Any, **kwargs: Any) -> Any:
        _hook(event, args)
        return real(*args, **kwargs)

    return audited


def _replacements() -> list[tuple[Any, str, Any]]:
    """(where, name, what)."""
    places: list[tuple[Any, str, Any]] = [
        (socket, "socket", SimSocket),
        (socket, "socketpair", _audited(socket.socketpair, "socket.__new__")),
        (socket, "fromfd", _audited(socket.fromfd, "socket.__new__")),
        (threading.Thread, "start", _audited(threading.Thread.start, "_thread.start_new_thread")),
        (threading.Condition, "wait", _audited(threading.Condition.wait, "threading.wait")),
        (ssl.SSLContext, "sslobject_class", SteadyTLS),
        (asyncio, "all_tasks", _tasks_in_order),
        (asyncio.tasks, "all_tasks", _tasks_in_order),
        (time, "sleep", _blocking_sleep),
    ]
    for name, begins in (("time", EPOCH), ("monotonic", 0), ("perf_counter", 0)):
        places.append((time, name, _clock(name, begins, 1_000_000_000)))
        places.append((time, f"{name}_ns", _clock(f"{name}_ns", begins, 1)))
    return places


class _Fences:
    """How many loops stand within the fence, in how many threads; the first puts it up, the last takes it down."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._hooked = False
        self._new: list[tuple[Any, str, Any]] = []
        self._by_name = ByName(())
        self._old: list[Any] = []

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
def fence() -> Iterator[None]:
    """Stand within the fence."""
    _fences.enter()
    try:
        yield
    finally:
        _fences.leave()
