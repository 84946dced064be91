"""SimSocket: trio's sockets on the simulated network.

Theory of operation.
1.  A socket is fresh, listens, or is connected; the last two are a Listener and a Conn of the simulated network.  A
    method that has to wait tries, parks its task until the watcher says "maybe", and tries again (conn.py).  So a
    cancel, which strikes while the task is parked, takes nothing; and a call that was served at once is a checkpoint
    that no cancel can strike any more, as with trio's own sockets.
2.  As trio's do, a socket that is closed wakes whoever waits in it with ClosedResourceError; a second task that would
    wait for the same is told BusyResourceError; a connect that is cancelled closes its socket.
3.  Sockets hash by a number of the run: trio keeps some in sets, whose order must not be that of addresses.

Source: trio's documentation, "Low-level networking with trio.socket".
"""

from __future__ import annotations

import errno
import socket
import struct
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import outcome
import trio

from ...net import READ, WRITE, SimulatedNet
from ...net.conn import Asked, Conn, Listener, os_error
from ...net.simulated.network import ANY
from .. import addresses
from ..simulation import OutsideSimulation

# Any in this file: an address, a buffer and an option are what the module socket takes.

T = TypeVar("T")

#: Numbers from here on are no descriptors.
_NUMBERS: Final = 1 << 20
#: With it, close resets the connection (socket(7), SO_LINGER).
_LINGER_NOT: Final = struct.pack("ii", 1, 0)
STREAMS: Final = "streams: the simulated network has no datagrams yet"
_DOING: Final = {READ: "reading from", WRITE: "writing to"}


class Place:
    """What the sockets of a run share: the network, and a count."""

    def __init__(self, net: SimulatedNet, serial: Callable[[], int]) -> None:
        self.net = net
        self.serial = serial


