"""Established connections of the simulated network: a `Wire` with two ends.

1.  A connection has two directions.  A direction is a queue of the items in transit (segments, then a mark: the end
    of the data, or a reset), the bytes that its receiver has not read, and the room that its sender has left.
2.  Each item in transit has one timer.  The timer does not refer to its item: the next timer of a direction delivers
    the *head* of the queue.  So the order of the bytes depends on the queue alone, not on the kernel's timers.  The
    deadlines increase strictly all the same, so that the kernel has no ties to choose from that make no difference.
3.  Room is exact.  Sending takes room, and reading frees it.  The receiver sends a window update when half of the
    buffer has been freed (RFC 9293, 3.8.6.2.2: small updates would cause small segments for ever).  The update takes
    a latency, too.  In each direction

        room + bytes in transit + bytes unread + bytes freed + updates in transit = buffer_bytes

4.  An end that closes leaves the wire, which also breaks the reference cycle between the two.  Data that arrives where
    the end has left is answered by a reset (RFC 9293, 3.10.7.1).
5.  A fault strikes the wire after a number of segments.  After a reset, a truncation or in silence the wire accepts
    nothing; a half-close ends one direction, and others change the data (faults.py).  Items that are in transit
    already still arrive.
"""

from __future__ import annotations

import errno
from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import Final

from ...interfaces import Clockwork
from ...sim.choices import Choices
from ...tasks.callback import Callback
from ..conn import READ, WRITE, Address, Watchable, host_port, os_error
from .conditions import MS, NetworkConditions
from .faults import DRIP_MS, DRIP_PIECES, FLOOD_BYTES, Fault
from .striker import HostState, Striker


class _Mark(Enum):
    """An item in transit that is not data."""

    EOF = "eof"
    RESET = "reset"


_Item = bytes | _Mark

#: The faults that change the bytes of a segment.
_OF_BYTES = (Fault.DRIP, Fault.GARBAGE, Fault.OVERSIZE)


class _Direction:
    """One direction of a connection."""

    __slots__ = ("ended", "flight", "freed", "last", "room", "unread")

    def __init__(self, room: int, since: int) -> None:
        self.flight: deque[_Item] = deque()
        self.unread = bytearray()
        self.room = room
        #: Bytes that were read, and that no window update has announced yet.
        self.freed = 0
        #: The deadline of the last item in transit, in virtual nanoseconds.
        self.last = since
        #: Whether the sender has sent a mark; it needs no room after that.
        self.ended = False


class Link:
    """The clock and the conditions of the network, which draw from choices."""

    def __init__(self, clock: Clockwork, choices: Choices, conditions: NetworkConditions) -> None:
        self.clock = clock
        self.choices = choices
        self.conditions = conditions
        self.striker = Striker(clock, choices, conditions)

    def arrival(self) -> int:
        """The arrival time, in virtual nanoseconds, of an item that is sent now: draws its latency."""
        return self.clock.now + self.conditions.latency_ns(self.choices)

    def later(self, fn: Callable[..., None], *args: object) -> Callback:
        """Call `fn` after one latency, unless the result is cancelled."""
        timer = Callback(fn, args)
        self.clock.at(self.arrival(), timer)
        return timer


