"""The asynchronous side of janus' Queue.

Difference: the queue is for threads too.  A task of its own wakes a waiter, one turn later; a waiter that is woken
acquires the queue's lock and looks again, and so does `join`.

Freedom: "Block until all items in the queue have been received and processed" (Queue.join) does not say
whether an item that is put before the task runs again is waited for.  "When the count of unfinished tasks drops to
zero, join() unblocks" is also said of queue.Queue.join, which looks again.  No sentence counts iterations of the loop.
"""

import janus

from . import AsyncQueue


class Queue(AsyncQueue):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(janus.Queue(maxsize).async_q)
