"""The threads of one simulated run: which of them may run, how they wait, and how they end.

1.  A thread that may run is an item of the kernel's ready queue: the schedule picks it as it picks a task's step.
2.  A point is a call of the program's that another thread could come before or after: to take or release a lock, to
    start a thread, to call back.  If something else is ready there, the schedule picks which goes on: the thread (0),
    or another one, or the loop.
3.  Where the loop's own thread blocks, the steps of threads go on in a queue of their own, and the clock moves; no task
    and no callback runs meanwhile.  If no thread can ever wake it, that is a deadlock.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Final, Protocol

from ..errors import DeadlockError, LivelockError, Refusal, UnfinishedError
from ..interfaces import Runnable
from ..sim.baton import BatonThread, ThreadEnded
from ..sim.inject import InjectingQueue, Injection
from ..sim.kernel import Kernel
from ..sim.order import AnyOrder, ReadyQueue, any_order
from ..sim.token import TokenError
from .thread import Awaited, Expiry, ProgramThread, ThreadStep, running_thread

_SECOND: Final = 1_000_000_000
#: The real seconds after which a step of a thread is not simulated: it blocks in a call that nothing has replaced.
_PATIENCE_S: Final = 60.0
#: The real seconds that a thread has after Ctrl-C.
_INTERRUPT_S: Final = 1.0
_BLOCKS: Final = "a call in a thread that takes more than a minute of real time"
_ADVICE: Final = "calls of threading, queue, concurrent.futures and time, which are simulated"


class Resettable(Protocol):
    """A lock that a run may leave locked."""

    def reset(self) -> None:
        """Unlock it: the thread that held it is gone."""


class Threaded(Protocol):
    """A simulated run with threads."""

    refused: BaseException | None

    def deadlocked(self) -> DeadlockError:
        """The error of a run that waits for ever; it names the tasks and threads that are left."""


class ThreadGroup:
    """The threads of a run.

    Parameters:
        kernel: of the run; it is made in the thread that runs the loop.
        run: the run itself.
    """

    def __init__(self, kernel: Kernel, run: Threaded) -> None:
        self.kernel = kernel
        self.run = run
        #: Those that have not ended, in order of creation.
        self.alive: dict[ProgramThread, None] = {}
        #: The locks that its threads hold, by id, each with the thread.
        self.held: dict[int, tuple[Resettable, ProgramThread]] = {}
        #: The thing that the loop's own thread waits for; None: it does not block.
        self.holds: object | None = None
        self._until: Callable[[], bool] = bool
        #: Called at the end of the run.
        self.at_end: list[Callable[[], object]] = []
        self.ending = False
        #: Whether the callback that is being added wakes the loop.
        self.wakes = False
        self._numbers = count(1)
        #: The loop's own thread.
        self.own = BatonThread()
        #: The steps that may run while the loop's own thread blocks; None: it does not.
        self._inner: ReadyQueue | None = None

    def add(self, name: Callable[[], str], function: str, daemon: bool) -> ProgramThread:
        """A new thread, which is not launched yet.

        Raises:
            ThreadEnded: the run has ended.
        """
        if self.ending:
            raise ThreadEnded
        thread = ProgramThread(self, next(self._numbers), name, function, daemon)
        self.alive[thread] = None
        return thread

    def left(self) -> list[ProgramThread]:
        """The threads that are parked in a function of the program's."""
        return [thread for thread in self.alive if thread.suspended_frames()]

    # --- the baton ---------------------------------------------------------------------------------------

    def wake(self, thread: ProgramThread) -> None:
        """Make a thread ready that is parked, unless it is."""
        step = thread.step
        if step is not None and not thread.woken:
            thread.woken = True
            (self.kernel.ready if self._inner is None else self._inner).append(step)

    def wake_all(self, waiters: deque[ProgramThread]) -> None:
        """Make threads ready, and forget them."""
        while waiters:
            self.wake(waiters.popleft())

    def resume(self, thread: ProgramThread, giver: BatonThread | None = None) -> None:
        """Let a thread run, and wait, in `giver` or the loop's own thread, until it is parked or has ended.

        Raises:
            Refusal: that takes too long.
            KeyboardInterrupt: the thread is parked then, or abandoned.
        """
        thread.step = None
        thread.giver = giver = giver or self.own
        try:
            if not giver.pass_to(thread, _PATIENCE_S):
                self._abandon(thread)
                raise self._refused(Refusal(_BLOCKS, _ADVICE))
        except KeyboardInterrupt:
            if not self.own.pass_to(None, _INTERRUPT_S):
                self._abandon(thread)
            raise
        finally:
            if thread.done():
                thread.wait_gone()

    def _abandon(self, thread: ProgramThread) -> None:
        """Leave a thread to itself that runs on; it stops for ever where it next passes the baton."""
        thread.ending = thread.abandoned = True
        thread.over()  # a join, at the end of the process, does not wait for it
        self.own = BatonThread()  # the thread returns the baton to the other one, at which nothing waits

    def _refused(self, error: BaseException) -> BaseException:
        self.run.refused = self.run.refused or error  # the program may catch it
        return error

    # --- points and waits --------------------------------------------------------------------------------

    def point(self) -> None:
        """Draw which goes on here: this thread (0), or another one, or the loop."""
        kernel = self.kernel
        if kernel.choices is None or not kernel.reorders or self.ending:
            return
        thread = running_thread()
        if thread is None:
            while self._inner is None and self.is_ready() and kernel.choices.schedule(2):
                self._hold(lambda: False, None, None, 1)
            return
        queue = self._queue()
        if isinstance(queue, InjectingQueue):
            queue = queue.inner
        if isinstance(queue, AnyOrder) and len(queue):
            thread.at_point(queue.goes_on)
        elif self._inner is not None and self._until():  # the loop's own thread blocks, and may go on
            schedule = kernel.choices.schedule
            thread.at_point(lambda step: not schedule(2))

    def is_ready(self) -> bool:
        """Whether a thread may run."""
        return any(item.is_thread and not item.dead() for item in self.kernel.ready)

    def _queue(self) -> ReadyQueue:
        return self.kernel.ready if self._inner is None else self._inner

    def wait(
        self, waiters: deque[ProgramThread], until: Callable[[], bool], seconds: float | None, thing: object
    ) -> bool:
        """Block this thread until `until()`, or for `seconds`; returns whether it holds.

        Parameters:
            waiters: receives the thread; code that makes `until()` true wakes all in it.
            thing: the thing that it waits for.

        Raises:
            DeadlockError: the loop's own thread would wait for ever.
            ThreadEnded: the run has ended.
        """
        due = None if seconds is None else self.kernel.now + max(0, round(seconds * _SECOND))
        thread = running_thread()
        if thread is None:
            return self._hold(until, due, thing)
        thread.waits_for = Awaited(thread, thing)
        while not until():
            step = ThreadStep(thread) if due is None else Expiry(thread, due)
            if due is not None and not thread.ending:
                self.kernel.timer(due, step)
            waiters.append(thread)
            try:
                thread.park(step)
            finally:
                if thread in waiters:
                    waiters.remove(thread)
            if not thread.woken:  # the timer has resumed it
                break
        thread.waits_for = None
        return until()

    def sleep(self, seconds: float) -> None:
        """Let the time pass; others go on."""
        due = self.kernel.now + round(seconds * _SECOND)
        thread = running_thread()
        if thread is None:
            self._hold(lambda: False, due, None)
            return
        thread.check()
        step = ThreadStep(thread)
        self.kernel.timer(due, step)
        thread.park(step)

    def _hold(self, until: Callable[[], bool], due: int | None, thing: object, most: int | None = None) -> bool:
        """The loop's own thread blocks: run the steps of threads until `until()`, or it is `due`; returns `until()`.

        Parameters:
            most: the most steps; None: as many as it takes.
        """
        kernel, steps = self.kernel, 0
        outer, self.holds = (self._inner, self._until), thing
        reorders = kernel.reorders and kernel.choices is not None
        inner: ReadyQueue = any_order(kernel.choices.schedule) if reorders and kernel.choices else deque()
        self._inner, self._until = inner, until
        if kernel.choices is not None:
            kernel.choices.holds()
        try:
            while steps != most and not until():
                if due is not None and kernel.now >= due:
                    break
                self._take_ready(inner)
                if len(inner):
                    self._step(inner.popleft())
                    steps += 1
                    self._limit(steps)
                elif not self._wait_for_timer(due):
                    raise self._refused(self.run.deadlocked())
        finally:
            (self._inner, self._until), self.holds = outer, None
            kernel.ready.extend(inner)
            if kernel.choices is not None:
                kernel.choices.goes_on()
        return until()

    def _take_ready(self, inner: ReadyQueue) -> None:
        """Take over the threads that are ready; their steps in the kernel's queue, which counts them, are dead then."""
        for item in list(self.kernel.ready):
            if isinstance(item, ThreadStep) and not item.dead():
                item.task.step = ThreadStep(item.task)
                inner.append(item.task.step)

    def _step(self, item: Runnable) -> None:
        observer = self.kernel.observer
        if observer is not None:
            observer.taken(item)
        item.run()
        if observer is not None:
            observer.ran(item)

    def _wait_for_timer(self, due: int | None) -> bool:
        """Move the clock to the next timer, or to `due`; returns False if no thread can ever run."""
        times = [when for when in (self.kernel.next_event() if self.alive else None, due) if when is not None]
        if times:
            self.kernel.advance(min(times))
        return bool(times)

    def _limit(self, steps: int) -> None:
        limits = self.kernel.limits
        if limits is not None and steps >= limits.most:
            raise self._refused(UnfinishedError(f"not ended after {steps:,} steps of threads"))
        if limits is None and steps >= self.kernel.turns_max:
            raise self._refused(LivelockError(f"{steps:,} steps of threads have run while the loop's own waits"))

    # --- the end -----------------------------------------------------------------------------------------

    def finish(self, steps: int) -> None:
        """After the program: let the threads that are no daemons end, in at most so many steps, as CPython does."""

        def over() -> bool:
            return all(thread.daemon for thread in self.alive)

        try:
            self._hold(over, None, None, steps)
        except DeadlockError:
            pass

    def end(self) -> Refusal | None:
        """Unwind the threads that are left, in order of creation; returns a refusal if one does not end."""
        self.ending = True
        stubborn = ""
        for thread in list(self.alive):
            thread.ending = True
            self.resume(thread)
            if thread.abandoned:
                stubborn = stubborn or thread.get_name()
        for lock, thread in list(self.held.values()):
            if thread.done() or thread.abandoned:
                lock.reset()
        self.held.clear()
        for call in self.at_end:
            call()
        if not stubborn:
            return None
        return Refusal(
            f"a thread that catches each error, and goes on ({stubborn})", "except Exception, which lets it end"
        )


