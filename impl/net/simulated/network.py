"""The simulated network: hosts by name, listeners, look-ups and connects in virtual time.

1.  The network calls its kernel as a `Clockwork` only: the time, a timer, the observer.  Its `NetworkConditions`
    draws all that may vary from its `Choices`, so a run is a function of the program and the choices.  A network with
    nothing in transit has no timer, so the kernel can detect a deadlock.
2.  A host is a name with one or more numeric addresses.  Names that were not added do not exist.  The caller has
    an address of its own, `CALLER`, and any number of ports.
3.  A connect takes one latency to the host, where a listener with room in its backlog accepts it or the host refuses
    it, and one latency back.  Then each end is a `SimConn`: `connection.py`.
4.  `connections` are the ends that are still open: a program that closes all its connections leaves none.
"""

from __future__ import annotations

import errno
from collections import deque
from collections.abc import Callable
from typing import Final

from ...interfaces import Clockwork
from ...sim.choices import Choices
from ...tasks.callback import Callback
from ..conn import (
    READ,
    Address,
    Conn,
    PendingRequest,
    Watchable,
    check_listen,
    check_port,
    host_port,
    name_not_found,
    os_error,
)
from .conditions import IDEAL, NetworkConditions
from .connection import Connection, Link, SimConn
from .datagrams import DatagramNetwork, DatagramPort
from .faults import REFUSING, STREAM_FAULTS, Fault
from .striker import HostState, Strike

#: The address that programs connect from.
CALLER: Final = "10.0.0.1"

#: A listener at this address listens at every address of the network (RFC 1122, 3.2.1.3: "this host").  On loopback
#: both ends of a connection have the address LOOPBACK.
ANY: Final = "0.0.0.0"
LOOPBACK: Final = "127.0.0.1"

#: The dynamic ports (RFC 6335, section 6), assigned cyclically.
_PORTS: Final = range(49152, 65536)


