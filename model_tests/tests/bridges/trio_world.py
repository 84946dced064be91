"""A connection between two trio programs on the simulated network, and networks for it."""

from __future__ import annotations

import trio

from impl.bridges.trio.run import Network
from impl.net import Weather

CALM = Network(Weather())
SMALL = Network(Weather(latency_ms_max=3, segments_max=3, buffer_bytes=64), ("server",))


async def pair() -> tuple[trio.SocketStream, trio.SocketStream]:
    """Return the two ends of a connection."""
    (listener,) = await trio.open_tcp_listeners(0, host="server")
    near = await trio.open_tcp_stream("server", listener.socket.getsockname()[1])
    far = await listener.accept()
    await listener.aclose()
    return near, far
