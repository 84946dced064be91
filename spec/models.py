"""The old place of the models, for one release: `from spec.queue import queue_model` is the new one."""

from .crawl.models import crawl_model, fifo_model
from .crawl.sites import site
from .future.models import future_fifo_model, future_model
from .locks.models import event_model, lock_model
from .queue.models import queue_model
from .stream.models import stream_model
from .task.models import hops_model, task_fifo_model, task_model

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
