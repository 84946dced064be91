"""Teaching code: threads of the simulated world, real ones of which one runs at a time, in an order that is drawn.

Theory of operation.
1.  A thread runs until it blocks: it says what it waits for, a predicate, and passes the baton.  Of all threads whose
    predicate holds, itself included, the choices name the one that goes on; so the same choices give the same run,
    although the threads are the operating system's.
2.  If none can go on, the world runs one turn of its loop: there the clock moves, bytes arrive, predicates come true.
    If the loop cannot either, the program can never go on: the DeadlockError is raised in the main thread.
3.  At the end of the world the threads that are left are woken with an error that ends them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ..choices import Choose
from ..errors import DeadlockError
from .world import Meter


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
        self._main = self._current = _Runner()
        self._runners = [self._main]
        self._error: BaseException | None = None
        self._over = False

    def wait(self, until: Callable[[], bool]) -> None:
        """Let others run until `until()` holds and it is this thread's turn again.

        Raises:
            DeadlockError: that can never be (in the main thread).
        """
        me = self._current
        me.until = until
        self._pass_on(me)

    def start(self, target: Callable[..., object], args: tuple[Any, ...]) -> Callable[[], bool]:
        """A new thread, which runs when it is its turn; returns whether it has ended."""
        runner = _Runner()
        self._runners.append(runner)
        self._meter.threads = max(self._meter.threads, len(self._runners) - 1)
        threading.Thread(target=self._run, args=(runner, target, args), daemon=True).start()
        return lambda: runner not in self._runners

    def close(self) -> None:
        """End the threads that are left."""
        self._over = True
        for runner in self._runners[1:]:
            runner.wake.release()
            runner.ended.acquire()

    def _run(self, runner: _Runner, target: Callable[..., object], args: tuple[Any, ...]) -> None:
        runner.wake.acquire()
        try:
            if not self._over:
                target(*args)
        except _Abandoned:
            pass
        except (
            BaseException
        ) as error:  # a thread's error is its own affair in the real world, not in a lesson
            self._error = self._error or error
        finally:
            runner.ended.release()
            if not self._over:
                self._runners.remove(runner)
                self._pass_on(runner, leaving=True)

    def _pass_on(self, me: _Runner, *, leaving: bool = False) -> None:
        following = self._main if self._error else self._next()
        if following is not me:
            self._current = following
            following.wake.release()
            if leaving:
                return
            me.wake.acquire()
        if self._over:
            raise _Abandoned
        if self._error is not None and me is self._main:
            error, self._error = self._error, None
            raise error

    def _next(self) -> _Runner:
        try:
            while not (able := [runner for runner in self._runners if runner.until()]):
                self._turn()
        except DeadlockError as error:
            self._error = error
            return self._main
        return able[self._choose(len(able))]


class _Runner:
    """One thread: what it waits for, and how it is woken."""

    def __init__(self) -> None:
        self.until: Callable[[], bool] = lambda: True
        self.wake = threading.Semaphore(0)
        self.ended = threading.Semaphore(0)
