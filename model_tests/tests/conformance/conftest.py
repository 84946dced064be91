"""The fixture of tests for which a few programs of the kit are enough."""

from __future__ import annotations

import pytest

from ...conformance import budget, judge
from ..fixtures import Patch


@pytest.fixture
def small(monkeypatch: Patch) -> None:
    """Have the kit play and search a few programs only."""
    monkeypatch.setattr(budget, "INTERLEAVINGS", 60)
    monkeypatch.setattr(budget, "LEAKS", 6)
    monkeypatch.setattr(judge, "SEARCHES", 3000)
