"""TLS over any stream of bytes: `TlsStream`, and the handshakes that make one, `tls_client` and `tls_server`.

1.  `ssl.SSLObject` is the protocol and does no I/O: ciphertext passes through two `ssl.MemoryBIO`s.  This file only
    carries it, so the same TLS runs over real sockets and over the simulated network.
2.  There is no await between taking ciphertext from the stream and passing it to the protocol.  There is none between
    taking plaintext from the protocol and returning it, either.  Ciphertext that the protocol has made and the stream
    has not taken stays in `_unsent`, cut to the byte by `bytes_sent`.  So a cancel loses nothing, in either
    direction.
3.  One task may receive and one may send, without a lock between them, because a receiver never sends.  Its response
    to a KeyUpdate only has to be sent before our next data (RFC 8446, 4.6.3), so it waits in the same BIO.  A peer that
    sends KeyUpdates without end is an error.  Renegotiation, which would need more in TLS 1.2, is off; TLS 1.3 has
    none.
4.  The end of the data is the peer's close_notify, and nothing else.  A stream that ends without one was truncated,
    by whatever cause: receiving raises ConnectionAbortedError and never returns b"", so a body that ends with its
    connection is not mistaken for a whole one (RFC 8446, 6.1; RFC 9112, 9.8).  A body with a length is complete before
    that.
5.  An error of TLS itself, a bad certificate for instance, is an `ssl.SSLError`, which is an OSError.
"""

from __future__ import annotations

import errno
import ssl
from collections.abc import Coroutine
from typing import Any, Final

from .conn import Address, os_error
from .stream import RECEIVE_BYTES, ByteStream

#: The plaintext of one record, in bytes (RFC 8446, 5.1).
_RECORD_BYTES: Final = 1 << 14

#: The most bytes of responses that may wait: some 600 KeyUpdates, where an honest peer sends none or one.
_ANSWERS_BYTES: Final = 1 << 14


def default_context() -> ssl.SSLContext:
    """A context for clients: TLS 1.2 or newer, the system's trust store, host names checked."""
    context = ssl.create_default_context()
    # Some builds of Python allow older ones.
    context.minimum_version = max(context.minimum_version, ssl.TLSVersion.TLSv1_2)
    return context


async def tls_client(stream: ByteStream, host: str, context: ssl.SSLContext) -> TlsStream:
    """Perform the handshake as the client of `host` (a name or a numeric address), over a fresh connection.

    Sets `OP_NO_RENEGOTIATION` in `context`.  An error or a cancel closes `stream`.

    Raises:
        ssl.SSLCertVerificationError: the certificate is not one of `host`, or is not trusted.
        ssl.SSLError: the handshake failed otherwise; the peer may not speak TLS, or has hung up.
        OSError: as the stream's.
    """
    return await _shake_hands(stream, context, host.removesuffix("."))  # no dot at its end: RFC 6066, 3


async def tls_server(stream: ByteStream, context: ssl.SSLContext) -> TlsStream:
    """Perform the handshake as the server, with the certificate in `context`; otherwise as `tls_client`."""
    return await _shake_hands(stream, context, None)


async def _shake_hands(stream: ByteStream, context: ssl.SSLContext, host: str | None) -> TlsStream:
    try:
        tls = TlsStream(stream, context, host)
        await tls.shake_hands()
    except BaseException:
        await stream.aclose()  # never waits
        raise
    return tls


