"""Socket: a socket of the simulated network, with the states and calls of socket(2).  It knows no event loop.

1.  A stream socket is new, listens, connects or is connected; a datagram socket has a port, and perhaps a peer.
2.  Each call returns at once.  `try_accept`, `try_recv`, `try_recvfrom` and `try_send` return None for "not now": the
    caller waits until a watcher of `end()` is called, and tries again (conn.py).  A watcher of the socket itself may
    also wait for the answer to a connect.
3.  The sockets of asyncio, of trio and of the ladder derive from this class.  Each adds its way of waiting and takes
    host names instead of numeric addresses.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from typing import Any, Final, Self, TypeAlias

from ..conn import READ, RESET_ON_CLOSE, WRITE, Address, PendingRequest, Watcher, os_error
from .connection import SimConn
from .datagrams import DatagramPort
from .network import ANY, SimListener, SimulatedNet

#: The value of an option: an int or bytes, as in the module socket.
OptionValue: TypeAlias = Any

#: Bytes to send, as in the module socket.
Data = bytes | bytearray | memoryview

#: The operating system gives no descriptor a number as high as this.
NO_DESCRIPTOR: Final = 1 << 20


class Socket:
    """A socket; `number` is the result of `fileno` while it is open.

    Raises:
        OSError: EAFNOSUPPORT, `family` is not AF_INET.
    """

    def __init__(
        self,
        net: SimulatedNet,
        number: int,
        family: int = socket.AF_INET,
        kind: int = socket.SOCK_STREAM,
        proto: int = 0,
    ) -> None:
        if family != socket.AF_INET:
            raise os_error(errno.EAFNOSUPPORT, "the simulated network has AF_INET only")
        self.net = net
        self.closed = False
        self.conn: SimConn | None = None
        self.listener: SimListener | None = None
        #: The port of a datagram socket, and the address of its peer if it is connected.
        self.port: DatagramPort | None = None
        self.peer: Address | None = None
        self.bound: Address = (ANY, 0)
        #: The connect that is not answered yet.
        self.request: PendingRequest | None = None
        #: The error of a connect that did not wait, until a call raises it or SO_ERROR returns it (connect(2)).
        self.error: OSError | None = None
        #: They wait for the answer to a connect.
        self._watchers: list[Watcher] = []
        self._eof_sent = False
        self._receiving_ended = False
        self._number = number
        self._type = socket.SocketKind(kind & 0xF)  # without SOCK_NONBLOCK and SOCK_CLOEXEC
        self._proto = proto
        self._options: dict[tuple[int, int], OptionValue] = {}

    @property
    def family(self) -> socket.AddressFamily:
        return socket.AF_INET

    @property
    def type(self) -> socket.SocketKind:
        return self._type

    @property
    def proto(self) -> int:
        return self._proto

    def fileno(self) -> int:
        return -1 if self.closed else self._number

    def get_inheritable(self) -> bool:
        return False

    def set_inheritable(self, inheritable: bool) -> None:
        """Do nothing: there is no other process."""

    def setsockopt(self, level: int, optname: int, value: OptionValue, optlen: int | None = None) -> None:
        self.check_open()
        self._options[level, optname] = value

    def getsockopt(self, level: int, optname: int, buflen: int | None = None) -> OptionValue:
        self.check_open()
        value: OptionValue = self._options.get((level, optname), 0)
        if level == socket.SOL_SOCKET:
            if optname == socket.SO_ACCEPTCONN:
                value = int(self.listener is not None)
            elif optname == socket.SO_TYPE:
                value = int(self._type)
            elif optname == socket.SO_ERROR:
                value = self._take_error()
        return value if not buflen or isinstance(value, bytes) else value.to_bytes(buflen, "little")

    def getsockname(self) -> Address:
        self.check_open()
        if self.conn is not None:
            return self.conn.local
        bound = self.listener or self.port
        return self.bound if bound is None else bound.address

    def getpeername(self) -> Address:
        return self.peer or self.connected().remote

    # --- states -------------------------------------------------------------------------------------------

    def bind_to(self, address: Address) -> None:
        """Bind to a numeric address or to ANY; port 0 takes a free one."""
        self.check_open()
        if self._type == socket.SOCK_DGRAM:
            self.port = self.net.datagrams(address)
        else:
            host, port = address
            self.bound = (host, port or self.net.free_port(host))

    def listen(self, backlog: int = 128) -> None:
        """Listen; a second call does nothing."""
        self.check_open()
        if self.listener is None:
            self.listener = self.net.listen(self.bound, max(1, backlog))

    def try_accept(self) -> SimConn | None:
        """The connection that has waited longest, or None.

        Raises:
            OSError: EINVAL, the socket does not listen.
        """
        self.check_open()
        if self.listener is None:
            raise os_error(errno.EINVAL, "the socket does not listen")
        return self.listener.accept()

    def begin_connect(self, address: Address, done: Callable[[SimConn | OSError], None]) -> PendingRequest:
        """Connect to a numeric address: `done` is called as `Net.connect` calls it, and may call `become`.

        Raises:
            OSError: EISCONN, EALREADY.
        """
        self.check_unconnected()
        self.request = request = _Connecting(self, address, done)
        return request

    def answered(self, answer: SimConn | OSError) -> None:
        """Keep the answer to a connect that does not wait, and call the watchers."""
        watchers, self._watchers = self._watchers, []
        if isinstance(answer, OSError):
            self.error = answer
        else:
            self.become(answer)
            for watcher in watchers:
                answer.watch(watcher)
        for watcher in watchers:
            watcher(self.ready())

    def become(self, conn: SimConn) -> None:
        """Be connected; if the socket was closed meanwhile, `conn` is closed, and EBADF raised."""
        if self.closed:
            conn.close()
        self.check_open()
        self.conn = conn

    def shutdown(self, how: int, /) -> None:
        conn = self.connected()
        if how != socket.SHUT_RD:
            conn.send_eof()
            self._eof_sent = True
        if how != socket.SHUT_WR:
            self._receiving_ended = True
            conn.notify(READ)

    def close(self) -> None:
        if self.closed:
            return
        self.closed = True
        if self.request is not None:
            self.request.cancel()
            self.request = None
        if self.listener is not None:
            self.listener.close()
        elif self.port is not None:
            self.port.close()
        elif self.conn is None:
            pass
        elif self._options.get((socket.SOL_SOCKET, socket.SO_LINGER)) == RESET_ON_CLOSE:
            self.conn.abort()
        else:
            self.conn.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # --- data ---------------------------------------------------------------------------------------------

    def try_recv(self, size: int) -> bytes | None:
        """Up to `size` bytes, b"" at the end of the data, or None."""
        if self.peer is not None:
            arrived = self.try_recvfrom(size)
            return None if arrived is None else arrived[0]
        conn = self.conn
        if conn is None or self.closed:
            conn = self.connected()
        if size < 1:
            return b""
        data = conn.recv(size)
        return b"" if data is None and self._receiving_ended else data

    def try_send(self, data: Data) -> int | None:
        """Send a prefix of `data`; returns its length, or None: there is no room."""
        if self.peer is not None:
            return self.send_to(data, self.peer)
        conn = self.conn
        if conn is None or self.closed:
            conn = self.connected()
        return conn.send(data)

    def try_recvfrom(self, size: int) -> tuple[bytes, Address] | None:
        """The next datagram, cut to `size` bytes, and its source, or None; a peer's only, if there is a peer."""
        port = self.datagram_port()
        while (arrived := port.recv()) is not None:
            data, source = arrived
            if self.peer is None or source == self.peer:
                return data[:size], source
        return None

    def send_to(self, data: Data, address: Address) -> int:
        """Send a datagram to a numeric address."""
        self.datagram_port().send(bytes(data), address)
        return len(data)

    # --- for the caller that waits ------------------------------------------------------------------------

    def ready(self) -> int:
        """READ and WRITE: the calls that would not return None.  A call that would raise is ready."""
        if self.request is not None:
            return 0
        if self.closed:
            return READ | WRITE
        end = self.conn or self.listener or self.port
        if end is None:
            return READ | WRITE
        return end.ready() | (READ if self._receiving_ended else 0)

    def watch(self, watcher: Watcher) -> None:
        """Call `watcher` as a watcher of `end()`, once there is one; a connect that fails calls it too."""
        if self.request is None and self.error is None:
            self.end().watch(watcher)
        else:
            self._watchers.append(watcher)

    def unwatch(self, watcher: Watcher) -> None:
        """Do not call it any more; does nothing if it is not registered."""
        if watcher in self._watchers:
            self._watchers.remove(watcher)
        for end in (self.conn, self.listener, self.port):
            if end is not None:
                end.unwatch(watcher)

    def end(self) -> SimConn | SimListener | DatagramPort:
        """The object that calls its watchers when a call may succeed.

        Raises:
            OSError: ENOTCONN, EBADF.
        """
        if self._type == socket.SOCK_DGRAM:
            return self.datagram_port()
        return self.listener or self.connected()

    def datagram_port(self) -> DatagramPort:
        """The port of a datagram socket; it gets a free one if it is not bound."""
        self.check_open()
        if self.port is None:
            self.port = self.net.datagrams(self.bound)
        return self.port

    def connected(self) -> SimConn:
        """The connection.

        Raises:
            OSError: ENOTCONN, EBADF.
        """
        self.check_open()
        if self.conn is None:
            raise os_error(errno.ENOTCONN)
        return self.conn

    def check_unconnected(self) -> None:
        """Raises EISCONN or EALREADY if the socket is connected, or connects."""
        self.check_open()
        if self.conn is not None:
            raise os_error(errno.EISCONN)
        if self.request is not None:
            raise os_error(errno.EALREADY)

    def check_open(self) -> None:
        """Raises EBADF if the socket is closed."""
        if self.closed:
            raise os_error(errno.EBADF, "the socket is closed")

    def raise_error(self) -> None:
        """Raise EBADF if the socket is closed, or the error of the connect, once."""
        self.check_open()
        if self.error is not None:
            error, self.error = self.error, None
            raise error

    def _take_error(self) -> int:
        error, self.error = self.error, None
        if isinstance(error, socket.gaierror):
            return errno.EHOSTUNREACH  # a failed look-up has no errno
        return 0 if error is None else error.errno or 0


class TimeoutSocket(Socket):
    """A socket that blocks, blocks for a time, or does not block: `settimeout` of the module socket."""

    _timeout: float | None = None

    @property
    def timeout(self) -> float | None:
        return self._timeout

    def setblocking(self, flag: bool, /) -> None:
        self._timeout = None if flag else 0.0

    def settimeout(self, value: float | None, /) -> None:
        """Set the seconds after which a blocking call gives up; None: never; 0: do not block."""
        self._timeout = value

    def gettimeout(self) -> float | None:
        return self._timeout

    def getblocking(self) -> bool:
        return self._timeout != 0


class _Connecting:
    """A connect that is not answered yet."""

    def __init__(self, sock: Socket, address: Address, done: Callable[[SimConn | OSError], None]) -> None:
        self._sock = sock
        self._done = done
        self._request = sock.net.connect(address, self._answered, near=sock.bound)

    def _answered(self, answer: SimConn | OSError) -> None:
        self._sock.request = None
        self._done(answer)

    def cancel(self) -> None:
        if self._sock.request is self:
            self._sock.request = None
        self._request.cancel()
