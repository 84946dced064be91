"""Kernel: the ready queue, the timers, the virtual clock, and loop iterations.  It knows no coroutine.

1.  Time is an int of nanoseconds that moves only by `advance`.  The kernel never sleeps in reality.
2.  The kernel runs in iterations (*turns*), as asyncio does: move the clock if nothing is ready, make due timers
    ready, then run exactly the items that were ready.  Items that become ready meanwhile belong to the next
    iteration, so a task that spins on `sleep(0)` never starves a due timer (KERNEL-1).
3.  Timers are in a heap of (when, number, item).  A timer with nothing left to do (`dead`) is dropped when it reaches
    the top, and never moves the clock; the heap is swept when it has doubled since the last sweep, so its size stays
    within twice the number of live timers.
4.  Two things are drawn from `choices`: the next item (only under order `any`, order.py), and the first of several
    timers of one instant, as no order of these is promised.  Under `any` the second is not drawn if all of them only
    resolve futures, as those of `sleep` do: the first orders the tasks that they wake.  Without choices: first in,
    first out.
5.  A program that cannot continue is observed, not waited for: no ready item and no timer is a deadlock (KERNEL-2);
    iterations without end at one instant are a livelock (KERNEL-3), and so are, with `limits`, those that repeat
    themselves while the clock moves (repetition.py).

Source: CPython documentation, "Event Loop" (call_soon: "callbacks are called in the order in which they are
registered"; stop: the current batch runs, callbacks that it schedules do not), and Lib/asyncio/base_events.py of 3.15.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from heapq import heapify, heappop, heappush
from itertools import chain, count
from operator import itemgetter
from typing import Any

from ..errors import DeadlockError
from ..interfaces import Deadline, Observer, Runnable
from .choices import Choices, Freedom
from .deadlock import deadlock, livelock, restated
from .inject import NOTHING, InjectingQueue, Injection
from .lateness import Lateness
from .limits import RunLimits
from .order import Order, ReadyQueue, any_order

#: Iterations at one instant after which a spinning program is a livelock: seconds of real time, far beyond normal use.
TURNS_MAX = 5_000_000

_due_at = itemgetter(0, 1)
_SWEEP_MIN = 64
_MS = 1_000_000


class Kernel:
    """Ready queue, timers, clock and loop iterations.

    Parameters:
        choices: the source of everything that may vary; None: nothing varies.
        order: `fifo` or `any` (order.py); `any` needs choices.
        observer: receives all events (interfaces.py); None costs one test.
        turns_max: iterations at one instant that make the program a livelock; up to twice as many may pass.
        ready: the ready queue; None: that of the order.  An explorer gives its own, which sees the items that may run.
        inject: cancels, timeouts and late timers (inject.py), which need choices.

    Raises:
        ValueError: an order that is neither; or `any`, or something to inject, without choices.
    """

    __slots__ = (
        "_adopted", "_late", "_lateness", "_numbers", "_sweep_at", "_timers", "choices",
        "current", "idle", "limits", "live", "now", "observer", "ready", "reorders", "stopping", "turns_max",
    )  # fmt: skip

    ready: ReadyQueue

    def __init__(
        self,
        choices: Choices | None = None,
        order: Order = "fifo",
        observer: Observer | None = None,
        turns_max: int = TURNS_MAX,
        ready: ReadyQueue | None = None,
        inject: Injection = NOTHING,
    ) -> None:
        if order not in ("fifo", "any"):
            raise ValueError(f"order must be 'fifo' or 'any', not {order!r}")
        if order == "any":
            if choices is None:
                raise ValueError("order 'any' needs choices: Choices.seeded(n), for instance")
            self.ready = any_order(choices.schedule) if ready is None else ready
        else:
            self.ready = deque() if ready is None else ready
        self.choices = choices
        self.observer = observer
        self.now = 0
        self.current: Any = None  # Any: the Host face; ours or a bridge's task
        self.stopping = False
        self.live: dict[Any, None] = {}  # Any: likewise; tasks that are not done, in order of creation
        self._adopted = 0
        self._numbers = count()
        self._timers: list[tuple[int, int, Runnable]] = []
        self._sweep_at = _SWEEP_MIN
        self.reorders = order == "any"
        self.turns_max = turns_max
        self._late = 0
        self._lateness: Lateness | None = None
        #: Called before the clock moves, and returns whether something is ready now; None: no function is.
        self.idle: Callable[[], bool] | None = None
        #: When to check that the run does not repeat itself (repetition.py), in the place of `turns_max`; None: never.
        self.limits: RunLimits | None = None
        if inject is not NOTHING:
            self._interrupt(inject)
        if observer is not None:
            observer.bind(self)

    def _interrupt(self, inject: Injection) -> None:
        if self.choices is None:
            raise ValueError(f"{inject} needs choices: Choices.seeded(n), for instance")
        self._late = inject.late_ms_max
        if inject.late_freely:
            self._lateness = Lateness(self.choices, __file__)
        if inject.interrupts():
            self.ready = InjectingQueue(self.ready, inject, self.choices, self)

    # --- time --------------------------------------------------------------------------------------------

    def at(self, when: int, target: Runnable) -> None:
        """Make `target` ready at `when` (virtual nanoseconds), or in the next turn if that is past.

        Timers that are past keep the order of their times (LOOP-21).
        """
        timers = self._timers
        if len(timers) >= self._sweep_at:
            self._sweep()
        heappush(timers, (when, next(self._numbers), target))

    def next_event(self) -> int | None:
        """The time of the next timer, in virtual nanoseconds, which may be past; None: no timer is set."""
        timers = self._timers
        while timers and timers[0][2].dead():
            heappop(timers)
        return timers[0][0] if timers else None

    def advance(self, to: int) -> None:
        """Move the clock to `to` (virtual nanoseconds), but not back; the timers due by then become ready."""
        if to > self.now:
            self.now = to
        else:
            to = self.now
        timers = self._timers
        while timers and timers[0][0] <= to:
            when, _, target = heappop(timers)
            if self._lateness is not None and self._is_late(self._lateness, when, target):
                continue
            if self.choices is not None and timers and timers[0][0] == when:
                self._advance_tied(when, target)
            elif not target.dead():
                self._due(when, target)

    def _advance_tied(self, when: int, first: Runnable) -> None:
        """Make several timers of one instant ready, in an order that is drawn, unless the order of their tasks is."""
        timers = self._timers
        tied = [first]
        while timers and timers[0][0] == when:
            target = heappop(timers)[2]
            if self._lateness is None or not self._is_late(self._lateness, when, target):
                tied.append(target)
        tied = [target for target in tied if not target.dead()]
        assert self.choices is not None
        drawn = not (self.reorders and all(target.only_wakes for target in tied))
        while tied:
            self._due(when, tied.pop(self.choices.schedule(len(tied)) if drawn else 0))

    def _is_late(self, lateness: Lateness, when: int, target: Runnable) -> bool:
        """Whether a timer that is due was set for a later time."""
        later = lateness.postponed(when, target, self._timers)
        if later is not None:
            self.at(later, target)
        return later is not None

    def _due(self, when: int, target: Runnable) -> None:
        if self.observer is not None:
            self.observer.timer(when, target)
        self.ready.append(target)

    def timer(self, when: int, target: Runnable) -> None:
        """`at`, for a timer of the program: `choices` may make it late."""
        if self._lateness is None:
            when = self.later(when)
        else:
            self._lateness.add(target, self.now)
        self.at(when, target)

    def later(self, when: int) -> int:
        """The time, in virtual nanoseconds, at which a timer for `when` is due: `choices` may make it late."""
        if self._lateness is not None:
            return self._lateness.of_clock(self.now, when)
        if not self._late:
            if when > self.now and self.choices is not None:
                self.choices.punctual = True
            return when
        assert self.choices is not None
        return max(when, self.now) + self.choices.schedule(self._late + 1) * _MS

    def _move(self) -> None:
        """Move the clock to the next timer.  Raises DeadlockError: there is none."""
        if self.idle is not None and self.idle():
            return
        if (when := self.next_event()) is None:
            raise self.deadlocked()
        self.advance(when)

    def expire_next(self, do: bool) -> bool:
        """Whether a timer that calls back is pending, a timeout as a rule.

        Parameters:
            do: move the clock to the first one, and make it alone ready, as if all else had stalled until then.
        """
        pending = [
            entry
            for entry in self._timers
            if isinstance(entry[2], Deadline)
            and not entry[2].only_wakes
            and not entry[2].dead()
            and (self._lateness is None or entry[2] in self._lateness.free)
        ]
        if pending and do:
            first = min(pending)
            self._timers.remove(first)
            heapify(self._timers)
            self.now = max(self.now, first[0])
            if self._lateness is not None:
                self._lateness.free.pop(first[2], None)
            if self.choices is not None:
                self.choices.tell(Freedom.EXPIRED, first[2])
            self._due(first[0], first[2])
        return bool(pending)

    def _sweep(self) -> None:
        self._timers[:] = [entry for entry in self._timers if not entry[2].dead()]
        heapify(self._timers)
        self._sweep_at = max(_SWEEP_MIN, 2 * len(self._timers))

    # --- loop iterations ---------------------------------------------------------------------------------

    def run_turns(self) -> None:
        """Run iterations until `stopping` is set; finish the iteration that sets it.

        Raises:
            DeadlockError: as `turn`.
            LivelockError: the clock has not moved for `turns_max` iterations (KERNEL-3).
        """
        if self.stopping and not self.ready:  # run the due items, and do not wait (documentation of stop)
            self.advance(self.now)
            if not self.ready:
                return
        turn = self.turn
        begun = self.now
        # Faster than `+= 1` in each iteration, and than to begin with `_bounds`.
        for _ in range(self._bound()):
            turn()
            if self.stopping:
                return
        with closing(self._bounds(begun)) as bounds:
            for bound in bounds:
                for _ in range(bound):
                    turn()
                    if self.stopping:
                        return

    def run_until(self, done: Callable[[], bool]) -> None:
        """Run items, in the iterations of `turn`, until `done()` is true after one of them, or as `run_turns`.

        Raises:
            DeadlockError, LivelockError, KeyboardInterrupt, SystemExit: as `run_turns`.
        """
        ready = self.ready
        step = self.step
        with closing(self._bounds(self.now)) as bounds:
            for bound in chain((self._bound(),), bounds):
                for _ in range(bound):
                    if not ready:
                        self._move()
                    elif self._timers and self._timers[0][0] <= self.now:
                        self.advance(self.now)
                    for _ in range(len(ready)):
                        step()
                        if done():
                            return
                    if self.stopping:
                        return

    def _bound(self) -> int:
        """The number of iterations to run until the first check."""
        return self.turns_max if self.limits is None else self.limits.iterations

    def _bounds(self, begun: int) -> Generator[int]:
        """Check that the run may go on, and yield the number of iterations to run until the next check; and so on.

        Parameters:
            begun: the time before the first iterations.

        Raises:
            LivelockError, UnfinishedError: as repetition.checked, or KERNEL-3.
        """
        while self.limits is None:
            if self.now == begun:
                raise livelock(self.live, self.turns_max)
            begun = self.now
            yield self.turns_max
        from .repetition import checked  # only here: few runs take so many iterations

        try:
            yield from checked(self, self.limits)
        except DeadlockError as error:
            raise restated(error, self.live) from None

    def alive(self) -> Iterable[Any]:  # Any: the Host face
        """The tasks that are not done, in order of creation."""
        return self.live

    def outstanding(self) -> list[Any]:  # Any: items of the ready queue, and a state's view of timers
        """The ready items, and each timer with the time that is left."""
        timers = [entry for entry in sorted(self._timers, key=_due_at) if not entry[2].dead()]
        return [*self.ready, *(part for when, _, item in timers for part in (f"in {when - self.now}", item))]

    def deadlocked(self) -> DeadlockError:
        """The error of a loop that can do nothing more; it names the objects that the tasks wait for."""
        return deadlock(self.live)

    def turn(self) -> None:
        """Run one iteration (KERNEL-1).

        Raises:
            DeadlockError: nothing is ready and no timer is set (KERNEL-2).
            KeyboardInterrupt, SystemExit: from an item; the other ready items stay ready.
        """
        ready = self.ready
        if not ready:
            self._move()
            if not ready:  # the timer that was due is late
                return
        elif self._timers and self._timers[0][0] <= self.now:
            self.advance(self.now)
        left = len(ready)
        if self.observer is not None:
            for _ in range(left):
                self.step()
            return
        # The hot path: `step` without the observer, and with the `try` outside of the loop.
        take = ready.popleft
        while left:
            try:
                while left:
                    left -= 1
                    item = take()
                    context = item.context
                    if context is None:
                        item.run()
                    else:
                        context.run(item.run)
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException as error:
                self._report_item(item, error)
        del item  # an error's frames may lead back to this one: it must not hold the task that failed

    def step(self) -> None:
        """Run one item and notify the observer; a driver of the kernel from outside calls this."""
        item = self.ready.popleft()
        observer = self.observer
        if observer is not None:
            observer.taken(item)
        try:
            if item.context is None:
                item.run()
            else:
                item.context.run(item.run)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            self._report_item(item, error)
        if observer is not None:
            observer.ran(item)
        del item  # as in turn()

    # --- tasks and errors --------------------------------------------------------------------------------

    def adopt(self, task: object) -> int:
        """Register a new task, which `close` ends and a deadlock report names; return its number, from 1."""
        self.live[task] = None
        self._adopted += 1
        return self._adopted

    def release(self, task: object) -> None:
        """Forget a task: it is done."""
        del self.live[task]

    def report(self, what: dict[str, Any]) -> None:  # Any: asyncio's context dict
        """Report an error that cannot be raised to any caller.  Loops with an exception handler override this."""
        raise what["exception"]

    def _report_item(self, item: Runnable, error: BaseException) -> None:
        """Report that a callback has failed; the other callbacks still run (FUT-11)."""
        self.report({"message": f"Exception in callback {item!r}", "exception": error, "handle": item})
