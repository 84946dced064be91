"""Teaching code: rung 20, Tornado's way, 2 of 4: an IOLoop, which calls functions, one after the other.

Teaches: an event loop has three lists: callbacks to run next, timeouts, and handlers of sockets.  One iteration runs
them in this order.  A function that is added meanwhile runs in the next iteration, so callbacks that add callbacks do
not starve the timeouts and the sockets.
Changed against the loops of rungs 5 to 15: the list of callbacks makes a "later" that is not "when a socket is ready".
`add_future` uses it: a callback of a future runs in the next iteration, on an empty stack, not inside `set_result`.
`add_callback` may be called from another thread, which wakes the loop.
Still wrong: a callback that computes for long blocks all others.  That is no defect; it follows from having one thread.

Against the text's sketch: after an interrupt the callbacks that were to run are still in the list.  A handler that was
removed in the same iteration is not called, although its socket was ready (K11).

Source: "How Tornado's coroutines work", its `tornado.ioloop.IOLoop`.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from heapq import heappop, heappush
from itertools import count
from selectors import EVENT_READ, EVENT_WRITE
from typing import Any, ClassVar, Final, TypeVar

from ..world import Socket, World
from .future import Future

T = TypeVar("T")

Handler = Callable[[int, int], object]

#: A timeout is due this many seconds before its deadline, because clocks and sums of floats are not exact.
RESOLUTION: Final = 1e-6

log = logging.getLogger(__name__)


class Timeout:
    """A callback with a deadline, until it is removed."""

    def __init__(self, deadline: float, number: int, callback: Callable[[], object]) -> None:
        self.due = (deadline, number)
        self.callback: Callable[[], object] | None = callback

    def __lt__(self, other: Timeout) -> bool:
        return self.due < other.due

    def __call__(self) -> object:
        return None if self.callback is None else self.callback()


class IOLoop:
    """Runs callbacks: in the next iteration, at a deadline, when a socket is ready, when a future is done."""

    READ: Final = EVENT_READ
    WRITE: Final = EVENT_WRITE

    _running_one: ClassVar[IOLoop | None] = None

    def __init__(self, world: World) -> None:
        self.world = world
        self._callbacks: deque[Callable[[], object]] = deque()
        self._timeouts: list[Timeout] = []  # a heap
        self._handlers: dict[int, Handler] = {}
        self._selector = world.DefaultSelector()
        self._numbers = count()
        self._running = self._closing = False
        self._thread: int | None = None
        self._lock = world.Lock()
        pair: tuple[Socket, Socket] = world.socketpair()
        self._waker, self._woken = pair
        self._woken.setblocking(False)
        self.add_handler(self._woken.fileno(), lambda fd, events: self._woken.recv(1), self.READ)

    @staticmethod
    def current() -> IOLoop:
        """The running loop; raises RuntimeError when there is none."""
        if IOLoop._running_one is None:
            raise RuntimeError("no IOLoop is running")
        return IOLoop._running_one

    # Any, here and below: the callback's arguments.
    def add_callback(self, callback: Callable[..., object], *args: Any) -> None:
        """Call it in the next iteration, from any thread.  Raises RuntimeError when the loop is closing."""
        with self._lock:
            if self._closing:
                raise RuntimeError("the IOLoop is closing")
            was_empty = not self._callbacks
            self._callbacks.append(partial(callback, *args))
            if was_empty and threading.get_ident() != self._thread:
                self._waker.send(b"!")

    def add_future(self, future: Future[T], callback: Callable[[Future[T]], object]) -> None:
        """Call it in the iteration after the future is done."""
        future.add_done_callback(lambda done: self.add_callback(callback, done))

    def add_timeout(self, deadline: float, callback: Callable[..., object], *args: Any) -> Timeout:
        """Call it at that time of the environment's clock."""
        timeout = Timeout(deadline, next(self._numbers), partial(callback, *args))
        heappush(self._timeouts, timeout)
        return timeout

    def remove_timeout(self, timeout: Timeout) -> None:
        """Do not call the timeout, unless it has been called already."""
        timeout.callback = None

    def add_handler(self, fd: int, handler: Handler, events: int) -> None:
        """Call `handler(fd, events)` in each iteration when the descriptor is ready."""
        self._selector.register(fd, events, handler)
        self._handlers[fd] = handler

    def remove_handler(self, fd: int) -> None:
        self._selector.unregister(fd)
        del self._handlers[fd]

    def run_sync(self, function: Callable[[], Future[T]]) -> T:
        """Run the loop until the function's future is done; returns its result or raises its error."""
        called: list[Future[T]] = []

        def call() -> None:
            try:
                future = function()
            except Exception as error:
                future = Future()
                future.set_exception(error)
            called.append(future)
            self.add_future(future, lambda done: self.stop())

        self.add_callback(call)
        self.start()
        return called[0].result()

    def start(self) -> None:
        """Run until `stop`."""
        before, IOLoop._running_one = IOLoop._running_one, self
        self._thread = threading.get_ident()
        self._running = True
        try:
            while self._running:
                self._iterate()
        finally:
            IOLoop._running_one = before

    def stop(self) -> None:
        """End `start` after the current iteration."""
        self._running = False

    def close(self) -> None:
        with self._lock:
            self._closing = True
            self.remove_handler(self._woken.fileno())
            self._selector.close()
            self._waker.close()
            self._woken.close()

    def _iterate(self) -> None:
        """Run the callbacks, timeouts and handlers that are there now, in this order."""
        with self._lock:
            while (first := self._first()) and first.due[0] <= self.world.time() + RESOLUTION:
                self._callbacks.append(heappop(self._timeouts))
            ready = len(self._callbacks)
        for _ in range(ready):
            self._call(self._callbacks.popleft())
        if self._running:
            for key, events in self._selector.select(self._patience()):
                handler: Handler = key.data
                if self._handlers.get(key.fd) is handler:
                    self._call(partial(handler, key.fd, events))

    def _call(self, callback: Callable[[], object]) -> None:
        """Call it; log its error, or that of the future it returns."""
        try:
            returned = callback()
            if isinstance(returned, Future):
                self.add_future(returned, Future.result)
        except Exception:
            log.exception("a callback has failed")

    def _patience(self) -> float | None:
        """How long to wait for a socket, in seconds; None: without a limit."""
        if self._callbacks:
            return 0.0
        first = self._first()
        return None if first is None else max(0.0, first.due[0] - self.world.time())

    def _first(self) -> Timeout | None:
        while self._timeouts and self._timeouts[0].callback is None:
            heappop(self._timeouts)
        return self._timeouts[0] if self._timeouts else None
