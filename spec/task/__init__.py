"""Tasks and cancel; `loop`: the state and the actions; `hops`: the same cancel, hop by hop."""

from .loop import Fut, Is, Loop, World
from .models import hops_model, task_fifo_model, task_model
from .specification import task

__all__ = [
    "Fut",
    "Is",
    "Loop",
    "World",
    "hops_model",
    "task",
    "task_fifo_model",
    "task_model",
]
