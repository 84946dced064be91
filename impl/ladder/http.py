"""Teaching code: HTTP for all rungs: the bytes of a request, and the outcome of a response.

A rung connects, sends `request(url)`, receives until the end and calls `outcome_of`, which parses the response as the
package's own fetcher does: a response that breaks off is a failure, a redirect is a redirect.  The sketches of the
texts take whatever they have received for the page (defects K3, K4, K11).
"""

from __future__ import annotations

from ssl import SSLError
from typing import Final

from ..web.http import HttpError, get
from ..web.interpret import failure, outcome
from ..web.outcome import Outcome
from ..web.url import split

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
