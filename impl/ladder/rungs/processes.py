"""Teaching code: rung 2, a pool of processes, each of which waits for one page.

What it teaches: what blocks can be done in several places at once without a line of it being changed.
What changed against rung 1: nothing in `fetch`; ten processes call it.
What is still wrong with it: a process is the most expensive way to wait there is.  Each has an interpreter of its own,
which takes longer to start than a page takes to fetch, and megabytes; what is sent to it and back is pickled.  Rung 3
waits in threads.

It runs in the real world only: a process has a clock of its own.  Its time in the simulated world is computed.

Source: the second of the five texts, whose pool of ten processes takes 0.6 s for ten pages.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import forkserver
from typing import Final

from ...crawl.outcome import Outcome
from ..world.interfaces import World
from ..world.real import Hosts, StandardWorld
from .blocking import fetch

PROCESSES: Final = 10


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch them, ten at a time; Ctrl-C lets those be finished that have begun."""
    if not isinstance(world, StandardWorld):
        raise TypeError("processes run in the real world only")
    world.meter.processes = world.meter.concurrency = min(PROCESSES, len(urls))
    outcomes = {}
    with noted() as interrupts, pool_of(PROCESSES) as pool:
        for url, outcome in zip(urls, pool.map(partial(fetch_there, world.hosts), urls), strict=True):
            outcomes[url] = outcome
            if interrupts:
                pool.shutdown(cancel_futures=True)
                break
    return outcomes


def pool_of(processes: int) -> ProcessPoolExecutor:
    """A pool of so many; they are started when they are needed, and Ctrl-C is none of their business."""
    # A fork of this process would copy locks that threads hold.
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload([__name__])
    with deaf():  # what is started in it stays so, and so do its children
        forkserver.ensure_running()
    return ProcessPoolExecutor(processes, mp_context=server)


@contextmanager
def deaf() -> Iterator[None]:
    """Ctrl-C does nothing within it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def noted() -> Iterator[list[int]]:
    """Ctrl-C is written down within it, and raised at its end: nothing that a pool does is left half done.

    Raises:
        KeyboardInterrupt: there was one.
    """
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda signum, frame: came.append(signum))
    try:
        yield came
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt


def fetch_there(hosts: Hosts, url: str) -> Outcome:
    """`fetch` in a process of its own, with a world of its own."""
    return fetch(StandardWorld(*hosts), url)
