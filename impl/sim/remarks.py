"""Remarks: a picture shows them of a run, besides the events of its trace.

It all follows from the choices and the events, so the digest of a run leaves it out.
"""

from __future__ import annotations

from typing import NamedTuple

#: The canonical name of a task, future, queue or connection (trace.py).
Name = tuple[int, ...]


class Suspended(NamedTuple):
    """The task of the event before has stopped at that line of the program."""

    file: str
    line: int


class Overtook(NamedTuple):
    """The task of the next event runs before an item that was ready longer."""


class HostAdded(NamedTuple):
    name: str
    address: str


class BytesSent(NamedTuple):
    """`size` bytes are under way from `conn`."""

    time: int
    conn: Name
    size: int


class FaultStruck(NamedTuple):
    """A fault of the network strikes: a look-up of a host, a connect to it, or a connection."""

    time: int
    host: str
    fault: str


Remark = Suspended | Overtook | HostAdded | BytesSent | FaultStruck
