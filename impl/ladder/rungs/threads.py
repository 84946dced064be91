"""Teaching code: rung 3, a pool of threads that take URLs from a queue which blocks.

What it teaches: a thread that waits in a socket leaves the others alone (CPython's lock is released in connect, send
and recv), and a queue that threads share hands every URL to one of them.
What changed against rung 1: nothing in `fetch`; ten threads call it.
What is still wrong with it: a thread that waits costs a stack, so there are some thousands at most; and where they
share more than a queue, every line is a place at which another thread may come in between (rung 27, `sums.py`).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), introduction; the second of the five texts, whose pool of
ten threads takes 0.43 s for ten pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...crawl.outcome import Outcome
from ..world.interfaces import BlockingQueue, World
from .blocking import fetch

THREADS: Final = 10


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch them, ten at a time."""
    todo = world.queue.SimpleQueue()
    done: dict[str, Outcome] = {}
    for url in urls:
        todo.put(url)
    threads = [world.threading.Thread(target=work, args=(world, todo, done)) for _ in range(THREADS)]
    for thread in threads:
        todo.put(None)  # one for each: no more comes
        thread.start()
    for thread in threads:
        thread.join()
    return {url: done[url] for url in urls}


def work(world: World, todo: BlockingQueue, done: dict[str, Outcome]) -> None:
    """One thread of the pool."""
    while (url := todo.get()) is not None:
        done[url] = fetch(world, url)
