"""Ordinary runs of a search log nothing, as its quick runs do: leaks of a program are for the report."""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from ...errors import PACKAGE


@contextmanager
def unlogged() -> Iterator[None]:
    """Disable the loggers of asyncio and of this package for the duration.

    Garbage is collected at the end: a task that failed reports it when it is dropped, which would be at any later time.
    """
    loggers = [logging.getLogger(name) for name in ("asyncio", PACKAGE)]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        gc.collect()
        for logger, disabled in zip(loggers, before, strict=True):
            logger.disabled = disabled
