"""DOES it hold: the checking.  May import both `spec` and `impl`; nothing imports it but its own tests.

`model_tests.conform(subject)` is for the tests of others: see `conform.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .conformance.conform import conform as conform


def __getattr__(name: str) -> Any:  # Any: whatever is asked for; loaded only then
    if name == "conform":
        from .conformance.conform import conform

        return conform
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
