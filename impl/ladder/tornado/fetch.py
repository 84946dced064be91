"""Teaching code: rungs 19 to 21, Tornado's way, 4 of 4: the fetch.

Teaches: with futures, a loop and the decorator, a fetch reads like the blocking one of rung 1, with a `yield` wherever
it may wait; to fetch all pages at once, yield a dict of fetches.
Changed against rung 15: `ready` returns a future for a socket and a deadline and knows nothing of coroutines.
Still wrong: see `coroutine.py`.

Against the text's sketch: it has no fetch.  As on all rungs, SO_ERROR is read (defect K1), the rest of a partial send
is sent later (K6), a fetch has a deadline (K5), and a socket is unregistered before its next use (K8) and closed (K11).

Source: "How Tornado's coroutines work".
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from ...web.interpret import failure
from ...web.outcome import Outcome
from ..http import PATIENCE, exchange, outcome_of
from ..world import Socket, World
from .coroutine import Coroutine, coroutine
from .future import Future
from .ioloop import IOLoop


def ready(sock: Socket, events: int, deadline: float) -> Future[None]:
    """A future that is done when the socket is ready; at the deadline it fails with TimeoutError."""
    future = Future[None]()
    loop, fd = IOLoop.current(), sock.fileno()

    def stop_waiting() -> None:
        loop.remove_handler(fd)
        loop.remove_timeout(timeout)

    def handler(fd: int, events: int) -> None:
        stop_waiting()
        future.set_result(None)

    def too_late() -> None:
        stop_waiting()
        future.set_exception(TimeoutError())

    timeout = loop.add_timeout(deadline, too_late)
    loop.add_handler(fd, handler, events)
    return future


@coroutine
def fetch(world: World, url: str) -> Coroutine[Outcome]:
    """Fetch one page; the result is its outcome."""
    deadline = world.time() + PATIENCE
    response = bytearray()
    with world.socket() as sock:
        try:
            for event in exchange(sock, url, response):
                yield ready(sock, event, deadline)
        except OSError as problem:
            return failure(problem)
    return outcome_of(url, bytes(response))


@coroutine
def fetch_all(world: World, urls: Sequence[str]) -> Coroutine[dict[str, Outcome]]:
    """Fetch the pages, all at once."""
    outcomes: dict[str, Outcome] = yield {url: fetch(world, url) for url in urls}
    return outcomes


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch the pages on a loop that ends with the last one."""
    with closing(IOLoop(world)) as loop:
        return loop.run_sync(lambda: fetch_all(world, urls))
