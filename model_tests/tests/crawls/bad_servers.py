"""Servers that misbehave on loopback: each path has a behaviour; requests, and bytes sent, are counted by path."""

import gzip
import socket
import ssl
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from ...crawls.server import Connections

#: The limit in bytes of a behaviour that sends without end.
POUR_BYTES: Final = 100_000_000

_FOREVER_S: Final = 20.0
#: The number of bytes that the system may accept beyond those that our client reads.
_SEND_BUFFER: Final = 64 * 1024
#: struct linger: on, for 0 seconds.
_NO_LINGER: Final = struct.pack("ii", 1, 0)


class Peer:
    """A connection from the server's side, after its request, which has that head."""

    def __init__(self, sock: socket.socket, head: bytes, path: str, sent: Counter[str]) -> None:
        self.head, self.path = head, path
        self._sock = sock
        self._sent = sent

    def send(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            taken = self._sock.send(rest)
            self._sent[self.path] += taken
            rest = rest[taken:]

    def pour(self, data: bytes) -> None:
        """Send it repeatedly, while the client accepts it."""
        block = data * max(1, 16_384 // len(data))
        while self._sent[self.path] < POUR_BYTES:
            self.send(block)

    def drip(self, data: bytes) -> None:
        """Send it every 20 ms, until the client disconnects."""
        while not self.client_left(0.02):
            self.send(data)

    def wait(self) -> None:
        """Wait until the client disconnects, up to a limit: other tests count descriptors."""
        self.client_left(_FOREVER_S)

    def client_left(self, patience_s: float) -> bool:
        """Wait until the client sends something or the time is over; return whether it has disconnected."""
        self._sock.settimeout(patience_s)
        try:
            return not self._sock.recv(65536)
        except TimeoutError:
            return False
        finally:
            self._sock.settimeout(None)

    def reset(self) -> None:
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        self._sock.close()


Behaviour = Callable[[Peer], None]


class BadServer(Connections):
    """A site of behaviours, for the duration of its context.

    Parameters:
        behaviours: by the first part of the path: "half" is for "/half" and "/half/more".
        context: speak TLS, if given.
    """

    def __init__(self, behaviours: Mapping[str, Behaviour], context: ssl.SSLContext | None = None) -> None:
        super().__init__(self._converse)
        self._behaviours, self._context = behaviours, context
        self.asked: list[str] = []
        self.sent: Counter[str] = Counter()
        #: The root of the site.
        self.root = f"{'https' if context else 'http'}://127.0.0.1:{self.address[1]}/"

    def _converse(self, sock: socket.socket) -> None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        if self._context is None:
            self._serve(sock)
        else:
            with self._context.wrap_socket(sock, server_side=True) as secure:
                self._serve(secure)

    def _serve(self, sock: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            if not (data := sock.recv(65536)):
                return
            head += data
        path = head.split()[1].decode().removeprefix("/")
        self.asked.append(path)
        self._behaviours[path.partition("/")[0]](Peer(sock, head, path, self.sent))


#: Seconds of a try that must end by its timeout, and of one that must not.
SHORT_S, LONG_S = 0.1, 30.0

OK: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED: Final = b"Transfer-Encoding: chunked\r\n\r\n"


def sends(*parts: bytes, last: Callable[[Peer], None] = lambda peer: None) -> Behaviour:
    def behave(peer: Peer) -> None:
        for part in parts:
            peer.send(part)
        last(peer)

    return behave


def page(html: bytes) -> Behaviour:
    return sends(OK, b"Content-Length: %d\r\n\r\n" % len(html), html)


def pours(first: bytes, then: bytes) -> Behaviour:
    return sends(first, last=lambda peer: peer.pour(then))


def drips(first: bytes, then: bytes) -> Behaviour:
    return sends(first, last=lambda peer: peer.drip(then))


def coded(coding: str, body: bytes) -> Behaviour:
    return sends(OK + f"Content-Encoding: {coding}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)


def redirects(fields: bytes) -> Behaviour:
    return sends(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n" + fields + b"\r\n")


ZEROS: Final = bytes(10_000_000)
GZIP_BOMB, DEFLATE_BOMB = gzip.compress(ZEROS), zlib.compress(ZEROS)


@dataclass(frozen=True, slots=True)
class Case:
    """A behaviour, and its required outcome."""

    behaviour: Behaviour
    error: str

    @property
    def timeout_s(self) -> float:
        return SHORT_S if self.error == "timeout" else LONG_S


WAITS: Final = Peer.wait
RESETS: Final = Peer.reset

CASES: Final = {
    "silent": Case(WAITS, "timeout"),
    "closes-at-once": Case(sends(), "incomplete"),
    # half a response
    "half-a-status-line": Case(sends(b"HTTP/1."), "incomplete"),
    "half-a-header": Case(sends(OK), "incomplete"),
    "half-a-body": Case(sends(OK, b"Content-Length: 100\r\n\r\n", b"half"), "incomplete"),
    "half-a-chunk": Case(sends(OK, b"Transfer-Encoding: chunked\r\n\r\n", b"64\r\nhalf"), "incomplete"),
    "no-last-chunk": Case(sends(OK, b"Transfer-Encoding: chunked\r\n\r\n", b"4\r\nhalf\r\n"), "incomplete"),
    "half-a-gzip": Case(coded("gzip", gzip.compress(b"half")[:-9]), "incomplete"),
    "half-a-header-then-silent": Case(sends(OK, last=WAITS), "timeout"),
    "half-a-body-then-silent": Case(sends(OK, b"Content-Length: 9\r\n\r\nhalf", last=WAITS), "timeout"),
    "half-a-body-then-reset": Case(sends(OK, b"Content-Length: 9\r\n\r\nhalf", last=RESETS), "reset"),
    "half-a-header-then-reset": Case(sends(OK, last=RESETS), "reset"),
    "resets-at-once": Case(RESETS, "reset"),
    # garbage; a server that speaks another protocol may wait for an answer that never comes
    "binary": Case(sends(bytes(range(256)) * 100), "protocol"),
    "speaks-first": Case(sends(b"SSH-2.0-OpenSSH_9.2\r\n", last=WAITS), "protocol"),
    "no-head": Case(sends(b"<html><a href='/'>HTTP/0.9</a>"), "protocol"),
    "no-status": Case(sends(b"HTTP/1.1 OK\r\n\r\n"), "protocol"),
    "no-header": Case(sends(b"HTTP/1.1 200 OK\r\nno colon here\r\n\r\n"), "protocol"),
    "no-chunk": Case(sends(OK, b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n"), "protocol"),
    # no end
    "headers-for-ever": Case(pours(OK, b"X-Header: " + b"x" * 100 + b"\r\n"), "too-large"),
    "one-header-for-ever": Case(pours(OK + b"X-Header: ", b"x"), "too-large"),
    "a-status-line-for-ever": Case(pours(b"HTTP/1.1 200 ", b"O"), "too-large"),
    "informs-for-ever": Case(pours(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"), "too-large"),
    "headers-drop-by-drop": Case(drips(OK, b"X: x\r\n"), "timeout"),
    "a-body-for-ever": Case(pours(OK + b"\r\n", b"<a href='/'>"), "too-large"),
    "chunks-for-ever": Case(pours(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"4\r\nbody\r\n"), "too-large"),
    "a-chunk-head-for-ever": Case(pours(OK + b"Transfer-Encoding: chunked\r\n\r\n4;", b"x"), "too-large"),
    "trailers-for-ever": Case(pours(OK + CHUNKED + b"0\r\n", b"X: x\r\n"), "too-large"),
    "a-body-drop-by-drop": Case(drips(OK + b"\r\n", b"<p>"), "timeout"),
    "a-long-body": Case(sends(OK, b"Content-Length: 9999999999999\r\n\r\n", last=WAITS), "too-large"),
    # redirects to nowhere
    "no-location": Case(redirects(b""), "location"),
    "bad-location": Case(redirects(b"Location: http://[bad/\r\n"), "location"),
    "bad-port": Case(redirects(b"Location: http://127.0.0.1:99999/\r\n"), "location"),
    "bad-host": Case(redirects(b"Location: http://a b/\r\n"), "location"),
    "ftp-location": Case(redirects(b"Location: ftp://127.0.0.1/\r\n"), "location"),
    "file-location": Case(redirects(b"Location: file:///etc/passwd\r\n"), "location"),
    "script-location": Case(redirects(b"Location: javascript:alert(1)\r\n"), "location"),
    "a-long-location": Case(redirects(b"Location: /" + b"x" * 4000 + b"\r\n"), "location"),
    "nul-in-location": Case(redirects(b"Location: /\0\r\n"), "protocol"),
    # a wrong length; see also test_a_length_too_short
    "a-length-too-long": Case(sends(OK, b"Content-Length: 10\r\n\r\n", b"123456789"), "incomplete"),
    "no-number": Case(sends(OK, b"Content-Length: ten\r\n\r\n", b"123456789"), "protocol"),
    "a-negative-length": Case(sends(OK, b"Content-Length: -1\r\n\r\n", b"123456789"), "protocol"),
    "two-lengths": Case(sends(OK, b"Content-Length: 9\r\nContent-Length: 8\r\n\r\n12345678"), "protocol"),
    # content codings
    "a-gzip-bomb": Case(coded("gzip", GZIP_BOMB), "too-large"),
    "a-deflate-bomb": Case(coded("deflate", DEFLATE_BOMB), "too-large"),
    "a-bomb-in-a-gzip": Case(coded("gzip, gzip", gzip.compress(GZIP_BOMB)), "too-large"),
    "no-gzip": Case(coded("gzip", b"this is no gzip"), "encoding"),
    "an-unknown-coding": Case(coded("rot13", b"guvf vf ebg13"), "encoding"),
}
BEHAVIOURS: Final = {path: case.behaviour for path, case in CASES.items()}
