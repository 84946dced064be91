"""Processes that work for a crawl, and end with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from threading import Thread


@contextmanager
def processes(count: int) -> Iterator[Executor]:
    """Processes that leave Ctrl-C to this one.

    They end in the middle of their work when this process ends, or when the body raises.  They are not forks, which
    would inherit a loop that runs.
    """
    context = multiprocessing.get_context("spawn")
    leash, held = context.Pipe(duplex=False)
    with leash, held, ProcessPoolExecutor(count, context, _begin, (leash,)) as executor:
        try:
            yield executor
        except BaseException:
            held.close()  # the processes end now
            raise


def _begin(leash: Connection) -> None:
    """Prepare a worker."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    Thread(target=_end_with, args=(leash,), daemon=True).start()


def _end_with(leash: Connection) -> None:
    """End this process when the other end of the pipe is closed, by a call or by the end of that process."""
    leash.poll(None)
    os._exit(1)
