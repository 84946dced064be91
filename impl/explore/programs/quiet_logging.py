"""The runs of a search log nothing, as leaks are for the report; unless the program reads its log, as tests may do."""

from __future__ import annotations

import gc
import logging
from _thread import RLock  # that of threading is a simulated one in a run
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
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
    with nullcontext() if is_logged() else _silence:
        try:
            yield
        finally:
            with _silence:
                gc.collect()


class _Silence:
    """Disables the loggers until the last block that asked for it has ended, in any order.

    Example: a search that was left unfinished ends when its generator is collected, within the block of another one.
    """

    def __init__(self) -> None:
        self._lock = RLock()  # a collection, and so an end, may come at any time
        self._blocks = 0
        self._before: list[tuple[logging.Logger, bool]] = []

    def __enter__(self) -> None:
        with self._lock:
            self._blocks += 1
            if self._blocks == 1:
                loggers = [logging.getLogger(name) for name in ("asyncio", PACKAGE)]
                self._before = [(logger, logger.disabled) for logger in loggers]
                for logger in loggers:
                    logger.disabled = True

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._blocks -= 1
            if not self._blocks:
                for logger, disabled in self._before:
                    logger.disabled = disabled


_silence: Final = _Silence()
