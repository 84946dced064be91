"""The trace of a run: typed events with canonical names, and their SHA-256.

1.  `Recorder` is an observer: objects announce themselves, and it turns that into events.  It records loops of impl;
    bridges derive recorders for tasks of asyncio and trio, so traces of all runtimes have the same events.
2.  Names are canonical: (creator's name, n-th thing that it created), as a tuple of ints; things that no task created
    have a name of one number.  They depend on neither addresses, nor hashes, nor counters that another run in the
    same process has moved: so equal programs under equal choices have equal traces, on every Python.
3.  The digest is taken event by event.  It leaves out values of the program: their repr may contain an address; bytes
    on a connection go in whole.  `keep=False` keeps the digest only.

A connection is named when its ends open, by the task that dialled.
"""

from __future__ import annotations

import hashlib
from typing import ClassVar, Final, NamedTuple
from weakref import WeakKeyDictionary, WeakSet

from ..interfaces import Item, Observer, Runnable, Watched
from ..tasks.future import CANCELLED, FAILED, RESULT, Future
from ..tasks.task import Task
from .choices import Choices
from .deadlock import labels
from .frames import coro_of, frames_of, place_of

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


# --- remarks: a picture shows them besides the events; they follow from those, so the digest leaves them out -----


class Suspended(NamedTuple):
    """The task of the event before has stopped at that line of the program."""

    file: str
    line: int


class Overtook(NamedTuple):
    """The task of the next event runs before an item that was ready longer."""


class HostAdded(NamedTuple):
    name: str
    address: str


class BytesSent(NamedTuple):
    """`size` bytes are under way from `conn`."""

    time: int
    conn: Name
    size: int


class FaultStruck(NamedTuple):
    """A fault of the network strikes: a look-up of a host, a connect to it, or a connection."""

    time: int
    host: str
    fault: str


Remark = Suspended | Overtook | HostAdded | BytesSent | FaultStruck


class Digest(Observer):
    """SHA-256 and number of the events of one loop, a line for each; subclasses define the events."""

    __slots__ = ("_clock", "_sha", "count")

    def __init__(self) -> None:
        self.count = 0
        self._sha = hashlib.sha256()
        self._clock: Watched | None = None

    def bind(self, clock: Watched) -> None:
        """The loop that is observed calls this.

        Raises:
            RuntimeError: the observer belongs to another loop already; a trace is of one run.
        """
        if self._clock is not None:
            raise RuntimeError("a recorder records one loop; make one for each run")
        self._clock = clock

    def digest(self) -> str:
        """SHA-256 of the events so far, in lower-case hexadecimal."""
        return self._sha.hexdigest()

    def now(self) -> int:
        """The virtual time."""
        assert self._clock is not None, "the recorder was not given to a loop"
        return self._clock.now

    def line(self, text: str) -> None:
        """Add an event."""
        self.count += 1
        self._sha.update(f"{text}\n".encode())


def _given(task: object) -> tuple[str, str]:
    """The name of a task of any runtime, and that of its function."""
    name = task.get_name() if hasattr(task, "get_name") else getattr(task, "name", "")
    return name, getattr(coro_of(task), "__name__", "")


_HOW: Final = {RESULT: "result", FAILED: "exception", CANCELLED: "cancelled"}


