"""The witnesses of the wrong subjects, a module for each family; `witnesses()` has them all."""

from __future__ import annotations

import importlib

from ..witness import WITNESSES, Witness
from ..wrong import families


def witnesses() -> list[Witness]:
    """Return every witness of the subjects that this Python has."""
    for family in families():
        importlib.import_module(f"{__name__}.{family}")
    return WITNESSES
