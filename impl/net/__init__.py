"""The network: faces at the level of non-blocking sockets, one simulated network behind them, one Stream
above.

Read in this order: `conn.py` (the faces), `stream.py` (what programs use), `simulated.py`, `sim_conn.py` and
`weather.py` (the simulated network).
"""

from .conn import READ, WRITE, Address, Conn, Listener, Net, Watcher, host_port
from .simulated import CALLER, SimulatedNet
from .stream import Stream, StreamListener, open_stream
from .weather import CALM, Fault, Weather

__all__ = [
    "CALLER",
    "CALM",
    "READ",
    "WRITE",
    "Address",
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
