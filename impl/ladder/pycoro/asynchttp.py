"""Teaching code: rung 24, `asynchttp.get`: a page, by callback, from a thread and a selector of its own.

What it teaches: what a fetch does to its socket, `exchange`, and who waits for the socket meanwhile, can be told apart.
Here a thread waits, in a selector that watches the one socket; `one_selector.py` runs the same `exchange`.
What changed against rung 3: the thread does the waiting only.  What the page is for happens in the thread of the loop,
so nothing is shared but the event queue.
What is still wrong with it: a thread a request, in a text that set out to do without (`one_selector.py`).

Against the text's sketch: the query is sent (its defect P5), and the Host header (P9), port and time-out are respected,
errors are outcomes; socket and selector are closed before the callback is called.

Source: the article on generator-based coroutines around py-coro-impl.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Generator
from contextlib import closing
from selectors import EVENT_READ, EVENT_WRITE
from typing import TypeVar

from ...crawl.outcome import Outcome
from ...web.interpret import failure
from ..http import CHUNK, PATIENCE, address_of, outcome_of, request
from ..world.interfaces import Socket, World
from .events import EventLoop

T = TypeVar("T")


def get(loop: EventLoop, url: str, callback: Callable[[Outcome], object]) -> None:
    """Fetch a page in a thread of its own; `callback(outcome)` becomes an event of the loop."""

    def thread() -> None:
        outcome = fetch(loop.world, url)
        loop.push(lambda: callback(outcome))

    loop.world.threading.Thread(target=thread).start()


def fetch(world: World, url: str) -> Outcome:
    """Fetch a page; the calling thread waits in a selector."""
    deadline = world.time() + PATIENCE
    response = bytearray()
    with world.socket.socket() as sock, closing(world.selectors.DefaultSelector()) as selector:
        try:
            for event in exchange(sock, url, response):
                left = deadline - world.time()
                selector.register(sock.fileno(), event)
                ready = selector.select(left)
                selector.unregister(sock.fileno())
                if not ready or left <= 0:
                    raise TimeoutError
        except OSError as error:
            return failure(error)
    return outcome_of(url, bytes(response))


def exchange(sock: Socket, url: str, response: bytearray) -> Generator[int, None, None]:
    """Request the page on a new socket and add what comes to `response`; yields what the socket must be ready for.

    Raises OSError.
    """
    sock.setblocking(False)
    try:
        sock.connect(address_of(url))
    except BlockingIOError:
        pass  # it has begun
    yield EVENT_WRITE
    if error := sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
        raise OSError(error, "connect")
    unsent = request(url)
    while unsent:
        unsent = unsent[(yield from when(EVENT_WRITE, lambda: sock.send(unsent))) :]  # noqa: B023  # called at once
    while chunk := (yield from when(EVENT_READ, lambda: sock.recv(CHUNK))):
        response += chunk


def when(event: int, call: Callable[[], T]) -> Generator[int, None, T]:
    """What `call` returns, once the socket is ready for it."""
    while True:
        yield event
        try:
            return call()
        except BlockingIOError:
            pass  # the selector was wrong, which it may be (select(2), "Bugs")
