"""Teaching code: rung 17, `async` and `await`: the crawler of rung 16 in the words that the language has for it.

What it teaches: `async def` makes a coroutine as a `def` with a `yield` in it makes a generator, and `await` is its
`yield from`.  Nothing else is new: at the bottom a future yields itself, and at the top a Task sends the result back
in.  So Task, queue and loop are those of the rungs below, as they are; `steps` and `finished` are the two bridges, from
a coroutine to the generator that a Task runs, and from a generator to what a coroutine may await.
What changed against rung 16: `async` says what a function is, where before one had to look for a `yield` in it.  A
coroutine cannot be iterated by mistake, and Python warns of one that nobody has awaited: the text's first `put`, which
puts nothing (its defect Q5), would have been told.
What is still wrong with it: as rung 16, the rule of first discovery with it.  The loop, the sockets and HTTP are our
own (`asyncio_end.py` takes others').

Against the text's sketch: as rung 16.  A StopIteration cannot be thrown into a coroutine either (K10).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), notes on native coroutines; the second of the five texts;
PEP 492.
"""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import closing
from selectors import EVENT_READ, EVENT_WRITE
from types import coroutine
from typing import TypeVar

from ...crawl.outcome import Outcome
from ...web.interpret import failure
from ..http import CHUNK, PATIENCE, address_of, outcome_of, request
from ..world.interfaces import Address, Socket, World
from . import delegating
from .chapter import MAX_REDIRECT, MAX_TASKS, FirstDiscovery, Item, at_least
from .join_queue import JoinableQueue
from .running import EventLoop
from .task_future import Task
from .yielding import Coroutine, Loop

T = TypeVar("T")


class Future(delegating.Future[T]):
    """A future that can be awaited."""

    def __await__(self) -> Generator[delegating.Future[T], T, T]:
        return iter(self)


def steps(awaitable: Awaitable[T]) -> Coroutine[T]:
    """A coroutine as a generator, for a Task."""
    return (yield from awaitable.__await__())


@coroutine
def finished(generator: Coroutine[T]) -> Coroutine[T]:
    """Await a generator of the rungs below: what it returns."""
    return (yield from generator)


async def ready(loop: Loop, sock: Socket, event: int, deadline: float) -> None:
    """Wait until the socket is; raises TimeoutError when that takes too long."""
    future = Future[None]()
    with loop.watch(future, sock, event, deadline):
        await future


async def connect(loop: Loop, sock: Socket, address: Address, deadline: float) -> None:
    """Connect a new socket."""
    sock.setblocking(False)
    try:
        sock.connect(address)
    except BlockingIOError:
        pass  # it has begun
    await ready(loop, sock, EVENT_WRITE, deadline)
    if error := sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
        raise OSError(error, "connect")


async def send_all(loop: Loop, sock: Socket, data: bytes, deadline: float) -> None:
    """Send all of it."""
    while data:
        await ready(loop, sock, EVENT_WRITE, deadline)
        data = data[sock.send(data) :]


async def read_all(loop: Loop, sock: Socket, deadline: float) -> bytes:
    """All bytes until the end."""
    response, chunk = b"", None
    while chunk != b"":
        await ready(loop, sock, EVENT_READ, deadline)
        chunk = sock.recv(CHUNK)
        response += chunk
    return response


async def fetch(loop: Loop, url: str) -> Outcome:
    """Fetch one page: what became of it."""
    deadline = loop.world.time() + PATIENCE
    with loop.world.socket.socket() as sock:
        try:
            await connect(loop, sock, address_of(url), deadline)
            await send_all(loop, sock, request(url), deadline)
            response = await read_all(loop, sock, deadline)
        except OSError as error:
            return failure(error)
    return outcome_of(url, response)


class Crawler:
    """Crawls from some roots; `found` is what it finds."""

    def __init__(
        self,
        loop: Loop,
        roots: Sequence[str],
        max_redirect: int = MAX_REDIRECT,
        max_tasks: int = MAX_TASKS,
        allows: Callable[[str], bool] | None = None,
    ) -> None:
        self.loop = loop
        self.max_tasks = at_least(1, "max_tasks", max_tasks)
        self.queue = JoinableQueue[Item]()
        self.found = FirstDiscovery(self.queue.put_nowait, roots, max_redirect, allows)

    async def crawl(self) -> None:
        """Crawl until nothing is left to fetch; raises what a worker raises."""
        joined = Task(self.queue.join())
        workers = [Task(steps(self.work())) for _ in range(self.max_tasks)]
        for worker in workers:
            worker.add_done_callback(lambda _: joined.cancel())  # it has failed: nobody works off its item
        try:
            await finished(iter(joined))
        finally:
            for worker in [worker for worker in workers if not worker.cancel()]:
                worker.result()  # raises why

    async def work(self) -> None:
        """One worker."""
        while True:
            url, left = await finished(self.queue.get())
            outcome = await fetch(self.loop, url)
            self.found.follow(url, left, outcome)
            self.queue.task_done()


def crawl(
    world: World,
    roots: Sequence[str],
    max_redirect: int = MAX_REDIRECT,
    max_tasks: int = MAX_TASKS,
    allows: Callable[[str], bool] | None = None,
) -> dict[str, Outcome]:
    """As `chapter.crawl`."""
    with closing(EventLoop(world)) as loop:
        crawler = Crawler(loop, roots, max_redirect, max_tasks, allows)
        loop.run_until_complete(steps(crawler.crawl()))
    return crawler.found.done


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch them, ten at a time, and nothing else that they lead to."""
    return crawl(world, urls, allows=frozenset(urls).__contains__)


async def parked(future: Future[None]) -> None:
    """The least that can wait."""
    await future


def waiting_unit() -> object:
    """A suspended coroutine in the generator that runs it, their Task, and the Future that they wait for."""
    future = Future[None]()
    Task(steps(parked(future)))
    return future
