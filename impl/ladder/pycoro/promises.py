"""Teaching code: rung 23, 4 of 4, the fetch: one coroutine, a future a page, a thread a request.

What it teaches: a hundred pages of 100 ms each take 100 ms, where blocking they take 10 s.  The futures are made first,
which starts all requests; then they are waited for, one after the other, which costs nothing more.
What changed against rung 3: the program is one thread's again, and reads from top to bottom.
What is still wrong with it: behind it are as many threads as there are requests.  The loop is entered, started and
stopped by hand: who forgets to stop it waits for ever (`one_selector.py`).

Source: the article on generator-based coroutines around py-coro-impl; its "100 s" a request is a slip for 100 ms.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...crawl.outcome import Outcome
from ..world.interfaces import World
from .asynchttp import get
from .events import EventLoop
from .executor import Coroutine
from .future import Future


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch them, all at once."""
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
