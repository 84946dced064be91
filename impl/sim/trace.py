"""The trace of a run: typed events with canonical names, and their SHA-256.

Theory of operation.
1.  `Recorder` is an observer: objects announce themselves, and it turns that into events.
2.  Names are canonical: (creator's name, n-th thing that it created), as a tuple of ints; what no task created
    has a name of one number.  They depend on neither addresses, nor hashes, nor counters that another run in the
    same process has moved: so equal programs under equal choices have equal traces, on every Python.
3.  The digest is taken event by event, values of the program left out (their repr may hold an address); bytes on
    a connection go in whole.  `keep=False` keeps the digest only.

A connection is named at its ends' opening, so a trace tells which task dialled.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple
from weakref import WeakKeyDictionary, WeakSet

from ..interfaces import Item, Observer, Runnable, Watched
from ..tasks.future import Future
from ..tasks.task import Task

#: The canonical name of a task, future, queue or connection.
Name = tuple[int, ...]


class TaskCreated(NamedTuple):
    time: int  # here and below: virtual nanoseconds
    task: Name


class TaskResumed(NamedTuple):
    time: int
    task: Name


class TaskParked(NamedTuple):
    """The task waits for `on`; `on` is None after a bare yield: it is ready again."""

    time: int
    task: Name
    on: Name | None


class TaskFinished(NamedTuple):
    """`how`: result, exception, cancelled."""

    time: int
    task: Name
    how: str


class CancelRequested(NamedTuple):
    time: int
    task: Name


class CancelDelivered(NamedTuple):
    time: int
    task: Name


class FutureResolved(NamedTuple):
    """`how`: result, exception, cancelled."""

    time: int
    future: Name
    how: str


class QueueItem(NamedTuple):
    """`what`: put, got, done."""

    time: int
    queue: Name
    what: str


class TimerFired(NamedTuple):
    """`due` is when it was to fire; `time` may be later."""

    time: int
    due: int


class ConnOpened(NamedTuple):
    """`local` and `remote` are "host:port"."""

    time: int
    conn: Name
    local: str
    remote: str


class ConnBytes(NamedTuple):
    """`size` bytes arrived; `sha256` is theirs, in hexadecimal."""

    time: int
    conn: Name
    size: int
    sha256: str


class ConnClosed(NamedTuple):
    """`how`: eof, close, reset."""

    time: int
    conn: Name
    how: str


Event = (
    TaskCreated
    | TaskResumed
    | TaskParked
    | TaskFinished
    | CancelRequested
    | CancelDelivered
    | FutureResolved
    | QueueItem
    | TimerFired
    | ConnOpened
    | ConnBytes
    | ConnClosed
)


class Recorder(Observer):
    """Records the run of one loop: `Loop(observer=recorder)`.

    Parameters:
        keep: whether `events` keeps them all; the digest and `count` need none of them.
    """

    __slots__ = ("_asked", "_clock", "_made", "_names", "_sha", "count", "events", "keep")

    def __init__(self, keep: bool = True) -> None:
        self.keep = keep
        self.events: list[Event] = []
        self.count = 0
        self._sha = hashlib.sha256()
        self._clock: Watched | None = None
        self._names: WeakKeyDictionary[object, Name] = WeakKeyDictionary()
        self._made: dict[Name, int] = {}
        self._asked: WeakSet[Task[object]] = WeakSet()  # asked to stop, not told yet; never iterated

    def bind(self, clock: Watched) -> None:
        """The loop that is recorded calls this.

        Raises:
            RuntimeError: it records another loop already; a trace is of one run.
        """
        if self._clock is not None:
            raise RuntimeError("a recorder records one loop; make one for each run")
        self._clock = clock

    def digest(self) -> str:
        """SHA-256 of the events so far, in lower-case hexadecimal."""
        return self._sha.hexdigest()

    def name(self, thing: object) -> Name:
        """The canonical name of a thing that announced itself."""
        return self._names[thing]

    # --- what is announced -------------------------------------------------------------------------------

    def created(self, thing: object) -> None:
        current = self._clock.current if self._clock is not None else None
        creator: Name = () if current is None else self._names.get(current, ())
        nth = self._made[creator] = self._made.get(creator, 0) + 1
        self._names[thing] = (*creator, nth)
        if isinstance(thing, Task):
            self._add(TaskCreated(self._now(), self._names[thing]))

    def taken(self, item: Runnable) -> None:
        if isinstance(item, Task):
            self._add(TaskResumed(self._now(), self._names[item]))
            waiting = item.waits_for
            if waiting is not None and waiting.cancelled() and item in self._asked:
                self.cancel_delivered(item)  # it was forwarded: the future that was cancelled tells the task

    def ran(self, item: Runnable) -> None:
        if isinstance(item, Task) and not item.done():
            on = item.waits_for
            self._add(TaskParked(self._now(), self._names[item], None if on is None else self._names[on]))

    def resolved(self, future: object) -> None:
        assert isinstance(future, Future)
        how = "cancelled" if future.cancelled() else "result" if future.exception() is None else "exception"
        kind = TaskFinished if isinstance(future, Task) else FutureResolved
        self._add(kind(self._now(), self._names[future], how))

    def cancel_requested(self, task: object) -> None:
        assert isinstance(task, Task)
        self._asked.add(task)
        self._add(CancelRequested(self._now(), self._names[task]))

    def cancel_delivered(self, task: object) -> None:
        assert isinstance(task, Task)
        if task in self._asked:  # once: also when the future and the task were asked in one turn
            self._asked.discard(task)
            self._add(CancelDelivered(self._now(), self._names[task]))

    def queue(self, queue: object, what: Item) -> None:
        self._add(QueueItem(self._now(), self._names[queue], what.value))

    def timer(self, when: int, target: Runnable) -> None:
        self._add(TimerFired(self._now(), when))

    def opened(self, conn: object, local: str, remote: str) -> None:
        self.created(conn)
        self._add(ConnOpened(self._now(), self._names[conn], local, remote))

    def carried(self, conn: object, data: bytes) -> None:
        self._add(ConnBytes(self._now(), self._names[conn], len(data), hashlib.sha256(data).hexdigest()))

    def closed(self, conn: object, how: str) -> None:
        self._add(ConnClosed(self._now(), self._names[conn], how))

    # --- recording ---------------------------------------------------------------------------------------

    def _now(self) -> int:
        assert self._clock is not None, "the recorder was not given to a loop"
        return self._clock.now

    def _add(self, event: Event) -> None:
        self.count += 1
        self._sha.update(f"{type(event).__name__} {' '.join(map(str, event))}\n".encode())
        if self.keep:
            self.events.append(event)
