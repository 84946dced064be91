"""A clock for libraries that read `datetime.now()`: that of the module `time`, which is virtual in a run."""

from __future__ import annotations

import time
from datetime import UTC, datetime, tzinfo
from types import ModuleType
from typing import Self


class Datetime(datetime):
    """A datetime that takes now() from time.time()."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return cls.fromtimestamp(time.time(), tz)

    @classmethod
    def utcnow(cls) -> Self:
        return cls.fromtimestamp(time.time(), UTC).replace(tzinfo=None)


def follow(*modules: ModuleType) -> None:
    """Let modules that imported `datetime` by name read the clock of the run."""
    for module in modules:
        module.__dict__["datetime"] = Datetime
