"""Tasks and cancel; `loop`: the state and the actions; `hops`: the same cancel, hop by hop."""

from .loop import Const, Fut, Is, Loop
from .models import hops_model, task_fifo_model, task_model
from .specification import task

__all__ = ["Const", "Fut", "Is", "Loop", "hops_model", "task", "task_fifo_model", "task_model"]