class TlsStream(ByteStream):
    """A `ByteStream` of plaintext, after the handshake; see `tls_client` and `tls_server`.

    It becomes the only user of `stream`.
    """

    def __init__(self, stream: ByteStream, context: ssl.SSLContext, host: str | None) -> None:
        """`host`: the name of the server, for a client; None: this is the server.

        Raises:
            ssl.SSLError: no certificate can contain `host`.
        """
        context.options |= ssl.OP_NO_RENEGOTIATION
        self._stream = stream
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        try:
            self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=host is None, server_hostname=host)
        except ValueError as error:
            # A label is too long or empty: a defect of the URL, not of the program.
            raise ssl.SSLError(ssl.SSL_ERROR_SSL, f"no certificate can be for {host!r}: {error}") from None
        self._unsent = b""  # ciphertext
        self._drained = b""  # plaintext, see send_eof
        self._bytes_sent = 0
        self._flushing = False
        self._eof_sent = False
        self._closed = False

    @property
    def local(self) -> Address:
        """The address of this end."""
        return self._stream.local

    @property
    def remote(self) -> Address:
        """The address of the peer."""
        return self._stream.remote

    @property
    def bytes_sent(self) -> int:
        """The number of bytes of plaintext sent so far: after a cancelled send_all, the place to continue from."""
        return self._bytes_sent

    async def shake_hands(self) -> None:
        """Perform the handshake; once, before any other call.

        Raises:
            ssl.SSLError, OSError: as `tls_client`.
        """
        while True:
            try:
                self._tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                await self._flush()
                await self._feed()
            except ssl.SSLError:
                _at_once(self._flush())  # sends the peer the reason, if possible
                raise
        await self._flush()

    async def receive_some(self, n: int = RECEIVE_BYTES) -> bytes:
        """Wait until bytes are there and take up to `n` of them; b"" is the end of the data.

        A cancel takes nothing.

        Raises:
            ValueError: n < 1.
            RuntimeError: another task is receiving.
            ConnectionAbortedError: the connection ended without a close_notify.
            ssl.SSLError: the ciphertext was altered on its way, or it is an alert of the peer.
            OSError: as the stream's.
        """
        if n < 1:
            raise ValueError(f"receive_some({n}): at least 1 byte must be asked for")
        while (data := self._take(n)) is None:
            await self._feed()
        return data

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send all of `data`, waiting while there is no room (back-pressure).

        After a cancel, a prefix of `data` was taken (`bytes_sent`).  The next call of any sender sends the part of it
        that is not yet on its way.  Do not change `data` meanwhile.

        Raises:
            RuntimeError: another task is sending.
            BrokenPipeError: after send_eof.
            OSError: as the stream's.
        """
        self._must_be_open()
        await self._flush()
        rest = memoryview(data).cast("B")
        while rest:
            self._must_be_open()
            if self._eof_sent:
                raise os_error(errno.EPIPE, "the end of the data was sent")
            taken = self._tls.write(rest[:_RECORD_BYTES])
            self._bytes_sent += taken
            rest = rest[taken:]
            await self._flush()

    async def send_eof(self) -> None:
        """Send the end of the data (close_notify); receiving continues.

        This holds for TLS 1.3; a peer with TLS 1.2 may end its own data at once (RFC 5246, 7.2.1).

        Raises:
            RuntimeError: another task is sending.
            OSError: as the stream's.
        """
        self._must_be_open()
        await self._flush()
        if not self._eof_sent:
            self._eof_sent = True
            self._drain()
            self._close_notify()
        await self._flush()

    async def aclose(self) -> None:
        """Send a close_notify, if the stream has room for it, and close.  Never waits, may be repeated.

        A task that waits in receive_some or send_all gets an OSError (EBADF).
        """
        if not self._closed:
            self._closed = True
            if not self._flushing:
                self._close_notify()
                _at_once(self._flush())
        await self._stream.aclose()

    def abort(self) -> None:
        """Close and reset the peer.  May be repeated; after aclose it does nothing."""
        self._closed = True
        self._stream.abort()

    def _take(self, n: int) -> bytes | None:
        """Take plaintext that is available; b"" at its end, None if more ciphertext is needed."""
        self._must_be_open()
        if self._drained:
            data, self._drained = self._drained[:n], self._drained[n:]
            return data
        try:
            return self._tls.read(n)
        except ssl.SSLWantReadError:
            return None
        except ssl.SSLZeroReturnError:  # close_notify; before we have sent ours, read returns b"" instead
            return b""
        except ssl.SSLEOFError:
            # The protocol raises this again on every later read.
            raise os_error(errno.ECONNABORTED, "the connection ended, its data did not") from None

    def _drain(self) -> None:
        """Take the plaintext that has arrived: `unwrap` would treat it as an error."""
        try:
            while data := self._tls.read(RECEIVE_BYTES):
                self._drained += data
        except ssl.SSLError:
            pass  # more ciphertext is needed; or an error that the receiver will get

    def _close_notify(self) -> None:
        try:
            self._tls.unwrap()
        except ssl.SSLError:
            pass  # it also wants the peer's close_notify, which we do not wait for

    async def _feed(self) -> None:
        """Wait for ciphertext and pass it to the protocol."""
        if self._outgoing.pending > _ANSWERS_BYTES:
            raise ssl.SSLError(ssl.SSL_ERROR_SSL, "the peer asks for new keys without end")
        data = await self._stream.receive_some()
        if data:
            self._incoming.write(data)
        else:
            self._incoming.write_eof()

    async def _flush(self) -> None:
        """Send the ciphertext that the protocol has made; a cancel leaves the rest for the next flush."""
        if self._flushing:
            raise RuntimeError("another task is already sending on this stream; only one at a time may")
        while True:
            self._unsent = self._unsent or self._outgoing.read()
            if not self._unsent:
                return
            before = self._stream.bytes_sent
            self._flushing = True
            try:
                await self._stream.send_all(self._unsent)
            finally:
                self._flushing = False
                self._unsent = self._unsent[self._stream.bytes_sent - before :]

    def _must_be_open(self) -> None:
        if self._closed:
            raise os_error(errno.EBADF, "the stream is closed at this end")


# Any: the future that the coroutine would wait for is ignored.
def _at_once(sending: Coroutine[Any, Any, None]) -> None:
    """Run `sending` as far as it goes without waiting.  Nothing is sent after it, so errors are ignored."""
    try:
        sending.send(None)
    except (StopIteration, OSError):
        pass
    finally:
        sending.close()
