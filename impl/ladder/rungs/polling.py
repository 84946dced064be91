"""Teaching code: rung 4, non-blocking sockets that are asked again and again.

What it teaches: a non-blocking call returns at once, and says by BlockingIOError that there is nothing yet.
What changed: no call waits any more; against rung 1 nothing is won by it.
What is still wrong with it: the program waits all the same, at full speed, for one page at a time; every attempt that
finds nothing costs as much as one that finds something.  Rung 5 asks the operating system once, for all sockets.

A call may also fail for good: the text's sketch takes every OSError for "not yet", so a refused connect spins for ever
and a reset passes for the end (its defects K2, K3).  Only BlockingIOError means "not yet".

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Async".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from ...crawl.outcome import Outcome
from ...web.interpret import failure
from ..http import CHUNK, PATIENCE, address_of, outcome_of, request
from ..world.interfaces import World

T = TypeVar("T")


def fetch(world: World, url: str) -> Outcome:
    """Fetch one page, asking without end until it is there, or until patience has run out."""
    deadline = world.time() + PATIENCE

    def ask(call: Callable[[], T]) -> T:
        while world.time() < deadline:
            try:
                return call()
            except BlockingIOError:
                pass
        raise TimeoutError

    with world.socket.socket() as sock:
        sock.setblocking(False)
        try:
            try:
                sock.connect(address_of(url))
            except BlockingIOError:
                pass  # it has begun
            data, sent = request(url), 0
            while sent < len(data):
                sent += ask(lambda: sock.send(data[sent:]))  # noqa: B023  # called at once
            response = b""
            while chunk := ask(lambda: sock.recv(CHUNK)):
                response += chunk
        except OSError as error:
            return failure(error)
    return outcome_of(url, response)


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch them, one after the other."""
    return {url: fetch(world, url) for url in urls}
