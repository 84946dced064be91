"""Teaching code: rung 24, `asynchttp.get`: a fetch with a callback, in its own thread with its own selector.

Teaches: the use of a socket, `exchange` (`http.py`), can be separated from the code that waits for the socket.  Here a
thread waits in a selector that watches one socket; `one_selector.py` runs the same `exchange`.
Changed against rung 3: the thread only fetches.  The callback runs in the loop's thread, so the event queue is all that
is shared.
Still wrong: it needs a thread for each request, which the text set out to avoid (`one_selector.py`).

Against the text's sketch: the query (defect P5) and the Host header (P9) are sent, port and deadline are respected,
errors are outcomes; socket and selector are closed before the callback is called.

Source: the article on generator-based coroutines around py-coro-impl.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from ...web.interpret import failure
from ...web.outcome import Outcome
from ..http import PATIENCE, exchange, outcome_of
from ..world import World
from .events import EventLoop


def get(loop: EventLoop, url: str, callback: Callable[[Outcome], object]) -> None:
    """Fetch a page in a new thread; `callback(outcome)` becomes an event of the loop."""

    def thread() -> None:
        outcome = fetch(loop.world, url)
        loop.push(lambda: callback(outcome))

    loop.world.Thread(target=thread).start()


def fetch(world: World, url: str) -> Outcome:
    """Fetch a page; the calling thread waits in a selector."""
    deadline = world.time() + PATIENCE
    response = bytearray()
    with world.socket() as sock, closing(world.DefaultSelector()) as selector:
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
