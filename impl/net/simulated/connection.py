"""Established connections of the simulated network: a `Wire` with two ends.

Theory of operation.
1.  A wire has two `_Way`s, one a direction.  A way is a queue of what is under way (segments, then a mark:
    the end of the data, or a reset), the bytes that its end has not read, and the room that its source has
    left.
2.  Each item under way is one timer.  The timer does not know its item: whichever timer of a way comes next,
    it lands the *head* of the queue.  So the order of the bytes rests on the queue alone and not on what a
    kernel does with deadlines; these still increase strictly, so that a kernel finds no ties to choose from
    where they would make no difference.
3.  Room is exact.  Sending takes room; reading frees it, and the end that reads tells its peer when half of the
    buffer is free to be told of (RFC 9293, 3.8.6.2.2: small updates would be answered by small segments, for
    ever).  The telling travels too.  In each direction

        room + bytes under way + bytes unread + bytes freed + room on its way back = buffer_bytes

4.  An end that closes leaves the wire; that also breaks the reference cycle between the two.  Data that lands
    where nobody is any more is answered by a reset (RFC 9293, 3.10.7.1).
5.  A fault strikes the wire after so many segments: from then on nothing enters it.  A reset is told to both
    ends, silence to nobody.  What was already under way still lands.
"""

from __future__ import annotations

import errno
from collections import deque
from collections.abc import Callable
from enum import Enum

from ...interfaces import Clockwork
from ...sim.choices import Choices
from ...tasks.callback import Callback
from ..conn import READ, WRITE, Address, Watchable, host_port, os_error
from .conditions import Fault, Weather


class _Mark(Enum):
    """What may travel besides data."""

    EOF = "eof"
    RESET = "reset"


_Item = bytes | _Mark


class _Way:
    """One direction of a connection."""

    __slots__ = ("ended", "flight", "freed", "last", "room", "unread")

    def __init__(self, room: int, since: int) -> None:
        self.flight: deque[_Item] = deque()
        self.unread = bytearray()
        self.room = room
        #: Bytes that were read, and of which the source has not been told.
        self.freed = 0
        #: The deadline of the last item under way, virtual nanoseconds.
        self.last = since
        #: Whether its source has sent a mark, after which it has no use for room.
        self.ended = False


class Medium:
    """Through which everything travels: a clock, and a weather that draws from choices."""

    def __init__(self, clock: Clockwork, choices: Choices, weather: Weather) -> None:
        self.clock = clock
        self.choices = choices
        self.weather = weather

    def arrival(self) -> int:
        """When something that leaves now arrives (virtual nanoseconds): draws its latency."""
        return self.clock.now + self.weather.latency_ns(self.choices)

    def later(self, fn: Callable[..., None], *args: object) -> Callback:
        """Call `fn` one latency from now, unless what is returned is cancelled."""
        timer = Callback(fn, args)
        self.clock.at(self.arrival(), timer)
        return timer


