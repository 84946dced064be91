"""The kit, and its names for whoever writes a specification: `from spec.kit import Holds, Model, Spec, explore`.

Theory of operation.  Each file has one idea; this one only gathers what a text, its models, its instances and those who
ask them are made of.  The readers of syntax trees (`document`, `subset`, `vacuity`) are not loaded by it, and what
`spec.kit.liveness` and `spec.kit.refinement` do is asked of them.
"""

from .bounded import Counts, Fails, Holds, Instance, Refines, only, spoilt
from .check import Graph, LimitError, Violation, explore
from .core import Event, Map, Spec, SpecError
from .model import Model
from .monitor import Monitor, Rejected
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
    "explore",
    "only",
    "spoilt",
]