class Connection:
    """A connection: two directions and two ends, each a SimConn."""

    def __init__(self, link: Link, since: int, fault: Fault | None, after: int, host: HostState) -> None:
        """Nothing arrives before `since` (virtual nanoseconds); `fault` strikes after `after` segments; `host` is the
        host that was connected to.
        """
        self.link = link
        self.ends: list[SimConn | None] = [None, None]
        room = link.conditions.buffer_bytes
        self._directions = (_Direction(room, since), _Direction(room, since))
        self._fault = fault
        self._left = after
        self._host = host
        self._struck = False
        self._down = False
        #: The direction, by its sender, that a half-close has ended.
        self._cut: int | None = None

    def send(self, side: int, data: bytes | bytearray | memoryview) -> int | None:
        """Send as much of `data` as there is room for; returns its length, or None if there is no room."""
        way = self._directions[side]
        size = min(len(data), way.room)
        if size <= 0:  # a flood takes more room than there is
            return None
        way.room -= size
        for segment in self.link.conditions.segments(bytes(data[:size]), self.link.choices):
            self._push(side, segment)
        return size

    def end(self, side: int, mark: _Mark) -> None:
        """Send `mark` after all data of `side`."""
        self._directions[side].ended = True
        self._push(side, mark)

    def unread(self, side: int) -> int:
        """The number of bytes that have arrived at `side` and were not read."""
        return len(self._directions[1 - side].unread)

    def room(self, side: int) -> int:
        """The number of bytes that `side` can send now."""
        return self._directions[side].room

    def take(self, side: int, n: int) -> bytes:
        """Read up to n bytes that have arrived at `side`; sends a window update if enough bytes were freed."""
        way = self._directions[1 - side]
        data = bytes(way.unread[:n])
        del way.unread[:n]
        way.freed += len(data)
        enough = 2 * way.freed >= self.link.conditions.buffer_bytes
        if enough and not (way.ended or self._down or self.ends[1 - side] is None):
            self.link.later(self._widen, 1 - side, way.freed)
            way.freed = 0
        return data

    def _widen(self, side: int, n: int) -> None:
        """A window update has arrived at `side`."""
        self._directions[side].room += n
        end = self.ends[side]
        if end is not None:
            end.notify(WRITE)

    def reset(self) -> None:
        """Reset both ends, from the network."""
        self._down = True
        self._launch(0, _Mark.RESET)
        self._launch(1, _Mark.RESET)

    def _push(self, side: int, item: _Item) -> None:
        """Send an item from `side`, unless a fault strikes."""
        if self._down:
            return
        if side == self._cut and item is not _Mark.RESET:
            self._directions[side].room += len(item) if isinstance(item, bytes) else 0
        elif self._fault is None:
            self._launch(side, item)
        elif self._left > 0:
            self._left -= 1
            self._launch(side, item)
        else:
            self._strike(self._fault, side, item)

    def _strike(self, fault: Fault, side: int, item: _Item) -> None:
        """The fault strikes `item`, which `side` sends; one that changes bytes waits for some."""
        if fault in _OF_BYTES and not isinstance(item, bytes):
            self._launch(side, item)
            return
        if not self._struck:
            self._struck = True
            self.link.striker.count(fault, self._host.name)
        match fault:
            case Fault.RESET:
                self.reset()
            case Fault.TRUNCATE:
                self._down = True
                self._launch(side, _Mark.EOF)
                self._launch(1 - side, _Mark.RESET)
            case Fault.HALF_CLOSE:
                self._cut, self._fault = side, None
                self._push(side, item)  # gives the room back
                self._launch(side, _Mark.EOF)
            case _ if isinstance(item, bytes) and fault in _OF_BYTES:
                self._change(fault, side, item)
            case _:
                self._down = True

    def _change(self, fault: Fault, side: int, data: bytes) -> None:
        """Launch the items that arrive in the place of `data`."""
        if fault is Fault.DRIP and not self.link.striker.over:
            size = 1 + len(data) // DRIP_PIECES
            for start in range(0, len(data), size):
                self._launch(side, data[start : start + size], DRIP_MS * MS)
            return
        self._fault = None
        if fault is Fault.GARBAGE:
            self._launch(side, bytes(byte ^ 0x55 for byte in data))
            return
        self._launch(side, data)
        if fault is Fault.OVERSIZE:
            self._directions[side].room -= FLOOD_BYTES
            self._launch(side, b"x" * FLOOD_BYTES)

    def _launch(self, side: int, item: _Item, late_ns: int = 0) -> None:
        way = self._directions[side]
        way.flight.append(item)
        way.last = max(way.last + 1, self.link.arrival(), self._host.cut_until) + late_ns
        self.link.clock.at(way.last, Callback(self._land, (side,)))

    def _land(self, side: int) -> None:
        """Deliver the next item from `side` to the other end."""
        way = self._directions[side]
        item = way.flight.popleft()
        end = self.ends[1 - side]
        if end is None:
            if isinstance(item, bytes):
                self._push(1 - side, _Mark.RESET)
            return
        if isinstance(item, bytes):
            way.unread += item
        end.arrived(item)


