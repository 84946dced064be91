"""Teaching code: rung 3, a pool of threads that take URLs from a blocking queue.

Teaches: a thread that blocks in a socket does not block the others, because CPython releases its lock in connect, send
and recv.  A shared queue gives each URL to one thread.
Changed against rung 1: `fetch` is the same; ten threads call it.
Still wrong: each blocked thread needs a stack, so a process has some thousands of threads at most.  Where threads share
more than a queue, another thread may run between any two lines (rung 27, `sums.py`).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), introduction; the second of the five texts, whose pool of
ten threads takes 0.43 s for ten pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...web.outcome import Outcome
from ..world import BlockingQueue, World
from .blocking import fetch

THREADS: Final = 10


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch the pages, ten at a time."""
    todo = world.SimpleQueue()
    done: dict[str, Outcome] = {}
    for url in urls:
        todo.put(url)
    threads = [world.Thread(target=work, args=(world, todo, done)) for _ in range(THREADS)]
    for thread in threads:
        todo.put(None)  # one for each thread: the end
        thread.start()
    for thread in threads:
        thread.join()
    return {url: done[url] for url in urls}


def work(world: World, todo: BlockingQueue, done: dict[str, Outcome]) -> None:
    """One thread of the pool."""
    while (url := todo.get()) is not None:
        done[url] = fetch(world, url)
