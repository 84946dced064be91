"""The recorder of a run's steps.

The schedule lane of the run's choices sees each pick of the ready queue (`Lane.pick`), so it knows where a step begins
and which item was overtaken.  The program's own variables and objects are recorded by its rewritten files
(reduction/rewrite.py), primitives by their methods (primitives.py).
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import wraps
from types import FrameType
from typing import Any, Final, TypeVar
from weakref import ref

from ...interfaces import Deadline
from ...sim import inject, kernel
from ...sim.choices import Freedom, Lane
from ...sim.deadlock import labels
from ...sim.frames import frames_of, is_installed, is_library, place_of, shown_file, variables_of
from ...sim.holders import called
from ..choices.strategies import CALLBACKS, actor
from ..programs.primitives import REQUEST
from ..reduction.footprint import UNKNOWN, Access, log
from ..reduction.scopes import Variables
from ..reduction.words import Words
from .actors import callback_of, failure_of, handle_of, how_ended, is_cancelled, is_timeout, primitive_of
from .steps import INJECTED, NO_TASK, WAITS, Freed, Steps, Task, TaskStep, TimerPlace, Touch

# Any in this file: tasks of any runtime, their coroutines, and objects of the program.
T = TypeVar("T")

#: The beginning of a word that stands for the task of that number, until all tasks are known.
TASK: Final = "task "
_KERNEL: Final = kernel.__file__


def own(method: Callable[..., T]) -> Callable[..., T]:
    """A method of the recorder, which runs within the program's run: its error is kept, so that it is no outcome."""

    @wraps(method)
    def recording(lane: StepsLane, *args: Any) -> T:
        try:
            return method(lane, *args)
        except Exception as error:
            lane.broken = lane.broken or error
            raise

    return recording


