"""The simulation that runs in this thread, of asyncio or of another runtime, and the error for leaving it."""

from __future__ import annotations

import os
import sys
import threading
from asyncio import events
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, NoReturn, Protocol, cast

from ..errors import DeadlockError, Refusal
from ..net import SimulatedNet
from ..sim import kernel
from ..sim.frames import is_installed, is_library
from ..sim.kernel import Kernel
from ..threads import group
from ..threads.group import ThreadGroup
from ..threads.thread import running_thread
from .simulated_loop import simulated_loop
from .virtual_clock import VirtualClock

#: The files of the last frames of a run, and the packages of the runtime, which is no library that uses something.
_OUTERMOST: Final = (kernel.__file__, os.path.join(os.path.dirname(__file__), "trio", "run.py"))
_RUNTIME: Final = ("trio", "outcome")
#: The functions that run a program; an import further up the stack is not the program's.
_FLOORS: Final = [Kernel.run_turns.__code__, Kernel.run_until.__code__]


# Any: tasks of any runtime.


class OutsideSimulation(Refusal):
    """The program used something of the real world; the text names it, and its replacement.

    The simulation remembers the first one, because the program may catch it.
    """

    def __init__(self, what: str, suggestion: str, *origin: str) -> None:
        super().__init__(what, suggestion, *(origin or origin_of(running())))
        here = simulation()
        if here is not None and here.refused is None:
            here.refused = self


class NoSignals(Refusal, NotImplementedError):
    """The loop has no signals, as on some systems; a program that copes with that is no refusal."""

    def __init__(self, *copied: str) -> None:
        super().__init__(*(copied or ("a signal handler", "a task that calls it", *origin_of(running()))))

    def __str__(self) -> str:
        return "a simulated loop has no signals"


def running() -> Iterator[FrameType]:
    """The frames of the run that are active, innermost first."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename not in _OUTERMOST:
        yield frame
        frame = frame.f_back


def active() -> list[FrameType]:
    """Those of a task that runs, and blocks the thread of its loop, outermost first."""
    frames = [*takewhile(lambda frame: frame.f_code.co_filename != group.__file__, [*running()][::-1])]
    first = next((n for n, frame in enumerate(frames) if not is_library(frame.f_code.co_filename)), len(frames))
    return frames[first:]


def origin_of(frames: Iterable[FrameType]) -> tuple[str, str]:
    """The innermost line of the program, and the installed package that it has called, "" if none.

    Without a line of the program it is that of the package.

    Parameters:
        frames: innermost first.
    """
    library = place = ""
    for frame in frames:
        file, line = frame.f_code.co_filename, frame.f_lineno
        package = frame.f_globals.get("__name__", "").partition(".")[0]
        if is_library(file):  # loopspec itself is installed, too, as a rule
            continue
        if not is_installed(file):
            return f"{os.path.relpath(file)}, line {line}", library
        if package not in _RUNTIME:
            library = library or package
            place = place or f"{'/'.join(Path(file).parts[-2:])}, line {line}"
    return place, library


class NoDescriptor:
    """The calls of a socket that would return a descriptor; a simulated socket has none."""

    def detach(self) -> NoReturn:
        raise OutsideSimulation("the descriptor of a socket", "the socket itself")

    def dup(self) -> NoReturn:
        raise OutsideSimulation("a second descriptor of a socket", "the socket itself")


class Simulation(Protocol):
    """A simulated run as the replacements of the guard and TLS see it; SimLoopBase is one."""

    @property
    def kernel(self) -> Kernel: ...

    @property
    def clock(self) -> VirtualClock: ...

    @property
    def net(self) -> SimulatedNet: ...

    #: The open sockets, by number: each has `ready`.  Any: the bridges' own classes.
    @property
    def descriptors(self) -> Mapping[int, Any]: ...

    #: The bytes that TLS has sent, by number, until they arrive (asyncio/tls.py).
    @property
    def envelopes(self) -> dict[int, bytes]: ...

    @property
    def serial(self) -> Callable[[], int]:
        """Returns the next number of the run."""

    #: The first thing that the run used and that cannot be simulated.
    refused: BaseException | None

    #: Its threads; None: it has started none, and no wait for one.
    threads: ThreadGroup | None

    def group(self) -> ThreadGroup:
        """Its threads, if none were before."""

    def current(self) -> Any:
        """The task that runs; None: none does."""

    def thread_failed(self, thread: threading.Thread, report: Callable[[], object]) -> None:
        """A thread has ended by an error; `report` prints it, as the standard library does."""

    def count(self, kind: str) -> int:
        """The next number of that kind in the names of threads."""

    def deadlocked(self) -> DeadlockError:
        """The error of a run that waits for ever; it names the tasks and threads that are left."""


class Guest(Simulation, Protocol):
    """A simulated run of another runtime than asyncio, as the guard sees it."""

    def suggestion(self, event: str) -> str:
        """The replacement for the function that raises this audit event."""


_here = threading.local()


def enter(guest: Guest | None) -> None:
    """Set the guest that runs in this thread; None: its run has ended."""
    _here.guest = guest


def guest() -> Guest | None:
    """The guest that runs in this thread, or None."""
    return getattr(_here, "guest", None)


def simulation() -> Simulation | None:
    """The simulated run in this thread, or None."""
    here = guest() or simulated_loop()
    if here is None and (thread := running_thread()) is not None:
        return cast(Simulation, thread.group.run)
    return here


@contextmanager
def reality() -> Iterator[None]:
    """Run the body as if no simulation ran in this thread."""
    loop, other = events._get_running_loop(), guest()
    events._set_running_loop(None)
    enter(None)
    try:
        yield
    finally:
        events._set_running_loop(loop)
        enter(other)


def importing_ends_at(code: CodeType) -> None:
    """Register the function that runs a guest's programs."""
    _FLOORS.append(code)


def importing() -> bool:
    """Whether the program of the run in this thread is importing a module.

    That uses the system once in a process, not once in a run, and is exempt.
    """
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code not in _FLOORS:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False
