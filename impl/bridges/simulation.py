"""The simulation that runs in this thread, of asyncio or of another runtime, and the error for leaving it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, Protocol

from ..net import SimulatedNet
from ..sim.kernel import Kernel
from .asyncio.base import simulated_loop
from .virtual_clock import VirtualClock


class OutsideSimulation(RuntimeError):
    """The program used something of the real world; the text names it, and what to use instead."""

    def __init__(self, what: str, suggestion: str) -> None:
        super().__init__(f"{what} is outside of the simulation; use {suggestion}")


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
    return guest() or simulated_loop()
