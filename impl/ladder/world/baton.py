"""Teaching code: threads of the simulated environment: one real thread runs at a time, in an order that is drawn.

1.  A thread runs until it blocks.  Then it registers a predicate and passes the baton.  The choices select one of the
    threads whose predicate holds, itself included; so the same choices give the same run.
2.  If no predicate holds, the environment runs one iteration of its loop: the clock moves, bytes arrive, predicates
    become true.  If the loop has nothing to run either, a DeadlockError is raised in the main thread; so is a
    LivelockError when threads pass the baton for ever while the clock stands still.
3.  An error in a thread is raised in the main thread, where that waits, instead of being printed.
4.  When the environment is closed, the threads that are left end by an error.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

from ...errors import LivelockError
from ...sim.choices import Choose
from .interfaces import Meter

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
        self._main = self._current = _Runner(threading.current_thread())
        self._runners = [self._main]
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
        self._pass_on(me)

    def alone(self) -> bool:
        """Return whether the main thread runs and there is no other, so `wait` would let nothing but the clock move.

        The caller then moves the clock itself, as an iteration of the loop would.
        """
        if len(self._runners) > 1 or self._over or self._error is not None:
            return False
        self._passes = 0
        return True

    def start(self, target: Callable[..., object], args: tuple[Any, ...]) -> Callable[[], bool]:
        """Start a thread, which runs when it is selected; returns a function that says whether it has ended."""
        runner = _Runner(threading.Thread(target=lambda: self._run(runner, target, args), daemon=True))
        runner.thread.start()
        self._runners.append(runner)
        self._meter.threads = max(self._meter.threads, len(self._runners) - 1)
        return lambda: runner not in self._runners

    def close(self) -> None:
        """End the threads that are left; a second call does nothing."""
        self._over = True
        for runner in self._runners[1:]:
            self._current = runner
            runner.wake.release()
            runner.thread.join()
        self._current = self._main
        del self._runners[1:]

    def _run(self, runner: _Runner, target: Callable[..., object], args: tuple[Any, ...]) -> None:
        runner.wake.acquire()
        try:
            if not self._over:
                target(*args)
        except _Abandoned:
            pass
        except BaseException as error:
            self._error = self._error or error
        if not self._over:
            self._runners.remove(runner)
            self._hand_over()

    def _pass_on(self, me: _Runner) -> None:
        """Hand the baton over, and return when this thread is selected again."""
        if self._hand_over() is not me:
            me.wake.acquire()
        if self._over:
            raise _Abandoned
        if self._error is not None and me is self._main:
            error, self._error = self._error, None
            raise error

    def _hand_over(self) -> _Runner:
        """Draw the thread that runs next, and wake it unless it is the current one."""
        before = self._current
        following = self._current = self._main if self._error else self._next()
        if following is not before:
            following.wake.release()  # it runs from here on and owns `_current`
        return following

    def _next(self) -> _Runner:
        try:
            while not (able := [runner for runner in self._runners if runner.until()]):
                self._turn()
                self._passes = 0
            self._passes += 1
            if self._passes > PASSES:
                raise LivelockError(
                    f"{len(able)} threads pass the baton for ever, and the clock stands still"
                )
        except BaseException as error:  # in any thread: the main thread raises it, and the baton is not lost
            self._error = error
            return self._main
        return able[self._choose(len(able))]


class _Runner:
    """A thread, its predicate, and the semaphore that wakes it."""

    def __init__(self, thread: threading.Thread) -> None:
        self.thread = thread
        self.until: Callable[[], bool] = lambda: True
        self.wake = threading.Semaphore(0)
