"""Teaching code: rung 14, a queue of work: `get` waits for an item, `join` until every item has been worked off.

What it teaches: a few workers and a queue do any number of tasks, new ones too that turn up on the way; and the end is
not that the queue is empty, since a worker may be about to put more, but that every item has been reported done.
What changed against rung 13: ten workers instead of one Task a page.  They would wait for ever when there is no more
work, so they are cancelled.
What is still wrong with it: `put_nowait` wakes a worker at once, who runs before the next line of whoever put.  In the
text that is between putting a link and noting that it has been seen, so pages are fetched twice (its defect S0; noting
first would do; that callbacks are deferred, `impl/tasks/future.py`, does so for every such place).
With `capacity`, workers who put what they find may all wait for room, which only they could make (L3): a crawler's
queue has no bound, as in the text; or it is for those who only put.

Against the text's sketch: `join` waits again when there is work again (Q1), and wakes only who waits in it (Q2);
`task_done` for more than was put is a ValueError and changes nothing (Q3, Q4); the first pages are put by
`put_nowait`, as `put` is a coroutine, which does nothing unless somebody waits for it (Q5).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Coordinating Coroutines".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import closing
from typing import Final, Generic, TypeVar

from ..crawl.outcome import Outcome
from ..errors import QueueFull
from .delegating import Future, fetch
from .task_future import Task
from .world import World
from .yielding import Coroutine, Loop

T = TypeVar("T")

WORKERS: Final = 10


class JoinableQueue(Generic[T]):
    """A queue that counts what is not done yet; `capacity` items at most, or any number."""

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
        """Add it, and wake a worker; raises QueueFull when there is no room."""
        if self.full():
            raise QueueFull
        self._unfinished += 1
        self._items.append(item)
        wake(self._getters)

    def put(self, item: T) -> Coroutine[None]:
        """Likewise, but wait for room."""
        while self.full():
            yield from wait_in(self._putters)
        self.put_nowait(item)

    def get(self) -> Coroutine[T]:
        """The oldest item; wait for one if there is none."""
        while not self._items:
            yield from wait_in(self._getters)
        item = self._items.popleft()
        wake(self._putters)
        return item

    def task_done(self) -> None:
        """An item that was got is worked off; raises ValueError when there is none."""
        if not self._unfinished:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        while self._joiners and not self._unfinished:
            wake(self._joiners)

    def join(self) -> Coroutine[None]:
        """Wait until all is worked off."""
        if self._unfinished:
            yield from wait_in(self._joiners)


def wait_in(line: list[Future[None]]) -> Coroutine[None]:
    """Wait to be woken; leave the line, if it comes to something else."""
    turn = Future[None]()
    line.append(turn)
    try:
        yield from turn
    finally:
        if turn in line:
            line.remove(turn)


def wake(line: list[Future[None]]) -> None:
    """Wake who has waited longest, if anybody waits."""
    if line:
        line.pop(0).set_result(None)


def work(loop: Loop, queue: JoinableQueue[str], done: dict[str, Outcome]) -> Coroutine[None]:
    """One worker."""
    while True:
        url = yield from queue.get()
        try:
            done[url] = yield from fetch(loop, url)
        finally:
            queue.task_done()


def fetch_all(loop: Loop, urls: Sequence[str]) -> Coroutine[dict[str, Outcome]]:
    """Fetch them, ten at a time."""
    queue = JoinableQueue[str]()
    done: dict[str, Outcome] = {}
    for url in urls:
        queue.put_nowait(url)
    workers = [Task(work(loop, queue, done)) for _ in range(WORKERS)]
    yield from queue.join()
    for worker in workers:
        if not worker.cancel():
            worker.result()  # it has ended by itself: raises why
    return {url: done[url] for url in urls}


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch them, ten at a time."""
    with closing(Loop(world)) as loop:
        main = Task(fetch_all(loop, urls))
        loop.run()
    return main.result()


def waiting_unit() -> object:
    """What a worker is that waits for an item: two suspended generators, their Task, and its place in the line."""
    line: list[Future[None]] = []
    Task(wait_in(line))
    return line
