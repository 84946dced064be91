"""SimSocket: what stands for `socket.socket` while a simulated loop runs: a socket that owns no descriptor.

Theory of operation.  A socket is bound, listens, or is connected; the last two are a Listener and a Conn of the
simulated network.  It is a subclass of the real class, whose `__init__` is never called, so `isinstance` holds and
the operating system knows nothing of it; its number is one that no descriptor has.  Where no simulated loop runs,
the class makes a real socket: who kept it after a run, or uses it in another thread, notices nothing.

Sockets are non-blocking: an operation that would have to wait raises BlockingIOError if the socket says so too
(`setblocking(False)`), and else OutsideSimulation, for nothing would ever happen while the thread waits.
"""

from __future__ import annotations

import errno
import socket
import struct
from typing import Any, Final, cast

from ...net.conn import Conn, Listener, os_error
from ...net.simulated.datagrams import Post
from ...net.simulated.network import ANY
from ..simulation import OutsideSimulation
from .base import SimLoopBase, simulated_loop

# Any in this file: an address and an option are what the module socket takes.

_Real = socket.socket

#: Numbers from here on are no descriptors.
_NUMBERS: Final = 1 << 20
#: With it, close resets the connection (socket(7), SO_LINGER).
_LINGER_NOT: Final = struct.pack("ii", 1, 0)
_WAIT: Final = "setblocking(False) and await loop.sock_connect, sock_accept, sock_recv, sock_sendall"


class _Kind(type):
    """Every socket is an instance of what stands for the class of sockets."""

    def __instancecheck__(cls, thing: object) -> bool:
        return isinstance(thing, _Real) if cls.__name__ == "SimSocket" else type.__instancecheck__(cls, thing)


