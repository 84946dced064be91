"""Finite models of the texts: constants, initial states, domains, symmetries; a file a text, gathered here."""

from .crawl import crawl_model
from .crawl_fifo import fifo_model
from .events import event_model
from .future import future_fifo_model, future_model
from .locks import lock_model
from .queue import queue_model
from .sites import site
from .stream import stream_model
from .task import task_fifo_model, task_model
from .task_hops import hops_model

__all__ = [
    "crawl_model",
    "event_model",
    "fifo_model",
    "future_fifo_model",
    "future_model",
    "hops_model",
    "lock_model",
    "queue_model",
    "site",
    "stream_model",
    "task_fifo_model",
    "task_model",
]
