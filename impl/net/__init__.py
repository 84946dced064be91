"""The network: interfaces at the level of non-blocking sockets, two networks behind them, one Stream above.

Read `conn.py` first (the interfaces), then `stream.py` and `race.py` (for programs).  `simulated/` and `real/` are
the two networks; `real/` is imported by name only, because a simulation needs no socket.
"""

from .conn import READ, WRITE, Address, Conn, Listener, Net, PendingRequest, Watcher, host_port
from .race import open_stream
from .simulated.conditions import IDEAL, NetworkConditions
from .simulated.faults import Fault, FaultRule
from .simulated.network import CALLER, SimulatedNet
from .stream import ByteStream, Stream, StreamListener

__all__ = [
    "CALLER",
    "IDEAL",
    "READ",
    "WRITE",
    "Address",
    "ByteStream",
    "Conn",
    "Fault",
    "FaultRule",
    "Listener",
    "Net",
    "NetworkConditions",
    "PendingRequest",
    "SimulatedNet",
    "Stream",
    "StreamListener",
    "Watcher",
    "host_port",
    "open_stream",
]