class StepsLane(Lane):
    """A schedule lane that replays values and records the steps of the run.

    Parameters:
        values: of the lane; after them, 0.
        late_ms_max: a draw of one more possibilities is that of a timer's lateness; 0: none is.
    """

    __slots__ = (
        "_held", "_late", "_lines", "_numbers", "_over", "_parts", "_raised", "_ran", "_reported", "_requested",
        "_running", "_variables", "_waiting", "_words", "broken", "recorded",
    )  # fmt: skip

    def __init__(self, values: Sequence[int], late_ms_max: int = 0) -> None:
        left = iter(values)
        super().__init__("schedule", lambda n: next(left, 0))
        self.recorded = Steps()
        #: The first error of the recorder itself.
        self.broken: Exception | None = None
        self._late = late_ms_max
        #: The file, the line and the task that set each timer, by its id: a later timer with the same one replaces it.
        self._lines: dict[int, TimerPlace] = {}
        self._numbers: dict[int, int] = {}  # of tasks, by id
        self._words = Words()
        self._variables = Variables()
        self._parts: list[list[Access] | Touch | None] = []
        #: Errors that the loop's exception handler got, each with its step and task: they live, so ids tell them.
        self._reported: dict[int, tuple[int, int, BaseException]] = {}
        # The step and the task of each error of a task, by its id.
        self._raised: dict[int, tuple[int, int]] = {}
        self._running: TaskStep | None = None
        #: Its task, which may have ended, and die, before the step is looked at.
        self._ran: Any = None
        self._requested: set[int] = set()  # tasks with a request to cancel
        self._waiting: list[int] = []  # tasks that are suspended and were not woken
        self._over = False
        #: The steps that block the loop's own thread, each with its task.
        self._held: list[tuple[TaskStep | None, Any]] = []

    def __call__(self, n: int) -> int:
        value = super().__call__(n)
        if value and n == self._late + 1 and self._running is not None:
            self._running.late = value
        return value

    @own
    def pick(self, items: Sequence[Any]) -> int:
        self._end_step()
        if not self._over:
            self._note_wakes()
        chosen = Lane.__call__(self, len(items))
        if not self._over:
            self._begin_step(items[chosen], chosen)
        return chosen

    @own
    def rest(self) -> None:
        self._end_step()
        self._ran = None

    @own
    def finish(self) -> None:
        self._end_step()
        self._drop_idle()
        if not self._over:
            self.recorded.unhandled = self._unhandled()
        self._over = True
        super().finish()

    def _unhandled(self) -> list[tuple[int, BaseException]]:
        steps = {step.task: number for number, step in enumerate(self.recorded.steps)}
        found = dict(self._reported)
        for number, each in enumerate(self.recorded.tasks):
            task = each.ref()  # the error of a dead one was reported
            error, retrieved = failure_of(task) if task is not None and task.done() else (None, True)
            if error is not None and not retrieved:
                found[id(error)] = steps.get(number, 0), number, error
        return [(task, error) for _, task, error in sorted(found.values(), key=lambda one: one[:2])]

    @own
    def note(self, thing: Any, method: str, changes: bool) -> None:
        """A method of a primitive or a task has run (primitives.Note)."""
        step = self._running
        if method == "create" and not self._over:
            self._number(thing) if hasattr(thing, "get_coro") else log.made(thing)
        elif method == "report" and not self._over:
            where = self._raised.get(id(thing), (len(self.recorded.steps), NO_TASK))
            self._reported[id(thing)] = *where, thing
        elif method == "timer":
            self._set(thing, _first(_callers(thing, sys._getframe(3))[1]))
        elif method == REQUEST:
            if step is not None and (own := _callers(thing, sys._getframe(1))[1]):
                self._add(step, Touch(str(thing), method, True, *_first(own)))
        elif step is not None and method not in ("create", "report"):
            caller = sys._getframe(3)  # past the wrappers of this method and of the one that was called
            inner, own = _callers(thing, caller)
            if method == "cancel" and not thing.done():
                self._requested.add(self._number(thing))
            if method == "cancel" and caller.f_code.co_filename == inject.__file__:
                touch = Touch(f"{TASK}{self._number(thing)}", method, True, 0)
                self.recorded.steps.append(TaskStep(NO_TASK, 0, touches=[touch], end=INJECTED))
            elif method == "cancel":
                self._add(step, Touch(f"{TASK}{self._number(thing)}", method, True, *_first(own)))
            elif own and (not inner if changes else own[0] is caller):
                self._add(step, Touch(self._word(thing, own), method, changes, *_first(own, _of(thing))))

    @own
    def timer(self, freedom: Freedom, timer: Any, other: Any = None) -> None:
        """A timer is late, or comes early (choices.Tell)."""
        if not self._over:
            self.recorded.steps.append(TaskStep(NO_TASK, 0, end=INJECTED, freed=self._freed(freedom, timer, other)))

    def _set(self, timer: Any, place: tuple[int, Hashable, str]) -> None:
        """A timer is set at this line of this file; 0: at none of the program's."""
        line, _, file = place
        if line:
            self._lines[id(timer)] = file, line, NO_TASK if self._running is None else self._running.task
        else:
            self._lines.pop(id(timer), None)

    def _freed(self, freedom: Freedom, timer: Any, other: Any = None) -> Freed:
        if freedom is Freedom.COLLECTED:
            return Freed(freedom, False, (*timer, NO_TASK) if timer[0] else None, None, 0.0, name=other)
        places = self._lines.get(id(timer)), self._lines.get(id(other))
        late = timer if freedom is Freedom.CLOCK else 0.0
        return Freed(freedom, is_timeout(timer), *places, late, other is None and freedom is Freedom.LATE)

    @own
    def holds(self) -> None:
        held, self._ran = (self._running, self._ran), self._ran
        self._held.append(held)
        self._end_step()
        if self._waiting and held[0] is not None and held[0].task == self._waiting[-1]:
            self._waiting.pop()  # it is no task that something wakes

    @own
    def goes_on(self) -> None:
        self._end_step()
        step, task = self._held.pop()
        if step is None or self._over:
            return
        if step.task != NO_TASK:
            self._ran = task
        self._running = TaskStep(step.task, step.stops, file=step.file)
        self._begun()

    @own
    def takes_up(self, thread: Any, function: str) -> None:
        if not self._over and self._running is not None:
            if self.recorded.tasks[self._number(thread)].item is not None:
                self._end_step()
                self._waiting.pop()  # it goes on
                del self._numbers[id(thread)]
                self._running, self._ran = TaskStep(self._number(thread), 0), thread
                self._begun()
            self.recorded.take_up(self._number(thread), function)
            log.begin_step(self.recorded.actor(self._running.task))

    @own
    def goes_on_with(self, items: Sequence[Any]) -> int:
        chosen = Lane.__call__(self, len(items))
        if not self._over:
            self._learn_function(actor(items[0]))
        if chosen:
            self._end_step()
            if not self._over:
                self._note_wakes()
                self._begin_step(items[chosen], chosen - 1)
        return chosen

    def _begin_step(self, item: Any, chosen: int) -> None:
        task = actor(item)
        if task is CALLBACKS:
            self._running = TaskStep(NO_TASK, 0, chosen)
            if (called_back := callback_of(item)) is not None:
                self.recorded.last.append(called_back)
            timer = handle_of(item)
            if isinstance(timer, Deadline) and id(timer) in self._lines and is_timeout(timer):
                self._running.freed = self._freed(Freedom.DUE, timer)
        else:
            self._ran = task
            number = self._number(task)
            cancelled = number in self._requested or is_cancelled(item)
            self._requested.discard(number)
            if number in self._waiting:
                self._waiting.remove(number)
            file, line = place_of(frames_of(task))
            self._running = TaskStep(number, line, chosen, cancelled=cancelled, file=file)
            self.recorded.last.append((number, f"{shown_file(file)}:{line}" if file else ""))
        self._begun()

    def _begun(self) -> None:
        assert self._running is not None
        self.recorded.steps.append(self._running)
        log.begin_step(self.recorded.actor(self._running.task))
        log.accesses = []

    def _note_wakes(self) -> None:
        """Add the tasks that wait no more to the last step; forget a callback that did nothing of note."""
        for number in list(self._waiting):
            task = self.recorded.tasks[number].ref()
            if not hasattr(task, "waits_for"):  # of a class of the program's: it does not say
                continue
            if task.waits_for is None or task.waits_for.done():  # None: it has given up its turn, no more
                self._waiting.remove(number)
                self.recorded.steps[-1].wakes.append(number)
        self._drop_idle()

    def _drop_idle(self) -> None:
        steps = self.recorded.steps
        last = steps[-1] if steps else None
        if last and last.task == NO_TASK and last.end != INJECTED and not last.touches and not last.wakes:
            steps.pop()

    def _end_step(self) -> None:
        step, self._running = self._running, None
        if step is None:
            return
        log.let_go()
        self._words.learn(self._tasks())
        self._add(step, None)
        log.accesses = None
        step.touches = [touch for part in self._parts for touch in self._said(part)]
        self._parts.clear()
        if step.task == NO_TASK:
            return
        task, self._ran = self._ran, None
        self.recorded.tasks[step.task].name = self._name(task)
        frames = frames_of(task)
        self._learn_function(task)
        file, step.stops = place_of(frames)
        step.file = file or step.file
        if end := self._end_of(task):
            step.end = end
            return
        self._waiting.append(step.task)
        owner = primitive_of(frames)
        if owner is not None:
            step.touches.append(Touch(self._word(owner, frames), WAITS, False, step.stops, _of(owner), step.file))

    def _end_of(self, task: Any) -> str:
        """How the task of the last step has ended; "": it has not."""
        if not task.done():
            return ""
        self._raised[id(failure_of(task)[0])] = len(self.recorded.steps) - 1, self._number(task)
        return how_ended(task)

    def _add(self, step: TaskStep, touch: Touch | None) -> None:
        """Add a call of a method, after the accesses of the program before it."""
        self._parts += [log.accesses or [], touch]
        log.accesses = []

    def _said(self, part: list[Access] | Touch | None) -> Iterator[Touch]:
        """The effect of a part of a step, in words; a function's own variables are left out."""
        if isinstance(part, Touch):
            yield part
        elif part:
            # The line of an access that is not understood says more than nothing.
            for where in dict.fromkeys(access.where for access in part if access.cell == UNKNOWN and access.where):
                path, _, line = where.rpartition(":")
                source = linecache.getline(path, int(line)).strip()
                yield Touch("", f"runs `{source}`", True, int(line), UNKNOWN, path, True)
            for said in self._words.say([access for access in part if access.cell != UNKNOWN]):
                path, _, line = said.where.rpartition(":")
                if said.cell or not self._variables.is_own(path, int(line or 0), said.name):
                    how = said.how or ("writes" if said.write else "reads")
                    yield Touch(str(said), how, said.write, int(line or 0), said.of, path, said.foreign)

    def _number(self, task: Any) -> int:
        number = self._numbers.get(id(task))
        if number is None or self.recorded.tasks[number].ref() is not task:
            number = self._numbers[id(task)] = len(self.recorded.tasks)
            frames = frames_of(task)
            is_thread = hasattr(task, "suspended_frames")
            function = task.__name__ if is_thread else _function(frames)
            self.recorded.tasks.append(Task(function, ref(task), self._name(task), is_thread=is_thread))
        return number

    def _name(self, task: Any) -> str:
        return str(task.get_name())

    def _learn_function(self, task: Any) -> None:
        """Note the function that a thread of a pool runs first, or a task that had not begun."""
        recorded = self.recorded.tasks[self._number(task)]
        recorded.function = recorded.function or _function(frames_of(task))

    def _tasks(self) -> list[Any]:
        """The tasks that are alive."""
        return [task for each in self.recorded.tasks if (task := each.ref()) is not None]

    def _word(self, thing: Any, frames: Iterable[FrameType]) -> str:
        suspended = (frame for each in self._tasks() for frame in frames_of(each))
        return called(thing, [*frames, *suspended]) or type(thing).__name__


