"""The kit: `from spec.kit import Holds, Model, Spec, check`.

It has the parts of specifications, models, bounded models and recorded runs.  The readers of syntax trees
(`render`, `vacuity`) are not loaded by it; `spec.kit.liveness` and `spec.kit.refinement` are used by name.
"""

from .bounded import Counts, Fails, Holds, Instance, Refines, only
from .core import Event, Map, Spec, SpecError
from .model import Model
from .monitor import Monitor, Rejected
from .mutants import mutant
from .search import Graph, LimitError, Violation, check
from .trace import Call, Do, End, Line, Return

__all__ = [
    "Call",
    "Counts",
    "Do",
    "End",
    "Event",
    "Fails",
    "Graph",
    "Holds",
    "Instance",
    "LimitError",
    "Line",
    "Map",
    "Model",
    "Monitor",
    "Refines",
    "Rejected",
    "Return",
    "Spec",
    "SpecError",
    "Violation",
    "check",
    "mutant",
    "only",
]
