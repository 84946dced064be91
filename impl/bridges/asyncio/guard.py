"""The guard around a simulated run: a program that uses the real world gets an error instead.

1.  While a loop runs, functions and classes of some modules are replaced: `socket.socket` by a socket of the simulated
    network, the clocks of `time` by the virtual clock (clocks.py), blocking look-ups of names by answers from the
    simulated network (look_ups.py), `select.poll` and `fcntl.fcntl` by ones for its sockets
    (descriptors.py), `os.urandom` and its users by the run's own bytes (randomness.py), `asyncio.all_tasks` and
    `as_completed` by functions that keep an order (asyncio/in_order.py), those of `signal` that set handlers and send
    signals by ones for the run's own (asyncio/signals.py), and the class of TLS objects by one that sends
    the same sizes in every run (asyncio/tls.py).  A replacement behaves as the original unless a simulated
    loop runs in *this* thread.  So other threads, and code that keeps a replacement, work as before.
2.  The interpreter's audit events (PEP 578) report every other path to the operating system: a real socket, a process,
    a thread.  In the loop's thread these raise OutsideSimulation; its text says which call to use instead.  A
    module that is being imported is exempt.  The first run adds the hook; a hook cannot be removed, but it does nothing
    where no simulated loop runs.  Functions that raise no event on some Python are replaced by ones that do.
3.  The same guard surrounds a run of another runtime (trio/run.py), a `Guest`, which has its own advice.
4.  A function that a module imported by name before the run is replaced there too (by_name.py).
5.  The guard does not see code that reads the real clock without `time` (`datetime.datetime.now`), or draws random
    bytes within an extension module: their values differ from run to run.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import os
import signal
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from types import FunctionType, ModuleType
from typing import Any, Final, TypeAlias

from ...threads.thread import launching, running_thread
from ..guards import clocks, descriptors, locks, look_ups, pools, randomness, thread_starts
from ..guards.by_name import ByName
from ..simulation import OutsideSimulation, importing, simulation
from . import signals
from .chaining import chain_future
from .in_order import all_tasks, as_completed
from .sockets import SimSocket
from .tls import SteadyTLS

#: A module or class, a function of one, an argument of an audit event: of many types.
Thing: TypeAlias = Any

#: Functions of asyncio that keep an order.
_IN_ORDER: Final = {"all_tasks": all_tasks, "as_completed": as_completed}


# --- audit events --------------------------------------------------------------------------------------------

_STREAMS = "asyncio's streams, asyncio.create_server, or socket.socket, which is a simulated one"
_LOOKUP = "the functions of the module socket, which ask the simulated network"
_PROCESS = "a coroutine or a function of this program"
_ASYNCIO = "asyncio, whose threads are simulated"

#: audit event -> (the thing it is about, the thing to use instead); both go into the text of the error
_SEEN: Final = {
    "socket.__new__": ("a real socket", _STREAMS),
    "socket.bind": ("a real socket", _STREAMS),
    "socket.connect": ("a real socket", _STREAMS),
    "socket.getaddrinfo": ("a blocking look-up of a name", _LOOKUP),
    "socket.gethostbyname": ("a blocking look-up of a name", _LOOKUP),
    "socket.gethostbyaddr": ("a blocking look-up of an address", _LOOKUP),
    "socket.getnameinfo": ("a blocking look-up of an address", _LOOKUP),
    "subprocess.Popen": ("a subprocess", _PROCESS),
    "os.system": ("a subprocess", _PROCESS),
    "os.posix_spawn": ("a subprocess", _PROCESS),
    "os.spawn": ("a subprocess", _PROCESS),
    "os.fork": ("a fork", _PROCESS),
    "os.forkpty": ("a fork", _PROCESS),
    "os.exec": ("another program in this process", _PROCESS),
    "_thread.start_new_thread": ("a thread", _ASYNCIO),
    "_thread.start_joinable_thread": ("a thread", _ASYNCIO),
    # not the interpreter's events: `_audited` raises them
    "os._exit": ("the end of this process", "sys.exit, which is an outcome"),
    "signal.setitimer": ("a timer of the real clock", "loop.call_later or asyncio.timeout"),
    "asyncio.new_event_loop": ("another event loop in this thread", "asyncio.get_running_loop()"),
}


#: Of a thread of the run.
_LOOP_IN_THREAD: Final = (
    "an event loop in a thread", "asyncio.run_coroutine_threadsafe, which runs a coroutine on the first loop",
)  # fmt: skip


def _hook(event: str, args: tuple[Thing, ...]) -> None:
    seen = _SEEN.get(event)
    if seen is None or simulation() is None or launching() or importing():
        return
    what, suggestion = seen
    advice: Callable[[str], str] | None = getattr(simulation(), "suggestion", None)
    if event == "asyncio.new_event_loop" and running_thread() is not None:
        what, suggestion = _LOOP_IN_THREAD
    if advice is not None:  # of a guest
        suggestion = advice(event)
    raise OutsideSimulation(what, suggestion)


# --- replacements ------------------------------------------------------------------------------------------


def _audited(real: Callable[..., Thing], event: str) -> Callable[..., Thing]:
    """The function with an audit event, for one that raises none on some Python (a thread: since 3.12)."""

    @functools.wraps(real)
    def audited(*args: Thing, **kwargs: Thing) -> Thing:
        _hook(event, args)
        return real(*args, **kwargs)

    return audited


def _replacements() -> list[tuple[Thing, str, Thing]]:
    """The (module or class, name, replacement) of each."""
    virtual = clocks.replacements()
    places: list[tuple[Thing, str, Thing]] = [
        (socket, "socket", SimSocket),
        (socket, "socketpair", _audited(socket.socketpair, "socket.__new__")),
        (socket, "fromfd", _audited(socket.fromfd, "socket.__new__")),
        (os, "_exit", _audited(os._exit, "os._exit")),
        *locks.REPLACEMENTS,
        *thread_starts.replacements(virtual["monotonic"]),
        *(
            (signal, name, _audited(getattr(signal, name), "signal.setitimer"))
            for name in ("alarm", "setitimer")
            if hasattr(signal, name)  # not on Windows
        ),
        *(
            (where, "new_event_loop", _audited(asyncio.new_event_loop, "asyncio.new_event_loop"))
            for where in (asyncio, asyncio.events)
        ),
        (BaseProcess, "start", _audited(BaseProcess.start, "subprocess.Popen")),
        (ssl.SSLContext, "sslobject_class", SteadyTLS),
        *((where, name, what) for where in (asyncio, asyncio.tasks) for name, what in _IN_ORDER.items()),
        (asyncio.futures, "_chain_future", chain_future),
        *((time, name, what) for name, what in virtual.items()),
        (logging, "_startTime", clocks.start_of_logging()),
        *((socket, name, what) for name, what in look_ups.replacements().items()),
        *descriptors.replacements(),
        *randomness.replacements(),
        *signals.replacements(),
    ]
    if sys.platform != "win32":
        import _posixsubprocess  # here, as it is not there on Windows

        fork_exec = _audited(_posixsubprocess.fork_exec, "subprocess.Popen")
        places.append((_posixsubprocess, "fork_exec", fork_exec))
    return places


class _Fences:
    """Counts the simulated loops of all threads: the first makes the replacements, the last restores the originals."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._hooked = False
        #: The names of a module, its originals and their replacements by name.
        self._modules: list[tuple[dict[str, Thing], dict[str, Thing], dict[str, Thing]]] = []
        #: A class, its originals and their replacements by name.
        self._classes: list[tuple[Thing, dict[str, Thing], dict[str, Thing]]] = []
        self._by_name = ByName(())

    def enter(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside > 1:
                return
            if not self._hooked:
                self._prepare()
                sys.addaudithook(_hook)
                self._hooked = True
            self._by_name.look()
            # The originals are taken anew, because a program may have replaced one meanwhile.
            for names, old, new in self._modules:  # faster than getattr and setattr: this is done in each run
                for name in new:
                    old[name] = names[name]
                names.update(new)
            for where, old, new in self._classes:
                for name in new:
                    old[name] = getattr(where, name)
                _set(where, new)

    def _prepare(self) -> None:
        pools.prepare_pools()
        made = _replacements()
        functions = [each for each in made if isinstance(each[2], FunctionType) or each in locks.REPLACEMENTS]
        self._by_name = ByName((getattr(where, name), what) for where, name, what in functions)
        for owner in {id(where): where for where, _, _ in made}.values():
            new = {name: what for where, name, what in made if where is owner}
            if isinstance(owner, ModuleType):
                self._modules.append((vars(owner), {}, new))
            else:
                self._classes.append((owner, {}, new))

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                for names, old, _ in self._modules:
                    names.update(old)
                for where, old, _ in self._classes:
                    _set(where, old)


def _set(where: Thing, values: dict[str, Thing]) -> None:
    for name, value in values.items():
        setattr(where, name, value)


_fences = _Fences()


@contextmanager
def guard() -> Iterator[None]:
    """Run the body under the guard."""
    _fences.enter()
    try:
        yield
    finally:
        _fences.leave()
