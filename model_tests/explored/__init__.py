"""Schedules of real code within Hypothesis and pytest: what `impl` cannot hold, because it imports neither.

strategy.py      a strategy, so that the inputs of a program and its schedule shrink together
oracle.py        `explore` with a model of a specification as the oracle: explore(main, spec=queue_model(3, 1, 6))
own.py           the same for a specification of your own; instrumentation.py and methods.py are shared by both
selection.py     which tests of pytest are explored: those with the marker `explore`, or all (`--explore`)
item.py          such a test; marker.py and options.py, its arguments and the plugin's; searches.py, its verdict
fixtures.py      the fixtures of one run of such a test; cases.py, a run of a case of unittest
tokens.py        the failing runs, kept for the next session; summary.py, the table of verdicts
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .oracle import explore as explore
    from .own import OwnOracle as OwnOracle
    from .strategy import Schedule as Schedule
    from .strategy import schedules as schedules


#: The modules that hold the names; each imports much, so it is loaded on the first use of one.
_PLACES = {"explore": "oracle", "OwnOracle": "own", "Schedule": "strategy", "schedules": "strategy"}


def __getattr__(name: str) -> Any:  # Any: the named object
    if name in _PLACES:
        return getattr(import_module(f".{_PLACES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
