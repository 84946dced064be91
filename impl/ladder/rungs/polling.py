"""Teaching code: rung 4, non-blocking sockets that are polled in a loop.

Teaches: a non-blocking call returns at once; BlockingIOError means "not yet".
Changed: no call blocks any more.  Against rung 1 nothing is faster.
Still wrong: the program waits in a busy loop, for one page at a time, and each failed attempt costs as much as a
successful one.  Rung 5 asks the operating system once, for all sockets.

Against the text's sketch: it takes each OSError for "not yet", so a refused connect loops for ever and a reset looks
like the end of the page (defects K2, K3).  Here only BlockingIOError means "not yet".

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Async".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from ...web.interpret import failure
from ...web.outcome import Outcome
from ..http import CHUNK, PATIENCE, address_of, outcome_of, request
from ..world import World

T = TypeVar("T")


def fetch(world: World, url: str) -> Outcome:
    """Fetch one page, polling its socket until it is complete, or for PATIENCE."""
    deadline = world.time() + PATIENCE

    def ask(call: Callable[[], T]) -> T:
        while world.time() < deadline:
            try:
                return call()
            except BlockingIOError:
                pass
        raise TimeoutError

    with world.socket() as sock:
        sock.setblocking(False)
        try:
            try:
                sock.connect(address_of(url))
            except BlockingIOError:
                pass  # in progress
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
    """Fetch the pages, one after the other."""
    return {url: fetch(world, url) for url in urls}
