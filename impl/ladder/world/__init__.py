"""Teaching code: the environment of a rung: sockets, selectors, threads and a clock, real or simulated.

A rung is a function of a `World` and calls the standard library's names on it: `world.socket()`,
`world.DefaultSelector()`, `world.Thread(...)`, `world.SimpleQueue()`.  In `simulation.py` time is virtual, and a
blocking call moves the clock; `real.py` is the standard library with counters.  A rung has no delays of its own, so two
rungs differ in their way of waiting only.
"""

from queue import SimpleQueue
from socket import socket
from typing import Any, TypeAlias

from .real import StandardWorld
from .simulation import SimulatedSocket, SimulatedWorld
from .threads import SimQueue

#: The environment of a rung, a socket of it, and a queue that its threads share.
World: TypeAlias = SimulatedWorld | StandardWorld
Socket: TypeAlias = SimulatedSocket | socket
BlockingQueue: TypeAlias = SimQueue | SimpleQueue[Any]  # Any: its items

__all__ = ["BlockingQueue", "Socket", "World"]