class SimSocket(trio.socket.SocketType):
    """A stream socket of the simulated network."""

    def __init__(self, place: Place, proto: int = 0, conn: Conn | None = None) -> None:
        self._place = place
        self._serial = place.serial()
        self._proto = proto
        self._listener: Listener | None = None
        self._conn: Conn | None = None
        self._dial: Asked | None = None
        self._bound = (ANY, 0)
        self._options: dict[tuple[int, int], Any] = {}
        self._parked: dict[int, trio.lowlevel.Task] = {}  # by what it waits for
        self._closed = self._full = self._deaf = self._mute = False
        self._peeked: bytes | None = None
        if conn is not None:
            self._become(conn)

    def __hash__(self) -> int:
        return self._serial

    def __repr__(self) -> str:
        if self._closed:
            state = "closed"
        elif self._conn is not None:
            state = "{}:{} to {}:{}".format(*self._conn.local, *self._conn.remote)
        else:
            state = "{} {}:{}".format("at" if self._listener is None else "listens at", *self.getsockname())
        return f"<{type(self).__name__} {state}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- what costs nothing ------------------------------------------------------------------------------

    @property
    def family(self) -> socket.AddressFamily:
        return socket.AF_INET

    @property
    def type(self) -> socket.SocketKind:
        return socket.SOCK_STREAM

    @property
    def proto(self) -> int:
        return self._proto

    @property
    def did_shutdown_SHUT_WR(self) -> bool:  # noqa: N802  (trio's name)
        return self._mute

    def fileno(self) -> int:
        return -1 if self._closed else _NUMBERS + self._serial

    def get_inheritable(self) -> bool:
        return False

    def set_inheritable(self, inheritable: bool) -> None:
        """There is no other program."""

    def setsockopt(self, level: int, optname: int, value: Any, optlen: int | None = None) -> None:
        self._check()
        self._options[level, optname] = value

    def getsockopt(self, level: int, optname: int, buflen: int | None = None) -> Any:
        self._check()
        if level == socket.SOL_SOCKET and optname == socket.SO_ACCEPTCONN:
            value: Any = int(self._listener is not None)
        elif level == socket.SOL_SOCKET and optname == socket.SO_TYPE:
            value = int(self.type)
        else:
            value = self._options.get((level, optname), 0)
        return value if not buflen or isinstance(value, bytes) else value.to_bytes(buflen, "little")

    def getsockname(self) -> Any:
        self._check()
        if self._listener is not None:
            return self._listener.address
        return self._bound if self._conn is None else self._conn.local

    def getpeername(self) -> Any:
        return self._connected().remote

    # --- its life ----------------------------------------------------------------------------------------

    async def bind(self, address: Any) -> None:
        await trio.lowlevel.checkpoint()
        self._check()
        host = addresses.place(self._place.net, address[0])
        self._bound = (host, address[1] or self._place.net.free_port(host))

    def listen(self, backlog: int = 128) -> None:
        self._check()
        if self._listener is None:
            self._listener = self._place.net.listen(self._bound, max(1, backlog))
            self._listener.watch(self._hint)

    async def connect(self, address: Any) -> None:
        self._check()
        if self._conn is not None:
            raise os_error(errno.EISCONN)
        if self._dial is not None:
            raise os_error(errno.EALREADY)
        try:
            await self._connect(*await self._numeric(address))
        except trio.Cancelled:
            self.close()
            raise

    async def _numeric(self, address: Any) -> tuple[str, int]:
        found = await trio.socket.getaddrinfo(
            address[0] or "127.0.0.1", address[1], self.family, self.type, self._proto
        )
        numeric: Any = found[0][4]
        return numeric[0], numeric[1]

    async def _connect(self, host: str, port: int) -> None:
        await trio.lowlevel.checkpoint_if_cancelled()
        self._check()
        came: list[Conn | OSError] = []
        task = trio.lowlevel.current_task()

        def answered(answer: Conn | OSError) -> None:
            came.append(answer)
            self._dial = None
            if self._parked.get(WRITE) is task:
                self._wake(WRITE)

        self._dial = self._place.net.connect((host, port), answered, near=self._bound)
        try:
            await self._park(WRITE)
        except BaseException:
            if self._dial is not None:
                self._dial.cancel()
                self._dial = None
            raise
        answer = came.pop()
        if isinstance(answer, OSError):
            try:
                raise answer
            finally:
                del answer  # the error's traceback holds this frame: it must not hold the error
        if self._closed:  # between the answer and this turn
            answer.close()
            self._check()
        self._become(answer)

    async def accept(self) -> tuple[trio.socket.SocketType, Any]:
        conn = await self._retry(self._accept, READ)
        return SimSocket(self._place, conn=conn), conn.remote

    def _accept(self) -> Conn | None:
        self._check()
        if self._listener is None:
            raise os_error(errno.EINVAL, "the socket does not listen")
        return self._listener.accept()

    def shutdown(self, flag: int) -> None:
        conn = self._connected()
        if flag != socket.SHUT_RD:
            conn.send_eof()
            self._mute = True
        if flag != socket.SHUT_WR:
            self._deaf = True
            self._hint(READ)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        for what in tuple(self._parked):
            self._wake(what, trio.ClosedResourceError("another task closed this socket"))
        if self._dial is not None:
            self._dial.cancel()
            self._dial = None
        if self._listener is not None:
            self._listener.close()
        elif self._conn is not None:
            if self._peeked or self._options.get((socket.SOL_SOCKET, socket.SO_LINGER)) == _LINGER_NOT:
                self._conn.abort()  # what was looked at and not taken is unread, too (RFC 2525, 2.17)
            else:
                self._conn.close()

    def detach(self) -> int:
        raise OutsideSimulation("the descriptor of a socket", "the socket itself")

    def dup(self) -> trio.socket.SocketType:
        raise OutsideSimulation("a second descriptor of a socket", "the socket itself")

    # --- bytes -------------------------------------------------------------------------------------------

    async def recv(self, buflen: int, flags: int = 0, /) -> bytes:
        _check_flags(flags)
        return await self._retry(lambda: self._take(buflen), READ)

    async def recv_into(self, buffer: Any, nbytes: int = 0, flags: int = 0) -> int:
        view = memoryview(buffer).cast("B")
        data = await self.recv(nbytes or len(view), flags)
        view[: len(data)] = data
        return len(data)

    async def recvfrom(self, bufsize: int, flags: int = 0, /) -> tuple[bytes, Any]:
        return await self.recv(bufsize, flags), None  # as Python tells of a stream

    async def recvfrom_into(self, buffer: Any, nbytes: int = 0, flags: int = 0) -> tuple[int, Any]:
        return await self.recv_into(buffer, nbytes, flags), None

    async def send(self, bytes: Any, flags: int = 0, /) -> int:
        _check_flags(flags)
        with memoryview(bytes).cast("B") as view:
            return await self._retry(lambda: self._put(view), WRITE)

    async def wait_writable(self) -> None:
        await self._retry(self._writable, WRITE)

    def is_readable(self) -> bool:
        """Whether `recv` would return or raise at once."""
        if self._peeked is None:
            try:
                self._peeked = self._take(1)
            except OSError:
                return True
        return self._peeked is not None

    def _take(self, size: int) -> bytes | None:
        conn = self._connected()
        if size < 1:
            return b""
        seen, self._peeked = self._peeked, None
        if seen is not None:
            return seen
        data = conn.recv(size)
        return b"" if data is None and self._deaf else data

    def _put(self, data: memoryview) -> int | None:
        sent = self._connected().send(data)
        self._full = sent is None
        return sent

    def _writable(self) -> bool | None:
        self._check()
        return None if self._full else True

    async def sendto(self, *args: Any) -> int:
        raise OutsideSimulation("a datagram", STREAMS)

    async def sendmsg(self, *args: Any) -> int:
        raise OutsideSimulation("a message with ancillary data", "send")

    async def recvmsg(self, *args: Any) -> Any:
        raise OutsideSimulation("a message with ancillary data", "recv")

    async def recvmsg_into(self, *args: Any) -> Any:
        raise OutsideSimulation("a message with ancillary data", "recv_into")

    # --- waiting -----------------------------------------------------------------------------------------

    async def _retry(self, attempt: Callable[[], T | None], what: int) -> T:
        """Try until the answer is not "not now"."""
        await trio.lowlevel.checkpoint_if_cancelled()
        try:
            answer = attempt()
        except BaseException:
            await trio.lowlevel.cancel_shielded_checkpoint()
            raise
        if answer is not None:
            await trio.lowlevel.cancel_shielded_checkpoint()
            return answer
        while answer is None:
            await self._park(what)
            answer = attempt()
        return answer

    async def _park(self, what: int) -> None:
        """Wait for a hint of that kind.

        Raises:
            trio.ClosedResourceError: the socket was closed meanwhile.
            trio.BusyResourceError: another task waits for that.
        """
        if what in self._parked:
            raise trio.BusyResourceError(f"another task is already {_DOING[what]} this socket")
        self._parked[what] = trio.lowlevel.current_task()

        def abort(raise_cancel: Callable[[], Any]) -> trio.lowlevel.Abort:
            del self._parked[what]
            return trio.lowlevel.Abort.SUCCEEDED

        await trio.lowlevel.wait_task_rescheduled(abort)

    def _hint(self, what: int) -> None:
        """The watcher: reading, or writing, may be possible."""
        if what & WRITE:
            self._full = False
        for each in (READ, WRITE):
            if what & each and each in self._parked:
                self._wake(each)

    def _wake(self, what: int, error: BaseException | None = None) -> None:
        task = self._parked.pop(what)
        trio.lowlevel.reschedule(task, outcome.Value(None) if error is None else outcome.Error(error))

    def _become(self, conn: Conn) -> None:
        self._conn = conn
        conn.watch(self._hint)

    def _connected(self) -> Conn:
        self._check()
        if self._conn is None:
            raise os_error(errno.ENOTCONN)
        return self._conn

    def _check(self) -> None:
        if self._closed:
            raise os_error(errno.EBADF, "the socket is closed")


def _check_flags(flags: int) -> None:
    if flags:
        raise os_error(errno.EOPNOTSUPP, f"flags {flags:#x}: the simulated network knows none")
