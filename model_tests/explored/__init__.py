"""Schedules of real code within Hypothesis and pytest: what `impl` cannot hold, because it imports neither.

schedules.py     a strategy, so that the inputs of a program and its schedule shrink together
    oracle.py        `explore` with a model of a specification as the oracle: explore(main, spec=queue_model(3, 1, 6))
    own.py           the same for a specification of your own; judged.py and methods.py are shared by both
    item.py          a pytest test with the marker `explore`; marker.py and options.py, its arguments and the plugin's
    fixtures.py      the fixtures of one run of such a test
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .oracle import explore as explore
    from .own import OwnOracle as OwnOracle
    from .strategy import Schedule as Schedule
    from .strategy import schedules as schedules


def __getattr__(name: str) -> Any:  # Any: the named object, loaded on first use, because each imports much
    if name == "explore":
        from .oracle import explore

        return explore
    if name == "OwnOracle":
        from .own import OwnOracle

        return OwnOracle
    if name in ("Schedule", "schedules"):
        from . import strategy

        return getattr(strategy, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
