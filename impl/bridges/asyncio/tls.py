"""TLS with traffic on the simulated network that is the same in every run, although its keys are not.

1.  OpenSSL draws keys and signatures at random: the bytes that it sends, and their number, differ from run to run.  The
    network's draws would differ with them.  The order of the handshake's messages does not differ.
2.  So while a simulated loop runs, TLS objects are of this class, by `ssl.SSLContext.sslobject_class`, which is
    documented for that (asyncio's sslproto and anyio use `wrap_bio`).  OpenSSL's object works on buffers of its own.
    The loop keeps the bytes that one call wants to send, under a number.  An *envelope* with that number travels
    instead.  Its size depends on the program only: that of TLS 1.3 for application data, and a fixed one for a flight
    of the handshake, an alert and the rest.  The other end opens the envelope.
3.  Both ends of a connection are in this process, so every envelope is opened by this class.  Other bytes, from a peer
    that does not use TLS, are passed to OpenSSL unchanged.

The class method `_create` is private to the module ssl: CPython 3.11 to 3.15 have it.
"""

from __future__ import annotations

import ssl
from typing import Any, Final, TypeAlias

from ..simulation import Simulation, simulation

#: An argument or a result of the module ssl.
Given: TypeAlias = Any

#: An envelope starts like a TLS record of a type that does not exist; its size and its number follow.
MARK: Final = b"\x1f\x03\x03"
_HEAD: Final = len(MARK) + 4 + 8

#: Digits as letters that are none: a request counts as like another if they differ in numbers only.
_LETTERS: Final = str.maketrans("0123456789", "ghijklmnop")

#: The sizes of envelopes, in bytes: a flight of the handshake; an alert or anything else but application data.
_FLIGHT: Final = 1024
_OTHER: Final = 64
#: An answer of a real peer travels in an envelope of a multiple of so many bytes: those of a handshake differ by some.
_UNIT: Final = 256
#: The largest payload of a TLS 1.3 record, and the bytes around it (RFC 8446, 5.2).
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
    def _create(cls, incoming: ssl.MemoryBIO, outgoing: ssl.MemoryBIO, *args: Given, **kwargs: Given) -> Given:
        loop = simulation()
        made: Given = super()  # `_create` is not in the types of ssl
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

    def read(self, len: int = 1024, buffer: Given = None) -> Given:
        self._open()
        try:
            return super().read(len, buffer)
        finally:
            self._send(_OTHER)

    def write(self, data: Given) -> int:
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
        """Send the bytes that OpenSSL has written, if any, as an envelope of that size."""
        if self._inner_out.pending:
            self._outer_out.write(sealed(self._loop, self._inner_out.read(), size))

    def _open(self) -> None:
        """Pass the contents of the complete envelopes to OpenSSL."""
        self._came += self._outer_in.read()
        if data := opened(self._loop, self._came):
            self._inner_in.write(data)
        if self._outer_in.eof:
            self._inner_in.write_eof()


def sealed(here: Simulation, data: bytes, size: int) -> bytes:
    """An envelope of that size, or of the least one, for some bytes."""
    number = here.serial()
    here.envelopes[number] = data
    size = max(size, _HEAD)
    return MARK + size.to_bytes(4, "big") + number.to_bytes(8, "big") + bytes(size - _HEAD)


def opened(here: Simulation, came: bytearray) -> bytes:
    """Take the complete envelopes from `came`, and return their contents; other bytes are returned unchanged."""
    found = bytearray()
    while came:
        if not MARK.startswith(came[: len(MARK)]):
            found += came
            came.clear()
            break
        size = _size_of(came)
        if len(came) < _HEAD or len(came) < size:
            break
        found += here.envelopes.pop(int.from_bytes(came[7:_HEAD], "big"), b"")
        del came[:size]
    return bytes(found)


def _size_of(envelope: bytes | bytearray) -> int:
    return int.from_bytes(envelope[3:7], "big")


def sizes_of(envelopes: bytes) -> bytes:
    """The sizes of complete envelopes: the same for two that hold the same kind of data."""
    found = []
    while len(envelopes) >= _HEAD and envelopes.startswith(MARK):
        found.append(_size_of(envelopes))
        envelopes = envelopes[max(_HEAD, found[-1]) :]
    return f"TLS {found}".translate(_LETTERS).encode()


class TLSWording:
    """Opens the envelopes of TLS (tls.py) for a real peer, and puts its answers into such ones, once there are any."""

    def __init__(self, here: Simulation) -> None:
        self._here = here
        self._came = bytearray()
        self._is_tls = False

    def to_peer(self, data: bytes) -> tuple[bytes, bytes]:
        self._is_tls |= data.startswith(MARK)
        self._came += data
        alike = sizes_of(data) if self._is_tls else data
        return opened(self._here, self._came), alike

    def to_program(self, data: bytes) -> bytes:
        return sealed(self._here, data, len(data) + -len(data) % _UNIT) if self._is_tls else data
