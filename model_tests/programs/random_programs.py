"""Random asynchronous programs, as data: whoever holds the same data holds the same program.

Theory of operation.
1.  `program(choose)` draws a `Program`: a tree of frozen operations.  `choose` is a lane of `Choices`: a seed gives
    programs in bulk; a list of small numbers gives one that Hypothesis can shrink (an exhausted list answers 0, and
    0 is always the smallest: an empty body, the first future, one turn).
2.  Every program comes to rest: bodies have no loops.  It may rest with tasks that wait for ever; that is an
    observation, not an error.  No task awaits but its own children, so no cycle of awaits can arise: asyncio
    parks such a cycle for ever and breaks on cancelling it, ours refuses it (AWAIT-1).
3.  No two timers that wait at the same time are due at the same instant, because no runtime promises an order of
    those.  The k-th timer's delay is a multiple of 2**TIMERS_MAX milliseconds and 2**k more.  A deadline is a sum
    of delays of different timers, so its low bits name them; if two timers' deadlines named the same, each would
    have fired before the other was set.
4.  `call_later(0)` stands beside spinners on `sleep(0)`: a due timer joins the ready queue behind what was ready
    when the turn began (Lib/asyncio/base_events.py, `_run_once`).  Two of them set in one turn would be a tie, so
    only the root sets them, and gives up its turn before it can set the next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

TIMERS_MAX: Final = 16
_DEPTH_MAX: Final = 3


@dataclass(frozen=True, slots=True)
class Pause:
    """`sleep(0)`, so many times: a spinner."""

    turns: int


@dataclass(frozen=True, slots=True)
class Sleep:
    ms: int


@dataclass(frozen=True, slots=True)
class CallSoon:
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class CallLater:
    ms: int
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class CallAtOnce:
    """`call_later(0)`, then one `sleep(0)`."""

    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class Await:
    future: int


@dataclass(frozen=True, slots=True)
class Resolve:
    """`set_result`, or `set_exception`."""

    future: int
    fails: bool


@dataclass(frozen=True, slots=True)
class CancelFuture:
    future: int


@dataclass(frozen=True, slots=True)
class AddCallback:
    """`add_done_callback` on a future, or, counted on after the futures, on a task."""

    cell: int
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class Put:
    queue: int


@dataclass(frozen=True, slots=True)
class Get:
    queue: int


@dataclass(frozen=True, slots=True)
class Join:
    queue: int


@dataclass(frozen=True, slots=True)
class PutNowait:
    queue: int


@dataclass(frozen=True, slots=True)
class GetNowait:
    queue: int


@dataclass(frozen=True, slots=True)
class TaskDone:
    queue: int


@dataclass(frozen=True, slots=True)
class CancelTask:
    """Cancel the n-th of the tasks that there are, counted round; possibly oneself."""

    task: int


@dataclass(frozen=True, slots=True)
class Uncancel:
    """`uncancel` of the task itself."""


@dataclass(frozen=True, slots=True)
class Spawn:
    body: tuple[Op, ...]


@dataclass(frozen=True, slots=True)
class AwaitChild:
    """Await the n-th of one's own children, counted round, if there are any."""

    child: int


@dataclass(frozen=True, slots=True)
class Raise:
    """End with an error: the task, or the callback."""


@dataclass(frozen=True, slots=True)
class Swallow:
    """`try: body`, `except CancelledError: pass`."""

    body: tuple[Op, ...]


@dataclass(frozen=True, slots=True)
class Finally:
    """`try: body`, `finally: cleanup`."""

    body: tuple[Op, ...]
    cleanup: tuple[Op, ...]


#: What a plain callback can do too: nothing of it waits.
Act = Resolve | CancelFuture | AddCallback | PutNowait | GetNowait | TaskDone | CancelTask | CallSoon | Raise
Op = (
    Act
    | Pause
    | Sleep
    | CallLater
    | CallAtOnce
    | Await
    | Put
    | Get
    | Join
    | Uncancel
    | Spawn
    | AwaitChild
    | Swallow
    | Finally
)


@dataclass(frozen=True, slots=True)
class Program:
    """`futures` futures, queues of these sizes, and the body of the root task."""

    futures: int
    queues: tuple[int, ...]
    body: tuple[Op, ...]


def program(choose: Callable[[int], int], *, uncancel: bool) -> Program:
    """Draw a program; `uncancel` says whether it may contain that operation."""
    return _Draft(choose, uncancel).program()


