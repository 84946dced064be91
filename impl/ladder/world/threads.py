"""Teaching code: threads of the simulated environment: one runs at a time, in an order that is drawn.

1.  A thread runs until it blocks.  Then it registers a predicate and passes the baton (sim/baton.py) to one of the
    threads with a true predicate, itself included.  The choices select it, so the same choices give the same run.
2.  If no predicate holds, the environment runs one iteration of its loop: the clock moves, bytes arrive, predicates
    become true.  If the loop has nothing to run either, a DeadlockError is raised in the main thread; so is a
    LivelockError when threads pass the baton for ever while the clock stands still.
3.  An error in a thread is raised in the main thread, where that waits, instead of being printed.

Any, throughout: the arguments of a thread and the items of a queue, as in the standard library.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Final

from ...errors import LivelockError
from ...sim.baton import BatonThread
from ...sim.choices import Choose
from .meter import Meter

#: How often the baton may be passed without an iteration of the loop.
PASSES: Final = 1_000_000


class Scheduler:
    """The threads of one environment; the thread that creates it is the main thread.

    `turn` runs one iteration of the loop, or raises DeadlockError; `choose` draws the thread that runs next.
    """

    def __init__(self, turn: Callable[[], None], choose: Choose, meter: Meter) -> None:
        self._turn = turn
        self._choose = choose
        self.meter = meter
        self.main = self._current = BatonThread()
        #: The predicates of the threads that have not ended; empty: the environment is closed.
        self.alive: dict[BatonThread, Callable[[], bool]] = {self.main: lambda: True}
        self._passes = 0
        self.error: BaseException | None = None

    def wait(self, until: Callable[[], bool]) -> None:
        """Let other threads run until `until()` holds and the choices select this thread again.

        Raises:
            DeadlockError: that can never happen (in the main thread).
            RuntimeError: the environment is closed.
        """
        if not self.alive:
            raise RuntimeError("this environment is closed")
        me = self._current
        me.check()
        self.alive[me] = until
        if (following := self.draw()) is not me:
            me.pass_to(following)
        if me is self.main and self.error is not None:
            error, self.error = self.error, None
            raise error

    def close(self) -> None:
        """End the threads that are left; a second call does nothing."""
        for thread in list(self.alive)[1:]:
            self._current = thread
            thread.ending = True
            self.main.pass_to(thread)
            if thread.done():
                thread.wait_gone()
        self._current = self.main
        self.alive.clear()

    def draw(self) -> BatonThread:
        """The thread that runs next: the main thread, if it has an error to raise."""
        able: list[BatonThread] = []
        try:
            while not self.error and not (able := [thread for thread, until in self.alive.items() if until()]):
                self._turn()
                self._passes = 0
            self._passes += 1
            if self._passes > PASSES:
                raise LivelockError(f"{len(able)} threads pass the baton for ever, and the clock stands still")
        except BaseException as error:  # in any thread: the main thread raises it, and the baton is not lost
            self.error = error
        self._current = self.main if self.error else able[self._choose(len(able))]
        return self._current


class SimThread(BatonThread):
    """`threading.Thread` of the simulated environment."""

    def __init__(self, scheduler: Scheduler, target: Callable[..., object], *args: Any) -> None:
        super().__init__()
        self._scheduler = scheduler
        self._call = partial(target, *args)

    def start(self) -> None:
        """It runs when it is selected."""
        if self in self._scheduler.alive or self.done():
            raise RuntimeError("threads can only be started once")
        self.spawn(self._run)
        self._scheduler.alive[self] = lambda: True
        self._scheduler.meter.running(+1)

    def _run(self) -> None:
        try:
            self._call()
        except Exception as error:
            self._scheduler.error = self._scheduler.error or error

    def over(self) -> BatonThread:
        del self._scheduler.alive[self]
        self._scheduler.meter.running(-1)
        return self._scheduler.main if self.ending else self._scheduler.draw()

    def join(self) -> None:
        if self not in self._scheduler.alive and not self.done():
            raise RuntimeError("cannot join thread before it is started")
        self._scheduler.wait(self.done)
        self.wait_gone()


class SimLock(AbstractContextManager[bool]):
    """`threading.Lock` of the simulated environment."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._held = False

    def __enter__(self) -> bool:
        self._scheduler.wait(lambda: not self._held)
        self._held = True
        return True

    def __exit__(self, *error: object) -> None:
        self._held = False


class SimQueue:
    """`queue.SimpleQueue` of the simulated environment."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._items: deque[Any] = deque()
        self.put = self._items.append

    def get(self) -> Any:
        self._scheduler.wait(lambda: bool(self._items))
        return self._items.popleft()
