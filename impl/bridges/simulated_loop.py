"""SimLoopBase: the state that the parts of the simulated asyncio loop share, and nothing else of it.

A part is a mixin of SimEventLoop (asyncio/loop.py) or an object that belongs to one: a task, a socket, a transport.
The parts call the methods of asyncio.AbstractEventLoop under their documented names.  Beyond these, a part uses the
names below.  So it imports this module, and never the loop or another mixin.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any, ClassVar, Final, TypeAlias, cast
from weakref import WeakValueDictionary

from ..errors import DeadlockError
from ..interfaces import Observer
from ..net import NetworkConditions, SimulatedNet
from ..net.outside.hosts import OutsideHosts
from ..sim.choices import Choices, Freedom
from ..sim.deadlock import deadlock, restated
from ..sim.garbage import TaskCollector
from ..sim.inject import Injection
from ..sim.kernel import Kernel
from ..sim.loop_base import LoopBase
from ..sim.order import Order, ReadyQueue
from ..threads.group import RunThreads
from . import addresses
from .virtual_clock import VirtualClock

#: Where a program connects to a server that nothing simulates.
_HINT: Final = " (nothing simulates it; --outside HOST:PORT names a real server)"

#: asyncio's context dict for exception handlers: `message`, `exception`, `task` and so on.
ErrorContext: TypeAlias = dict[str, Any]
#: A task of the program; its result has any type.
AnyTask: TypeAlias = asyncio.Task[Any]
#: A host name or an address as the module socket takes it.
HostName: TypeAlias = Any


class SimKernel(Kernel):
    """A kernel that passes its errors to asyncio's exception handler."""

    __slots__ = ("tasks", "tell")

    tell: Callable[[ErrorContext], object]
    tasks: Callable[[], Iterable[AnyTask]]

    def alive(self) -> Iterable[AnyTask]:
        return self.tasks()

    def report(self, what: ErrorContext) -> None:
        made = getattr(what.get("handle"), "_source_traceback", None)
        if made is not None:
            what["source_traceback"] = made
        self.tell(what)

    def next_of_loop(self) -> int | None:
        """The time of the next timer that is no thread's, in virtual nanoseconds; None: there is none."""
        return min((when for when, _, item in self._timers if not (item.is_thread or item.dead())), default=None)

    def clear(self) -> None:
        """Drop every ready item and every timer."""
        self.ready.clear()
        self._timers.clear()

    def hang(self, tasks: Iterable[Any], kind: DeadlockError) -> DeadlockError:  # Any: as deadlock's
        """The error that reports a deadlock, or a livelock, of `tasks`."""
        return restated(kind, tasks)


class SimLoopBase(LoopBase, RunThreads, asyncio.AbstractEventLoop):
    """The shared state of a simulated loop; the parameters are those of SimEventLoop."""

    is_simulated: ClassVar = True
    #: The real servers of the run (bridges/network.py); None: there are none.
    outside: OutsideHosts | None = None
    kernel: SimKernel
    #: The handlers of signals (asyncio/signals.py); None: the run has used none.
    signals: Any = None

    def __init__(
        self,
        choices: Choices | None,
        conditions: NetworkConditions,
        order: Order,
        observer: Observer | None,
        turns_max: int,
        ready: ReadyQueue | None,
        inject: Injection,
    ) -> None:
        #: Virtual time, timers and the ready queue.
        self.kernel = SimKernel(choices, order, observer, turns_max, ready, inject)
        self.kernel.tell = self._report
        #: The virtual time as the program reads it.
        self.clock = VirtualClock(self.kernel)
        #: The simulated network.
        self.net = SimulatedNet(self.kernel, choices or Choices.plain(), conditions)
        self.net.add_loopback()
        self.net.hint = _HINT
        #: The tasks that are not done, in order of creation.
        self.live: dict[AnyTask, None] = {}
        self.kernel.tasks = lambda: self.live
        if inject.collect and choices is not None:
            self.collect_tasks(lambda name, place: choices.tell(Freedom.COLLECTED, place, name))
        #: The open sockets, all of them SimSockets, by number.
        self.descriptors: WeakValueDictionary[int, socket.socket] = WeakValueDictionary()
        #: The bytes that TLS has sent, by number, until they arrive (asyncio/tls.py).
        self.envelopes: dict[int, bytes] = {}
        #: The next number of the run: for hashes and names that contain no address.
        self.serial = count(1).__next__
        self._names = count(1)
        self._debug = sys.flags.dev_mode or (
            not sys.flags.ignore_environment and bool(os.environ.get("PYTHONASYNCIODEBUG"))
        )

    def current(self) -> AnyTask | None:
        return asyncio.current_task(self)

    def views(self) -> Iterable[Any]:  # Any: as deadlock's
        """The tasks and threads that are left, for the report of a deadlock."""
        return [*self.live, *(self.threads.left() if self.threads else ())]

    def deadlocked(self) -> DeadlockError:
        return deadlock(self.views())

    def collect_tasks(self, note: Callable[[str, tuple[str, int]], object]) -> None:
        """Have tasks that nothing refers to collected from now on; `note` is that of TaskCollector."""
        assert self.kernel.choices is not None
        rest = self.kernel.choices.rest
        collector = TaskCollector(lambda: self.live, lambda: list(self.descriptors.values()), note, rest)

        before = self.kernel.idle

        def idle() -> bool:
            collector.collect()
            return bool(self.kernel.ready) or (before is not None and before())

        self.kernel.idle = idle

    def _report(self, what: ErrorContext) -> None:
        """Hand an error of the kernel to the exception handler; if there is none, a search notes it."""
        replaced = {"call_exception_handler", "default_exception_handler"} & vars(self).keys()  # by a mock
        if self.kernel.limits is not None and self.get_exception_handler() is None and not replaced:
            self.kernel.limits.note(what)
        self.call_exception_handler(what)

    @property
    def stopping(self) -> bool:
        return self.kernel.stopping

    @stopping.setter
    def stopping(self, stopping: bool) -> None:
        self.kernel.stopping = stopping

    @property
    def now(self) -> int:
        """The virtual time in nanoseconds."""
        return self.kernel.now

    def task_name(self) -> str:
        """The name of a task that was made without one."""
        return f"Task-{next(self._names)}"

    def place(self, host: HostName) -> str:
        """The address that a listener on `host` gets; a name that is new is added to the network."""
        return addresses.place(self.net, host)


def simulated_loop() -> SimLoopBase | None:
    """The simulated loop that runs in this thread, or None."""
    loop = asyncio._get_running_loop()
    return cast(SimLoopBase, loop) if getattr(loop, "is_simulated", False) else None
