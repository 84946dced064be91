"""The scene of a recorded run (`sim/trace.py`): which task wakes which, where a cancel is requested and delivered.

The network has a lane for each host, and one for each connection, with the bytes that are under way.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol, TypeAlias

from ..sim.frames import shown_file
from ..sim.trace import (
    BytesSent,
    CancelDelivered,
    CancelRequested,
    ConnBytes,
    ConnClosed,
    ConnOpened,
    Event,
    FaultStruck,
    FutureResolved,
    HostAdded,
    Name,
    Overtook,
    QueueItem,
    Recorder,
    Remark,
    Suspended,
    TaskCreated,
    TaskFinished,
    TaskParked,
    TaskResumed,
    TimerFired,
)
from .scene import Row, Scene, State

#: Events outside of all tasks are in the first lane.
LOOP: Final = 0
_ENDS: Final = {"result": "ends", "exception": "raises", "cancelled": "is cancelled"}
_RESOLVED: Final = {
    "result": "resolves {}",
    "exception": "resolves {} with an exception",
    "cancelled": "cancels {}",
}
_ITEMS: Final = {"put": "puts an item into", "got": "gets an item from", "done": "reports an item done to"}
_CLOSES: Final = {"eof": "the end of the data arrives", "close": "an end closes", "reset": "an end is reset"}

#: Lanes, each with the text that it shows from now on.
Values: TypeAlias = dict[int, str]


class Traced(Protocol):
    """The members of a run that a scene is made of: those of `Run`."""

    @property
    def trace(self) -> Sequence[Event]: ...

    @property
    def labels(self) -> Mapping[Name, str]: ...

    @property
    def remarks(self) -> Sequence[tuple[int, Remark]]: ...


def scene_of(
    recorded: Recorder | Traced,
    *,
    title: str = "a run",
    notes: Iterable[str] = (),
) -> Scene:
    """Return the scene of a recorded run.

    Parameters:
        recorded: a `Recorder`, or the result of `simulate(..., trace=True)`, of any runtime.
        title, notes: said of the whole run.
    """
    events = recorded.events if isinstance(recorded, Recorder) else recorded.trace
    drawn = _Drawn(recorded.labels)
    for each in _merged(events, recorded.remarks):
        drawn.add(each)
    return Scene(title, tuple(drawn.lanes), tuple(drawn.rows), tuple(notes))


def _merged(events: Sequence[Event], remarks: Sequence[tuple[int, Remark]]) -> Iterator[Event | Remark]:
    """The events, with each remark after those that were before it."""
    at = 0
    for number, remark in remarks:
        yield from events[at:number]
        at = max(at, number)
        yield remark
    yield from events[at:]


def _dotted(name: Name) -> str:
    return ".".join(map(str, name))


class _Drawn:
    """A scene in the making."""

    def __init__(self, labels: Mapping[Name, str]) -> None:
        self.labels = labels
        self.lanes = ["loop"]
        self.rows: list[Row] = []
        self._lane: dict[Name, int] = {}
        self._waiting: dict[Name, dict[int, None]] = {}
        self._wires = Wires(self._new)
        self._current = LOOP
        self._overtook = False

    def add(self, event: Event | Remark) -> None:
        """Add the row of an event, or change the last one by a remark."""
        match event:
            case TaskCreated() | TaskResumed() | TaskParked() | TaskFinished():
                self._task(event)
            case CancelRequested(time, task):
                lane = self._lane[task]
                self._row(time, f"requests to cancel {self.lanes[lane]}", {lane: "asked"}, rule="CANCEL-1")
            case CancelDelivered(time, task):
                lane = self._lane[task]
                self._row(time, "gets CancelledError thrown in", {lane: "thrown"}, lane=lane, rule="CANCEL-2")
            case FutureResolved(time, future, how):
                text = _RESOLVED[how].format(self._thing(future))
                self._row(time, text, self._woken(future), rule="FUT-1")
            case QueueItem(time, queue, what):
                self._row(time, f"{_ITEMS[what]} queue {_dotted(queue)}")
            case TimerFired(time, due):
                late = f", {(time - due) / 1e6:g} ms late" if time > due else ""
                self._row(time, f"fires a timer{late}", lane=LOOP, rule="LOOP-6")
            case Suspended(file, line):
                where, source = f"{shown_file(file)}:{line}", linecache.getline(file, line).strip()
                self.rows[-1] = replace(self.rows[-1], where=where, source=source)
            case Overtook():
                self._overtook = True
            case _:
                self._network(event)

    def _task(self, event: TaskCreated | TaskResumed | TaskParked | TaskFinished) -> None:
        match event:
            case TaskCreated(time, task):
                self._lane[task] = self._new(self.labels.get(task) or f"task {_dotted(task)}")
                self._row(time, f"creates {self.lanes[-1]}", {self._lane[task]: "ready"}, rule="TASK-6")
            case TaskResumed(time, task):
                self._current = self._lane[task]
                self._row(time, "gets the turn", {self._current: "runs"}, rule="TASK-2", star=self._overtook)
                self._overtook = False
            case TaskParked(time, _, None):
                self._row(time, "gives the turn up", {self._current: "ready"}, rule="TASK-4")
                self._current = LOOP
            case TaskParked(time, _, on) if on is not None:
                self._waiting.setdefault(on, {})[self._current] = None
                self._row(time, f"waits for {self._thing(on)}", {self._current: "waits"}, rule="TASK-3")
                self._current = LOOP
            case TaskFinished(time, task, how):
                lane = self._lane[task]
                ended: dict[int, State] = {lane: "done", **self._woken(task)}
                fault = "an exception ends the task" if how == "exception" else ""
                self._row(time, _ENDS[how], ended, lane=lane, rule="TASK-5", fault=fault)
                self._current = LOOP

    def _network(self, event: Event | Remark) -> None:
        match event:
            case ConnOpened(time, conn, local, remote):
                lane, values = self._wires.opened(conn, local, remote)
                host = local.rpartition(":")[0]
                self._row(time, f"{host} opens its end", {lane: "open"}, lane=lane, values=values)
            case BytesSent(time, conn, size):
                lane, values = self._wires.lane(conn), self._wires.sent(conn, size)
                self._row(time, f"sends {size:,} bytes on {self.lanes[lane]}", values=values)
            case ConnBytes(time, conn, size, _):
                lane, values = self._wires.lane(conn), self._wires.arrived(conn, size)
                self._row(time, f"{size:,} bytes arrive", lane=lane, values=values)
            case ConnClosed(time, conn, how):
                lane = self._wires.lane(conn)
                done, values = (False, {}) if how == "eof" else self._wires.closed(conn)
                fault = "the connection is reset" if how == "reset" else ""
                states: dict[int, State] = {lane: "done"} if done else {}
                self._row(time, _CLOSES[how], states, lane=lane, values=values, fault=fault)
            case FaultStruck(time, host, fault):
                self._row(time, "is struck by", lane=self._wires.host(host), fault=fault)
            case HostAdded(name, address):
                self._wires.named(name, address)

    def _new(self, label: str) -> int:
        self.lanes.append(label)
        return len(self.lanes) - 1

    def _thing(self, name: Name) -> str:
        return self.lanes[self._lane[name]] if name in self._lane else f"future {_dotted(name)}"

    def _woken(self, on: Name) -> dict[int, State]:
        return dict.fromkeys(self._waiting.pop(on, {}), "woken")

    def _row(
        self,
        time: int,
        text: str,
        states: Mapping[int, State] | None = None,
        *,
        lane: int | None = None,
        rule: str = "",
        values: Mapping[int, str] | None = None,
        star: bool = False,
        fault: str = "",
    ) -> None:
        self.rows.append(
            Row(
                self._current if lane is None else lane,
                text,
                tuple((states or {}).items()),
                time,
                rule,
                values=tuple((values or {}).items()),
                star=star,
                fault=fault,
            )
        )


@dataclass(slots=True)
class _Wire:
    """A connection."""

    lane: int
    #: The lane of the host that was connected to.
    host: int
    #: Its address there.
    address: str
    #: The ends that are open, and the bytes that are under way to each side: the host, and the end that connected.
    ends: set[Name] = field(default_factory=set)
    under_way: list[int] = field(default_factory=lambda: [0, 0])

    def text(self) -> str:
        """Its bytes under way, with an arrow to the host or from it."""
        return "  ".join(f"{arrow} {size:,} B" for arrow, size in zip("→←", self.under_way, strict=True) if size)


class Wires:
    """The connections of a run.

    Parameters:
        new: makes a lane of that name and returns its number.
    """

    def __init__(self, new: Callable[[str], int]) -> None:
        self._new = new
        self._names: dict[str, str] = {}  # of hosts, by address
        self._hosts: dict[str, int] = {}  # their lanes, by name
        self._wires: dict[frozenset[str], _Wire] = {}
        self._ends: dict[Name, tuple[_Wire, int]] = {}  # each with its side: 0 is the host's

    def named(self, host: str, address: str) -> None:
        """The host of an address has a name."""
        self._names[address] = host

    def host(self, name: str) -> int:
        """The lane of a host."""
        if name not in self._hosts:
            self._hosts[name] = self._new(f"host {name}")
        return self._hosts[name]

    def opened(self, conn: Name, local: str, remote: str) -> tuple[int, Values]:
        """An end opens: the lane of its connection, and its changes."""
        between = frozenset((local, remote))
        wire = self._wires.get(between)
        if wire is None:
            # The end that was connected to opens first: the other one opens when the answer reaches it.
            host = self.host(self._named(local).rpartition(":")[0])
            wire = self._wires[between] = _Wire(self._new(self._label(remote, local)), host, local)
        wire.ends.add(conn)
        self._ends[conn] = (wire, 0 if local == wire.address else 1)
        return wire.lane, self._values(wire)

    def lane(self, conn: Name) -> int:
        """The lane of the connection of an end."""
        return self._ends[conn][0].lane

    def sent(self, conn: Name, size: int) -> Values:
        """An end has sent so many bytes; returns the changes."""
        wire, side = self._ends[conn]
        wire.under_way[1 - side] += size
        return self._values(wire)

    def arrived(self, conn: Name, size: int) -> Values:
        """So many bytes have arrived at an end; returns the changes.  A fault may bring more than was sent."""
        wire, side = self._ends[conn]
        wire.under_way[side] = max(0, wire.under_way[side] - size)
        return self._values(wire)

    def closed(self, conn: Name) -> tuple[bool, Values]:
        """An end closes: whether the other one has closed too, and the changes."""
        wire, _ = self._ends[conn]
        wire.ends.discard(conn)
        if wire.ends:
            return False, {}
        wire.under_way = [0, 0]
        return True, self._values(wire)

    def _named(self, address: str) -> str:
        """An address with the name of its host, if it has one."""
        host, _, port = address.rpartition(":")
        return f"{self._names.get(host, host)}:{port}"

    def _label(self, near: str, far: str) -> str:
        """The name of the lane of a connection: where it begins is its port only, unless that host has a name."""
        host, _, port = near.rpartition(":")
        return f"{self._names.get(host, '')}:{port} to {self._named(far)}"

    def _values(self, wire: _Wire) -> Values:
        theirs = [each for each in self._wires.values() if each.host == wire.host and each.ends]
        size = sum(sum(each.under_way) for each in theirs)
        return {wire.lane: wire.text(), wire.host: f"{len(theirs)} open" + (f", {size:,} B" if size else "")}
