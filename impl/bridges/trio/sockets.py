"""TrioSimSocket: trio's sockets on the simulated network, with trio's socket factory and hostname resolver.

1.  A method that has to wait tries, parks its task until a watcher is called, and tries again (conn.py).  A task can
    only be cancelled while it is parked, so a cancel loses no data.  A call that succeeds at once is a checkpoint that
    delivers no cancel any more, as with trio's own sockets.
2.  As with trio's own sockets, closing a socket wakes the tasks that wait in it with ClosedResourceError; a second task
    that would wait for the same gets BusyResourceError; a connect that is cancelled closes its socket.
3.  The hash of a socket is a number of the run.  trio keeps some sockets in sets, and their order must not depend on
    addresses in memory.

4.  addresses.py says which hosts and ports need no look-up; trio resolves numeric hosts itself.

Source: trio's documentation, "Low-level networking with trio.socket", "Virtual networking for testing".
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar
from weakref import WeakValueDictionary

import outcome
import trio

from ...net import READ, WRITE, SimulatedNet
from ...net.conn import os_error
from ...net.request import Answer, Request
from ...net.simulated.connection import SimConn
from ...net.simulated.socket import NO_DESCRIPTOR, Socket
from .. import addresses
from ..simulation import NoDescriptor, OutsideSimulation

T = TypeVar("T")
#: An address or a buffer, or another argument, as the module socket takes it.
Given: TypeAlias = Any

STREAMS: Final = "streams: the simulated network has no datagrams yet"
_DOING: Final = {READ: "reading from", WRITE: "writing to"}


class SocketRegistry:
    """The state that the sockets of a run share: the network, a counter, and themselves by number."""

    def __init__(
        self,
        net: SimulatedNet,
        serial: Callable[[], int],
        descriptors: WeakValueDictionary[int, TrioSimSocket],
    ) -> None:
        self.net = net
        self.serial = serial
        self.descriptors = descriptors


class TrioSimSocket(NoDescriptor, Socket, trio.socket.SocketType):
    """A stream socket of the simulated network."""

    def __init__(self, place: SocketRegistry, family: int = socket.AF_INET, proto: int = 0) -> None:
        self._place = place
        self._serial = place.serial()
        self._parked: dict[int, trio.lowlevel.Task] = {}  # by READ or WRITE
        super().__init__(place.net, NO_DESCRIPTOR + self._serial, family, socket.SOCK_STREAM, proto)
        place.descriptors[self._number] = self

    def __hash__(self) -> int:
        return self._serial

    def __repr__(self) -> str:
        if self.closed:
            state = "closed"
        elif self.conn is not None:
            state = "{}:{} to {}:{}".format(*self.conn.local, *self.conn.remote)
        else:
            state = "{} {}:{}".format("at" if self.listener is None else "listens at", *self.getsockname())
        return f"<SimSocket {state}>"  # as the socket of programs for asyncio

    @property
    def did_shutdown_SHUT_WR(self) -> bool:  # noqa: N802  (trio's name)
        return self._eof_sent

    # --- states -------------------------------------------------------------------------------------------

    async def bind(self, address: Given) -> None:
        await trio.lowlevel.checkpoint()
        self.check_open()
        self.bind_to((addresses.place(self.net, address[0]), address[1]))

    def listen(self, backlog: int = 128) -> None:
        listener = self.listener
        super().listen(backlog)
        if listener is None:
            self.end().watch(self._hint)

    async def connect(self, address: Given) -> None:
        self.check_unconnected()
        try:
            found: Given = await trio.socket.getaddrinfo(
                address[0] or "127.0.0.1", address[1], self.family, self.type, self.proto
            )
            await trio.lowlevel.checkpoint_if_cancelled()
            request = partial(self.begin_connect, found[0][4])
            answer: Answer[SimConn] = Answer(request, partial(self._hint, WRITE))
            try:
                await self._park(WRITE)
            except BaseException:
                answer.cancel()
                raise
            self.become(answer.take())
        except trio.Cancelled:
            self.close()
            raise

    def become(self, conn: SimConn) -> None:
        super().become(conn)
        conn.watch(self._hint)

    async def accept(self) -> tuple[trio.socket.SocketType, Given]:
        conn = await self._retry(self.try_accept, READ)
        accepted = TrioSimSocket(self._place)
        accepted.become(conn)
        return accepted, conn.remote

    def close(self) -> None:
        for what in tuple(self._parked):
            self._wake(what, trio.ClosedResourceError("another task closed this socket"))
        super().close()

    # --- bytes --------------------------------------------------------------------------------------------

    async def recv(self, buflen: int, flags: int = 0, /) -> bytes:
        _check_flags(flags)
        return await self._retry(lambda: self.try_recv(buflen), READ)

    async def recv_into(self, buffer: Given, nbytes: int = 0, flags: int = 0) -> int:
        view = memoryview(buffer).cast("B")
        data = await self.recv(nbytes or len(view), flags)
        view[: len(data)] = data
        return len(data)

    async def recvfrom(self, bufsize: int, flags: int = 0, /) -> tuple[bytes, Given]:
        return await self.recv(bufsize, flags), None  # as CPython's on a stream socket

    async def recvfrom_into(self, buffer: Given, nbytes: int = 0, flags: int = 0) -> tuple[int, Given]:
        return await self.recv_into(buffer, nbytes, flags), None

    async def send(self, bytes: Given, flags: int = 0, /) -> int:
        _check_flags(flags)
        with memoryview(bytes).cast("B") as view:
            return await self._retry(lambda: self.try_send(view), WRITE)

    async def wait_writable(self) -> None:
        await self._retry(self._writable, WRITE)

    def is_readable(self) -> bool:
        """Whether `recv` would return or raise at once."""
        return bool(self.ready() & READ)

    def _writable(self) -> bool | None:
        self.check_open()
        return True if self.ready() & WRITE else None

    async def sendto(self, *args: Given) -> int:
        raise OutsideSimulation("a datagram", STREAMS)

    async def sendmsg(self, *args: Given) -> int:
        raise OutsideSimulation("a message with ancillary data", "send")

    async def recvmsg(self, *args: Given) -> Given:
        raise OutsideSimulation("a message with ancillary data", "recv")

    async def recvmsg_into(self, *args: Given) -> Given:
        raise OutsideSimulation("a message with ancillary data", "recv_into")

    # --- waiting ------------------------------------------------------------------------------------------

    async def _retry(self, attempt: Callable[[], T | None], what: int) -> T:
        """Try until the answer is not None."""
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

        def abort(raise_cancel: Callable[[], Any]) -> trio.lowlevel.Abort:  # Any: trio's own
            del self._parked[what]
            return trio.lowlevel.Abort.SUCCEEDED

        await trio.lowlevel.wait_task_rescheduled(abort)

    def _hint(self, what: int) -> None:
        """The watcher: reading, or writing, may be possible."""
        for each in (READ, WRITE):
            if what & each and each in self._parked:
                self._wake(each)

    def _wake(self, what: int, error: BaseException | None = None) -> None:
        task = self._parked.pop(what)
        trio.lowlevel.reschedule(task, outcome.Value(None) if error is None else outcome.Error(error))


def _check_flags(flags: int) -> None:
    if flags:
        raise os_error(errno.EOPNOTSUPP, f"flags {flags:#x}: the simulated network knows none")


# --- the two public hooks of trio's network; they apply to one run of trio ---------------------------------


class SocketFactory(trio.abc.SocketFactory):
    """Makes the sockets of `trio.socket.socket`."""

    def __init__(self, place: SocketRegistry) -> None:
        self._place = place

    def socket(self, family: int = socket.AF_INET, type: int = socket.SOCK_STREAM, proto: int = 0) -> TrioSimSocket:
        if type & 0xF != socket.SOCK_STREAM:  # without SOCK_NONBLOCK and SOCK_CLOEXEC
            raise OutsideSimulation("a datagram", STREAMS)
        if family == getattr(socket, "AF_UNIX", None):
            raise OutsideSimulation("a Unix socket", "a socket of AF_INET")
        return TrioSimSocket(self._place, family, proto)


class HostnameResolver(trio.abc.HostnameResolver):
    """Answers `trio.socket.getaddrinfo` and `getnameinfo`."""

    def __init__(self, net: SimulatedNet) -> None:
        self._net = net

    async def getaddrinfo(
        self,
        host: bytes | None,
        port: bytes | str | int | None,
        family: int = 0,
        type: int = 0,
        proto: int = 0,
        flags: int = 0,
    ) -> list[Given]:
        await trio.lowlevel.checkpoint()
        found = addresses.known(self._net, host, family, flags)
        if found is None:
            found = await self._resolve(addresses.text(host) or "")
        return addresses.entries(found, host, port, type, proto, flags)

    async def getnameinfo(self, sockaddr: Given, flags: int) -> tuple[str, str]:
        await trio.lowlevel.checkpoint()
        return addresses.name_info(self._net, sockaddr, flags)

    async def _resolve(self, name: str) -> tuple[str, ...]:
        task = trio.lowlevel.current_task()
        look_up: Request[tuple[str, ...]] = partial(self._net.resolve, name)
        answer = Answer(look_up, partial(trio.lowlevel.reschedule, task))

        def abort(raise_cancel: Callable[[], Any]) -> trio.lowlevel.Abort:
            answer.cancel()
            return trio.lowlevel.Abort.SUCCEEDED

        await trio.lowlevel.wait_task_rescheduled(abort)
        return answer.take()