class RunThreads:
    """The part of a simulated run that has its threads."""

    kernel: Kernel
    #: The threads of the run; None: it has started none, and no wait for one.
    threads: ThreadGroup | None = None
    #: The first thing that the run used and that cannot be simulated.
    refused: BaseException | None

    def deadlocked(self) -> DeadlockError:
        """The error of a run that waits for ever; it names the tasks and threads that are left."""
        raise NotImplementedError

    def group(self) -> ThreadGroup:
        """The threads of the run, if it had none before."""
        if self.threads is None:
            self.threads = ThreadGroup(self.kernel, self)
            self._counts = Counter[str]()
            if self.kernel.choices is not None:
                self.kernel.choices.threads = True
        return self.threads

    def count(self, kind: str) -> int:
        """The next number of that kind in the names of threads, as the standard library counts in a new process."""
        self.group()
        self._counts[kind] += 1
        return self._counts[kind] - (kind == "pool")

    def thread_failed(self, thread: threading.Thread, report: Callable[[], object]) -> None:
        """A thread has ended by an error, which a search notes; `report` prints it, as the standard library does."""
        failed = running_thread()
        if self.kernel.limits is not None and failed is not None:
            self.kernel.limits.note({"handle": thread, "exception": failed.error})
        if not logging.getLogger("asyncio").disabled:  # as for a callback
            report()


# --- preemption: accesses of shared state as points ------------------------------------------------------------------

#: Whether the program was rewritten for it.
_rewritten: list[None] = []


@contextmanager
def preempting() -> Iterator[None]:
    """Within the block, the program has such points."""
    _rewritten.append(None)
    try:
        yield
    finally:
        _rewritten.pop()


def check_preemption(inject: Injection) -> None:
    """Raise TokenError if a run needs such points, and the program has none."""
    if inject.preempt and not _rewritten:
        raise TokenError("the token is of a run with --preempt: loopspec explore repeats it")
