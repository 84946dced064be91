"""Teaching code: rung 2, a pool of processes; each blocks for one page.

Teaches: a blocking function runs in several places at once without a change.
Changed against rung 1: `fetch` is the same; ten processes call it.
Still wrong: a process is the most expensive way to wait.  Each has its own interpreter, which starts more slowly than
a page is fetched and takes megabytes; arguments and results are pickled.  Rung 3 blocks in threads.

It runs in the real environment only, because a process has its own clock.  Its virtual time is computed.

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

from ...web.outcome import Outcome
from ..world import World
from ..world.real import Hosts, StandardWorld
from .blocking import fetch

PROCESSES: Final = 10


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch the pages, ten at a time; after Ctrl-C the fetches that have begun are finished."""
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
    """A pool of that many processes; they start on demand and ignore Ctrl-C."""
    # A fork of this process would copy the locks that its threads hold.
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload([__name__])
    with deaf():  # the server and its children inherit it
        forkserver.ensure_running()
    return ProcessPoolExecutor(processes, mp_context=server)


@contextmanager
def deaf() -> Iterator[None]:
    """Ignore Ctrl-C in the block."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def noted() -> Iterator[list[int]]:
    """Record Ctrl-C in the block and raise it at the end, so that the pool is never interrupted half-way.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed in the block.
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
    """`fetch` in a process of the pool, with its own environment."""
    return fetch(StandardWorld(*hosts), url)