class SimSocket(_Real, metaclass=_Kind):
    """A socket of the simulated network."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is SimSocket and simulated_loop() is None:
            return _Real(*args, **kwargs)
        return super().__new__(cls)

    def __init__(
        self,
        family: int = -1,
        type: int = -1,
        proto: int = -1,
        fileno: int | None = None,
        *,
        conn: Conn | None = None,
    ) -> None:
        if fileno is not None:
            raise OutsideSimulation("a socket made of a descriptor", "a socket without one")
        loop = simulated_loop()
        assert loop is not None
        if family not in (-1, socket.AF_INET):
            raise os_error(errno.EAFNOSUPPORT, "the simulated network has AF_INET only")
        self.loop: SimLoopBase = loop
        self.conn = conn
        self.listener: Listener | None = None
        #: Of a datagram socket: where it is, and to whom it is connected.
        self.post: Post | None = None
        self.peer: Any = None
        #: Where it was bound.
        self.bound = (ANY, 0)
        self._options: dict[tuple[int, int], Any] = {}
        self._kind = socket.SOCK_STREAM if type == -1 else type
        self._protocol = max(proto, 0)
        self._timeout = socket.getdefaulttimeout()
        self._number = _NUMBERS + loop.serial()
        loop.descriptors[self._number] = self

    @property
    def family(self) -> socket.AddressFamily:
        return socket.AF_INET

    @property
    def type(self) -> socket.SocketKind:
        return socket.SocketKind(self._kind & 0xF)  # without SOCK_NONBLOCK and SOCK_CLOEXEC

    @property
    def proto(self) -> int:
        return self._protocol

    @property
    def timeout(self) -> float | None:
        return self._timeout

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {'closed' if self._number < 0 else self.getsockname()}>"

    # --- what costs nothing ------------------------------------------------------------------------------

    def fileno(self) -> int:
        return self._number

    def setblocking(self, flag: bool, /) -> None:
        self._timeout = None if flag else 0.0

    def settimeout(self, value: float | None, /) -> None:
        self._timeout = value

    def gettimeout(self) -> float | None:
        return self._timeout

    def getblocking(self) -> bool:
        return self._timeout != 0.0

    def get_inheritable(self) -> bool:
        return False

    def set_inheritable(self, inheritable: bool) -> None:
        """There is no other program."""

    def setsockopt(self, level: int, option: int, value: Any, length: int = 0, /) -> None:
        self._check()
        self._options[level, option] = value

    def getsockopt(self, level: int, option: int, size: int = 0, /) -> Any:
        self._check()
        if level == socket.SOL_SOCKET and option == socket.SO_ACCEPTCONN:
            value: Any = int(self.listener is not None)
        elif level == socket.SOL_SOCKET and option == socket.SO_TYPE:
            value = int(self.type)
        else:
            value = self._options.get((level, option), 0)
        return value if not size or isinstance(value, bytes) else value.to_bytes(size, "little")

    def getsockname(self) -> Any:
        self._check()
        if self.listener is not None:
            return self.listener.address
        if self.post is not None:
            return self.post.address
        return self.bound if self.conn is None else self.conn.local

    def getpeername(self) -> Any:
        if self.peer is not None:
            return self.peer
        return self.connected().remote

    # --- the life of a socket ----------------------------------------------------------------------------

    def bind(self, address: Any, /) -> None:
        self._check()
        host, port = address[0], address[1]
        place = self.loop.place(host)
        if self.type == socket.SOCK_DGRAM:
            self.post = self.loop.net.datagrams((place, port))
            return
        self.bound = (place, port or self.loop.net.free_port(place))

    def listen(self, backlog: int = 100, /) -> None:
        self._check()
        if self.listener is None:
            self.listener = self.loop.net.listen(self.bound, max(1, backlog))

    def accept(self) -> tuple[socket.socket, Any]:
        self._check()
        if self.listener is None:
            raise os_error(errno.EINVAL, "the socket does not listen")
        conn = self.listener.accept()
        if conn is None:
            raise self._would_block("accept")
        return cast(socket.socket, SimSocket(conn=conn)), conn.remote

    def connect(self, address: Any, /) -> None:
        self._check()
        if self.type == socket.SOCK_DGRAM:
            self.peer = (self.loop.place(address[0]), address[1])
            return
        raise OutsideSimulation("connect of a socket", "await loop.sock_connect(...)")

    def connect_ex(self, address: Any, /) -> int:
        self.connect(address)
        return 0

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        if size < 1:
            return b""
        if self.peer is not None:
            return cast(bytes, self.recvfrom(size)[0])
        data = self.connected().recv(size)
        if data is None:
            raise self._would_block("recv")
        return data

    def recv_into(self, buffer: Any, size: int = 0, flags: int = 0, /) -> int:
        view = memoryview(buffer).cast("B")
        data = self.recv(size or len(view))
        view[: len(data)] = data
        return len(data)

    def send(self, data: Any, flags: int = 0, /) -> int:
        if self.peer is not None:
            return self.sendto(data, self.peer)
        taken = self.connected().send(memoryview(data).cast("B"))
        if taken is None:
            raise self._would_block("send")
        return taken

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        view = memoryview(data).cast("B")
        while view:
            view = view[self.send(view) :]

    def shutdown(self, how: int, /) -> None:
        conn = self.connected()
        if how != socket.SHUT_RD:
            conn.send_eof()

    def detach(self) -> int:
        """Give its number up, as whoever takes the descriptor would close it; it has none to give."""
        raise OutsideSimulation("the descriptor of a socket", "the socket itself")

    def close(self) -> None:
        if self._number < 0:
            return
        self.loop.descriptors.pop(self._number, None)
        self._number = -1
        if self.listener is not None:
            self.listener.close()
        elif self.post is not None:
            self.post.close()
        elif self.conn is not None:
            if self._options.get((socket.SOL_SOCKET, socket.SO_LINGER)) == _LINGER_NOT:
                self.conn.abort()
            else:
                self.conn.close()

    def __exit__(self, *error: object) -> None:
        self.close()

    def dup(self) -> Any:
        raise OutsideSimulation("a second descriptor of a socket", "the socket itself")

    def makefile(self, *args: Any, **kwargs: Any) -> Any:
        raise OutsideSimulation("a file of a socket", "asyncio's streams")

    def sendto(self, data: Any, *where: Any) -> int:
        """`where`: flags, if there are any, and the address."""
        address = where[-1]
        self.mail().send(bytes(data), (self.loop.place(address[0]), address[1]))
        return len(data)

    def recvfrom(self, size: int, flags: int = 0, /) -> Any:
        mail = self.mail()
        while (came := mail.recv()) is not None:
            if self.peer is None or came[1] == self.peer:
                return came[0][:size], came[1]
        raise self._would_block("recvfrom")

    # --- for the loop ------------------------------------------------------------------------------------

    def mail(self) -> Post:
        """Where its datagrams arrive; it takes a place, if it has none."""
        self._check()
        if self.post is None:
            self.post = self.loop.net.datagrams(self.bound)
        return self.post

    def connected(self) -> Conn:
        """The connection.

        Raises:
            OSError: ENOTCONN, or EBADF.
        """
        self._check()
        if self.conn is None:
            raise os_error(errno.ENOTCONN)
        return self.conn

    def end(self) -> Conn | Listener | Post:
        """What there is to wait for."""
        if self.type == socket.SOCK_DGRAM:
            return self.mail()
        return self.listener or self.connected()

    def become(self, conn: Conn) -> None:
        """Be connected."""
        self.conn = conn

    def _check(self) -> None:
        if self._number < 0:
            raise os_error(errno.EBADF, "the socket is closed")

    def _would_block(self, what: str) -> Exception:
        if self._timeout == 0.0:
            return BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        return OutsideSimulation(f"{what} of a blocking socket", _WAIT)


def is_simulated(sock: object) -> bool:
    """Whether it is a socket of a simulated network, which `isinstance` does not say."""
    return SimSocket in type(sock).__mro__


def simulated(sock: Any) -> SimSocket:
    """The socket itself.

    Raises:
        OutsideSimulation: `sock` is a socket of the operating system.
    """
    if not is_simulated(sock):
        raise OutsideSimulation(f"{sock!r}", "a socket that was made while the loop runs")
    return cast(SimSocket, sock)
