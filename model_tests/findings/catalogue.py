"""All findings, each from the package of its name."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import Final

from .finding import Finding


def _findings() -> tuple[Finding, ...]:
    """The findings of the packages beside this module, in the order of their names."""
    package = import_module(__package__)
    found = sorted(each.name for each in pkgutil.iter_modules(package.__path__) if each.ispkg)
    return tuple(import_module(f"{__package__}.{name}").FINDING for name in found)


FINDINGS: Final = _findings()
