"""DOES it hold: the checking.  It may import both `spec` and `impl`; nothing imports it but its own tests.

`model_tests.conform(subject)`, and `model_tests.Rules(subject)` for pytest, are the entry points for the test suites of
other projects: see `conform.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .conformance.conform import Rules as Rules
    from .conformance.conform import conform as conform


def __getattr__(name: str) -> Any:  # Any: the named function, loaded on first use
    if name in ("conform", "Rules"):
        from .conformance import conform

        return getattr(conform, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
