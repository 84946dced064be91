"""The loops on which programs are played, and how each is driven.

A subject without a loop of its own is played on asyncio's, in virtual time; the loop makes its futures and tasks, and
the main task of a program is asyncio's own.

A subject may bring `new_event_loop`.  That loop is taken as it is: nothing is set on it, and main is the task that its
`create_task` makes.  If it takes the clock of the process (`clock.py`), time is virtual and a hang is an observation.
If not (uvloop), programs with timers are not played, and a program is idle after a number of iterations.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any, Final

from ...programs.enumeration import Program
from ...programs.runtimes import Ours, Uvloop
from ...programs.vectors.runtime import Runtime
from ..normal import strings
from ..subjects.subject import ORIGINAL_TASK, ORIGINALS, SubjectError, SubjectNames, on_impl, own_loop
from .clock import clocked, real_time

# Any in this file: a name of a subject may be anything, and its loop is of any class.

#: Iterations after which a program is idle, on a loop that cannot say so; the enumeration needs a fifth of them.
REST_TURNS: Final = 100
#: The methods of a loop without which no program runs.
NEEDED: Final = (
    *("call_soon", "close", "create_future", "create_task", "get_debug", "run_forever", "stop", "time"),
    "set_exception_handler",
)
#: The methods of a loop that the ways of running need (programs/stages.py).
WAYS: Final = {
    "eager": ("set_task_factory",),
    "debug": ("set_debug",),
    "outside": ("run_until_complete", "shutdown_asyncgens", "shutdown_default_executor"),
}
#: The names of things that were made within each other, more deeply than eager tasks are.
NESTED: Final[set[str]] = set()
NESTED_MAX: Final = 50
#: The public methods of a loop.
METHODS: Final = [name for name in vars(asyncio.AbstractEventLoop) if name[:1] != "_"]


class OnImpl(Ours):
    """A subject on impl's loop."""

    def __init__(self, subject: ModuleType) -> None:
        super().__init__(SubjectNames(subject), subject.new_event_loop())


class OnAsyncio(Runtime):
    """A subject on asyncio's loop, in virtual time."""

    def __init__(self, subject: ModuleType) -> None:
        super().__init__(SubjectNames(subject))
        install(self.loop, subject)

    def eager(self) -> None:
        self.loop.set_task_factory(eager(self.names))

    def start(self, main: Any) -> Any:
        return ORIGINAL_TASK(main, loop=self.loop)


class Clocked(Runtime):
    """A subject's own loop that takes the clock of the process."""

    def __init__(self, subject: ModuleType) -> None:
        self.names = SubjectNames(subject)
        self.loop, clock = clocked(subject.new_event_loop)
        assert clock is not None
        self.clock = clock
        self.running = taken(self.loop, subject)

    def eager(self) -> None:
        self.loop.set_task_factory(eager(self.names))


class Idle(Uvloop):
    """A subject's own loop with a clock of its own: a program is idle after REST_TURNS iterations."""

    def __init__(self, subject: ModuleType) -> None:
        self.names, self.loop = SubjectNames(subject), subject.new_event_loop()
        self.running = taken(self.loop, subject)

    def eager(self) -> None:
        self.loop.set_task_factory(eager(self.names))

    def rest(self) -> bool:
        self.turns(REST_TURNS)
        return True


def install(loop: Any, subject: ModuleType) -> None:
    """Make a loop of asyncio's create the subject's futures and tasks."""
    future = vars(subject).get("Future")
    if future is not None and future is not ORIGINALS["Future"][0]:
        loop.create_future = counted("Future", lambda: future(loop=loop))
    put_tasks(loop, subject)


def put_tasks(loop: Any, subject: ModuleType) -> None:
    """Make a loop create the subject's tasks, if it brings some, as a user would."""
    task = vars(subject).get("Task")
    if task is not None and task is not ORIGINAL_TASK:
        loop.set_task_factory(counted("Task", lambda loop, coro, **keywords: task(coro, loop=loop, **keywords)))


def counted(name: str, make: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that makes a subject's thing, and notes if that asks the loop for another, and so on."""
    depth = 0

    def made(*given: Any, **keywords: Any) -> Any:
        nonlocal depth
        depth += 1
        if depth > NESTED_MAX:
            NESTED.add(name)
        try:
            return make(*given, **keywords)
        finally:
            depth -= 1

    return made


def taken(loop: Any, subject: ModuleType) -> Any:
    """Make a new loop of the subject ready; return the one that runs in it."""
    put_tasks(loop, subject)
    return running_in(loop) if kind_of(subject).hides else loop


def eager(names: SubjectNames) -> Any:
    """Return the subject's eager task factory, or the one that makes the subject's tasks."""
    brings = vars(names.subject)
    if "Task" in brings and "eager_task_factory" not in brings:
        return names.create_eager_task_factory(names.Task)
    return names.eager_task_factory


@dataclass(frozen=True)
class LoopKind:
    """How a subject's loop is driven."""

    runtime: Any  #: the class of the runtimes
    hides: bool = False  #: whether the subject's loop stands for another, which get_running_loop() returns
    lacks: tuple[str, ...] = ()  #: the methods that are not there, or are AbstractEventLoop's, which raise

    @property
    def timeless(self) -> bool:
        """Whether its clock cannot be replaced."""
        return self.runtime is Idle


@cache
def kind_of(subject: ModuleType) -> LoopKind:
    """Return how a subject's loop is driven.

    Raises:
        SubjectError: its loop cannot be made, or lacks something without which no program runs.
    """
    make = own_loop(subject)
    if on_impl(subject) or make is None:
        return LoopKind(OnImpl if make else OnAsyncio)
    probe = make()
    lacks = tuple(unable(probe, METHODS))
    if "close" not in lacks:
        probe.close()
    if needed := [name for name in NEEDED if name in lacks]:
        raise SubjectError(f"new_event_loop() makes a loop without {needed[0]}: no program can be run on it")
    try:
        with real_time():
            loop, clock = clocked(make)
            running = running_in(loop)
            loop.close()
    except Exception as error:
        said = f"{type(error).__name__}: {error}".rstrip(": ")
        raise SubjectError(f"the loop that new_event_loop() makes cannot run a callback: {said}") from error
    return LoopKind(Clocked if clock else Idle, running is not loop, lacks)


def running_in(loop: Any) -> Any:
    """Run a loop until it has called a callback; return the loop that runs meanwhile."""
    found = [loop]

    def called() -> None:
        found.append(asyncio.get_running_loop())
        loop.stop()

    loop.call_soon(called)
    loop.run_forever()
    return found[-1]


def unable(loop: Any, names: Iterable[str]) -> list[str]:
    """Return those methods that a loop has not, or only those of AbstractEventLoop, which raise."""
    abstract = vars(asyncio.AbstractEventLoop)
    return [
        name for name in names if not hasattr(loop, name) or getattr(type(loop), name, None) is abstract.get(name, loop)
    ]


def absent(program: Program, lacks: Collection[str], hides: bool) -> str:
    """Return which method of these a program needs, as a sentence, or ""; a loop that hides another cannot be run."""
    if hides and "outside" in program.get("how", ()):
        return "its loop is not the one that get_running_loop() returns"
    if not lacks:
        return ""
    needs = [name for word in program.get("how", ()) for name in WAYS.get(word, ())]
    needs += [said.removeprefix("loop.") for said in strings(program) if said.startswith("loop.")]
    return next((f"its loop has no {name}" for name in sorted(needs) if name in lacks), "")