def finished(lane: StepsLane) -> Steps:
    """The steps that a lane has recorded, with the labels of their tasks."""
    recorded = lane.recorded
    for each in recorded.tasks:
        each.name = lane._name(task) if (task := each.ref()) is not None else each.name
    names = labels([(each.name, each.function) for each in recorded.tasks])
    for task, label in zip(recorded.tasks, names, strict=True):
        task.label = label
    for step in recorded.steps:
        for n, touch in enumerate(step.touches):
            if touch.thing.startswith(TASK):
                step.touches[n] = touch._replace(thing=names[int(touch.thing.removeprefix(TASK))])
    return recorded


def _callers(thing: Any, caller: FrameType) -> tuple[bool, list[FrameType]]:
    """The program's frames that led to a call of a method of `thing` by `caller`, innermost first.

    Also whether another object of a library made the call: then it is an inner part of that.
    """
    frame: FrameType | None = caller
    own, inner = [], False
    while frame is not None and frame.f_code.co_filename != _KERNEL:
        if not is_library(frame.f_code.co_filename):
            own.append(frame)
        elif not own:
            caller = variables_of(frame).get("self", thing)
            inner |= caller is not thing and type(caller).__name__ != "Condition"
        frame = frame.f_back
    return inner, own


def _function(frames: Sequence[FrameType]) -> str:
    """The name of the function that a task runs; "": it is a library's."""
    return next((each.f_code.co_name for each in frames if not is_library(each.f_code.co_filename)), "")


def _of(thing: Any) -> Hashable:
    known = log.known(thing)
    return known and known.name


def _first(frames: Sequence[FrameType], of: Hashable = None) -> tuple[int, Hashable, str]:
    """The line of the user's innermost frame, or of a library's if there is none; `of`; and the file."""
    own = [frame for frame in frames if not is_installed(frame.f_code.co_filename)] or frames
    return (own[0].f_lineno or 0, of, own[0].f_code.co_filename) if own else (0, of, "")
