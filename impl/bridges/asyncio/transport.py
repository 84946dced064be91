"""SimTransport: asyncio's transport over a Conn of the simulated network.

`_event` is the watcher of the connection: it flushes the write buffer, and reads while there is data and the protocol
has not paused reading.  It runs in the context of the transport's creation, as the callbacks of a selector do.  A
connection calls no watcher from within its own methods (conn.py, rule 2), so `write` and `close` are not re-entered.

`close` flushes the buffer, then closes; `abort` drops the buffer and closes.  The peer sees the end of the data, and a
reset only if some of its bytes were left unread (RFC 2525, 2.17), as with the sockets of an operating system.

Source: CPython documentation of 3.15, "Transports and Protocols".
"""

from __future__ import annotations

import asyncio
from asyncio.trsock import TransportSocket
from collections.abc import Iterable
from contextvars import copy_context
from typing import Any, Final, TypeAlias, cast

from ...net.conn import READ, WRITE
from ..simulated_loop import SimLoopBase
from .server import SimServer
from .sockets import SimSocket

#: Data, or a method of a protocol, as asyncio types it.
Given: TypeAlias = Any

#: The size limit of one read, in bytes.
_READ_BYTES: Final = 256 * 1024
_KIB: Final = 1024


class SimTransport(asyncio.Transport):
    """A transport; `connection_made` of the protocol is called in a later iteration."""

    def __init__(
        self,
        loop: SimLoopBase,
        sock: SimSocket,
        protocol: asyncio.BaseProtocol,
        server: SimServer | None = None,
    ) -> None:
        conn = sock.connected()
        super().__init__(
            {
                "socket": TransportSocket(cast(Any, sock)),
                "peername": conn.remote,
                "sockname": conn.local,
            }
        )
        self._serial = loop.serial()
        self._loop = loop
        self._sock = sock
        self._conn = conn
        self._server = server
        self._protocol = protocol
        self._out = bytearray()
        self._paused = self._choked = self._closing = self._eof = self._lost = False
        self._low, self._high = 16 * _KIB, 64 * _KIB
        self._context = copy_context()
        if server is not None:
            server.attach(self)
        loop.call_soon(protocol.connection_made, self)
        loop.call_soon(self._begin)

    def __hash__(self) -> int:
        return self._serial

    def __repr__(self) -> str:
        state = " closing" if self._closing else ""
        return f"<{type(self).__name__} {self.get_extra_info('sockname')} to {self.get_extra_info('peername')}{state}>"

    def _begin(self) -> None:
        if not self._lost:
            self._conn.watch(self._event)
            self._try(READ)

    # --- calls of the protocol ---------------------------------------------------------------------------

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self._protocol

    def is_closing(self) -> bool:
        return self._closing

    def is_reading(self) -> bool:
        return not (self._paused or self._closing)

    def pause_reading(self) -> None:
        self._paused = True

    def resume_reading(self) -> None:
        if self._paused and not self._closing:
            self._paused = False
            self._loop.call_soon(self._try, READ)

    def get_write_buffer_size(self) -> int:
        return len(self._out)

    def get_write_buffer_limits(self) -> tuple[int, int]:
        return self._low, self._high

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        if high is None:
            high = 64 * _KIB if low is None else 4 * low
        if low is None:
            low = high // 4
        if not high >= low >= 0:
            raise ValueError(f"high ({high!r}) must be >= low ({low!r}) must be >= 0")
        self._low, self._high = low, high
        self._choke()

    def can_write_eof(self) -> bool:
        return True

    def write(self, data: Given) -> None:
        if not isinstance(data, bytes | bytearray | memoryview):
            raise TypeError(f"data argument must be a bytes-like object, not {type(data).__name__!r}")
        if self._eof:
            raise RuntimeError("Cannot call write() after write_eof()")
        if self._lost or not data:
            return
        waits = bool(self._out)
        self._out += data
        if not waits:
            self._flush_or_fail()
        self._choke()

    def writelines(self, list_of_data: Iterable[Given]) -> None:
        self.write(b"".join(list_of_data))

    def write_eof(self) -> None:
        if self._closing or self._eof:
            return
        self._eof = True
        if not self._out:
            self._flush_or_fail()

    def close(self) -> None:
        if not self._closing:
            self._closing = self._sock.closing = True
            if not self._out:
                self._lose(None)

    def abort(self) -> None:
        self._lose(None)

    def _force_close(self, error: BaseException | None) -> None:
        """Abort with an error; asyncio's sslproto calls this (CPython 3.11 to 3.15)."""
        self._lose(error)

    # --- events of the network ---------------------------------------------------------------------------

    def _event(self, what: int) -> None:
        self._context.run(self._try, what)

    def _try(self, what: int) -> None:
        if what & WRITE and self._out and not self._lost:
            self._flush_or_fail()
        if what & READ:
            self._read()

    def _read(self) -> None:
        try:
            while self.is_reading():
                data = self._conn.recv(_READ_BYTES)
                if data is None:
                    return
                if data:
                    self._receive(data)
                    continue
                self._paused = True
                keep = cast(asyncio.Protocol, self._protocol).eof_received()
                if not keep:
                    self.close()
                return
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:
            self._fail(error, "Fatal error on transport while it received")

    def _receive(self, data: bytes) -> None:
        protocol = self._protocol
        if not isinstance(protocol, asyncio.BufferedProtocol):
            cast(asyncio.Protocol, protocol).data_received(data)
            return
        while data:
            buffer = memoryview(cast(Any, protocol.get_buffer(len(data))))
            if not len(buffer):
                raise RuntimeError("get_buffer() returned an empty buffer")
            size = min(len(buffer), len(data))
            buffer[:size] = data[:size]
            data = data[size:]
            protocol.buffer_updated(size)

    def _flush_or_fail(self) -> None:
        try:
            self._flush()
        except OSError as error:
            self._fail(error, "Fatal write error on socket transport")

    def _flush(self) -> None:
        out = self._out
        while out and (taken := self._conn.send(out)):
            del out[:taken]
        if self._choked and len(out) <= self._low:
            self._choked = False
            self._call(self._protocol.resume_writing, "protocol.resume_writing() failed")
        if not out and not self._lost:
            if self._eof:
                self._conn.send_eof()
            if self._closing:
                self._lose(None)

    def _choke(self) -> None:
        if len(self._out) > self._high and not self._choked:
            self._choked = True
            self._call(self._protocol.pause_writing, "protocol.pause_writing() failed")

    def _call(self, method: Given, message: str) -> None:
        try:
            method()
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:
            self._report(error, message)

    def _fail(self, error: BaseException, message: str) -> None:
        if not isinstance(error, OSError):
            self._report(error, message)
        self._lose(error)

    def _report(self, error: BaseException, message: str) -> None:
        what = {"message": message, "exception": error, "transport": self, "protocol": self._protocol}
        self._loop.call_exception_handler(what)

    def _lose(self, error: BaseException | None) -> None:
        if self._lost:
            return
        self._lost = self._closing = self._sock.closing = True
        self._out.clear()
        self._conn.unwatch(self._event)
        self._loop.call_soon(self._gone, error)

    def _gone(self, error: BaseException | None) -> None:
        try:
            self._protocol.connection_lost(cast("Exception | None", error))
        finally:
            self._sock.close()
            if self._server is not None:
                self._server.detach(self)
