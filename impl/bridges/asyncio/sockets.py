"""SimSocket: the class that replaces `socket.socket` while a simulated loop runs.

1.  It derives from the real class, so `isinstance` holds, but never calls the real `__init__`: it owns no descriptor,
    and its number is one that no descriptor has.
2.  Where no simulated loop runs, the class makes a real socket.  So code that keeps the class after a run, or uses it
    in another thread, works as before.
3.  A call that would block raises BlockingIOError on a non-blocking socket.  On a blocking one it raises
    OutsideSimulation, because nothing can happen in the simulation while the thread is blocked.
"""

from __future__ import annotations

import errno
import socket
from typing import Any, Final, TypeAlias, cast

from ...net.simulated.connection import SimConn
from ...net.simulated.socket import NO_DESCRIPTOR, TimeoutSocket
from ..simulated_loop import SimLoopBase, simulated_loop
from ..simulation import NoDescriptor, OutsideSimulation

#: An address or a buffer, or another argument, as the module socket takes it.
Given: TypeAlias = Any

_Real = socket.socket

_WAIT: Final = "setblocking(False) and await loop.sock_connect, sock_accept, sock_recv, sock_sendall"


class _Kind(type):
    """Makes every socket, a real one too, an instance of the class that replaces the class of sockets."""

    def __instancecheck__(cls, thing: object) -> bool:
        return isinstance(thing, _Real) if cls.__name__ == "SimSocket" else type.__instancecheck__(cls, thing)


class SimSocket(NoDescriptor, TimeoutSocket, _Real, metaclass=_Kind):
    """A socket of the simulated network; `conn` is its connection, if it has one from the start."""

    #: Whether a transport has been asked to close it; it may still have bytes to send.
    closing = False

    def __new__(cls, *args: Given, **kwargs: Given) -> Any:  # Any: a SimSocket, or a real socket
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
        conn: SimConn | None = None,
    ) -> None:
        if fileno is not None:
            raise OutsideSimulation("a socket made of a descriptor", "a socket without one")
        if family == getattr(socket, "AF_UNIX", None):
            raise OutsideSimulation("a Unix socket", "a socket of AF_INET")
        loop = simulated_loop()
        assert loop is not None
        super().__init__(
            loop.net,
            NO_DESCRIPTOR + loop.serial(),
            socket.AF_INET if family == -1 else family,
            socket.SOCK_STREAM if type == -1 else type,
            max(proto, 0),
        )
        self.loop: SimLoopBase = loop
        self.conn = conn
        self._timeout = socket.getdefaulttimeout()
        loop.descriptors[self._number] = self

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {'closed' if self.closed else self.getsockname()}>"

    def bind(self, address: Given, /) -> None:
        self.check_open()
        self.bind_to((self.loop.place(address[0]), address[1]))

    def accept(self) -> tuple[socket.socket, Given]:
        conn = self.try_accept()
        if conn is None:
            raise self._would_block("accept")
        return cast(socket.socket, SimSocket(conn=conn)), conn.remote

    def connect(self, address: Given, /) -> None:
        self.raise_error()
        place = self.loop.place(address[0]), address[1]
        if self.type == socket.SOCK_DGRAM:
            self.peer = place
        elif self.getblocking():
            raise OutsideSimulation("connect of a blocking socket", _WAIT)
        else:
            self.begin_connect(place, self.answered)
            raise BlockingIOError(errno.EINPROGRESS, "Operation now in progress")

    def connect_ex(self, address: Given, /) -> int:
        try:
            self.connect(address)
        except OSError as error:
            return error.errno or 0
        return 0

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        data = self.try_recv(size)
        if data is None:
            raise self._would_block("recv")
        return data

    def recv_into(self, buffer: Given, size: int = 0, flags: int = 0, /) -> int:
        view = memoryview(buffer).cast("B")
        data = self.recv(size or len(view))
        view[: len(data)] = data
        return len(data)

    def recvfrom(self, size: int, flags: int = 0, /) -> Given:
        arrived = self.try_recvfrom(size)
        if arrived is None:
            raise self._would_block("recvfrom")
        return arrived

    def send(self, data: Given, flags: int = 0, /) -> int:
        taken = self.try_send(memoryview(data).cast("B"))
        if taken is None:
            raise self._would_block("send")
        return taken

    def sendall(self, data: Given, flags: int = 0, /) -> None:
        view = memoryview(data).cast("B")
        while view:
            view = view[self.send(view) :]

    def sendto(self, data: Given, *where: Given) -> int:
        """`where`: the flags, which may be left out, and the address."""
        self.check_open()
        host, port = where[-1][:2]
        return self.send_to(data, (self.loop.place(host), port))

    def close(self) -> None:
        self.loop.descriptors.pop(self._number, None)
        super().close()

    def makefile(self, *args: Given, **kwargs: Given) -> Given:
        raise OutsideSimulation("a file of a socket", "asyncio's streams")

    def _would_block(self, what: str) -> Exception:
        if self.getblocking():
            return OutsideSimulation(f"{what} of a blocking socket", _WAIT)
        return BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")


def is_simulated(sock: object) -> bool:
    """Whether it is a socket of a simulated network; `isinstance` is true of real ones too."""
    return SimSocket in type(sock).__mro__


def simulated(sock: Given) -> SimSocket:
    """The socket itself.

    Raises:
        OutsideSimulation: `sock` is a socket of the operating system.
    """
    if not is_simulated(sock):
        raise OutsideSimulation(f"{sock!r}", "a socket that was made while the loop runs")
    return cast(SimSocket, sock)
