"""A copy of a wing in a folder, for a test that adds something to it."""

from __future__ import annotations

import shutil
from pathlib import Path

from ..dev.pythons import ROOT


def copied(wing: str, folder: Path) -> Path:
    """Copy a wing with its compiled files, which are valid there too; returns the copy.

    A file that another process is just writing in its cache is left out.
    """
    return Path(shutil.copytree(ROOT / wing, folder / wing, ignore=shutil.ignore_patterns("*.pyc.*")))