class SimulatedNet:
    """A network of hosts; `Net` documents resolve, connect and listen."""

    #: Added to the errors of a look-up and of a connect to something that this network does not have.
    hint: str = ""

    def __init__(self, clock: Clockwork, choices: Choices, conditions: NetworkConditions = IDEAL) -> None:
        self._link = Link(clock, choices, conditions)
        self._addresses: dict[str, tuple[str, ...]] = {}
        self._names: dict[str, str] = {}
        self._listeners: dict[Address, SimListener] = {}
        self._open_ends: dict[SimConn, None] = {}
        self._ports_given = 0
        self._datagrams = DatagramNetwork(self._link, ANY, LOOPBACK, CALLER)

    @property
    def connections(self) -> tuple[Conn, ...]:
        """The ends of connections that are not closed, oldest first."""
        return tuple(self._open_ends)

    def add_loopback(self) -> None:
        """Add the host `localhost`, at LOOPBACK."""
        self._addresses["localhost"] = (LOOPBACK,)
        self._names[LOOPBACK] = "localhost"

    def add_host(self, name: str, count: int = 1) -> str:
        """Add a host, unless it exists; returns its numeric address.  The case of `name` is ignored (RFC 4343).

        A host with `count` > 1 has that many consecutive addresses; the first is returned.

        Raises:
            ValueError: the name is empty, or exists with another number of addresses; count < 1.
        """
        if not name:
            raise ValueError("a host needs a name")
        if count < 1:
            raise ValueError(f"count is {count}: a host has at least 1 address")
        name = name.lower()
        addresses = self._addresses.get(name)
        if addresses is None:
            first = len(self._names) + 2  # 10.0.0.1 is CALLER
            numbers = range(first, first + count)
            addresses = tuple(f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}" for n in numbers)
            self._addresses[name] = addresses
            self._names.update(dict.fromkeys(addresses, name))
            observer = self._link.clock.observer
            if observer is not None:
                for address in addresses:
                    observer.hosted(name, address)
        elif len(addresses) != count:
            raise ValueError(f"{name!r} exists already, with {len(addresses)} addresses, not {count}")
        return addresses[0]

    def add_address(self, numeric: str) -> str:
        """Add a host with that address for a name, unless it exists; returns the address."""
        self._addresses.setdefault(numeric, (numeric,))
        self._names.setdefault(numeric, numeric)
        return numeric

    def exists(self, host: str) -> bool:
        """Whether `host` is a name or an address of this network."""
        return bool(self._numeric(host.lower()))

    def free_port(self, numeric: str) -> int:
        """A dynamic port of that address without a listener.

        Raises:
            OSError: EADDRINUSE, all of them have one.
        """
        for _ in _PORTS:
            port = self._next_port()
            if (numeric, port) not in self._listeners:
                return port
        raise os_error(errno.EADDRINUSE, f"every port of {numeric} that is given out")

    def addresses(self, host: str) -> tuple[str, ...]:
        """The addresses of a name of this network.

        Raises:
            socket.gaierror: there is no such name.
        """
        found = self._numeric(host.lower())
        if not found:
            raise name_not_found(host)
        return found

    def address(self, host: str) -> str:
        """The first of `addresses`."""
        return self.addresses(host)[0]

    def name_of(self, address: str) -> str | None:
        """The name of the host with that address, or None."""
        return self._names.get(address)

    def resolve(self, host: str, done: Callable[[tuple[str, ...] | OSError], None], /) -> PendingRequest:
        """As Net's, after a latency that is drawn; case does not matter, and a fault may lose the name.

        Parameters:
            host: a name of this network, or one of its addresses.
            done: is called with the addresses, or with socket.gaierror.
        """
        name = host.lower()
        addresses = self._numeric(name)
        if not addresses or self._link.striker.lookup(name):
            return self._link.later(done, name_not_found(host, "" if addresses else self.hint))
        return self._link.later(done, addresses)

    def connect(
        self, address: Address, done: Callable[[SimConn | OSError], None], /, *, near: Address = (ANY, 0)
    ) -> PendingRequest:
        """As Net's; `near` is the source: an address of this network, or ANY; port 0 takes a dynamic port."""
        check_port(address[1])
        attempt = _PendingConnect(done)
        name = self._names.get(address[0])
        if name is None:
            self._link.later(attempt.answer, os_error(errno.EHOSTUNREACH, host_port(address) + self.hint))
            return attempt
        strike = self._link.striker.connect(name, address[0], lambda: len(self._of_host(address[0])))
        if strike.fault is Fault.OUTAGE:
            for end in self._of_host(address[0]):
                end.cut_off()
        if not strike.silences:
            self._send_knock(address, near, strike, attempt)
        if strike.fault is Fault.DUPLICATE:
            self._send_knock(address, near, strike, _PendingConnect(None))
        return attempt

    def listen(
        self, address: Address, backlog: int = 100, /, *, make: Callable[..., SimListener] | None = None
    ) -> SimListener:
        """As Net's; port 0 takes a free one.

        Parameters:
            address: a host of this network, or ANY, and a port.
            backlog: the most connections that wait for `accept`.
            make: makes a listener of another class, with the arguments of SimListener.

        Raises:
            ValueError: the port is not in 0..65535, or the backlog is less than 1.
            OSError: EADDRINUSE or EADDRNOTAVAIL.
        """
        check_listen(address, backlog)
        host, port = address
        numeric = self._bindable(host)
        place = (numeric, port or self.free_port(numeric))
        if place in self._listeners:
            raise os_error(errno.EADDRINUSE, host_port(place))
        self._listeners[place] = listener = (make or SimListener)(self._listeners, place, backlog)
        return listener

    def datagrams(self, address: Address, /) -> DatagramPort:
        """Bind a port for datagrams (datagrams.py); port 0 takes a free one.

        Raises:
            ValueError: the port is not in 0..65535.
            OSError: EADDRINUSE or EADDRNOTAVAIL.
        """
        check_port(address[1])
        host, port = address
        numeric = self._bindable(host)
        if not port:
            port = self._next_port()
            while self._datagrams.taken((numeric, port)):
                port = self._next_port()
        return self._datagrams.bind((numeric, port))

    def _bindable(self, host: str) -> str:
        """The address to bind to for a host, or ANY; raises OSError (EADDRNOTAVAIL) if there is no such host."""
        found = (ANY,) if host == ANY else self._numeric(host.lower())
        if not found:
            raise os_error(errno.EADDRNOTAVAIL, f"{host!r} is no host of this network, add_host makes it one")
        return found[0]

    def _of_host(self, numeric: str) -> list[SimConn]:
        """The open ends at that address."""
        return [end for end in self._open_ends if end.local[0] == numeric]

    def _send_knock(self, address: Address, near: Address, strike: Strike, attempt: _PendingConnect) -> None:
        host = self._link.striker.host(self._names[address[0]])
        arrival = max(self._link.arrival(), host.cut_until) + strike.late_ns
        self._link.clock.at(arrival, Callback(self._knock, (address, near, strike, host, attempt)))

    def _knock(
        self, address: Address, near: Address, strike: Strike, host: HostState, attempt: _PendingConnect
    ) -> None:
        """A connect has arrived at its address: accept or refuse it."""
        listener = self._listeners.get(address) or self._listeners.get((ANY, address[1]))
        if listener is None or strike.fault in REFUSING or listener.refuses():
            hint = self.hint if listener is None else ""
            self._link.later(attempt.answer, os_error(errno.ECONNREFUSED, host_port(address) + hint))
            return
        back = self._link.arrival()
        if near[0] == ANY:
            near = (LOOPBACK if address[0] == LOOPBACK else CALLER, near[1])
        near = (near[0], near[1] or self._next_port())
        fault = strike.fault if strike.fault in STREAM_FAULTS else None
        wire = listener.wire(self._link, back, fault, strike.after, host)
        client = SimConn(wire, 0, near, address, self._open_ends)
        server = SimConn(wire, 1, address, near, self._open_ends)
        self._link.clock.at(back, Callback(_established, (client, attempt)))
        server.opened()
        listener.arrived(server)

    def _numeric(self, host: str) -> tuple[str, ...]:
        """The addresses of a name or, for an address of this network, itself."""
        return (host,) if host in self._names else self._addresses.get(host, ())

    def _next_port(self) -> int:
        self._ports_given += 1
        return _PORTS[(self._ports_given - 1) % len(_PORTS)]


