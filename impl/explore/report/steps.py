"""The steps of one run, as data: each with its task, its first and last line, and its effects on things."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from ...sim.choices import Freedom

# Any in this file: tasks of any runtime.

#: A method of a primitive begins to wait for something.
WAITS: Final = "waits for"
#: The end of a step that is none: a task was cancelled by the exploration.
INJECTED: Final = "injected"
#: The most steps of one round of a livelock; fewer than its shortest report has (data.py).
_LAST: Final = 32
#: In place of a task's number: a plain callback, such as that of a timeout.
NO_TASK: Final = -1


class Touch(NamedTuple):
    """An effect of a step on one thing."""

    #: The program's word for it: `balance`, `seen['/']`, `self.queue`; "": whatever a line touches.
    thing: str
    #: `reads`, `writes`, the name of a method, WAITS, or the line that runs.
    how: str
    changes: bool
    #: The line of the program; 0: none of its lines ran.
    line: int
    #: The object, by a name that is the same in all runs; None: a variable, a task, or not known.
    of: Hashable = None
    #: The file of the line; in a report the short name of one that is not the program's own, and else "".
    file: str = ""
    #: Whether the thing is not understood, and the touch a guess: it counts where nothing else differs.
    foreign: bool = False

    @property
    def doubt(self) -> int:
        """0: the thing is understood; 1: it is not, and has a name; 2: it has none, and its line stands for it."""
        return self.foreign + (not self.thing)

    @property
    def cell(self) -> tuple[str, Hashable]:
        """The key of the thing: two objects may have one word."""
        return self.thing, self.of

    @property
    def place(self) -> tuple[str, int]:
        """The file and the line."""
        return self.file, self.line

    def __str__(self) -> str:
        if not self.thing:
            return self.how
        plain = self.how in ("reads", "writes", WAITS)
        return f"{self.how} {self.thing}" if plain else f"{self.thing}.{self.how}()"


#: A file, a line, and the number of a task, or NO_TASK.
TimerPlace: TypeAlias = tuple[str, int, int]


class Freed(NamedTuple):
    """A timer that is late, or comes early, because the exploration drew that; or a timeout that is due."""

    freedom: Freedom
    #: Whether it is a timeout.
    is_timeout: bool
    #: The file, the line and the task that set it; None: no line of the user's did.
    place: TimerPlace | None
    #: Those of the timer that it comes after, or with.
    other: TimerPlace | None
    #: Of a late clock: by how many seconds.
    late: float
    #: Whether no other timer was pending.
    alone: bool = False
    #: Of a task that was collected.
    name: str = ""

    def said(self, at: Callable[[str, int], str], names: Sequence[str]) -> str:
        """In words; `at` returns those for a file and a line, and `names` has the names of tasks."""
        if self.freedom is Freedom.CLOCK:
            return f"the clock was {self.late:g} s late"
        if self.freedom is Freedom.COLLECTED:
            which = f"the task that waits at {at(*self.place[:2])}" if self.place else self.name
            return f"{which} was collected as garbage: nothing refers to it"
        kind = "timeout" if self.is_timeout else "timer"
        # Two of one line are of two tasks, mostly.
        same = self.place is not None and self.other is not None and self.place[:2] == self.other[:2]

        def of(place: TimerPlace) -> str:
            file, line, task = place
            return f"of {at(file, line)}{f' in {names[task]}' if same and task != NO_TASK else ''}"

        which = f"the {kind} {of(self.place)}" if self.place else f"a {kind}"
        if self.freedom is Freedom.AROUND:
            return (
                f"the timeout around {at(*self.place[:2])} expired at once"
                if self.place
                else "a timeout expired at once"
            )
        if self.freedom is Freedom.DUE:
            return f"{which} expired"
        if self.freedom is Freedom.EXPIRED:
            return f"{which} {'expired' if self.is_timeout else 'came'} at once"
        if self.alone:
            return f"{which} took twice its time"
        that = f"that {of(self.other)}" if self.other else "another event"
        return f"{which} was late: {'together with' if self.freedom is Freedom.TIED else 'just after'} {that}"


@dataclass(slots=True)
class TaskStep:
    """A step of a task."""

    task: int
    #: The line at which the task was suspended; 0: it begins.
    begins: int
    #: The number of ready items that it overtook.
    overtakes: int = 0
    #: The lateness of timers that the step sets, in milliseconds.
    late: int = 0
    #: Whether CancelledError is raised in it.
    cancelled: bool = False
    touches: list[Touch] = field(default_factory=list)
    #: The line at which it is suspended; 0: the task has ended.
    stops: int = 0
    #: How the task has ended: "" if it has not.
    end: str = ""
    #: The file of these lines; "": no line is known.
    file: str = ""
    #: The tasks that wait no more when the next step begins: the step, or a timer after it, woke them.
    wakes: list[int] = field(default_factory=list)
    #: In the place of a step: the draw for a timer.
    freed: Freed | None = None


@dataclass(slots=True)
class Task:
    """A task of the run: a column of the table."""

    function: str
    #: Returns the task; None: it is dead.
    ref: Callable[[], Any]
    name: str = ""
    label: str = ""
    is_thread: bool = False
    #: Of a thread of a pool: the name of its function, and the number of it.
    item: tuple[str, int] | None = None


@dataclass
class Steps:
    """The steps of a run, in order."""

    tasks: list[Task] = field(default_factory=list)
    steps: list[TaskStep] = field(default_factory=list)
    #: The errors of tasks (NO_TASK: of a callback) that nothing had retrieved when the run ended, in order.
    unhandled: list[tuple[int, BaseException]] = field(default_factory=list)
    #: The tasks (as numbers) and callbacks (as words) of the last steps, each with its line: those of a livelock.
    last: deque[tuple[int | str, str]] = field(default_factory=lambda: deque(maxlen=_LAST))

    def take_up(self, number: int, function: str) -> None:
        """A task, which is a thread of a pool, begins a function of this name."""
        task = self.tasks[number]
        task.function = function or task.function
        task.item = function, sum(each.item is not None and each.item[0] == function for each in self.tasks)

    def actor(self, number: int) -> Hashable:
        """The key of a task in any run; how many functions were begun in threads of pools does not change others'."""
        if number == NO_TASK:
            return NO_TASK
        task, before = self.tasks[number], self.tasks[:number]
        return task.item or (task.is_thread, sum(each.is_thread == task.is_thread and not each.item for each in before))

    def last_actors(self) -> list[str]:
        """The tasks and callbacks that ran last, and have not ended, in words."""
        ended = {step.task for step in self.steps if step.end}
        named = (
            (self.tasks[actor].label if isinstance(actor, int) else f"the callback {actor}", where)
            for actor, where in self.last
            if actor not in ended
        )
        return [f"{name} at {where}" if where else name for name, where in dict.fromkeys(named)]
