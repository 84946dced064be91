"""The typed trace (sim/trace.py) of a run of trio: the events that a run of impl has.

trio has no futures: each wait of a task counts as one, which the task creates when it parks.  A cancel of a scope
reaches a task when it ends the wait of the task: that is the request to cancel it.  A deadline of trio is a timer.  A
memory channel is not a queue of the trace.  The tasks that trio makes for itself are left out.
"""

from __future__ import annotations

from typing import ClassVar

import trio

from ...interfaces import Runnable
from ...sim.trace import Name, Recorder
from ...threads.thread import ProgramThread, ThreadStep
from ..digest import thread_ran, thread_taken
from .order import failures, how_exited, how_woken

_Task = trio.lowlevel.Task


class TrioRecorder(Recorder, trio.abc.Instrument):
    """Records one run: an observer of its kernel, and an instrument of trio."""

    __slots__ = ("_current", "_failed", "_ready", "_waits")

    task_class: ClassVar[type | tuple[type, ...]] = (_Task, ProgramThread)

    def __init__(self) -> None:
        super().__init__()
        self._current: _Task | None = None
        self._failed = 0  # failures of its nursery, from before its step
        self._ready: dict[_Task, str] = {}  # how the wait of each has ended
        self._waits: dict[_Task, Name] = {}

    def creator(self) -> object | None:
        return self._current

    def begin(self, main: _Task) -> None:
        """Begin with the task of the program, which runs now."""
        self.created(main)
        self.resumed(main)
        self._current, self._failed = main, failures(main)

    def taken(self, item: Runnable) -> None:
        if isinstance(item, ThreadStep):
            thread_taken(self, item.task)

    def ran(self, item: Runnable) -> None:
        if isinstance(item, ThreadStep):
            thread_ran(self, item.task)

    def task_spawned(self, task: _Task) -> None:
        if self._current is not None:
            self.created(task)

    def task_scheduled(self, task: _Task) -> None:
        if not self.knows(task):
            return
        self._ready[task] = how = how_woken(task)
        if how == "cancelled":
            self.cancel_requested(task)
        wait = self._waits.pop(task, None)
        if wait is not None:
            self.waited(wait, how)

    def before_task_step(self, task: _Task) -> None:
        if not self.knows(task):
            return
        self._current, self._failed = task, failures(task)
        self.resumed(task)
        if self._ready.pop(task) == "cancelled":
            self.cancel_delivered(task)

    def task_exited(self, task: _Task) -> None:
        if task is self._current:
            self.ended(task, how_exited(task, self._failed))
            self._current = None

    def after_task_step(self, task: _Task) -> None:
        if task is not self._current:  # it is trio's, or has exited
            return
        if task not in self._ready:
            self._waits[task] = self.next_name()
        self.parked(task, self._waits.get(task))
        self._current = None
