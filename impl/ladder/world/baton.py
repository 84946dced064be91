"""Teaching code: threads of the simulated environment: one real thread runs at a time, in an order that is drawn.

1.  A thread runs until it blocks.  Then it registers a predicate and passes the baton.  The choices select one of the
    threads with a true predicate, itself included; so the same choices give the same run.
2.  If no predicate holds, the environment runs one iteration of its loop: the clock moves, bytes arrive, predicates
    become true.  If the loop has nothing to run either, a DeadlockError is raised in the main thread; so is a
    LivelockError when threads pass the baton for ever while the clock stands still.
3.  An error in a thread is raised in the main thread, where that waits, instead of being printed.
4.  When the environment is closed, the threads that are left end by an error.

Any, throughout: the arguments of a thread and the items of a queue, as in the standard library.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Semaphore, Thread
from typing import Any, Final

from ...errors import LivelockError
from ...sim.choices import Choose
from .meter import Meter

#: How often the baton may be passed without an iteration of the loop.
PASSES: Final = 1_000_000


class _Abandoned(BaseException):
    """Ends a thread that still waits when the environment is closed."""


class Baton:
    """The threads of one environment; the thread that creates it is the main thread.

    `turn` runs one iteration of the loop, or raises DeadlockError; `choose` draws the thread that runs next.
    """

    def __init__(self, turn: Callable[[], None], choose: Choose, meter: Meter) -> None:
        self._turn = turn
        self._choose = choose
        self._meter = meter
        self._main = self._current = SimThread(self)  # stands for the main thread; it is never started
        self.alive = [self._main]
        self._passes = 0
        self._error: BaseException | None = None
        self._over = False

    def wait(self, until: Callable[[], bool]) -> None:
        """Let other threads run until `until()` holds and the choices select this thread again.

        Raises:
            DeadlockError: that can never happen (in the main thread).
            RuntimeError: the environment is closed.
        """
        me = self._current
        if self._over:
            raise RuntimeError("this environment is closed") if me is self._main else _Abandoned
        me.until = until
        if self._hand_over() is not me:
            me.wake.acquire()
        if self._over:
            raise _Abandoned
        if self._error is not None and me is self._main:
            error, self._error = self._error, None
            raise error

    def started(self, thread: SimThread) -> None:
        """The thread runs when it is selected."""
        self.alive.append(thread)
        self._meter.running(+1)

    def run(self, thread: SimThread, call: Callable[[], None]) -> None:
        """The life of a thread, which calls the function."""
        thread.wake.acquire()
        try:
            if not self._over:
                call()
        except _Abandoned:
            pass
        except BaseException as error:
            self._error = self._error or error
        if not self._over:
            self.alive.remove(thread)
            self._meter.running(-1)
            self._hand_over()

    def close(self) -> None:
        """End the threads that are left; a second call does nothing."""
        self._over = True
        for thread in self.alive[1:]:
            self._current = thread
            thread.wake.release()
            Thread.join(thread)
        self._current = self._main
        del self.alive[1:]

    def _hand_over(self) -> SimThread:
        """Draw the thread that runs next, and wake it unless it is the current one."""
        before = self._current
        following = self._current = self._main if self._error else self._next()
        if following is not before:
            following.wake.release()  # it runs from here on and owns `_current`
        return following

    def _next(self) -> SimThread:
        try:
            while not (able := [thread for thread in self.alive if thread.until()]):
                self._turn()
                self._passes = 0
            self._passes += 1
            if self._passes > PASSES:
                raise LivelockError(f"{len(able)} threads pass the baton for ever, and the clock stands still")
        except BaseException as error:  # in any thread: the main thread raises it, and the baton is not lost
            self._error = error
            return self._main
        return able[self._choose(len(able))]


class SimThread(Thread):
    """`threading.Thread` of the simulated environment: its predicate, and the semaphore that wakes it."""

    def __init__(self, baton: Baton, **call: Any) -> None:
        super().__init__(daemon=True, **call)
        self._baton = baton
        self.until: Callable[[], bool] = lambda: True
        self.wake = Semaphore(0)

    def start(self) -> None:
        super().start()
        self._baton.started(self)

    def run(self) -> None:
        self._baton.run(self, super().run)

    def join(self, timeout: float | None = None) -> None:
        if self.ident is not None:
            self._baton.wait(lambda: self not in self._baton.alive)
        super().join()


class SimLock(AbstractContextManager[bool]):
    """`threading.Lock` of the simulated environment."""

    def __init__(self, baton: Baton) -> None:
        self._baton = baton
        self._held = False

    def __enter__(self) -> bool:
        self._baton.wait(lambda: not self._held)
        self._held = True
        return True

    def __exit__(self, *error: object) -> None:
        self._held = False


class SimQueue:
    """`queue.SimpleQueue` of the simulated environment."""

    def __init__(self, baton: Baton) -> None:
        self._baton = baton
        self._items: deque[Any] = deque()
        self.put = self._items.append

    def get(self) -> Any:
        self._baton.wait(lambda: bool(self._items))
        return self._items.popleft()
