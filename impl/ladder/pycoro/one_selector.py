"""Teaching code: rung 28, the tasks that py-coro-impl's article leaves open.

1.  One selector serves all requests instead of a thread with its own for each: when no event is left, the loop waits
    for sockets, as the loop of rung 9 does.  `exchange` is unchanged.
2.  The loop runs by itself at the end of its `with` block, until nothing is left to do.
3.  A decorator, `asyncfun`, replaces an explicit `async_run`: calling the function starts it and returns a future.
Asynchronous files, also on the article's list, are out of scope: no system call reports when a file is ready, so they
need threads again.

Changed against rung 23: there are no threads, so the queue need not block, nothing is stopped by hand, and a waiting
request takes a generator and two futures.
Still wrong: callbacks run inside `resolve` (`future.py`).  The error of an `asyncfun` is lost if its future is never
waited for.  No other thread may push.

Source: the article on generator-based coroutines around py-coro-impl, its last section.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from ...web.interpret import failure
from ...web.outcome import Outcome
from ..http import PATIENCE, exchange, outcome_of
from ..rungs import yielding
from ..world import World
from .events import EventLoop
from .executor import Coroutine, GeneratorExecutor
from .future import Future

P = ParamSpec("P")
T = TypeVar("T")


class Loop(EventLoop):
    """An event loop that waits for sockets; it runs at the end of its `with` block."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._events: deque[object] = deque()
        self.sockets = yielding.Loop(world)

    def __enter__(self) -> Loop:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        try:
            if error is None:
                self.loop()
        finally:
            self.sockets.close()

    def push(self, event: object) -> None:
        self._events.append(event)

    def loop(self) -> None:
        """Execute events and wait for sockets until none are left; raises as `EventLoop.loop`."""
        while self._events or self.sockets.deadlines:
            for _ in range(len(self._events)):
                self.execute(self._events.popleft())
            if self.sockets.deadlines:
                self.sockets.turn(waits=not self._events)
        self.raise_errors()


def asyncfun(
    function: Callable[Concatenate[Loop, P], Coroutine[T]],
) -> Callable[Concatenate[Loop, P], Future[T]]:
    """Decorate a generator function: a call starts its generator on the loop and returns the future of its result."""

    @wraps(function)
    def started(loop: Loop, /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        executor = GeneratorExecutor(function(loop, *args, **kwargs))
        loop.push(executor.start)
        return executor.future

    return started


@asyncfun
def get(loop: Loop, url: str) -> Coroutine[Outcome]:
    """Fetch one page; the result is its outcome."""
    deadline = loop.world.time() + PATIENCE
    response = bytearray()
    with loop.world.socket() as sock:
        try:
            for event in exchange(sock, url, response):
                ready = Future[None]()
                with loop.sockets.watch(ready, sock, event, deadline):
                    yield from ready
        except OSError as error:
            return failure(error)
    return outcome_of(url, bytes(response))


@asyncfun
def get_all(loop: Loop, urls: Sequence[str]) -> Coroutine[dict[str, Outcome]]:
    """Fetch the pages, all at once."""
    futures = {url: get(loop, url) for url in urls}
    done = {}
    for url, future in futures.items():
        done[url] = yield from future
    return done


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch the pages, all at once."""
    with Loop(world) as loop:
        done = get_all(loop, urls)
    return done.value
