"""The runs of a search log nothing, as leaks are for the report; unless the program reads its log, as tests may do."""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from ...errors import PACKAGE

_logged: Final = ContextVar("_logged", default=False)


def is_logged() -> bool:
    """Whether runs log as asyncio does."""
    return _logged.get()


@contextmanager
def logged() -> Iterator[None]:
    """Let the runs of the block log as asyncio does: their program reads the log."""
    before = _logged.set(True)
    try:
        yield
    finally:
        _logged.reset(before)


@contextmanager
def unlogged() -> Iterator[None]:
    """Disable the loggers of asyncio and of this package for the duration, unless `logged`.

    Garbage is collected at the end: a task that failed reports it when it is dropped, which would be at any later time.
    """
    loggers = [logging.getLogger(name) for name in ("asyncio", PACKAGE)]
    before = [logger.disabled for logger in loggers]
    if not is_logged():
        _disable(loggers)
    try:
        yield
    finally:
        _disable(loggers)
        gc.collect()
        for logger, disabled in zip(loggers, before, strict=True):
            logger.disabled = disabled


def _disable(loggers: list[logging.Logger]) -> None:
    for logger in loggers:
        logger.disabled = True
