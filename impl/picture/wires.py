"""The lanes of the network: a lane for each host, and one for each connection with the bytes that are under way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from ..sim.trace import Name

#: Lanes, each with the text that it shows from now on.
Values: TypeAlias = dict[int, str]


@dataclass(slots=True)
class _Wire:
    """A connection."""

    lane: int
    #: The lane of the host that was connected to.
    host: int
    #: Its address there.
    address: str
    #: The ends that are open, and the bytes that are under way to each side: the host, and the end that connected.
    ends: set[Name] = field(default_factory=set)
    under_way: list[int] = field(default_factory=lambda: [0, 0])

    def text(self) -> str:
        """Its bytes under way, with an arrow to the host or from it."""
        return "  ".join(
            f"{arrow} {size:,} B" for arrow, size in zip("→←", self.under_way, strict=True) if size
        )


class Wires:
    """The connections of a run.

    Parameters:
        new: makes a lane of that name and returns its number.
    """

    def __init__(self, new: Callable[[str], int]) -> None:
        self._new = new
        self._names: dict[str, str] = {}  # of hosts, by address
        self._hosts: dict[str, int] = {}  # their lanes, by name
        self._wires: dict[frozenset[str], _Wire] = {}
        self._ends: dict[Name, tuple[_Wire, int]] = {}  # each with its side: 0 is the host's

    def named(self, host: str, address: str) -> None:
        """The host of an address has a name."""
        self._names[address] = host

    def host(self, name: str) -> int:
        """The lane of a host."""
        if name not in self._hosts:
            self._hosts[name] = self._new(f"host {name}")
        return self._hosts[name]

    def opened(self, conn: Name, local: str, remote: str) -> tuple[int, Values]:
        """An end opens: the lane of its connection, and its changes."""
        between = frozenset((local, remote))
        wire = self._wires.get(between)
        if wire is None:
            # The end that was connected to opens first: the other one opens when the answer reaches it.
            host = self.host(self._named(local).rpartition(":")[0])
            wire = self._wires[between] = _Wire(self._new(self._label(remote, local)), host, local)
        wire.ends.add(conn)
        self._ends[conn] = (wire, 0 if local == wire.address else 1)
        return wire.lane, self._values(wire)

    def lane(self, conn: Name) -> int:
        """The lane of the connection of an end."""
        return self._ends[conn][0].lane

    def sent(self, conn: Name, size: int) -> Values:
        """An end has sent so many bytes; returns the changes."""
        wire, side = self._ends[conn]
        wire.under_way[1 - side] += size
        return self._values(wire)

    def arrived(self, conn: Name, size: int) -> Values:
        """So many bytes have arrived at an end; returns the changes.  A fault may bring more than was sent."""
        wire, side = self._ends[conn]
        wire.under_way[side] = max(0, wire.under_way[side] - size)
        return self._values(wire)

    def closed(self, conn: Name) -> tuple[bool, Values]:
        """An end closes: whether the other one has closed too, and the changes."""
        wire, _ = self._ends[conn]
        wire.ends.discard(conn)
        if wire.ends:
            return False, {}
        wire.under_way = [0, 0]
        return True, self._values(wire)

    def _named(self, address: str) -> str:
        """An address with the name of its host, if it has one."""
        host, _, port = address.rpartition(":")
        return f"{self._names.get(host, host)}:{port}"

    def _label(self, near: str, far: str) -> str:
        """The name of the lane of a connection: where it begins is its port only, unless that host has a name."""
        host, _, port = near.rpartition(":")
        return f"{self._names.get(host, '')}:{port} to {self._named(far)}"

    def _values(self, wire: _Wire) -> Values:
        theirs = [each for each in self._wires.values() if each.host == wire.host and each.ends]
        size = sum(sum(each.under_way) for each in theirs)
        return {wire.lane: wire.text(), wire.host: f"{len(theirs)} open" + (f", {size:,} B" if size else "")}