class Wire:
    """A connection seen from above: two ways, and what stands at their ends; made by `connection`."""

    def __init__(self, medium: Medium, since: int, fault: Fault | None, after: int) -> None:
        """Nothing arrives before `since` (virtual nanoseconds); `fault` strikes after `after` segments."""
        self.medium = medium
        self.ends: list[SimConn | None] = [None, None]
        room = medium.weather.buffer_bytes
        self._ways = (_Way(room, since), _Way(room, since))
        self._fault = fault
        self._left = after
        self._down = False

    def send(self, side: int, data: bytes | bytearray | memoryview) -> int | None:
        """Take what there is room for and send it on its way: its size, or None if there is no room."""
        way = self._ways[side]
        size = min(len(data), way.room)
        if size == 0:
            return None
        way.room -= size
        for segment in self.medium.weather.segments(bytes(data[:size]), self.medium.choices):
            self._push(side, segment)
        return size

    def end(self, side: int, mark: _Mark) -> None:
        """Send `mark` after everything that was sent from `side`."""
        self._ways[side].ended = True
        self._push(side, mark)

    def unread(self, side: int) -> int:
        """How many bytes have arrived at `side` and were not taken."""
        return len(self._ways[1 - side].unread)

    def room(self, side: int) -> int:
        """How many bytes `side` may send now."""
        return self._ways[side].room

    def take(self, side: int, n: int) -> bytes:
        """Take up to n bytes that have arrived at `side`; the peer is told of the room, once it is worth it."""
        way = self._ways[1 - side]
        data = bytes(way.unread[:n])
        del way.unread[:n]
        way.freed += len(data)
        worth_it = 2 * way.freed >= self.medium.weather.buffer_bytes
        if worth_it and not (way.ended or self._down or self.ends[1 - side] is None):
            self.medium.later(self._widen, 1 - side, way.freed)
            way.freed = 0
        return data

    def _widen(self, side: int, n: int) -> None:
        """The peer's window update has arrived at `side`."""
        self._ways[side].room += n
        end = self.ends[side]
        if end is not None:
            end.notify(WRITE)

    def _push(self, side: int, item: _Item) -> None:
        """Send an item from `side`, unless a fault strikes it."""
        if self._down:
            return
        if self._fault is not None:
            if self._left == 0:
                self._down = True
                if self._fault is Fault.RESET:
                    self._launch(0, _Mark.RESET)
                    self._launch(1, _Mark.RESET)
                return
            self._left -= 1
        self._launch(side, item)

    def _launch(self, side: int, item: _Item) -> None:
        way = self._ways[side]
        way.flight.append(item)
        way.last = max(way.last + 1, self.medium.arrival())
        self.medium.clock.at(way.last, Callback(self._land, (side,)))

    def _land(self, side: int) -> None:
        """The next item from `side` arrives at the other end."""
        way = self._ways[side]
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
    """One end of a wire; see `Conn` for what its methods promise."""

    def __init__(
        self, wire: Wire, side: int, local: Address, remote: Address, open_ends: dict[SimConn, None]
    ) -> None:
        """Side 0 is the one that connected.  While it is open, it stands in `open_ends`."""
        super().__init__()
        wire.ends[side] = self
        open_ends[self] = None
        self._wire = wire
        self._open_ends = open_ends
        self._side = side
        self._local = local
        self._remote = remote
        self._peer_ended = False  # the peer's end of data has arrived
        self._reset = False  # a reset has arrived
        self._sent_eof = False
        self._closed = False

    @property
    def local(self) -> Address:
        return self._local

    @property
    def remote(self) -> Address:
        return self._remote

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
        return self._wire.send(self._side, data) if data else 0

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
        """READ, WRITE or both: what would not be answered by "not now"."""
        if self._closed or self._reset:
            return READ | WRITE
        reads = READ if self._peer_ended or self._wire.unread(self._side) else 0
        return reads | (WRITE if self._wire.room(self._side) else 0)

    def opened(self) -> None:
        """Tell the observer that this end is established."""
        observer = self._wire.medium.clock.observer
        if observer is not None:
            observer.opened(self, host_port(self._local), host_port(self._remote))

    def arrived(self, item: _Item) -> None:
        """An item has arrived (the bytes of a segment stand in the wire): note it and tell the watchers."""
        observer = self._wire.medium.clock.observer
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
        observer = self._wire.medium.clock.observer
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
        return f"<{type(self).__name__} {host_port(self._local)} to {host_port(self._remote)}>"


def connection(
    medium: Medium,
    near: Address,
    far: Address,
    open_ends: dict[SimConn, None],
    *,
    since: int,
    fault: Fault | None,
    after: int,
) -> tuple[SimConn, SimConn]:
    """A new wire: the end that connected, and the one that is to be accepted; parameters as theirs."""
    wire = Wire(medium, since, fault, after)
    return SimConn(wire, 0, near, far, open_ends), SimConn(wire, 1, far, near, open_ends)
