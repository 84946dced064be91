"""SocketLoop: the loop in real time.  The virtual loop jumps to the next event; this one waits for it.

1.  Time is `time.monotonic_ns`, 0 when the loop was made.  It moves by itself: `now` reads the clock, even within a
    loop iteration, so a sleep is never shorter than requested.
2.  Before each iteration of the kernel, the loop *looks*: at its sockets, at callbacks from other threads, at the
    timers.  If something is ready it only polls; otherwise it waits in `select` for the first of these events.
3.  Each socket has an `Registration`: the events that its owner wants, each to be delivered once.  The selector is
    level-triggered: it repeats an event until the data is read.  So an event that arrives unwanted is unregistered at
    once.  An event that was wanted and delivered stays registered until it arrives unwanted: a reader that keeps up
    then costs one system call per wait, not three.
4.  `pending` counts the waits for the outside of the loop: sockets, look-ups.  When it is 0, nothing is ready and no
    timer is set, the program cannot continue: the kernel's deadlock (KERNEL-2), reported at once.  Endless iterations
    are not a livelock here (KERNEL-3): time does not stand still.
5.  A pair of sockets wakes a waiting loop.  `call_soon_threadsafe` writes to it, and so does the interpreter when a
    signal arrives (`signal.set_wakeup_fd`), because a signal may arrive just before the system call begins.

Source: CPython documentation, "selectors", "Event Loop" (call_soon_threadsafe), "signal" (set_wakeup_fd).
"""

from __future__ import annotations

import selectors
import signal
import socket
from collections import deque
from collections.abc import Awaitable, Callable
from contextvars import Context
from threading import current_thread, main_thread
from time import monotonic_ns
from typing import Any, Final, TypeVar

from ...combinators.ensure import as_runnable
from ...errors import CancelledError
from ...interfaces import Observer
from ...loop import NS_PER_SECOND, Loop
from ...tasks.callback import Callback
from ...tasks.task import Runs, Task
from ..conn import READ, Watcher
from .interrupts import Interrupts

T = TypeVar("T")

#: The longest single wait, in seconds: `epoll` takes no more than 2**31 milliseconds.
_LONGEST_S: Final = 24 * 3600.0


