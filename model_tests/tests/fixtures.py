"""Short names for the types of pytest's fixtures, which hundreds of signatures repeat; and a terminal."""

from __future__ import annotations

import io
from typing import TypeAlias

import pytest

Captured: TypeAlias = pytest.CaptureFixture[str]
Patch: TypeAlias = pytest.MonkeyPatch


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True
