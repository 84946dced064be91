"""Teaching code: HTTP as every rung speaks it: the bytes of a request, and what the bytes of a response mean.

Theory of operation.  A rung opens a connection, sends `request(url)`, receives until the end and asks `outcome_of` what
came.  That is the package's own reading of HTTP: a response that breaks off is a failure, not a short page; a redirect
is a redirect.  The sketches of the texts took whatever had come for the page (their defects K3, K4, K11).
"""

from __future__ import annotations

from ssl import SSLError
from typing import Final

from ..crawl.outcome import Outcome
from ..web.http import HttpError, get
from ..web.interpret import failure, outcome
from ..web.url import split

#: How much a rung receives at once, in bytes, as in the texts.
CHUNK: Final = 4096

#: How long a rung waits for a fetch, in seconds, before it takes it for failed.
PATIENCE: Final = 5.0


def address_of(url: str) -> tuple[str, int]:
    """The host and port of a canonical URL; raises ssl.SSLError for https, which no rung speaks."""
    place = split(url)
    if place.scheme == "https":
        raise SSLError("the ladder has no TLS")
    return place.host, place.port


def request(url: str) -> bytes:
    """The request for a canonical URL, whose answer ends with the connection."""
    place = split(url)
    return f"GET {place.target} HTTP/1.0\r\nHost: {place.authority}\r\n\r\n".encode()


def outcome_of(url: str, response: bytes) -> Outcome:
    """What a response means, all bytes that came until the end of the connection."""
    dialogue = get(url)
    next(dialogue)  # its own request, which the rung has sent in its own words
    try:
        dialogue.send(None)
        for data in (response, b"") if response else (b"",):
            dialogue.send(data)
    except StopIteration as done:
        return outcome(url, done.value)
    except HttpError as error:
        return failure(error)
    raise AssertionError("a response is over when its connection is")
