"""Teaching code: threads of the simulated world, real ones of which one runs at a time, in an order that is drawn.

Theory of operation.
1.  A thread runs until it blocks: it says what it waits for, a predicate, and passes the baton.  Of all threads whose
    predicate holds, itself included, the choices name the one that goes on; so the same choices give the same run,
    although the threads are the operating system's.
2.  If none can go on, the world runs one turn of its loop: there the clock moves, bytes arrive, predicates come true.
    If the loop cannot either, the program can never go on: the DeadlockError is raised in the main thread.  So is a
    LivelockError when threads pass the baton for ever and the clock never moves.
3.  What a thread raises is raised in the main thread, where that waits.  In the real world it would be printed, and
    the main thread might wait for ever; here it is to be seen.
4.  At the end of the world the threads that are left are woken with an error that ends them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

from ..errors import LivelockError
from ..sim.choices import Choose
from .world import Meter

#: So often the baton may be passed on without the world doing anything.
PASSES: Final = 1_000_000


class _Abandoned(BaseException):
    """The world is over: a thread that still waits ends by this."""


class Baton:
    """The threads of one world; the one that makes it is the main thread.

    `turn` runs one turn of the world's loop, or raises DeadlockError; `choose` draws who goes on.
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
        """Let others run until `until()` holds and it is this thread's turn again.

        Raises:
            DeadlockError: that can never be (in the main thread).
            RuntimeError: the world is closed.
        """
        me = self._current
        if self._over:
            raise RuntimeError("this world is closed") if me is self._main else _Abandoned
        me.until = until
        self._pass_on(me)

    def start(self, target: Callable[..., object], args: tuple[Any, ...]) -> Callable[[], bool]:
        """A new thread, which runs when it is its turn; returns whether it has ended."""
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
        """Whoever's turn it is goes on, and this thread when it is its turn again."""
        if self._hand_over() is not me:
            me.wake.acquire()
        if self._over:
            raise _Abandoned
        if self._error is not None and me is self._main:
            error, self._error = self._error, None
            raise error

    def _hand_over(self) -> _Runner:
        """Draw who goes on, and wake him, unless he is awake."""
        before = self._current
        following = self._current = self._main if self._error else self._next()
        if following is not before:
            following.wake.release()  # from here on it runs, and `_current` is its affair
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
        except BaseException as error:  # whichever thread has met it, and lest the baton be lost
            self._error = error
            return self._main
        return able[self._choose(len(able))]


class _Runner:
    """One thread: what it waits for, and how it is woken."""

    def __init__(self, thread: threading.Thread) -> None:
        self.thread = thread
        self.until: Callable[[], bool] = lambda: True
        self.wake = threading.Semaphore(0)
