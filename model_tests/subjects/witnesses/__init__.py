"""The witnesses of the wrong subjects that no fact and no vector tells from asyncio's own."""

from __future__ import annotations

import importlib
from pathlib import Path

from ..witness import WITNESSES, Witness


def witnesses() -> list[Witness]:
    """Return every witness of the subjects that this Python has."""
    for path in sorted(Path(__file__).parent.glob("[a-z]*.py")):
        importlib.import_module(f"{__name__}.{path.stem}")
    return WITNESSES
