"""Silence a worker process: a library logs, and warns of, each of thousands of calls that a search cancels."""

from __future__ import annotations

import logging
import warnings


def quiet() -> None:
    """Disable logging, and warnings of coroutines that were never awaited, for the rest of the process.

    Both are also written at its end, when the garbage collector destroys the tasks and coroutines that are left.
    """
    logging.disable()
    warnings.simplefilter("ignore", RuntimeWarning)
