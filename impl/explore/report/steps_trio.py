"""The recorder of the steps of a trio program: trio's instruments say where a step begins and ends.

Of the accesses, those of the program's rewritten files are recorded, and none to trio's primitives.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from ...sim.choices import Freedom
from ...sim.frames import place_of
from ...sim.outcome import described
from ...threads.thread import ProgramThread
from .steps import INJECTED, NO_TASK, Freed, TaskStep, Touch
from .steps_lane import TASK, StepsLane, own

# Any in this file: tasks of trio, and the errors that they raise.


class TrioStepsLane(StepsLane):
    """As StepsLane; a task that runs alone is not picked, so a step begins where the instrument says it does."""

    __slots__ = ("_end", "_overtook")

    def __init__(self, values: Sequence[int], late_ms_max: int = 0) -> None:
        super().__init__(values, late_ms_max)
        self._overtook = 0
        self._end = ""

    def _begin_step(self, item: Any, chosen: int) -> None:
        if isinstance(item, tuple) and item[1].is_thread:
            super()._begin_step(item, chosen)
        else:
            self._overtook = chosen

    def note(self, thing: Any, method: str, changes: bool) -> None:
        """A task is new, begins or ends a step, or exits with an error or None (programs/on_trio.py)."""
        if method in ("exits", "is cancelled"):
            self._end = _how(thing) if method == "exits" else method
        elif method == "ends":
            self._end_step()
        elif self._over:
            pass
        elif method == "create":
            self._number(thing)
        else:
            self._end = ""
            super()._begin_step(thing, self._overtook)
            self._overtook = 0

    @own
    def timer(self, freedom: Freedom, timer: Any, other: Any = None) -> None:
        if self._over or freedom not in (Freedom.AROUND, Freedom.CANCELLED):
            super().timer(freedom, timer, other)
            return
        number = self._number(timer)
        step = TaskStep(NO_TASK, 0, end=INJECTED)
        if freedom is Freedom.CANCELLED:
            step.touches.append(Touch(f"{TASK}{number}", "cancel", True, 0))
        else:
            file, line = place_of([frame for frame, _ in timer.iter_await_frames()])
            step.freed = Freed(freedom, True, (file, line, number) if file else None, None, 0.0)
        self.recorded.steps.append(step)

    def finish(self) -> None:
        """The program ends, maybe by an error; its task has not exited yet."""
        if not self._over:
            self._end = _how(sys.exc_info()[1])
        super().finish()

    def _end_of(self, task: Any) -> str:
        return super()._end_of(task) if isinstance(task, ProgramThread) else self._end

    def _name(self, task: Any) -> str:
        return super()._name(task) if isinstance(task, ProgramThread) else str(task.name).rpartition(".")[2]

    def _unhandled(self) -> list[tuple[int, BaseException]]:
        return []  # the error of a task is that of its nursery


def _how(error: BaseException | None) -> str:
    return "ends" if error is None else f"raises {described(error)}"
