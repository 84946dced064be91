"""Where the shards of a crawl run: processes of this machine, or a Dask cluster; and the options that say so."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any, Final

from ..commands.options import Number, Parser, UsageError
from .processes import processes
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
    made.add_argument(
        "--dask", metavar="ADDRESS", help="run the shards on the Dask cluster of this scheduler instead"
    )
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
