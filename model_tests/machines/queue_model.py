"""A queue and its tasks, sequentially: plain data that says after every operation who is done and with what.

Theory of operation.  Each job is one task that does one `put`, `get` or `join`.  A job that is created, woken
or cancelled stands in `ready` and takes its step in the next turn; nobody runs inside another's operation.

1.  Who cannot go on joins the end of its line; an operation that makes room, or brings an item, wakes the
    oldest of the line (QUEUE-3).  A wake-up promises nothing: who finds the place taken waits again, at the
    end (QUEUE-4).
2.  Cancelling a job that waits takes it out of its line; a job that is ready already is told at its step.
    Who had been woken by then hands the wake-up on, if there is something to wake for (QUEUE-5).
3.  A job that is cancelled before its first step does nothing at all (CANCEL-4).
4.  `join` is released at the moment at which the count reaches zero, however much is put until it runs
    (QUEUE-6); who joins later waits for the next zero (QUEUE-7).

Source: CPython documentation of 3.13, "Queues"; the order of the lines is settled by Lib/asyncio/queues.py.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from enum import Enum

from .outcomes import Cancelled, Outcome, Returned


class Op(Enum):
    """What a job does."""

    PUT = "put"
    GET = "get"
    JOIN = "join"


class Place(Enum):
    """How far a job is."""

    NEW = "scheduled, not begun"
    WAITING = "in its line"
    WOKEN = "taken out of its line, to go on"
    LEAVING = "taken out of its line, to be cancelled"
    OVER = "done"


@dataclass
class Job:
    """One task; `item` is what it puts."""

    op: Op
    item: int = 0
    place: Place = Place.NEW
    asked: bool = False  # a cancel came while it was ready, and is told at its step
    outcome: Outcome | None = None


@dataclass
class QueueModel:
    """`maxsize` <= 0: unbounded.  Jobs are known by their place in `jobs`."""

    maxsize: int
    items: deque[int] = field(default_factory=deque)
    unfinished: int = 0
    jobs: list[Job] = field(default_factory=list)
    ready: list[int] = field(default_factory=list)
    lines: dict[Op, deque[int]] = field(default_factory=lambda: {op: deque() for op in Op})

    # --- operations from outside ---------------------------------------------------------------------------

    def full(self) -> bool:
        return 0 < self.maxsize <= len(self.items)

    def alive(self) -> list[int]:
        return [number for number, job in enumerate(self.jobs) if job.outcome is None]

    def start(self, op: Op, item: int = 0) -> int:
        """A new task that does `op`: its number."""
        self.jobs.append(Job(op, item))
        self.ready.append(len(self.jobs) - 1)
        return len(self.jobs) - 1

    def put_nowait(self, item: int) -> bool:
        """False: the queue is full, nothing changed."""
        if self.full():
            return False
        self.items.append(item)
        self.unfinished += 1
        self._wake(Op.GET)
        return True

    def get_nowait(self) -> int | None:
        """None: the queue is empty, nothing changed."""
        if not self.items:
            return None
        item = self.items.popleft()
        self._wake(Op.PUT)
        return item

    def task_done(self) -> bool:
        """False: one too many, nothing changed (QUEUE-8)."""
        if self.unfinished == 0:
            return False
        self.unfinished -= 1
        if self.unfinished == 0:
            while self.lines[Op.JOIN]:
                self._wake(Op.JOIN)
        return True

    def cancel(self, number: int) -> bool:
        """Ask a job to stop; False: it is over."""
        job = self.jobs[number]
        if job.place is Place.OVER:
            return False
        if job.place is Place.WAITING:
            self.lines[job.op].remove(number)
            job.place = Place.LEAVING
            self.ready.append(number)
        else:
            job.asked = True
        return True

    def turn(self) -> None:
        """All that is ready now takes its step."""
        batch, self.ready = self.ready, []
        for number in batch:
            self._step(number)

    # --- inside --------------------------------------------------------------------------------------------

    def _wake(self, op: Op) -> None:
        """The oldest of the line may go on."""
        if self.lines[op]:
            number = self.lines[op].popleft()
            self.jobs[number].place = Place.WOKEN
            self.ready.append(number)

    def _step(self, number: int) -> None:
        job = self.jobs[number]
        woken = job.place is Place.WOKEN
        if job.asked or job.place is Place.LEAVING:
            job.outcome = Cancelled()
            if woken:
                self._hand_on(job.op)
        else:
            job.outcome = self._attempt(job, woken)
        if job.outcome is not None:
            job.place = Place.OVER
        else:
            job.place = Place.WAITING
            self.lines[job.op].append(number)

    def _attempt(self, job: Job, woken: bool) -> Outcome | None:
        """Do it; None: it has to wait."""
        if job.op is Op.PUT:
            return Returned() if self.put_nowait(job.item) else None
        if job.op is Op.GET:
            item = self.get_nowait()
            return None if item is None else Returned(item)
        return Returned() if woken or self.unfinished == 0 else None

    def _hand_on(self, op: Op) -> None:
        """Someone who was woken does not go on: is there a reason to wake the next?"""
        if (op is Op.GET and self.items) or (op is Op.PUT and not self.full()):
            self._wake(op)
