"""Teaching code: rung 14, a queue of work: `get` waits for an item, `join` until each item has been processed.

Teaches: a few workers and a queue handle any number of items, including those found on the way.  The work is finished
not when the queue is empty, since a worker may be about to put more, but when each item has been reported done.
Changed against rung 13: ten workers instead of one Task a page.  They are cancelled when there is no more work, because
they would wait for ever.
Still wrong: `put_nowait` wakes a worker at once, which runs before the next line of the caller.  In the text that is
between putting a link and marking it as seen, so pages are fetched twice (defect S0).  Marking first would help in this
place; deferred callbacks (`impl/tasks/future.py`) help in all.
With a `capacity`, all workers that put links may wait for room that only they could make (L3).  So a crawler's queue
has no bound, as in the text.

Against the text's sketch: `join` waits again when there is work again (Q1) and resumes only tasks that are waiting in
it (Q2).  A `task_done` too many raises ValueError and changes nothing (Q3, Q4).  The first pages are put by
`put_nowait`, because `put` is a coroutine, which does nothing until it is run (Q5).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Coordinating Coroutines".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final, Generic, TypeVar

from ...errors import QueueFull
from ...web.outcome import Outcome
from ..world import World
from . import task_future
from .delegating import Future, fetch
from .task_future import Task
from .yielding import Coroutine, Loop

T = TypeVar("T")

WORKERS: Final = 10


class JoinableQueue(Generic[T]):
    """A FIFO queue that counts unfinished items; it holds at most `capacity` items (None: any number)."""

    def __init__(self, capacity: int | None = None) -> None:
        self._capacity = capacity
        self._items: deque[T] = deque()
        self._unfinished = 0
        self._getters: list[Future[None]] = []
        self._putters: list[Future[None]] = []
        self._joiners: list[Future[None]] = []

    def full(self) -> bool:
        return self._capacity is not None and len(self._items) >= self._capacity

    def put_nowait(self, item: T) -> None:
        """Add an item and wake the first getter; raises QueueFull when there is no room."""
        if self.full():
            raise QueueFull
        self._unfinished += 1
        self._items.append(item)
        wake(self._getters)

    def put(self, item: T) -> Coroutine[None]:
        """Add an item; wait for room."""
        while self.full():
            yield from wait_in(self._putters)
        self.put_nowait(item)

    def get(self) -> Coroutine[T]:
        """Remove and return the oldest item; wait if there is none."""
        while not self._items:
            yield from wait_in(self._getters)
        item = self._items.popleft()
        wake(self._putters)
        return item

    def task_done(self) -> None:
        """Report an item done; raises ValueError when none is unfinished."""
        if not self._unfinished:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        while self._joiners and not self._unfinished:
            wake(self._joiners)

    def join(self) -> Coroutine[None]:
        """Wait until no item is unfinished."""
        if self._unfinished:
            yield from wait_in(self._joiners)


def wait_in(waiters: list[Future[None]]) -> Coroutine[None]:
    """Wait in the queue of waiters; leave it if the wait is cancelled."""
    turn = Future[None]()
    waiters.append(turn)
    try:
        yield from turn
    finally:
        if turn in waiters:
            waiters.remove(turn)


def wake(waiters: list[Future[None]]) -> None:
    """Wake the first waiter, if there is one."""
    if waiters:
        waiters.pop(0).set_result(None)


def work(loop: Loop, queue: JoinableQueue[str], done: dict[str, Outcome]) -> Coroutine[None]:
    """One worker."""
    while True:
        url = yield from queue.get()
        try:
            done[url] = yield from fetch(loop, url)
        finally:
            queue.task_done()


def fetch_all(loop: Loop, urls: Sequence[str]) -> Coroutine[dict[str, Outcome]]:
    """Fetch the pages, ten at a time."""
    queue = JoinableQueue[str]()
    done: dict[str, Outcome] = {}
    for url in urls:
        queue.put_nowait(url)
    workers = [Task(work(loop, queue, done)) for _ in range(WORKERS)]
    yield from queue.join()
    for worker in workers:
        if not worker.cancel():
            worker.result()  # the worker has failed: raise its error
    return {url: done[url] for url in urls}


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch the pages, ten at a time."""
    return task_future.run(world, urls, fetch_all)
