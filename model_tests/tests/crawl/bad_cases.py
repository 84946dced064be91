"""Bad servers by case: a name, which is also the path, the behaviour of the server, and the expected error word.

A behaviour is written byte by byte, so that no library adds to it or repairs it.  The word is the one that the record
must have (impl.web.outcome.ERRORS).  Only a case that must run into a timeout has a short one.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .bad_servers import Behaviour, Peer

#: The timeout in seconds of a try that must end by it, and of one that must not.
SHORT_S, LONG_S = 0.2, 30.0

OK: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def sends(*parts: bytes, last: Callable[[Peer], None] = lambda peer: None) -> Behaviour:
    """Return a behaviour that sends that, then does `last`, and closes."""

    def behave(peer: Peer) -> None:
        for part in parts:
            peer.send(part)
        last(peer)

    return behave


def pours(first: bytes, then: bytes) -> Behaviour:
    """Return a behaviour that sends the first, and the other for ever."""
    return sends(first, last=lambda peer: peer.pour(then))


def drips(first: bytes, then: bytes) -> Behaviour:
    """Return a behaviour that sends the first, and the other for ever, slowly."""
    return sends(first, last=lambda peer: peer.drip(then))


def coded(coding: str, body: bytes) -> Behaviour:
    return sends(OK + f"Content-Encoding: {coding}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)


def redirects(fields: bytes) -> Behaviour:
    return sends(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n" + fields + b"\r\n")


ZEROS: Final = bytes(10_000_000)
GZIP_BOMB, DEFLATE_BOMB = gzip.compress(ZEROS), zlib.compress(ZEROS)


@dataclass(frozen=True, slots=True)
class Case:
    """A behaviour, and its expected record."""

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
    # garbage; a server of another protocol may wait for an answer that never arrives
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
    "trailers-for-ever": Case(
        pours(OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X: x\r\n"), "too-large"
    ),
    "a-body-drop-by-drop": Case(drips(OK + b"\r\n", b"<p>"), "timeout"),
    "a-long-body": Case(sends(OK, b"Content-Length: 9999999999999\r\n\r\n", last=WAITS), "too-large"),
    # redirects to nowhere
    "no-location": Case(redirects(b""), "location"),
    "bad-location": Case(redirects(b"Location: http://[bad/\r\n"), "location"),
    "bad-port": Case(redirects(b"Location: http://127.0.0.1:99999/\r\n"), "location"),
    "bad-host": Case(redirects(b"Location: http://a b/\r\n"), "location"),
    "ftp-location": Case(redirects(b"Location: ftp://127.0.0.1/\r\n"), "location"),
    # a wrong length; see also test_a_length_too_short
    "a-length-too-long": Case(sends(OK, b"Content-Length: 10\r\n\r\n", b"123456789"), "incomplete"),
    "no-number": Case(sends(OK, b"Content-Length: ten\r\n\r\n", b"123456789"), "protocol"),
    "a-negative-length": Case(sends(OK, b"Content-Length: -1\r\n\r\n", b"123456789"), "protocol"),
    "two-lengths": Case(
        sends(OK, b"Content-Length: 9\r\nContent-Length: 8\r\n\r\n", b"123456789"), "protocol"
    ),
    # content codings
    "a-gzip-bomb": Case(coded("gzip", GZIP_BOMB), "too-large"),
    "a-deflate-bomb": Case(coded("deflate", DEFLATE_BOMB), "too-large"),
    "a-bomb-in-a-gzip": Case(coded("gzip, gzip", gzip.compress(GZIP_BOMB)), "too-large"),
    "no-gzip": Case(coded("gzip", b"this is no gzip"), "encoding"),
    "an-unknown-coding": Case(coded("rot13", b"guvf vf ebg13"), "encoding"),
}
BEHAVIOURS: Final = {path: case.behaviour for path, case in CASES.items()}
