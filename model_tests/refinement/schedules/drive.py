"""Driving a real object along a schedule, with the monitor looking on.

An event of the schedule is asked for if the specification allows it now, as far as the run so far tells.  Otherwise
the object has left the path, which is no error by itself, and the event is left out.  The adapter's lines are judged
after every move, and so is the state that the object shows.  After the last move the object runs until nothing moves
any more; the monitor then demands that nothing is due, so that a lost wake-up shows.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing
from typing import Any

from spec.kit.core import Event
from spec.kit.model import Model
from spec.kit.monitor import Monitor
from spec.kit.trace import Do, End, Line

from ..machines.adapter import Adapter, Make
from ..machines.shortest_paths import TURN, Schedule


class Driver:
    """Runs an object of `make` along each schedule, and holds it to `model`, or to that of a monitor.

    Drivers may share a monitor, with its knowledge of states.  `waits`: the actions that are calls of tasks; a caller
    may have one of them at a time.
    """

    def __init__(
        self, make: Make, model: Model[Any, Any] | Monitor[Any, Any], waits: Collection[str] = ()
    ) -> None:  # Any: a text of anybody's
        self.make, self.waits = make, waits
        self.monitor = model if isinstance(model, Monitor) else Monitor(model)
        self.recorded: list[Line] = []
        self.begun: set[Event] = set()  # events that were asked for and have not taken place

    def run(self, schedule: Schedule, probe: Schedule = ()) -> list[Line]:
        """One run along `schedule` and, when all is at rest, along `probe`; the lines until `schedule` ended.

        Raises Rejected for a run that the specification does not allow, AssertionError for an object that does not
        come to rest.
        """
        self.monitor.restart()
        self.recorded.clear()
        self.begun.clear()
        with closing(self.make(self.monitor.model.k, self.recorded.append)) as adapter:
            self.follow(schedule, adapter)
            seen = self.recorded[:]
            self.rest(adapter)
            if probe:
                self.follow(probe, adapter)
                self.rest(adapter)
        return seen

    def follow(self, schedule: Schedule, adapter: Adapter) -> None:
        for move in schedule:
            if move == TURN:
                adapter.turn()
            elif self.may(move):
                self.begun.add(move)
                adapter.do(move)
            self.judge(adapter)

    def rest(self, adapter: Adapter) -> None:
        """Let it run until nothing moves; then nothing may be due."""
        adapter.settle()
        self.judge(adapter)
        self.recorded.append(End())
        self.judge(adapter)

    def may(self, event: Event) -> bool:
        """Whether it can be asked for: no other call of its caller is about to begin, and it is allowed."""
        begun = any(event.args[:1] == other.args[:1] for other in self.begun) and (
            event.name in self.waits or event in self.begun
        )
        return not begun and self.monitor.may(event)

    def judge(self, adapter: Adapter) -> None:
        """Show the monitor the events recorded since, and the visible state now."""
        for line in self.recorded[len(self.monitor.lines) :]:
            self.monitor.feed(line)
            if isinstance(line, Do):
                self.begun.discard(line.event)
        self.monitor.see(adapter.see, adapter.shown())
