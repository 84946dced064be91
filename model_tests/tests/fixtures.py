"""Short names for the types of pytest's fixtures, which hundreds of signatures repeat."""

from __future__ import annotations

from typing import TypeAlias

import pytest

Captured: TypeAlias = pytest.CaptureFixture[str]
Patch: TypeAlias = pytest.MonkeyPatch
