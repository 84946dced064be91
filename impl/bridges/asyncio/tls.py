"""TLS whose traffic on the simulated network is the same in every run, although its keys are not.

Theory of operation.
1.  OpenSSL draws keys, and signs, at random: what it sends differs from run to run, in its bytes and by a few in its
    size, and so would whatever the network draws for it.  The handshake itself, which message follows which, does not.
2.  So while a simulated loop runs, TLS objects are of this class (`ssl.SSLContext.sslobject_class`, which the
    documentation offers for that; asyncio's sslproto and anyio use `wrap_bio`).  The object of OpenSSL works on buffers
    of its own.  What it wants to send in one call is kept by the loop under a number; what travels is an *envelope*
    with that number, of a size that depends on the program only: that of TLS 1.3 for application data, and a fixed one
    for a handshake's flight, an alert, the rest.  The other end opens it.
3.  Both ends of a connection are in this process, so no envelope is opened by anybody else.  Bytes that are none, of a
    peer that speaks something else, go to OpenSSL as they are, and it says what it says to them.

The name of the class method below, `_create`, is private to the module ssl: CPython 3.11, 3.12 and 3.13 have it.
"""

from __future__ import annotations

import ssl
from typing import Any, Final

from ..simulation import Simulation, simulation

# Any in this file: as in the module ssl.

#: An envelope begins as a TLS record would, of a kind that there is not; then come its size and its number.
_MARK: Final = b"\x1f\x03\x03"
_HEAD: Final = len(_MARK) + 4 + 8

#: The sizes of envelopes, in bytes: a flight of a handshake; an alert and anything else that is no application data.
_FLIGHT: Final = 1024
_OTHER: Final = 64
#: A record of TLS 1.3 (RFC 8446, 5.2): so much data at most, and so much around it.
_RECORD: Final = 16384
_AROUND: Final = 22


class SteadyTLS(ssl.SSLObject):
    """An SSLObject that sends envelopes."""

    _loop: Simulation
    _outer_in: ssl.MemoryBIO
    _outer_out: ssl.MemoryBIO
    _inner_in: ssl.MemoryBIO
    _inner_out: ssl.MemoryBIO
    _came: bytearray

    @classmethod
    def _create(cls, incoming: ssl.MemoryBIO, outgoing: ssl.MemoryBIO, *args: Any, **kwargs: Any) -> Any:
        loop = simulation()
        made: Any = super()  # `_create` is not in the types of ssl
        if loop is None:
            return ssl.SSLObject._create(incoming, outgoing, *args, **kwargs)  # type: ignore[attr-defined]
        inner_in, inner_out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self = made._create(inner_in, inner_out, *args, **kwargs)
        self._loop = loop
        self._outer_in, self._outer_out = incoming, outgoing
        self._inner_in, self._inner_out = inner_in, inner_out
        self._came = bytearray()
        return self

    def do_handshake(self) -> None:
        self._open()
        try:
            super().do_handshake()
        finally:
            self._send(_FLIGHT)

    def read(self, len: int = 1024, buffer: Any = None) -> Any:
        self._open()
        try:
            return super().read(len, buffer)
        finally:
            self._send(_OTHER)

    def write(self, data: Any) -> int:
        self._open()
        size = memoryview(data).nbytes
        try:
            return super().write(data)
        finally:
            self._send(size + _AROUND * (1 + size // _RECORD))

    def unwrap(self) -> None:
        self._open()
        try:
            super().unwrap()
        finally:
            self._send(_OTHER)

    def pending(self) -> int:
        self._open()
        return super().pending()

    def _send(self, size: int) -> None:
        """Put what OpenSSL wants to send into an envelope of that size, if it wants to."""
        if not self._inner_out.pending:
            return
        number = self._loop.serial()
        self._loop.envelopes[number] = self._inner_out.read()
        size = max(size, _HEAD)
        head = _MARK + size.to_bytes(4, "big") + number.to_bytes(8, "big")
        self._outer_out.write(head + bytes(size - _HEAD))

    def _open(self) -> None:
        """Give what came to OpenSSL, as far as the envelopes are whole."""
        came = self._came
        came += self._outer_in.read()
        while came:
            if not _MARK.startswith(came[: len(_MARK)]):
                self._inner_in.write(bytes(came))
                came.clear()
                break
            size = int.from_bytes(came[3:7], "big")
            if len(came) < _HEAD or len(came) < size:
                break
            self._inner_in.write(self._loop.envelopes.pop(int.from_bytes(came[7:_HEAD], "big"), b""))
            del came[:size]
        if self._outer_in.eof:
            self._inner_in.write_eof()
