"""The witnesses of the wrong subjects, a module for each family; `witnesses()` has them all."""

from __future__ import annotations

import importlib
import pkgutil

from ..witness import WITNESSES, Witness


def witnesses() -> list[Witness]:
    """Return every witness of the subjects that this Python has."""
    for found in sorted(pkgutil.iter_modules(__path__), key=lambda found: found.name):
        importlib.import_module(f"{__name__}.{found.name}")
    return WITNESSES
