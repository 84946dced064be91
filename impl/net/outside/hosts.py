"""The real servers of one run: each listens in the simulated network, and its connections lead to real ones.

1.  A connect that arrives at the listener makes a real connection, or is refused if that is.
2.  The bytes that a program sends at one instant are a *request*.  It travels as any others do, in segments with
    latencies and faults.  When all of it has arrived, it is sent to the server, and the answer is awaited in reality,
    while virtual time stands still.  It then travels back.  So the server takes no virtual time, and it has one
    request at a time, in the order of the run.
3.  A server that does not answer in time (server.py) waits itself, as for a lock, and the run goes on.  Its answer is
    delivered when it comes: after a request of another connection, or when the clock is about to move.
4.  Where nothing else can happen, the answer is awaited longer: PostgreSQL, for one, takes a second to see a deadlock.
    If it does not come, the run has ended in a deadlock that names the server.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from functools import partial
from typing import Final, Protocol

from ...errors import DeadlockError
from ...sim.kernel import Kernel
from ..conn import READ, WRITE, Address
from ..simulated.connection import Connection, Link, SimConn
from ..simulated.faults import Fault
from ..simulated.network import SimListener, SimulatedNet
from ..simulated.striker import HostState
from .server import Habit, Habits, OutsideServer

#: Bytes that one read of a socket takes at most.
_READ_BYTES: Final = 1 << 18
#: Seconds without data after which an answer is complete.
_QUIET_S: Final = 0.003
#: A move of the clock by this time and more gives a server that waits itself as much real time, up to a limit.
_LONG_NS: Final = 1_000_000_000
_LONG_S: Final = 3.0
#: The limit once that was in vain so many times.
_LONG_AGAIN_S: Final = 0.1
_VAIN: Final = 2
#: Seconds to read from a server that sends on and on, and to wait for one that does not read.
_ENDLESS_S: Final = 0.1
_UNREAD_S: Final = 5.0
#: Seconds to wait for data that no request asks for, where nothing else can happen.
_UNASKED_S: Final = 0.05
#: Follows a request at the end of the program's data, for its habit.
_END: Final = b" the end"


class Wording(Protocol):
    """Translates between a program and a real peer: TLS of a simulated run sends other bytes (bridges)."""

    def to_peer(self, data: bytes) -> tuple[bytes, bytes]:
        """The bytes to send for those of the program, and bytes that are alike for like requests."""

    def to_program(self, data: bytes) -> bytes:
        """The bytes that the program gets for those of the peer."""


class _Requests(Connection):
    """A connection that knows which bytes the program has sent at one instant."""

    def __init__(
        self, habits: Habits, link: Link, since: int, fault: Fault | None, after: int, host: HostState
    ) -> None:
        super().__init__(link, since, fault, after, host)
        self._habits = habits
        self._sent = 0
        #: For each request that has not arrived, its instant, and the number of bytes up to its end.
        self._ends: deque[tuple[int, int]] = deque()

    def send(self, side: int, data: bytes | bytearray | memoryview) -> int | None:
        size = super().send(side, data)
        if size and side == 0:
            self._sent += size
            now = self.link.clock.now
            if self._ends and self._ends[-1][0] == now:
                self._ends.pop()
            if size == len(data):  # else there was no room for the rest
                self._ends.append((now, self._sent))
                if self._habits.note is not None:
                    self._habits.note()
        return size

    def is_whole(self, arrived: int) -> bool:
        """Whether a request, which was not whole before, ends within so many bytes."""
        found = False
        while self._ends and self._ends[0][1] <= arrived:
            self._ends.popleft()
            found = True
        return found


class _Listener(SimListener):
    """The listener of a server."""

    def __init__(
        self,
        hosts: OutsideHosts,
        server: OutsideServer,
        registry: dict[Address, SimListener],
        address: Address,
        backlog: int,
    ) -> None:
        super().__init__(registry, address, backlog)
        self._hosts, self._server = hosts, server
        self.wire = partial(_Requests, server.habits)
        self._made: deque[socket.socket] = deque()

    def refuses(self) -> bool:
        try:
            with self._hosts.reality():
                self._made.append(self._server.connected())
        except OSError:
            return True
        return False

    def arrived(self, conn: SimConn) -> None:
        self._hosts.add(_Peer(self._hosts, self._server, conn, self._made.popleft()))


class _Peer:
    """A real connection, and its end in the simulated network."""

    def __init__(self, hosts: OutsideHosts, server: OutsideServer, conn: SimConn, sock: socket.socket) -> None:
        self.server, self.conn, self.sock = server, conn, sock
        self.wording = hosts.wording()
        #: Whether the last request has no answer yet.
        self.waits = False
        #: The bytes of the server since the last request, and one for the end of the data.
        self.came = 0
        #: The data that the program has not been sent, and whether the server has ended the connection.
        self.answer = bytearray()
        self.ended = False
        self._hosts = hosts
        self._request = bytearray()
        self._arrived = 0
        self._over = False
        conn.watch(self._event)

    def _event(self, what: int) -> None:
        if what & WRITE:
            self.deliver()
        if what & READ and not self._over:
            self._take()

    def _take(self) -> None:
        """Read from the program; send a request that is whole."""
        try:
            while data := self.conn.recv(_READ_BYTES):
                self._request += data
                self._arrived += len(data)
            self._over = data is not None
        except OSError:  # a reset, or this end is closed
            self._request.clear()
            self._over = True
        wire = self.conn.wire
        assert isinstance(wire, _Requests)
        if self._over or (self._request and wire.is_whole(self._arrived)):
            request = bytes(self._request)
            self._request.clear()
            self._hosts.ask(self, request, self._over)

    def read(self) -> None:
        """Read from the server."""
        try:
            data = self.sock.recv(_READ_BYTES)
        except BlockingIOError:
            return
        except OSError:  # a reset ends the connection, too
            data = b""
        self.came += len(data) or 1
        if data:
            self.answer += self.wording.to_program(data)
        else:
            self._hosts.hang_up(self)

    def deliver(self) -> None:
        """Send the data to the program, as far as there is room."""
        if self.came:
            self.waits, self.came = False, 0
        try:
            while self.answer and (taken := self.conn.send(self.answer)):
                del self.answer[:taken]
        except OSError:  # the program, or the network, has reset the connection
            self.answer.clear()
        if self.ended and not self.answer:
            self.conn.close()
            self._hosts.forget(self)


class OutsideHosts:
    """The real servers of one run.

    Parameters:
        net, kernel: of the run.
        servers: the real servers.
        reality: makes a context without a simulation.
        wording: makes the translation of one connection.
    """

    def __init__(
        self,
        net: SimulatedNet,
        kernel: Kernel,
        servers: Iterable[OutsideServer],
        reality: Callable[[], AbstractContextManager[object]],
        wording: Callable[[], Wording],
    ) -> None:
        self.reality, self.wording = reality, wording
        self._kernel = kernel
        self._peers: dict[_Peer, None] = {}
        self._selector: selectors.BaseSelector | None = None
        #: The connections that have got real time for a long move of the clock since their last request.
        self._indulged: set[_Peer] = set()
        #: The addresses in the network, by HOST:PORT or path.
        self.places: dict[str, Address] = {}
        for server in servers:
            place = (_address(net, server), server.port or 1)
            if place not in self.places.values():
                net.listen(place, make=partial(_Listener, self, server))
            self.places[str(server)] = place
        before = kernel.idle
        kernel.idle = self._idle if before is None else lambda: self._idle() or before()

    def add(self, peer: _Peer) -> None:
        """Take note of a new connection, at which the server may speak first."""
        with self.reality():
            self._selector = self._selector or selectors.DefaultSelector()
            self._selector.register(peer.sock, selectors.EVENT_READ, peer)
        self._peers[peer] = None
        if peer.server.habits.greets():
            self.ask(peer, b"", False)

    def hang_up(self, peer: _Peer) -> None:
        """End a real connection."""
        if not peer.ended:
            assert self._selector is not None
            self._selector.unregister(peer.sock)
            peer.sock.close()
            peer.ended = True

    def forget(self, peer: _Peer) -> None:
        """A connection has ended on both sides."""
        self._peers.pop(peer, None)

    def ask(self, peer: _Peer, request: bytes, over: bool) -> None:
        """Send a server a request, and deliver the answers that come; `over`: the program sends no more."""
        with self.reality():
            self._read(0)
        self._deliver()  # data that no request has asked for
        if not peer.ended:
            with self.reality():
                real, alike = peer.wording.to_peer(request)
                habit = peer.server.habits.of(alike + _END * over)
                peer.waits |= bool(request)
                self._indulged.discard(peer)
                self._send(peer, real, over)
                self._await(peer, habit)
                self._await_others(peer, habit)
                if over and peer.conn.is_left:
                    self.hang_up(peer)
        self._deliver()

    def _send(self, peer: _Peer, data: bytes, over: bool) -> None:
        left, until = memoryview(data), time.perf_counter() + _UNREAD_S
        try:
            while left and not peer.ended:
                try:
                    left = left[peer.sock.send(left) :]
                except BlockingIOError:  # the server may wait until its answers are read
                    self._read(_QUIET_S)
                    if time.perf_counter() > until:
                        self.hang_up(peer)
            if over and not peer.ended:
                peer.sock.shutdown(socket.SHUT_WR)
        except OSError:  # the server has ended the connection
            peer.read()

    def _await(self, peer: _Peer, habit: Habit) -> None:
        """Wait for the answer to a request."""
        begun = time.perf_counter()
        until = begun + habit.patience()
        while not (peer.came or peer.ended) and (left := until - time.perf_counter()) > 0:
            self._read(left)
        if not (peer.came or peer.ended):
            habit.silent += 1
            return
        seconds = time.perf_counter() - begun
        self._settle(lambda: peer.ended or habit.is_whole(peer.came))
        habit.learn(peer.came, seconds)

    def _await_others(self, peer: _Peer, habit: Habit) -> None:
        """Wait for the data that a request causes on other connections."""
        others = [each for each in self._peers if each is not peer]
        if not others:
            return
        waiting = any(each.waits for each in others)
        until = time.perf_counter() + habit.stirs(waiting)
        self._read(0)
        while not any(each.came for each in others) and (left := until - time.perf_counter()) > 0:
            self._read(left)
        if stirred := any(each.came for each in others):
            self._settle()
        habit.learn_stirred(waiting, stirred)

    def _settle(self, is_whole: Callable[[], bool] = lambda: False) -> None:
        """Read on until nothing comes for a moment; a server that never stops is left."""
        until = time.perf_counter() + _ENDLESS_S
        while not is_whole() and self._read(_QUIET_S) and time.perf_counter() < until:
            pass

    def _read(self, seconds: float) -> bool:
        """Read from the servers, after a wait for data of so many seconds.  Returns whether anything has come."""
        ready = () if self._selector is None else self._selector.select(seconds)
        for key, _ in ready:
            key.data.read()
        return bool(ready)

    def _deliver(self) -> None:
        """Deliver the data that have come, in the order of the connections."""
        for peer in list(self._peers):
            if peer.came or peer.answer or peer.ended:
                peer.deliver()

    def _idle(self) -> bool:
        """The clock is about to move: deliver the answers that have come meanwhile.

        Raises:
            DeadlockError: nothing else can happen, and none comes.
        """
        if not self._peers:
            return False
        waiting = [peer for peer in self._peers if peer.waits]
        with self.reality():
            came = self._read(0)
            seconds = 0.0 if came else self._seconds(waiting)
            came = came or (seconds > 0 and self._read(seconds))
            if came:
                self._settle()
        for habits in {id(each.server): each.server.habits for each in waiting}.values():
            habits.vain = 0 if came else habits.vain + (seconds > 0)
        self._deliver()
        if waiting and not came and self._kernel.next_event() is None:
            names = " and ".join(dict.fromkeys(str(each.server) for each in waiting))
            raise DeadlockError(f"nothing can ever happen any more, as {names} does not answer")
        return False

    def _seconds(self, waiting: list[_Peer]) -> float:
        """The seconds to wait for an answer before the clock moves."""
        due = self._kernel.next_event()
        if due is None:
            return max((each.server.habits.last() for each in waiting), default=_UNASKED_S)
        left = due - self._kernel.now
        patient = [each for each in waiting if each not in self._indulged]
        if left < _LONG_NS or not patient:
            return 0
        self._indulged.update(patient)
        vain = min(each.server.habits.vain for each in patient)
        return min(left / 1e9, _LONG_S if vain < _VAIN else _LONG_AGAIN_S)

    def close(self) -> None:
        """End the connections, and wait until the servers have ended them, as far as they do."""
        with self.reality():
            for peer in list(self._peers):
                if not peer.ended:
                    self._send(peer, b"", True)
                    self._await(peer, peer.server.habits.of(_END))
                    self.hang_up(peer)
            self._peers.clear()
            if self._selector is not None:
                self._selector.close()
                self._selector = None


def _address(net: SimulatedNet, server: OutsideServer) -> str:
    """The address of a server in the network; a host that is new is added."""
    try:
        socket.inet_pton(socket.AF_INET, server.host)
    except OSError:
        return net.address(server.host) if net.exists(server.host) else net.add_host(server.host)
    return net.add_address(server.host)
