"""REGISTRY: the bounded models of all specifications, gathered from their folders; `python -m spec` checks them."""

from __future__ import annotations

from .callbacks.bounded import CALLBACKS
from .crawl.bounded import CRAWL, CRAWL_FIFO
from .creation.bounded import CREATION
from .future.bounded import FUTURE
from .kit.bounded import Instance
from .locks.bounded import EVENTS, LOCKS
from .queue.bounded import QUEUE
from .scopes.bounded import SCOPES
from .stream.bounded import STREAM
from .task.bounded import TASK, TASK_HOPS

REGISTRY: list[Instance] = [
    *QUEUE,
    *CRAWL,
    *CRAWL_FIFO,
    *STREAM,
    *CALLBACKS,
    *FUTURE,
    *TASK,
    *TASK_HOPS,
    *CREATION,
    *SCOPES,
    *LOCKS,
    *EVENTS,
]
