"""The scene of a trace (`sim/trace.py`): which task wakes which, where a cancel is requested and where it is thrown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ..sim.trace import (
    CancelDelivered,
    CancelRequested,
    ConnBytes,
    ConnClosed,
    ConnOpened,
    Event,
    FutureResolved,
    Name,
    QueueItem,
    TaskCreated,
    TaskFinished,
    TaskParked,
    TaskResumed,
    TimerFired,
)
from .scene import Row, Scene, State

#: What happens outside of all tasks is in the first lane.
LOOP: Final = 0
_ENDS: Final = {"result": "ends", "exception": "raises", "cancelled": "is cancelled"}
_RESOLVED: Final = {
    "result": "gets its result",
    "exception": "gets an exception",
    "cancelled": "is cancelled",
}
_ITEMS: Final = {"put": "puts an item into", "got": "gets an item from", "done": "reports an item done to"}


def scene_of(
    events: Iterable[Event],
    labels: Mapping[Name, str] | None = None,
    *,
    title: str = "a run",
    notes: Iterable[str] = (),
) -> Scene:
    """Return the scene of a trace.

    Parameters:
        events: those of a `Recorder`, in order.
        labels: what the tasks are called (`Recorder.labels`); another is called by its canonical name.
        title, notes: said of the whole run.
    """
    drawn = _Drawn(labels or {})
    for event in events:
        drawn.event(event)
    return Scene(title, tuple(drawn.lanes), tuple(drawn.rows), tuple(notes))


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
        self._current = LOOP

    def event(self, event: Event) -> None:
        """Add the row of an event."""
        match event:
            case TaskCreated(time, task):
                self._lane[task] = self._new(self.labels.get(task) or f"task {_dotted(task)}")
                self._row(time, f"creates {self.lanes[-1]}", {self._lane[task]: "ready"}, rule="TASK-6")
            case TaskResumed(time, task):
                self._current = self._lane[task]
                self._row(time, "gets the turn", {self._current: "runs"}, rule="TASK-2")
            case TaskParked(time, _, None):
                self._row(time, "gives the turn up", {self._current: "ready"}, rule="TASK-4")
                self._current = LOOP
            case TaskParked(time, _, on) if on is not None:
                self._waiting.setdefault(on, {})[self._current] = None
                self._row(time, f"waits for {self._thing(on)}", {self._current: "waits"}, rule="TASK-3")
                self._current = LOOP
            case TaskFinished(time, task, how):
                lane = self._lane[task]
                self._row(time, _ENDS[how], {lane: "done", **self._woken(task)}, lane=lane, rule="TASK-5")
                self._current = LOOP
            case CancelRequested(time, task):
                lane = self._lane[task]
                self._row(time, f"requests to cancel {self.lanes[lane]}", {lane: "asked"}, rule="CANCEL-1")
            case CancelDelivered(time, task):
                lane = self._lane[task]
                self._row(time, "gets CancelledError thrown in", {lane: "thrown"}, lane=lane, rule="CANCEL-2")
            case FutureResolved(time, future, how):
                self._row(time, _RESOLVED[how].format(self._thing(future)), self._woken(future), rule="FUT-1")
            case QueueItem(time, queue, what):
                self._row(time, f"{_ITEMS[what]} queue {_dotted(queue)}")
            case TimerFired(time, due):
                late = f", {(time - due) / 1e6:g} ms late" if time > due else ""
                self._row(time, f"a timer fires{late}", rule="LOOP-6")
            case ConnOpened(time, conn, local, remote):
                self._lane[conn] = self._new(f"{local} to {remote}")
                self._row(time, "opens", {self._lane[conn]: "open"}, lane=self._lane[conn])
            case ConnBytes(time, conn, size, _):
                self._row(time, f"{size:,} bytes arrive", lane=self._lane[conn])
            case ConnClosed(time, conn, how):
                self._row(time, how, {self._lane[conn]: "done"}, lane=self._lane[conn])

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
    ) -> None:
        self.rows.append(
            Row(self._current if lane is None else lane, text, tuple((states or {}).items()), time, rule=rule)
        )