class SimListener(Watchable):
    """A listener; `Listener` documents its methods."""

    #: Makes its connections.
    wire: Callable[..., Connection] = Connection

    def __init__(self, registry: dict[Address, SimListener], address: Address, backlog: int) -> None:
        super().__init__()
        self._registry = registry
        self.address: Final = address
        self._backlog = backlog
        self._waiting: deque[SimConn] = deque()
        self._closed = False

    def accept(self) -> SimConn | None:
        if self._closed:
            raise os_error(errno.EBADF, "the listener is closed")
        return self._waiting.popleft() if self._waiting else None

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        del self._registry[self.address]
        self._watchers.clear()
        while self._waiting:
            self._waiting.popleft().abort()

    def ready(self) -> int:
        """READ if a connection is waiting to be accepted, else 0."""
        return READ if self._waiting else 0

    def refuses(self) -> bool:
        """Whether one more connection would be refused."""
        return len(self._waiting) >= self._backlog

    def arrived(self, conn: SimConn) -> None:
        """A new connection has arrived."""
        self._waiting.append(conn)
        self.notify(READ)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {host_port(self.address)}>"


class _PendingConnect:
    """A connect that is not answered yet."""

    def __init__(self, done: Callable[[SimConn | OSError], None] | None) -> None:
        """`done` is None for a connect that no client made: a duplicate."""
        self._done = done

    def answer(self, answer: SimConn | OSError) -> None:
        """Call `done`; if the connect was cancelled, close the connection."""
        done, self._done = self._done, None
        if done is not None:
            done(answer)
        elif not isinstance(answer, OSError):
            answer.close()

    def cancel(self) -> None:
        self._done = None


def _established(conn: SimConn, attempt: _PendingConnect) -> None:
    """The answer to a connect has arrived."""
    conn.opened()
    attempt.answer(conn)