class SocketLoop(Loop):
    """An event loop in real time, for sockets and threads; parameters as Loop's.

    It holds three descriptors until it is closed; `run` closes it.
    """

    __slots__ = ("_handed_over", "_selector", "_sleeper", "_start", "_waker", "pending", "turns")

    def __init__(self, observer: Observer | None = None, *, contexts: bool = True) -> None:
        self._start = monotonic_ns()
        super().__init__(observer=observer, contexts=contexts)
        #: The number of things outside the loop that tasks wait for.
        self.pending = 0
        #: The number of loop iterations so far.
        self.turns = 0
        self._handed_over: deque[Callback] = deque()
        self._selector = selectors.DefaultSelector()
        try:
            self._sleeper, self._waker = socket.socketpair()
        except OSError:
            self._selector.close()
            raise
        self._sleeper.setblocking(False)
        self._waker.setblocking(False)
        self._selector.register(self._sleeper, READ, self._woken)

    # --- time --------------------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """Nanoseconds since the loop was made."""
        return monotonic_ns() - self._start

    @now.setter
    def now(self, to: int) -> None:
        """The kernel moves virtual time by this; real time has moved already."""

    # --- waiting -----------------------------------------------------------------------------------------

    def run_turns(self) -> None:
        if self.stopping:  # stopped before it ran: poll once, as the documentation of stop requires
            self._look(0)
        super().run_turns()

    def turn(self) -> None:
        """Run one iteration, blocking until there is something to do.

        Raises:
            DeadlockError: nothing is ready, no timer is set, and no task waits for anything outside.
        """
        self.turns += 1
        while (patience := self._patience()) is not None:
            self._look(patience)
            if self.ready:
                break
        super().turn()

    def _patience(self) -> float | None:
        """The longest time to wait, in seconds; None: no event can ever come."""
        if self.ready or self._handed_over:
            return 0
        when = self.next_event()
        if when is not None:
            return min(max(when - self.now, 0) / NS_PER_SECOND, _LONGEST_S)
        return _LONGEST_S if self.pending else None

    def _look(self, patience: float) -> None:
        """Wait, `patience` seconds at most, and make the items of events that have happened ready."""
        if self.pending or patience:  # else no socket has a wanted event
            for key, events in self._selector.select(patience):
                try:
                    key.data(events)
                except (KeyboardInterrupt, SystemExit):
                    raise
                except BaseException as error:
                    self.report({"message": f"Exception in watcher {key.data!r}", "exception": error})
        for _ in range(len(self._handed_over)):  # only the present ones: a thread may add without end
            self.ready.append(self._handed_over.popleft())
        self.advance(self.now)

    def register(self, sock: socket.socket, tell: Watcher) -> Registration:
        """Make the Registration of a socket, with no events yet; `tell` is called with wanted events that happen."""
        return Registration(self, sock, tell)

    # --- other threads, and signals ----------------------------------------------------------------------

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Callback:  # Any: the arguments are between the caller and the callback, as in asyncio
        """`call_soon`, from another thread or a signal handler.

        The loop does not know of threads that may call this.  While tasks wait for such a thread and nothing else, add
        1 to `pending`; otherwise the loop reports a deadlock.

        Raises:
            RuntimeError: the loop is closed.
        """
        self._must_be_open()
        handle = Callback(callback, args, self._context(context))
        self.hand_over(handle)
        return handle

    def hand_over(self, item: Callback) -> None:
        """Run `item` in the next loop iteration; callable from any thread.  A closed loop never runs it."""
        self._handed_over.append(item)
        try:
            self._waker.send(b"\0")
        except OSError:
            pass  # the loop is closed, or the buffer is full and the loop is waking already

    def _woken(self, events: int) -> None:
        self._sleeper.recv(4096)  # if there is more, the selector reports it again

    def run_forever(self) -> None:
        if current_thread() is not main_thread():  # only the main thread receives signals
            super().run_forever()
            return
        before = signal.set_wakeup_fd(self._waker.fileno(), warn_on_full_buffer=False)
        try:
            super().run_forever()
        finally:
            signal.set_wakeup_fd(before)

    # --- a whole program ---------------------------------------------------------------------------------

    def run(self, main: Awaitable[T] | Runs[T]) -> T:
        """Run a program to its end, cancel the tasks that it left, and close: `Loop.run` with Ctrl-C.

        Ctrl-C (SIGINT) is a request to stop, as for asyncio.Runner: the first cancels `main`, which cleans up;
        then `run` raises KeyboardInterrupt.  A second one does not wait for the clean-up (interrupts.py).  Outside the
        main thread, or if SIGINT has a handler of its own, signals are left alone.

        A program that must report its work however it ends can do so, without awaiting, in one of two places: in a
        `finally` of `main`, or around `run`, which has closed everything when it raises:

            try:
                loop.run(crawler.run())
            except KeyboardInterrupt:
                status = 130
            print(report(crawler))

        If `main` catches the CancelledError and returns, `run` returns its result and raises no KeyboardInterrupt.

        Raises:
            KeyboardInterrupt: Ctrl-C.
            DeadlockError: as Loop.run.
        """
        self._must_be_idle()
        task: Task[T] = main if isinstance(main, Task) else self.create_task(as_runnable(main))
        with Interrupts(task, self.hand_over) as interrupts:
            try:
                return super().run(task)
            except CancelledError:
                if interrupts.count > 0 and task.uncancel() == 0:
                    raise KeyboardInterrupt from None
                raise

    def close(self) -> None:
        """Drop all pending callbacks, and close all descriptors; closing twice is harmless.

        Look-ups under way are not waited for: their threads end by themselves (resolver.py).
        """
        super().close()
        self._handed_over.clear()
        self._selector.close()
        self._sleeper.close()
        self._waker.close()


class Registration:
    """The events that the owner of a socket waits for; made by `SocketLoop.interest`."""

    __slots__ = ("_loop", "_registered", "_sock", "_tell", "_wanted")

    def __init__(self, loop: SocketLoop, sock: socket.socket, tell: Watcher) -> None:
        self._loop = loop
        self._sock = sock
        self._tell = tell
        self._wanted = 0
        self._registered = 0

    def want(self, events: int) -> None:
        """Wait for `events` (READ, WRITE, both, or 0), each once, and for nothing else.

        Raises:
            OSError: the system watches no more sockets.
        """
        if events & ~self._registered:
            self._register(self._registered | events)
        if bool(events) != bool(self._wanted):
            self._loop.pending += 1 if events else -1
        self._wanted = events

    def close(self) -> None:
        """Wait for nothing any more; call this before the socket is closed."""
        self.want(0)
        self._register(0)

    def _told(self, events: int) -> None:
        """Deliver the wanted ones of the `events` that the selector reports; unregister the others."""
        heard = events & self._wanted
        if heard != events:
            self._register(self._registered & ~(events ^ heard))
        if heard:
            self.want(self._wanted & ~heard)
            self._tell(heard)

    def _register(self, events: int) -> None:
        before = self._registered
        if events == before or self._loop.is_closed():
            return
        selector = self._loop._selector
        if not before:
            selector.register(self._sock, events, self._told)
        elif not events:
            selector.unregister(self._sock)
        else:
            selector.modify(self._sock, events, self._told)
        self._registered = events
