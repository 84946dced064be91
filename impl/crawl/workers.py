"""Where the shards of a crawl run: processes of this machine, or a Dask cluster; and the options that say so."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Thread
from typing import Any, ClassVar, Final, Protocol

from ..commands.options import Number, Parser, UsageError
from ..net.real.interrupts import HANG_UP, held_back
from .shards import MakeExecutor

_MOST: Final = 1000


def add_shards(made: Parser) -> None:
    """Add the options to a parser."""
    made.add_argument(
        "--shards",
        type=Number(1, _MOST),
        metavar="N",
        help="split the hosts over N processes, each with workers of its own; the result is the same",
    )
    made.add_argument("--dask", metavar="ADDRESS", help="run the shards on the Dask cluster of this scheduler instead")
    made.add_argument(
        "--one-process",
        action="store_true",
        help="read all pages in this process; else, with two processors, long ones are read in a second one, too",
    )


def check_shards(options: argparse.Namespace, without: Iterable[str]) -> None:
    """Check that --shards and --dask go with the other options.

    Parameters:
        without: the names of options that do not go with --shards.

    Raises:
        UsageError: they do not.
    """
    if options.shards is None:
        if options.dask is not None:
            raise UsageError("--dask: name by --shards the number of shards")
    elif names := [f"--{name.replace('_', '-')}" for name in without if vars(options)[name]]:
        raise UsageError(f"--shards: leave out {', '.join(names)}, which is for a crawl in one process")


def make_executor(shards: int, dask: str | None) -> MakeExecutor:
    """The executors of a crawl in shards.

    Parameters:
        dask: the address of the scheduler of a Dask cluster; None: they are processes of this machine.

    Raises:
        UsageError: Dask is wanted, and is not installed or does not answer.
    """
    if dask is None:
        return partial(processes, shards)
    try:
        return partial(_cluster, import_module("distributed").Client(dask))
    except ImportError:
        raise UsageError('--dask: needs distributed: pip install "loopspec[dask]"') from None
    except (OSError, ValueError) as error:
        raise UsageError(f"--dask: {error}") from None


@contextmanager
def _cluster(client: Any) -> Iterator[Executor]:  # Any: of a library that may be missing
    with client:
        yield client.get_executor(pure=False)  # not pure: a batch is never answered from memory


# --- processes of this machine ------------------------------------------------------------------------------------

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