class _Draft:
    """A program in the making.  No choice is wider than 8, so that lists of small numbers reach everything."""

    def __init__(self, choose: Callable[[int], int], uncancel: bool) -> None:
        self.choose = choose
        self.uncancel = uncancel
        self.timers = 0

    def program(self) -> Program:
        self.futures = 1 + self.choose(4)
        self.queues = tuple(self.choose(3) for _ in range(1 + self.choose(2)))
        tasks = tuple(Spawn(self.body(1)) for _ in range(self.choose(5)))
        return Program(self.futures, self.queues, (*self.crowd(), *tasks, *self.body(0)))

    def crowd(self) -> tuple[Op, ...]:
        """Tasks that all wait at the first queue, most of them alike, so that lines of waiters form."""
        kind = (Get, Put, Join)[self.choose(3)]
        put = tuple(PutNowait(0) for _ in range(self.choose(3)))
        waits = tuple(Spawn((kind(0), *self.body(2))) for _ in range(self.choose(4)))
        return (*put, *waits, *(Pause(1) for _ in range(self.choose(2))))

    def body(self, depth: int) -> tuple[Op, ...]:
        return tuple(self.op(depth) for _ in range(self.choose(7)))

    def op(self, depth: int) -> Op:
        families: tuple[Callable[[int], Op], ...] = (
            self.turns,
            self.futures_,
            self.queue_waits,
            self.cancels,
            self.time,
            self.tasks,
            self.blocks,
            self.windows,
        )
        return families[self.choose(len(families))](depth)

    def turns(self, depth: int) -> Op:
        if depth == 0 and self.choose(2):
            return CallAtOnce(self.acts())
        return Pause(1 + self.choose(4))

    def futures_(self, depth: int) -> Op:
        kind = self.choose(5)
        return Resolve(self.future(), self.choose(2) == 1) if kind == 4 else Await(self.future())

    def queue_waits(self, depth: int) -> Op:
        return (Get, Put, Join, Put, Get)[self.choose(5)](self.queue())

    def cancels(self, depth: int) -> Op:
        if self.uncancel and self.choose(4) == 3:
            return Uncancel()
        return CancelTask(self.choose(8))

    def time(self, depth: int) -> Op:
        kind = self.choose(2)
        if self.timers == TIMERS_MAX:
            return Pause(1)
        ms = (self.choose(4) << TIMERS_MAX) + (1 << self.timers)
        self.timers += 1
        return CallLater(ms, self.acts()) if kind else Sleep(ms)

    def tasks(self, depth: int) -> Op:
        kind = self.choose(4)
        if kind == 3:
            return Raise()
        if kind == 2 or depth == _DEPTH_MAX:
            return AwaitChild(self.choose(3))
        return Spawn(self.body(depth + 1))

    def blocks(self, depth: int) -> Op:
        if depth == _DEPTH_MAX:
            return Pause(1)
        # Of a task deeper down: the root alone may set timers of delay 0, in a block too.
        inner = depth if depth == 0 and self.choose(2) else depth + 1
        if self.choose(2):
            return Finally(self.body(inner), self.body(_DEPTH_MAX))
        return Swallow(self.body(inner))

    def windows(self, depth: int) -> Op:
        """Any act; or, in one turn, a hand-over and a cancel, which may land between wake-up and run."""
        if self.choose(2):
            return self.act(0)
        hand_over = (PutNowait, GetNowait, TaskDone)[self.choose(3)](self.choose(2) % len(self.queues))
        return CallSoon((hand_over, CancelTask(self.choose(8))))

    def acts(self) -> tuple[Act, ...]:
        return tuple(self.act(1) for _ in range(self.choose(3)))

    def act(self, depth: int) -> Act:
        kind = self.choose(8)
        if kind == 0:
            return Resolve(self.future(), self.choose(2) == 1)
        if kind == 1:
            return PutNowait(self.queue())
        if kind == 2:
            return GetNowait(self.queue())
        if kind == 3:
            return TaskDone(self.queue())
        if kind == 4:
            return CancelTask(self.choose(8))
        if kind == 5:
            return CancelFuture(self.future())
        if depth > 1:
            return Raise()
        inner = tuple(self.act(2) for _ in range(self.choose(3)))
        return CallSoon(inner) if kind == 6 else AddCallback(self.choose(8), inner)

    def future(self) -> int:
        return self.choose(self.futures)

    def queue(self) -> int:
        return self.choose(len(self.queues))
