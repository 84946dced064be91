"""Teaching code: rung 23, 4 of 4, the fetch: one coroutine, a future a page, a thread a request.

Teaches: a hundred pages of 100 ms each take 100 ms, where blocking calls take 10 s.  Creating the futures starts all
requests; then the coroutine waits for the futures one after the other, which takes no extra time.
Changed against rung 3: the program runs in one thread again and reads from top to bottom.
Still wrong: it starts as many threads as there are requests.  The loop is entered, started and stopped by hand; without
`stop` it waits for ever (`one_selector.py`).

Source: the article on generator-based coroutines around py-coro-impl; its "100 s" a request is a slip for 100 ms.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...web.outcome import Outcome
from ..world import World
from .asynchttp import get
from .events import EventLoop
from .executor import Coroutine
from .future import Future


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch the pages, all at once."""
    loop = EventLoop(world)
    done: dict[str, Outcome] = {}

    def main() -> Coroutine[None]:
        try:
            futures = {url: Future[Outcome](partial(get, loop, url)) for url in dict.fromkeys(urls)}
            for url, future in futures.items():
                done[url] = yield from future
        finally:
            loop.stop()

    loop.async_run(main())
    loop.loop()
    return done
