"""The creation of tasks, and eager start."""

from .models import LOOP, creation_model
from .specification import At, Births, Const, Task, creation

__all__ = ["LOOP", "At", "Births", "Const", "Task", "creation", "creation_model"]
