"""The join queue of asyncio."""

from .models import queue_model
from .specification import (
    At,
    Const,
    Item,
    Order,
    Queue,
    Said,
    Sig,
    Task,
    counted,
    queue,
    take,
    task_done,
    waits,
)

__all__ = [
    "At",
    "Const",
    "Item",
    "Order",
    "Queue",
    "Said",
    "Sig",
    "Task",
    "counted",
    "queue",
    "queue_model",
    "take",
    "task_done",
    "waits",
]