class SimConn(Watchable):
    """One end of a wire; `Conn` documents its methods."""

    def __init__(
        self,
        connection: Connection,
        side: int,
        local: Address,
        remote: Address,
        open_ends: dict[SimConn, None],
    ) -> None:
        """Side 0 is the end that connected.  `open_ends` holds the ends that are open."""
        super().__init__()
        connection.ends[side] = self
        open_ends[self] = None
        self._wire = connection
        self._open_ends = open_ends
        self._side = side
        self.local: Final = local
        self.remote: Final = remote
        self._peer_ended = False  # the peer's end of data has arrived
        self._reset = False  # a reset has arrived
        self._sent_eof = False
        self._closed = False

    @property
    def wire(self) -> Connection:
        """The connection of both ends."""
        return self._wire

    @property
    def is_left(self) -> bool:
        """Whether the other end is closed."""
        return self._wire.ends[1 - self._side] is None

    def recv(self, n: int, /) -> bytes | None:
        if n < 1:
            raise ValueError(f"recv({n}): ask for at least 1 byte, b'' means the end of the data")
        self._check_open()
        if self._wire.unread(self._side):
            return self._wire.take(self._side, n)
        if self._peer_ended:
            return b""
        if self._reset:
            raise os_error(errno.ECONNRESET)
        return None

    def send(self, data: bytes | bytearray | memoryview, /) -> int | None:
        self._check_sendable()
        if self._sent_eof:
            raise os_error(errno.EPIPE)
        size = self._wire.send(self._side, data) if data else 0
        observer = self._wire.link.clock.observer
        if size and observer is not None:
            observer.sent(self, size)
        return size

    def send_eof(self) -> None:
        self._check_sendable()
        if not self._sent_eof:
            self._sent_eof = True
            self._wire.end(self._side, _Mark.EOF)

    def close(self) -> None:
        if self._closed:
            return
        if self._wire.unread(self._side):
            self.abort()
            return
        if not (self._sent_eof or self._reset):
            self._wire.end(self._side, _Mark.EOF)
        self._leave("close")

    def abort(self) -> None:
        if self._closed:
            return
        if not self._reset:
            self._wire.end(self._side, _Mark.RESET)
        self._leave("reset")

    def ready(self) -> int:
        """READ, WRITE or both: the calls that would not return None."""
        if self._closed or self._reset:
            return READ | WRITE
        reads = READ if self._peer_ended or self._wire.unread(self._side) else 0
        return reads | (WRITE if self._wire.room(self._side) > 0 else 0)

    def cut_off(self) -> None:
        """Reset the connection, from the network."""
        self._wire.reset()

    def opened(self) -> None:
        """Report to the observer that this end is established."""
        observer = self._wire.link.clock.observer
        if observer is not None:
            observer.opened(self, host_port(self.local), host_port(self.remote))

    def arrived(self, item: _Item) -> None:
        """Record an item that has arrived (the bytes of a segment are in the wire), and call the watchers."""
        observer = self._wire.link.clock.observer
        if isinstance(item, bytes):
            if observer is not None:
                observer.carried(self, item)
            self.notify(READ)
        elif item is _Mark.EOF:
            self._peer_ended = True
            if observer is not None:
                observer.closed(self, "eof")
            self.notify(READ)
        elif not self._reset:
            self._reset = True
            if observer is not None:
                observer.closed(self, "reset")
            self.notify(READ | WRITE)

    def _leave(self, how: str) -> None:
        self._closed = True
        self._watchers.clear()
        self._wire.ends[self._side] = None
        del self._open_ends[self]
        observer = self._wire.link.clock.observer
        if observer is not None:
            observer.closed(self, how)

    def _check_open(self) -> None:
        if self._closed:
            raise os_error(errno.EBADF, "this end of the connection is closed")

    def _check_sendable(self) -> None:
        self._check_open()
        if self._reset:
            raise os_error(errno.EPIPE if self._peer_ended else errno.ECONNRESET)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {host_port(self.local)} to {host_port(self.remote)}>"
