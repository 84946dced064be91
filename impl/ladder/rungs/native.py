"""Teaching code: rung 17, `async` and `await`: the crawler of rung 16 in the language's own words.

Teaches: `async def` makes a coroutine as `def` with `yield` makes a generator, and `await` is its `yield from`.  At the
bottom a future yields itself; at the top a Task sends the result in.  So the Task, the queue and the loop of the lower
rungs work unchanged, and so do the generators that read and write sockets.  `steps` turns a coroutine into a generator
for a Task, `finished` turns a generator into an awaitable.
Changed against rung 16: `async` marks a coroutine, where a reader had to look for a `yield`.  A coroutine cannot be
iterated by mistake, and Python warns of one that is never awaited, such as the text's first `put`, which puts nothing
(defect Q5).
Still wrong: as rung 16, including first discovery.  The loop, the sockets and HTTP are our own (`asyncio_end.py` uses
asyncio and aiohttp).

Against the text's sketch: as rung 16.  StopIteration cannot be thrown into a coroutine either (K10).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), notes on native coroutines; the second of the five texts;
PEP 492.
"""

from __future__ import annotations

from collections.abc import Awaitable, Generator
from functools import partial
from types import coroutine
from typing import TypeVar

from ...web.interpret import failure
from ...web.outcome import Outcome
from ..http import PATIENCE, address_of, outcome_of, request
from . import chapter, delegating
from .chapter import Start
from .delegating import connect, read_all, send_all
from .task_future import Task
from .yielding import Coroutine, Loop

T = TypeVar("T")


class Future(delegating.Future[T]):
    """A future that can be awaited."""

    def __await__(self) -> Generator[delegating.Future[T], T, T]:
        return iter(self)


def steps(awaitable: Awaitable[T]) -> Coroutine[T]:
    """A generator that runs an awaitable, for a Task."""
    return (yield from awaitable.__await__())


@coroutine
def finished(generator: Coroutine[T]) -> Coroutine[T]:
    """Await a generator of the lower rungs; returns its result."""
    return (yield from generator)


async def fetch(loop: Loop, url: str) -> Outcome:
    """Fetch one page; returns its outcome."""
    deadline = loop.world.time() + PATIENCE
    with loop.world.socket() as sock:
        try:
            await finished(connect(loop, sock, address_of(url), deadline))
            await finished(send_all(loop, sock, request(url), deadline))
            response = await finished(read_all(loop, sock, deadline))
        except OSError as error:
            return failure(error)
    return outcome_of(url, response)


class Crawler(Start):
    """Crawls from the roots."""

    async def crawl(self) -> None:
        """Crawl until nothing is left to fetch; raises the error of a worker that fails."""
        joined = Task(self.queue.join())
        workers = [Task(steps(self.work())) for _ in range(self.max_tasks)]
        for worker in workers:
            # The worker has failed, and its item is never done.
            worker.add_done_callback(lambda _: joined.cancel())
        try:
            await finished(iter(joined))
        finally:
            for worker in [worker for worker in workers if not worker.cancel()]:
                worker.result()  # raise its error

    def main(self) -> Coroutine[None]:
        return steps(self.crawl())

    async def work(self) -> None:
        """One worker."""
        while True:
            url, left = await finished(self.queue.get())
            outcome = await fetch(self.loop, url)
            self.found.follow(url, left, outcome)
            self.queue.task_done()


#: As `chapter.crawl` and `chapter.run`.
crawl = partial(chapter.crawl, kind=Crawler)
run = partial(chapter.run, kind=Crawler)
