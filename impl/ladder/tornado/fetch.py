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

import socket
from collections.abc import Sequence
from contextlib import closing
from functools import cache

from ...web.interpret import failure
from ...web.outcome import Outcome
from ...web.serving.site import Site
from ..http import CHUNK, PATIENCE, address_of, outcome_of, request
from ..world.interfaces import Socket, World
from ..world.simulated import SimulatedWorld
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
    with world.socket() as sock:
        sock.setblocking(False)
        try:
            try:
                sock.connect(address_of(url))
            except BlockingIOError:
                pass  # in progress
            yield ready(sock, IOLoop.WRITE, deadline)
            if error := sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                raise OSError(error, "connect")
            unsent = request(url)
            while unsent:
                yield ready(sock, IOLoop.WRITE, deadline)
                unsent = unsent[sock.send(unsent) :]
            response, chunk = b"", None
            while chunk != b"":
                yield ready(sock, IOLoop.READ, deadline)
                chunk = sock.recv(CHUNK)
                response += chunk
        except OSError as problem:
            return failure(problem)
    return outcome_of(url, response)


@coroutine
def fetch_all(world: World, urls: Sequence[str]) -> Coroutine[dict[str, Outcome]]:
    """Fetch the pages, all at once."""
    outcomes: dict[str, Outcome] = yield {url: fetch(world, url) for url in urls}
    return outcomes


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch the pages on a loop that ends with the last one."""
    with closing(IOLoop(world)) as loop:
        return loop.run_sync(lambda: fetch_all(world, urls))


@coroutine
def waits(future: Future[None]) -> Coroutine[None]:
    yield future


@cache
def loop_to_wait_on() -> IOLoop:
    return IOLoop(SimulatedWorld(Site({}, ())))


def waiting_unit() -> object:
    """A suspended generator, its Runner, its future, and the future of its result."""
    future = Future[None]()
    loop = loop_to_wait_on()
    results: list[Future[None]] = []
    loop.add_callback(lambda: results.append(waits(future)))
    loop.add_callback(loop.stop)
    loop.start()
    return future
