"""The network: faces at the level of non-blocking sockets, two networks behind them, one Stream above.

Read in this order: `conn.py` (the faces), `stream.py` and `race.py` (what programs use); `simulated.py`, `connection.py`
and `simulated/conditions.py` (the simulated network); `real.py`, `interrupts.py`, `sockets.py` and `resolver.py` (the loop and the
network of the operating system).  The last four are imported by their own names: a simulation needs no socket.
"""

from .conn import READ, WRITE, Address, Asked, Conn, Listener, Net, Watcher, host_port
from .race import open_stream
from .simulated.conditions import CALM, Fault, Weather
from .simulated.network import CALLER, SimulatedNet
from .stream import ByteStream, Stream, StreamListener

__all__ = [
    "CALLER",
    "CALM",
    "READ",
    "WRITE",
    "Address",
    "Asked",
    "ByteStream",
    "Conn",
    "Fault",
    "Listener",
    "Net",
    "SimulatedNet",
    "Stream",
    "StreamListener",
    "Watcher",
    "Weather",
    "host_port",
    "open_stream",
]
