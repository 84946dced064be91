"""Teaching code: HTTP for all rungs: the bytes of a request, and the outcome of a response.

A rung connects, sends `request(url)`, receives until the end and calls `outcome_of`, which parses the response as the
package's own fetcher does: a response that breaks off is a failure, a redirect is a redirect.  The sketches of the
texts take whatever they have received for the page (defects K3, K4, K11).  In `exchange` a fetch is separated from the
code that waits for its socket.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Generator
from selectors import EVENT_READ, EVENT_WRITE
from ssl import SSLError
from typing import Final, TypeVar

from ..web.http import HttpError, get
from ..web.interpret import failure, outcome
from ..web.outcome import Outcome
from ..web.url import split
from .world import Socket

T = TypeVar("T")

#: How many bytes a rung receives at once, as in the texts.
CHUNK: Final = 4096

#: The deadline of a fetch, in seconds from its start.
PATIENCE: Final = 5.0


def address_of(url: str) -> tuple[str, int]:
    """The host and port of a canonical URL; raises ssl.SSLError for https, which no rung supports."""
    place = split(url)
    if place.scheme == "https":
        raise SSLError("the ladder has no TLS")
    return place.host, place.port


def request(url: str) -> bytes:
    """The request for a canonical URL; the response ends with the connection."""
    place = split(url)
    return f"GET {place.target} HTTP/1.0\r\nHost: {place.authority}\r\n\r\n".encode()


def outcome_of(url: str, response: bytes) -> Outcome:
    """The outcome of a response: all bytes until the end of the connection."""
    dialogue = get(url)
    next(dialogue)  # its request: the rung has sent its own
    try:
        dialogue.send(None)
        for data in (response, b"") if response else (b"",):
            dialogue.send(data)
    except StopIteration as done:
        return outcome(url, done.value)
    except HttpError as error:
        return failure(error)
    raise AssertionError("a response is over when its connection is")


def begin_connect(sock: Socket, address: tuple[str, int]) -> None:
    """Make a new socket non-blocking, and connect it in the background."""
    sock.setblocking(False)
    try:
        sock.connect(address)
    except BlockingIOError:
        pass  # in progress


def check_connect(sock: Socket) -> None:
    """Raise the error of a connect, which also makes the socket writable (defect K1)."""
    if error := sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
        raise OSError(error, "connect")


def exchange(sock: Socket, url: str, response: bytearray) -> Generator[int, None, None]:
    """Request the page on a new socket and append the bytes to `response`; yields the event to wait for.

    Raises OSError.
    """
    begin_connect(sock, address_of(url))
    yield EVENT_WRITE
    check_connect(sock)
    unsent = request(url)
    while unsent:
        unsent = unsent[(yield from when(EVENT_WRITE, lambda: sock.send(unsent))) :]  # noqa: B023  # called at once
    while chunk := (yield from when(EVENT_READ, lambda: sock.recv(CHUNK))):
        response += chunk


def when(event: int, call: Callable[[], T]) -> Generator[int, None, T]:
    """Yield the event until `call` succeeds; returns its result."""
    while True:
        yield event
        try:
            return call()
        except BlockingIOError:
            pass  # a selector may report a socket that is not ready (select(2), "Bugs")
