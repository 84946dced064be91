"""The asynchronous side of culsans' Queue.

Difference: the queue is for threads too: a waiter is woken through `call_soon_threadsafe`, and `join` looks at the
count again when it was woken.

Freedom: "Block until all items in the queue have been received and processed" (Queue.join) does not say
whether an item that is put before the task runs again is waited for.  "When the count of unfinished tasks drops to
zero, join() unblocks" is also said of queue.Queue.join, which looks again.  No sentence counts iterations of the loop.
"""

import culsans

from . import AsyncQueue


class Queue(AsyncQueue):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(culsans.Queue(maxsize).async_q)