class Recorder(Digest):
    """Records the run of one loop: `Loop(observer=recorder)`.

    Parameters:
        keep: whether `events` and `remarks` keep them all; the digest and `count` need none of them.
    """

    __slots__ = ("_made", "_names", "_requested", "_tasks", "events", "keep", "remarks")

    #: The class of the tasks that are recorded; a bridge has another runtime's.
    task_class: ClassVar[type | tuple[type, ...]] = Task

    def __init__(self, keep: bool = True) -> None:
        super().__init__()
        self.keep = keep
        self.events: list[Event] = []
        #: Each with the number of events before it.
        self.remarks: list[tuple[int, Remark]] = []
        self._names: WeakKeyDictionary[object, Name] = WeakKeyDictionary()
        self._made: dict[Name, int] = {}
        # Those that have run, each with its name and its function's.
        self._tasks: dict[Name, tuple[str, str]] = {}
        # The tasks with a requested cancellation that was not delivered yet; never iterated.
        self._requested: WeakSet[object] = WeakSet()

    def name(self, thing: object) -> Name:
        """The canonical name of a thing that announced itself."""
        return self._names[thing]

    def knows(self, thing: object) -> bool:
        """Whether the thing announced itself."""
        return thing in self._names

    @property
    def labels(self) -> dict[Name, str]:
        """A reader's names of the tasks that have run, if events are kept: their own, or those of their functions."""
        return dict(zip(self._tasks, labels(list(self._tasks.values())), strict=True))

    # --- announcements ------------------------------------------------------------------------------------

    def creator(self) -> object | None:
        """The task that is running, or None."""
        return None if self._clock is None else self._clock.current

    def created(self, thing: object) -> None:
        self._names[thing] = self.next_name()
        if isinstance(thing, self.task_class):
            self._add(TaskCreated(self.now(), self._names[thing]))

    def next_name(self) -> Name:
        """A name for the next thing that the running task creates."""
        current = self.creator()
        creator: Name = () if current is None else self._names.get(current, ())
        nth = self._made[creator] = self._made.get(creator, 0) + 1
        return (*creator, nth)

    def taken(self, item: Runnable) -> None:
        if isinstance(item, Task):
            self.resumed(item)
            waiting = item.waits_for
            if waiting is not None and waiting.cancelled():
                self.cancel_delivered(item)  # it was forwarded: the cancelled future passes it to the task

    def resumed(self, task: object) -> None:
        """A task is about to take a step."""
        # Not when it is created: then a task of asyncio in C may have no name yet.
        if self.keep and self._names[task] not in self._tasks:
            self._tasks[self._names[task]] = _given(task)
        choices: Choices | None = getattr(self._clock, "choices", None)
        if self.keep and choices is not None and choices.schedule.overtaken:
            self._remark(Overtook())
        self._add(TaskResumed(self.now(), self._names[task]))

    def ran(self, item: Runnable) -> None:
        if isinstance(item, Task) and not item.done():
            on = item.waits_for
            self.parked(item, None if on is None else self._names[on])

    def parked(self, task: object, on: Name | None) -> None:
        """A task has taken a step, and is not done."""
        self._add(TaskParked(self.now(), self._names[task], on))
        if self.keep:
            file, line = place_of(frames_of(task))
            if file:
                self._remark(Suspended(file, line))

    def resolved(self, future: object) -> None:
        assert isinstance(future, Future)
        # The state, because `exception()` counts as retrieving it (FUT-9).
        self.ended(future, _HOW[future._stage])

    def ended(self, future: object, how: str) -> None:
        """A future or a task was resolved."""
        if isinstance(future, self.task_class):
            self._add(TaskFinished(self.now(), self._names[future], how))
        else:
            self.waited(self._names[future], how)

    def waited(self, future: Name, how: str) -> None:
        """A future, or a runtime's object in its place, was resolved."""
        self._add(FutureResolved(self.now(), future, how))

    def cancel_requested(self, task: object) -> None:
        self._requested.add(task)
        self._add(CancelRequested(self.now(), self._names[task]))

    def cancel_delivered(self, task: object) -> None:
        if task in self._requested:  # once: also when the future and the task were cancelled in one turn
            self._requested.discard(task)
            self._add(CancelDelivered(self.now(), self._names[task]))

    def queue(self, queue: object, what: Item) -> None:
        self._add(QueueItem(self.now(), self._names[queue], what.value))

    def timer(self, when: int, target: Runnable) -> None:
        self.fired(when)

    def fired(self, due: int) -> None:
        """A timer fired."""
        self._add(TimerFired(self.now(), due))

    def opened(self, conn: object, local: str, remote: str) -> None:
        self.created(conn)
        self._add(ConnOpened(self.now(), self._names[conn], local, remote))

    def carried(self, conn: object, data: bytes) -> None:
        self._add(ConnBytes(self.now(), self._names[conn], len(data), hashlib.sha256(data).hexdigest()))

    def closed(self, conn: object, how: str) -> None:
        self._add(ConnClosed(self.now(), self._names[conn], how))

    def hosted(self, name: str, address: str) -> None:
        self._remark(HostAdded(name, address))

    def sent(self, conn: object, size: int) -> None:
        self._remark(BytesSent(self.now(), self._names[conn], size))

    def struck(self, host: str, fault: str) -> None:
        self._remark(FaultStruck(self.now(), host, fault))

    # --- recording ---------------------------------------------------------------------------------------

    def _add(self, event: Event) -> None:
        self.line(f"{type(event).__name__} {' '.join(map(str, event))}")
        if self.keep:
            self.events.append(event)

    def _remark(self, remark: Remark) -> None:
        if self.keep:
            self.remarks.append((self.count, remark))
