"""Teaching code: rung 9, a Task and `yield`: a fetch is one function again.

What it teaches: a generator that waits yields a future.  Whoever runs it, its Task, asks the future to be called when
it is resolved, and then resumes the generator: so `fetch` stands still in its middle, with its variables, and the
thread is free.
What changed against rung 5: the loop is as it was, and calls back; but what it calls only resolves a future.  The
story of a fetch is told from top to bottom, with one `try` around it.
What is still wrong with it: only `fetch` itself can yield, so what it does three times, wait for a socket, cannot be a
function (rung 10).  Nobody can stop a Task (rung 12), or wait for it and learn what came of it (rung 13); its errors
go to the log.  Tasks run inside `set_result`: see `futures.py`.

Against the text's sketch: a future that is done does not suspend (F2); a coroutine that yields anything else is told
so at its `yield` (T9), and its error does not end the loop (T6); SO_ERROR is read (K1), what could not be sent is sent
later (K6), time runs out (K5); a socket is unregistered before anything else happens to it (K8), and closed (K11).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Building Coroutines With Generators".
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from selectors import EVENT_READ, EVENT_WRITE
from typing import Any, TypeAlias, TypeVar

from ...crawl.outcome import Outcome
from ...errors import CancelledError
from ...web.interpret import failure
from ..http import CHUNK, PATIENCE, address_of, outcome_of, request
from ..world.interfaces import Socket, World
from .futures import Future, failed

T = TypeVar("T")

log = logging.getLogger(__name__)


#: A generator that yields the futures it waits for, gets their results, and returns a T.
Coroutine: TypeAlias = Generator[Future[Any], Any, T]  # Any: a coroutine waits for futures of several types


class Task:
    """Runs a coroutine: resumes it whenever the future is resolved that it waits for."""

    def __init__(self, coroutine: Coroutine[Any]) -> None:  # Any: what it returns goes nowhere
        self.coroutine = coroutine
        start = Future[None]()
        start.set_result(None)
        self.step(start)

    def step(self, future: Future[Any]) -> None:  # Any: as in Coroutine
        """Resume it with what the future holds, until it yields one that is not done."""
        while future.done():
            try:
                future = self.resume(future)
            except StopIteration as stop:
                self.ended(stop.value, None)
                return
            except (Exception, CancelledError) as error:
                self.ended(None, error)
                return
        future.add_done_callback(self.step)

    def resume(self, future: Future[Any]) -> Future[Any]:  # Any: as in Coroutine
        """Send it the result, or throw the error; what it yields."""
        error = future.exception()
        yielded = self.coroutine.send(future.result()) if error is None else self.coroutine.throw(error)
        if isinstance(yielded, Future):
            return yielded
        return failed(TypeError(f"a coroutine yields futures, not {yielded!r}"))

    def ended(self, result: object, error: BaseException | None) -> None:
        """It has returned or raised; as yet there is nobody who could be told."""
        if error is not None:
            log.error("a task has failed", exc_info=error)


class Loop:
    """Resolves the futures of those who wait for sockets."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.selector = world.selectors.DefaultSelector()
        self.deadlines: dict[Future[None], float] = {}

    @contextmanager
    def watch(self, ready: Future[None], sock: Socket, event: int, deadline: float) -> Iterator[None]:
        """Within it the future is resolved when the socket is ready, or fails with TimeoutError when time is up."""
        self.selector.register(sock.fileno(), event, partial(ready.set_result, None))
        self.deadlines[ready] = deadline
        try:
            yield
        finally:
            self.selector.unregister(sock.fileno())
            del self.deadlines[ready]

    def run(self) -> None:
        """Until nobody waits any more."""
        while self.deadlines:
            self.turn()

    def turn(self) -> None:
        """Wait for the next that is ready or due, and resolve its future."""
        first = min(self.deadlines.values())
        for key, _ in self.selector.select(first - self.world.time()):
            callback: Callable[[], None] = key.data
            callback()
        for ready in [ready for ready, deadline in self.deadlines.items() if deadline <= self.world.time()]:
            ready.set_exception(TimeoutError())

    def close(self) -> None:
        self.selector.close()


def fetch(loop: Loop, url: str, done: dict[str, Outcome]) -> Coroutine[None]:
    """Fetch one page; `done` is told what became of it."""
    deadline = loop.world.time() + PATIENCE
    with loop.world.socket.socket() as sock:
        sock.setblocking(False)
        try:
            try:
                sock.connect(address_of(url))
            except BlockingIOError:
                pass  # it has begun
            connected = Future[None]()
            with loop.watch(connected, sock, EVENT_WRITE, deadline):
                yield connected
            if error := sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                raise OSError(error, "connect")
            unsent = request(url)
            while unsent:
                writable = Future[None]()
                with loop.watch(writable, sock, EVENT_WRITE, deadline):
                    yield writable
                unsent = unsent[sock.send(unsent) :]
            response, chunk = b"", None
            while chunk != b"":
                readable = Future[None]()
                with loop.watch(readable, sock, EVENT_READ, deadline):
                    yield readable
                chunk = sock.recv(CHUNK)
                response += chunk
        except OSError as problem:
            done[url] = failure(problem)
        else:
            done[url] = outcome_of(url, response)


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch them, all at once."""
    done: dict[str, Outcome] = {}
    with closing(Loop(world)) as loop:
        for url in urls:
            Task(fetch(loop, url, done))
        loop.run()
    return {url: done[url] for url in urls}


def parked(future: Future[None]) -> Coroutine[None]:
    """The least that can wait."""
    yield future


def waiting_unit() -> object:
    """A suspended generator, its Task, and the Future that it waits for."""
    future = Future[None]()
    Task(parked(future))
    return future
