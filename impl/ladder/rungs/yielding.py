"""Teaching code: rung 9, a Task and `yield`: a fetch is one function again.

Teaches: a generator yields the future that it waits for.  Its Task adds a callback to that future and resumes the
generator when it is resolved.  So `fetch` is suspended in its middle, with its variables, and the thread is free.
Changed against rung 5: the loop still calls callbacks, but they only resolve futures.  A fetch reads from top to bottom
and has one `try` around it.
Still wrong: only `fetch` itself can yield, so its three waits for a socket cannot be functions (rung 10).  A Task can
be neither cancelled (rung 12) nor waited for (rung 13); its errors are logged.  Tasks run inside `set_result`: see
`futures.py`.

Against the text's sketch: a future that is done does not suspend (F2).  Yielding anything but a future raises TypeError
at the `yield` (T9).  An error does not end the loop (T6).  SO_ERROR is read (K1), the rest of a partial send is sent
later (K6), a fetch has a deadline (K5).  A socket is unregistered before its next use (K8) and closed (K11).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Building Coroutines With Generators".
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from selectors import EVENT_READ, EVENT_WRITE
from typing import Any, TypeAlias, TypeVar

from ...errors import CancelledError
from ...web.interpret import failure
from ...web.outcome import Outcome
from ..http import CHUNK, PATIENCE, address_of, begin_connect, check_connect, outcome_of, request
from ..world import Socket, World
from .futures import Future, failed

T = TypeVar("T")

log = logging.getLogger(__name__)


#: A generator that yields the futures it waits for, gets their results, and returns a T.
Coroutine: TypeAlias = Generator[Future[Any], Any, T]  # Any: a coroutine waits for futures of several types


class Task:
    """Runs a coroutine: resumes it each time the future it waits for is resolved."""

    def __init__(self, coroutine: Coroutine[Any]) -> None:  # Any: its result is dropped
        self.coroutine = coroutine
        start = Future[None]()
        start.set_result(None)
        self.step(start)

    def step(self, future: Future[Any]) -> None:  # Any: as in Coroutine
        """Resume the coroutine with the future's result or error, until it yields a pending future."""
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
        """Send the result or throw the error; returns the future that is yielded next."""
        error = future.exception()
        yielded = self.coroutine.send(future.result()) if error is None else self.coroutine.throw(error)
        if isinstance(yielded, Future):
            return yielded
        return failed(TypeError(f"a coroutine yields futures, not {yielded!r}"))

    def ended(self, result: object, error: BaseException | None) -> None:
        """Called when the coroutine has returned or raised; an error is logged, because nothing can wait for it yet."""
        if error is not None:
            log.error("a task has failed", exc_info=error)


class Loop:
    """Resolves a future when its socket is ready or its deadline has passed."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.selector = world.DefaultSelector()
        self.deadlines: dict[Future[None], float] = {}

    @contextmanager
    def watch(self, ready: Future[None], sock: Socket, event: int, deadline: float) -> Iterator[None]:
        """In the block, `ready` is resolved when the socket is ready, or fails with TimeoutError at the deadline."""
        self.selector.register(sock.fileno(), event, partial(ready.set_result, None))
        self.deadlines[ready] = deadline
        try:
            yield
        finally:
            self.selector.unregister(sock.fileno())
            del self.deadlines[ready]

    def run(self) -> None:
        """Run until no future is watched."""
        while self.deadlines:
            self.turn()

    def turn(self, waits: bool = True) -> None:
        """Run one iteration: wait for sockets and deadlines, or look only, and resolve their futures."""
        first = min(self.deadlines.values())
        for key, _ in self.selector.select(first - self.world.time() if waits else 0):
            callback: Callable[[], None] = key.data
            callback()
        for ready in [ready for ready, deadline in self.deadlines.items() if deadline <= self.world.time()]:
            ready.set_exception(TimeoutError())

    def close(self) -> None:
        self.selector.close()


def fetch(loop: Loop, url: str, done: dict[str, Outcome]) -> Coroutine[None]:
    """Fetch one page and store its outcome in `done`."""
    deadline = loop.world.time() + PATIENCE
    with loop.world.socket() as sock:
        try:
            begin_connect(sock, address_of(url))
            connected = Future[None]()
            with loop.watch(connected, sock, EVENT_WRITE, deadline):
                yield connected
            check_connect(sock)
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


def run(
    world: World,
    urls: Sequence[str],
    fetch: Callable[[Loop, str, dict[str, Outcome]], Coroutine[None]] = fetch,
    task: Callable[[Coroutine[None]], object] = Task,
) -> dict[str, Outcome]:
    """Fetch the pages, all at once."""
    done: dict[str, Outcome] = {}
    with closing(Loop(world)) as loop:
        for url in urls:
            task(fetch(loop, url, done))
        loop.run()
    return {url: done[url] for url in urls}
