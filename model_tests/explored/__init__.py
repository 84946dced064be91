"""Schedules of real code within Hypothesis and pytest: what `impl` cannot hold, because it imports neither.

schedules.py     a strategy, so that the inputs of a program and its schedule shrink together
    item.py          a pytest test with the marker `explore`; marker.py and options.py, its arguments and the plugin's
    fixtures.py      the fixtures of one run of such a test
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .strategy import Schedule as Schedule
    from .strategy import schedules as schedules


def __getattr__(
    name: str,
) -> Any:  # Any: the named object, loaded on first use, because Hypothesis is slow to import
    if name in ("Schedule", "schedules"):
        from . import strategy

        return getattr(strategy, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
