"""The network of a bridged run, and the parameters of its recipe (sim/recipe.py)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Final

from ..net import NetworkConditions
from ..net.outside.server import OutsideServer
from ..sim.inject import NOTHING, Injection, pack, unpack
from ..sim.order import Order
from ..sim.recipe import DIGEST_BYTES
from ..sim.token import Packer, TokenError, Unpacker

#: The kind of trio programs in tokens; here, so that a token can be recognized without trio.
TRIO_KIND: Final = "lst"

#: The fields of NetworkConditions that tokens of the first release do not know.
_NEWER: Final = ("swarm", "faults_until_ms")


@dataclass(frozen=True, slots=True)
class Network:
    """The network of a run: its conditions, and its names besides those of servers that listen."""

    conditions: NetworkConditions = NetworkConditions(latency_ms_max=20, segments_max=3)  # noqa: RUF009  (it is frozen)
    hosts: tuple[str, ...] = ()
    #: The real servers that are hosts of it, on asyncio.
    outside: tuple[OutsideServer, ...] = ()

    def digest(self) -> bytes:
        """Identify the network in a token.

        The text spells the names of the first release, whatever the classes are called today, and fields that are newer
        only where they are used: old tokens still replay.
        """
        conditions = self.conditions
        values = ", ".join(
            f"{field.name}={getattr(conditions, field.name)!r}"
            for field in fields(conditions)
            if field.compare and not (field.name in _NEWER and getattr(conditions, field.name) == field.default)
        )
        more = f", outside={[str(each) for each in self.outside]}" if self.outside else ""
        text = f"Network(weather=Weather({values}), hosts={self.hosts!r}{more})"
        return hashlib.sha256(text.encode()).digest()[:DIGEST_BYTES]


DEFAULT: Final = Network()


def reaching(network: Network | None, outside: Iterable[str]) -> Network | None:
    """The network with real servers, as HOST:PORT or paths of Unix sockets.

    Raises:
        ValueError: a text is neither, or a server cannot be reached.
    """
    servers = tuple(map(OutsideServer.of, outside))
    for server in servers:
        server.check()
    return replace(network or DEFAULT, outside=servers) if servers else network


@dataclass(frozen=True, slots=True)
class Setting:
    """The parameters of a bridged run; a token contains the digest of the network only."""

    order: Order = "fifo"
    network: Network = DEFAULT
    inject: Injection = NOTHING

    def pack(self, packer: Packer) -> None:
        pack(packer, self.order, self.inject)
        packer.raw(self.network.digest())

    def unpack(self, unpacker: Unpacker) -> Setting:
        order, inject = unpack(unpacker)
        if unpacker.raw(DIGEST_BYTES) != self.network.digest():
            raise TokenError("the token is of a run on another network")
        return Setting(order, self.network, inject)
