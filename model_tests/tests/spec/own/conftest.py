"""The commands run in this process, in a new folder; the modules of a user's files are unloaded afterwards."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ...fixtures import Patch


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: Patch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if not name.startswith(("spec", "impl", "model_tests", "z3")):
            del sys.modules[name]
