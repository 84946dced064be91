"""Processes that work for a crawl, and end with it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Thread
from typing import ClassVar, Final, Protocol

from ..net.real.interrupts import HANG_UP, held_back

#: The signals of a terminal, which reach the processes, too.
_LEFT_ALONE: Final = (signal.SIGINT, *HANG_UP)


class _Leash(Protocol):
    """An end of a pipe: the class of that differs on Windows."""

    def poll(self, timeout: float | None) -> bool: ...


class _Deaf(SpawnProcess):
    """A process that starts with these signals blocked: before it ignores them, each would end it with a traceback."""

    def start(self) -> None:
        resource_tracker.ensure_running()  # it unblocks signals, if it has to be started
        with held_back(_LEFT_ALONE):
            super().start()


class _Context(SpawnContext):
    Process: ClassVar = _Deaf


@contextmanager
def processes(count: int) -> Iterator[Executor]:
    """Processes that leave Ctrl-C to this one.

    They end in the middle of their work when this process ends, or when the body raises.  They are not forks, which
    would inherit a loop that runs.
    """
    context = _Context()
    leash, held = context.Pipe(duplex=False)
    with leash, held, ProcessPoolExecutor(count, context, _begin, (leash,)) as executor:
        try:
            yield executor
        except BaseException:
            held.close()  # the processes end now
            raise


def _begin(leash: _Leash) -> None:
    """Prepare a worker."""
    for number in _LEFT_ALONE:
        signal.signal(number, signal.SIG_IGN)  # and signals that have arrived meanwhile are dropped
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _LEFT_ALONE)
    Thread(target=_end_with, args=(leash,), daemon=True).start()


def _end_with(leash: _Leash) -> None:
    """End this process when the other end of the pipe is closed, by a call or by the end of that process."""
    leash.poll(None)
    os._exit(1)
