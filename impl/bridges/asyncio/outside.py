"""The network of an asyncio run: its names, its real servers, and TLS between the program and these."""

from __future__ import annotations

from functools import partial

from ...net.outside.hosts import OutsideHosts
from ..network import Network
from ..simulated_loop import SimLoopBase
from ..simulation import Simulation, reality
from .tls import MARK, opened, sealed, sizes_of

#: An answer travels in an envelope of a multiple of so many bytes: those of a handshake differ by some.
_UNIT = 256


def furnish(loop: SimLoopBase, network: Network) -> None:
    """Add the hosts of a network to that of a loop, and its real servers."""
    for host in network.hosts:
        loop.net.add_host(host)
    if network.outside:
        loop.outside = OutsideHosts(loop.net, loop.kernel, network.outside, reality, partial(TLSWording, loop))


class TLSWording:
    """Opens the envelopes of TLS (tls.py) for a real peer, and puts its answers into such ones, once there are any."""

    def __init__(self, here: Simulation) -> None:
        self._here = here
        self._came = bytearray()
        self._is_tls = False

    def to_peer(self, data: bytes) -> tuple[bytes, bytes]:
        self._is_tls |= data.startswith(MARK)
        self._came += data
        alike = sizes_of(data) if self._is_tls else data
        return opened(self._here, self._came), alike

    def to_program(self, data: bytes) -> bytes:
        return sealed(self._here, data, len(data) + -len(data) % _UNIT) if self._is_tls else data
