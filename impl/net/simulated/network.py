"""The simulated network: hosts by name, listeners, look-ups and connects in virtual time.

Theory of operation.
1.  The network asks its kernel for a `Clockwork` only: what time it is, call me at that time, who observes.
    All that may vary is drawn by its `Weather` from its `Choices`.  So a run is a function of the program and
    the choices, and a network that has nothing under way sets no timer: the kernel sees that nothing can
    happen any more.
2.  A host is a name with one numeric address, or more.  Names that were not added do not exist.  The caller has
    an address of its own, `CALLER`, and any number of ports.
3.  A connect travels: one latency there, where it meets a listener with room in its backlog or is refused,
    and one latency back.  Then each end is a `SimConn`: `connection.py`.
4.  `connections` are the ends that nobody has closed: a program that gives back what it takes leaves none.
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
    Asked,
    Conn,
    Watchable,
    check_listen,
    check_port,
    host_port,
    name_not_found,
    os_error,
)
from .conditions import CALM, Fault, Weather
from .connection import Medium, SimConn, connection
from .datagrams import Places, Post

#: The address from which every connection is made.
CALLER: Final = "10.0.0.1"

#: Who listens here listens at every address of the network (RFC 1122, 3.2.1.3: "this host"); on loopback both ends
#: of a connection have the address of LOOPBACK.
ANY: Final = "0.0.0.0"
LOOPBACK: Final = "127.0.0.1"

#: The ports that are given out (RFC 6335, section 6: dynamic ports), round and round.
_PORTS: Final = range(49152, 65536)


class SimulatedNet:
    """A network of hosts; see `Net` for what resolve, connect and listen promise."""

    def __init__(self, clock: Clockwork, choices: Choices, weather: Weather = CALM) -> None:
        self._medium = Medium(clock, choices, weather)
        self._addresses: dict[str, tuple[str, ...]] = {}
        self._names: dict[str, str] = {}
        self._listeners: dict[Address, SimListener] = {}
        self._open_ends: dict[SimConn, None] = {}
        self._ports_given = 0
        self._datagrams = Places(self._medium, ANY, LOOPBACK, CALLER)

    @property
    def connections(self) -> tuple[Conn, ...]:
        """The ends of connections that are not closed, oldest first."""
        return tuple(self._open_ends)

    def add_loopback(self) -> None:
        """Make `localhost` exist, at LOOPBACK."""
        self._addresses["localhost"] = (LOOPBACK,)
        self._names[LOOPBACK] = "localhost"

    def add_host(self, name: str, count: int = 1) -> str:
        """Make `name` (any case: RFC 4343) exist, unless it does; returns its numeric address.

        With `count` > 1 it has as many addresses, consecutive ones; the first is returned.

        Raises:
            ValueError: the name is empty, or has another number of addresses already; count < 1.
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
        elif len(addresses) != count:
            raise ValueError(f"{name!r} exists already, with {len(addresses)} addresses, not {count}")
        return addresses[0]

    def exists(self, host: str) -> bool:
        """Whether it is a name of this network, or an address."""
        return bool(self._numeric(host.lower()))

    def free_port(self, numeric: str) -> int:
        """A port of that address at which nobody listens.

        Raises:
            OSError: EADDRINUSE, there is none.
        """
        for _ in _PORTS:
            port = self._next_port()
            if (numeric, port) not in self._listeners:
                return port
        raise os_error(errno.EADDRINUSE, f"every port of {numeric} that is given out")

    def address(self, host: str) -> str:
        """The (first) address of a name of this network.

        Raises:
            socket.gaierror: there is no such name.
        """
        found = self._numeric(host.lower())
        if not found:
            raise name_not_found(host)
        return found[0]

    def name_of(self, address: str) -> str | None:
        """Whose address it is; None: nobody's."""
        return self._names.get(address)

    def resolve(self, host: str, done: Callable[[tuple[str, ...] | OSError], None], /) -> Asked:
        name = host.lower()
        addresses = self._numeric(name)
        if not addresses or self._medium.weather.lookup_fails(name, self._medium.choices):
            return self._medium.later(done, name_not_found(host))
        return self._medium.later(done, addresses)

    def connect(
        self, address: Address, done: Callable[[SimConn | OSError], None], /, *, near: Address = (ANY, 0)
    ) -> Asked:
        """As Net's; `near` is whence: any of this network's addresses, or ANY; port 0 is one that is given out."""
        check_port(address[1])
        attempt = _Attempt(done)
        name = self._names.get(address[0])
        if name is None:
            self._medium.later(attempt.answer, os_error(errno.EHOSTUNREACH, host_port(address)))
            return attempt
        weather = self._medium.weather
        host = address[0] if address[0] in weather.scripted else name
        fault, after = weather.connection_fault(host, self._medium.choices)
        if fault is not Fault.SILENT or after > 0:  # else not even the handshake is answered
            self._medium.later(self._knock, address, near, fault, after, attempt)
        return attempt

    def listen(self, address: Address, backlog: int = 100, /) -> SimListener:
        check_listen(address, backlog)
        host, port = address
        found = (ANY,) if host == ANY else self._numeric(host.lower())
        if not found:
            raise os_error(errno.EADDRNOTAVAIL, f"{host!r} is no host of this network, add_host makes it one")
        place = (found[0], port or self.free_port(found[0]))
        if place in self._listeners:
            raise os_error(errno.EADDRINUSE, host_port(place))
        self._listeners[place] = listener = SimListener(self._listeners, place, backlog)
        return listener

    def datagrams(self, address: Address, /) -> Post:
        """Be where datagrams arrive (datagrams.py); port 0 takes a free one.

        Raises:
            ValueError: the port is not in 0..65535.
            OSError: EADDRINUSE or EADDRNOTAVAIL.
        """
        check_port(address[1])
        host, port = address
        found = (ANY,) if host == ANY else self._numeric(host.lower())
        if not found:
            raise os_error(errno.EADDRNOTAVAIL, f"{host!r} is no host of this network, add_host makes it one")
        if not port:
            port = self._next_port()
            while self._datagrams.taken((found[0], port)):
                port = self._next_port()
        return self._datagrams.bind((found[0], port))

    def _knock(
        self, address: Address, near: Address, fault: Fault | None, after: int, attempt: _Attempt
    ) -> None:
        """A connect has arrived where it wanted to go."""
        listener = self._listeners.get(address) or self._listeners.get((ANY, address[1]))
        if listener is None or listener.full() or fault is Fault.REFUSED:
            self._medium.later(attempt.answer, os_error(errno.ECONNREFUSED, host_port(address)))
            return
        back = self._medium.arrival()
        if near[0] == ANY:
            near = (LOOPBACK if address[0] == LOOPBACK else CALLER, near[1])
        near = (near[0], near[1] or self._next_port())
        client, server = connection(
            self._medium, near, address, self._open_ends, since=back, fault=fault, after=after
        )
        self._medium.clock.at(back, Callback(_established, (client, attempt)))
        server.opened()
        listener.arrived(server)

    def _numeric(self, host: str) -> tuple[str, ...]:
        """The addresses of a name, or an address itself, if it is here."""
        return (host,) if host in self._names else self._addresses.get(host, ())

    def _next_port(self) -> int:
        self._ports_given += 1
        return _PORTS[(self._ports_given - 1) % len(_PORTS)]


