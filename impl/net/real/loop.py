"""SocketLoop: the loop in real time.  Where the virtual one jumps to the next event, this one waits for it.

Theory of operation.
1.  Time is `time.monotonic_ns`, 0 when the loop was made.  It moves by itself: `now` reads the clock, also within a
    turn, so a sleep is never shorter than was asked for.
2.  A turn is the kernel's, and before it the loop *looks*: at its sockets, at what other threads have handed over,
    at the timers.  If something is ready it only looks; else it waits in `select` for the first of them.
3.  A socket has an `Interest`: what somebody wants to be told of, once.  The selector tells a level, not a change:
    it repeats itself for as long as nobody reads.  So what is told and not wanted is unregistered then and there.
    What was wanted and told stays registered until it is told in vain: a reader that keeps up costs one system
    call a wait, not three.
4.  `pending` counts whatever outside of the loop somebody here waits for: sockets, look-ups.  When it is 0, nothing
    is ready and no timer is set, the program can never go on: the deadlock of the kernel (KERNEL-2), at once.
    Turns without end are no livelock here (KERNEL-3): time does not stand still.
5.  A pair of sockets wakes a loop that waits: `call_soon_threadsafe` writes to it, and so does the interpreter when a
    signal comes (`signal.set_wakeup_fd`), because a signal may come in the moment before the system call begins.

Source: CPython documentation, "selectors", "Event Loop" (call_soon_threadsafe), "signal" (set_wakeup_fd).
"""

from __future__ import annotations

import selectors
import signal
import socket
from collections import deque
from collections.abc import Callable
from contextvars import Context
from threading import current_thread, main_thread
from time import monotonic_ns
from typing import Any, Final, TypeVar

from ...errors import CancelledError
from ...interfaces import Observer
from ...loop import NS, Loop
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
        #: How many things outside of the loop somebody here waits for.
        self.pending = 0
        #: The number of the turn.
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
        if self.stopping:  # stopped before it ran: one look, as the documentation of stop has it
            self._look(0)
        super().run_turns()

    def turn(self) -> None:
        """One turn, for which it waits as long as must be.

        Raises:
            DeadlockError: nothing is ready, no timer is set, and nothing outside is waited for.
        """
        self.turns += 1
        while (patience := self._patience()) is not None:
            self._look(patience)
            if self.ready:
                break
        super().turn()

    def _patience(self) -> float | None:
        """How long, in seconds, nothing need happen; None: nothing ever will."""
        if self.ready or self._handed_over:
            return 0
        when = self.next_event()
        if when is not None:
            return min(max(when - self.now, 0) / NS, _LONGEST_S)
        return _LONGEST_S if self.pending else None

    def _look(self, patience: float) -> None:
        """Wait, `patience` seconds at most, and make ready what has happened."""
        if self.pending or patience:  # else no socket is of interest
            for key, events in self._selector.select(patience):
                try:
                    key.data(events)
                except (KeyboardInterrupt, SystemExit):
                    raise
                except BaseException as error:
                    self.report({"message": f"Exception in watcher {key.data!r}", "exception": error})
        for _ in range(len(self._handed_over)):  # those that are there: a thread may add without end
            self.ready.append(self._handed_over.popleft())
        self.advance(self.now)

    def interest(self, sock: socket.socket, tell: Watcher) -> Interest:
        """An interest in a socket, in nothing yet; `tell` is called with what was wanted and has happened."""
        return Interest(self, sock, tell)

    # --- other threads, and signals ----------------------------------------------------------------------

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Callback:  # Any: the arguments are the callback's affair, as in asyncio
        """`call_soon`, from another thread or a signal handler.

        The loop does not know of threads that may call this: while somebody waits for one and for nothing else,
        add 1 to `pending`, lest it be taken for a deadlock.

        Raises:
            RuntimeError: the loop is closed.
        """
        self._must_be_open()
        handle = Callback(callback, args, self._context(context))
        self.hand_over(handle)
        return handle

    def hand_over(self, item: Callback) -> None:
        """Have `item` run in the loop's next turn, from wherever; a closed loop never runs it."""
        self._handed_over.append(item)
        try:
            self._waker.send(b"\0")
        except OSError:
            pass  # it is closed, or so full that the loop is being woken already

    def _woken(self, events: int) -> None:
        self._sleeper.recv(4096)  # if there is more, the selector says so again

    def run_forever(self) -> None:
        if current_thread() is not main_thread():  # only that one is told of signals
            super().run_forever()
            return
        before = signal.set_wakeup_fd(self._waker.fileno(), warn_on_full_buffer=False)
        try:
            super().run_forever()
        finally:
            signal.set_wakeup_fd(before)

    # --- a whole program ---------------------------------------------------------------------------------

    def run(self, main: Task[T] | Runs[T]) -> T:
        """Run a program to its end, cancel what it left behind, and close: `Loop.run`, and Ctrl-C.

        Ctrl-C (SIGINT) is a request to stop, as for asyncio.Runner: the first cancels `main`, which cleans up;
        then `run` raises KeyboardInterrupt.  A second one does not wait for the clean-up (interrupts.py).  Elsewhere
        than in the main thread, or if SIGINT has a handler of its own, signals are left alone.

        A program that must say what it has done, however it ends, has two places for it, and neither awaits:
        in `main`, in a `finally`; or around `run`, which has closed everything when it raises:

            try:
                loop.run(crawler.run())
            except KeyboardInterrupt:
                status = 130
            print(report(crawler))

        A `main` that catches the CancelledError and returns has its result returned, with no KeyboardInterrupt.

        Raises:
            KeyboardInterrupt: Ctrl-C.
            DeadlockError: as Loop.run.
        """
        self._must_be_idle()
        task = main if isinstance(main, Task) else self.create_task(main)
        with Interrupts(task, self.hand_over) as interrupts:
            try:
                return super().run(task)
            except CancelledError:
                if interrupts.count > 0 and task.uncancel() == 0:
                    raise KeyboardInterrupt from None
                raise

    def close(self) -> None:
        """Throw away what still waits, and give all descriptors back; closing twice is harmless.

        Look-ups under way are not waited for: their threads end by themselves (resolver.py).
        """
        super().close()
        self._handed_over.clear()
        self._selector.close()
        self._sleeper.close()
        self._waker.close()


class Interest:
    """What somebody wants to be told of a socket; made by `SocketLoop.interest`."""

    __slots__ = ("_loop", "_registered", "_sock", "_tell", "_wanted")

    def __init__(self, loop: SocketLoop, sock: socket.socket, tell: Watcher) -> None:
        self._loop = loop
        self._sock = sock
        self._tell = tell
        self._wanted = 0
        self._registered = 0

    def want(self, events: int) -> None:
        """Want to be told of `events` (READ, WRITE, both, or 0), of each once, and of nothing else.

        Raises:
            OSError: the system watches no more sockets.
        """
        if events & ~self._registered:
            self._register(self._registered | events)
        if bool(events) != bool(self._wanted):
            self._loop.pending += 1 if events else -1
        self._wanted = events

    def close(self) -> None:
        """Want nothing any more; to be called before the socket is closed."""
        self.want(0)
        self._register(0)

    def _told(self, events: int) -> None:
        """The selector has seen `events`."""
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