class SimListener(Watchable):
    """Where connections come in; see `Listener` for what its methods promise."""

    def __init__(self, registry: dict[Address, SimListener], address: Address, backlog: int) -> None:
        super().__init__()
        self._registry = registry
        self._address = address
        self._backlog = backlog
        self._waiting: deque[SimConn] = deque()
        self._closed = False

    @property
    def address(self) -> Address:
        return self._address

    def accept(self) -> SimConn | None:
        if self._closed:
            raise os_error(errno.EBADF, "the listener is closed")
        return self._waiting.popleft() if self._waiting else None

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        del self._registry[self._address]
        self._watchers.clear()
        while self._waiting:
            self._waiting.popleft().abort()

    def ready(self) -> int:
        """READ if a connection waits to be accepted, else 0."""
        return READ if self._waiting else 0

    def full(self) -> bool:
        """Whether one more connection would be refused."""
        return len(self._waiting) >= self._backlog

    def arrived(self, conn: SimConn) -> None:
        """A connection came in."""
        self._waiting.append(conn)
        self.notify(READ)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {host_port(self._address)}>"


class _Attempt:
    """A connect under way: who is to be told."""

    def __init__(self, done: Callable[[SimConn | OSError], None]) -> None:
        self._done: Callable[[SimConn | OSError], None] | None = done

    def answer(self, answer: SimConn | OSError) -> None:
        """Tell it; a connection for nobody is closed."""
        done, self._done = self._done, None
        if done is not None:
            done(answer)
        elif not isinstance(answer, OSError):
            answer.close()

    def cancel(self) -> None:
        self._done = None


def _established(conn: SimConn, attempt: _Attempt) -> None:
    """The answer to a connect is back."""
    conn.opened()
    attempt.answer(conn)
