"""The report of a failure as data: `--json` prints it, and text.py turns it into text."""

from __future__ import annotations

import inspect
import linecache
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import dropwhile
from traceback import TracebackException
from types import FunctionType
from typing import Any, Final

from ...bridges.output import muted, recorded_output
from ...bridges.user_program import function_of
from ...errors import Blocked, CallbackError, DeadlockError, LivelockError
from ...sim.choices import Choices, Freedom
from ...sim.deadlock import cycles, labels
from ...sim.frames import is_users, shown_file
from ...sim.limits import RunLimits
from ...sim.outcome import clear_frames, described
from ..programs.program import Program, RuntimeName, UserMain
from ..programs.quiet_logging import unlogged
from .recording import Passing, Recorded, compared, passing, recorded, simplest
from .reversals import PlacedAccess, Shared, Turned, turned
from .shrink import Plan
from .steps import INJECTED, NO_TASK, Steps, TaskStep, Touch

#: The subject of the failure of a callback.
CALLBACK: Final = "a callback"
#: The loop iterations of a run that goes round, when it is made simpler and recorded.
_BRIEF: Final = 64


@dataclass(frozen=True)
class Frame:
    """A line of the program in a traceback."""

    file: str
    line: int
    function: str
    source: str


@dataclass(frozen=True)
class Waiting:
    """A task of a deadlock, or of a livelock."""

    task: str
    #: "": no line is known.
    file_line: str
    #: "": it does not wait, it is ready.
    thing: str
    method: str
    holders: list[str]
    certain: bool


@dataclass(frozen=True)
class StepRow:
    """A step of the failed run, with its accesses to things that tasks share."""

    task: str
    #: The lines at which it began and stopped; 0: the task began, or ended.
    begins: int
    stops: int
    #: How many ready items it overtook: 0 is first in, first out.
    overtakes: int
    #: The lateness of timers that it set, in milliseconds.
    late: int
    cancelled: bool
    touches: list[Touch]
    #: How the task ended; "" if it did not.
    end: str
    #: The file of the lines; "": there is none.
    file: str
    #: Its short name, if it is not the program's own; else "".
    other: str
    #: The tasks that wait no more when the next step begins.
    wakes: list[str]
    #: The text of the line at which it stopped, or else began.
    source: str
    #: In the place of a step: the draw for a timer, in words; "": there was none.
    freed: str


def at(line: int, other: str, word: str = "line ") -> str:
    """A line in words, with the short name of its file where that is not the program's own."""
    return f"{other}:{line}" if other else f"{word}{line}"


@dataclass(frozen=True)
class PairSide:
    """One side of a pair: the access of the task, and its line."""

    task: str
    how: str
    line: int
    #: The short name of the file, if it is not the program's own; else "".
    file: str


@dataclass(frozen=True)
class Pair:
    """`first` came before `second`, and after it in the run that passes."""

    thing: str
    first: PairSide
    second: PairSide
    #: Whether the failed run came to `second`: before its end, or never.
    reached: bool = True


@dataclass(frozen=True)
class Earlier:
    """An error that came before that of the program, and that nothing had retrieved."""

    #: The task that raised it; "": a callback.
    task: str
    error: str
    frames: list[Frame]


@dataclass(frozen=True)
class Report:
    """A failed run in its simplest form."""

    #: The name of main, or CALLBACK, if one has failed.
    program: str
    #: The first of the errors of other tasks that nothing handled.
    earlier: Earlier | None
    #: The text of the error, as it was when the program ended.
    error: str
    frames: list[Frame]
    #: The timers that must be late or early, in words.
    needs: list[str]
    #: The tasks of a deadlock that wait for each other, as a sentence, and all its tasks.
    cycle: str
    waiting: list[Waiting]
    #: The tasks and callbacks of a livelock that run on and on, each with its line.
    rounds: list[str]
    #: The other lines of a deadlock's text, where its tasks are not known one by one (trio).
    lines: list[str]
    tasks: list[str]
    rows: list[StepRow]
    #: Beside the simplest run that passes; None: none is known.
    turned: list[Pair] | None
    #: The steps of the run that passes; None: none is known.
    passing: list[StepRow] | None
    #: Whether the plain run, first in, first out, passes.
    plain_passes: bool
    #: If the plain run fails: the runs that were tried, in words, or the token of one that passes.
    tried: str
    passing_token: str
    #: Why steps or variables are missing; "": none are.
    lacks: str
    plan: dict[str, list[int]]
    #: Whether no plan with fewer choices that differ from 0 fails.
    least: bool
    token: str
    #: The tasks of the steps that ran, in order; tasks are places in `tasks`.
    order: list[int]
    runtime: RuntimeName
    #: The last lines that the run printed and logged, and the number of those before them.
    output: list[str]
    output_omitted: int
    #: Whether the run has started threads.
    threads: bool = False

    def as_json(self) -> dict[str, Any]:  # Any: an argument of json.dumps
        """The same as dictionaries and lists."""
        return asdict(self)


def report_of(program: Program, plan: Plan, error: BaseException) -> Report:
    """Simplify a failure and record it.

    Parameters:
        program: that failed.
        plan: the choices of the run.
        error: with which it failed.
    """
    with muted():
        with unlogged():
            clear_frames(error)  # the program's objects do not live on in the runs that are made now
        with _brief(program.setup.limits, isinstance(error, LivelockError)):
            shrunk = simplest(program, plan, error)
            failed = compared(recorded(program, shrunk.plan), error)
            other = Passing(None) if _has_collected(failed.steps) else passing(program)
            passed = failed if other.plan is None else recorded(program, other.plan)
        with unlogged(), program.around():
            with recorded_output() as output:
                run = program.simulate(choices=Choices.listed(shrunk.plan))
            passes = program.simulate(choices=Choices.listed(other.plan)) if other.plan else None
    final, main = run.error or error, program.setup.main
    said = failed.ended.said if failed.steps.tasks and not isinstance(final, LivelockError) else run.said
    subject = getattr(main, "__name__", getattr(function_of(main), "__name__", "the program"))
    if isinstance(final, CallbackError):
        subject, said = CALLBACK, f"{described(final.__cause__ or final)} (nothing handles it)"
    names = [task.label for task in failed.steps.tasks]
    shared, differing = _differences(failed.steps, passed.steps, isinstance(final, DeadlockError))
    pairs = None if passed is failed else differing
    files = _short_names(function_of(main), failed.steps, passed.steps)
    theirs = [task.label for task in passed.steps.tasks]
    blocked = final.blocked if isinstance(final, DeadlockError) else ()
    waiting = _names(blocked, failed)
    rows = [_row(step, failed.steps, shared, files) for step in failed.steps.steps]
    return Report(
        subject,
        next((_earlier(*each, names, main) for each in failed.steps.unhandled), None),
        said.partition(";")[0] if isinstance(final, DeadlockError) else said,
        [] if isinstance(final, DeadlockError) else _frames(final, main),
        list(dict.fromkeys(row.freed for row in rows if row.freed and row.end == INJECTED)),
        cycles(blocked, waiting),
        [_waiting(each, name, waiting) for each, name in zip(blocked, waiting, strict=True)],
        failed.steps.last_actors() if isinstance(final, LivelockError) else [],
        str(final).splitlines()[1:] if isinstance(final, DeadlockError) and not blocked else [],
        names,
        rows,
        None if pairs is None else [_pair(pair, names, theirs, files) for pair in pairs],
        None if pairs is None else [_row(step, passed.steps, shared, files) for step in passed.steps.steps],
        other.plan == {},
        other.tried,
        "" if passes is None else passes.recorded_token(),
        failed.lacks,
        shrunk.plan,
        shrunk.least,
        run.recorded_token(),
        [step.task for step in failed.steps.steps if step.task != NO_TASK],
        program.runtime,
        *output.ended(),
        any(task.is_thread for task in failed.steps.tasks),
    )


@contextmanager
def _brief(limits: RunLimits, repeats: bool) -> Iterator[None]:
    """Make runs end early, if the one that failed repeats itself: it does so from early on."""
    whole = replace(limits)
    if repeats:
        limits.iterations, limits.most = min(whole.iterations, _BRIEF), whole.iterations
    yield
    limits.iterations, limits.most = whole.iterations, whole.most


def _has_collected(steps: Steps) -> bool:
    """Whether a task was collected as garbage."""
    return any(step.freed is not None and step.freed.freedom is Freedom.COLLECTED for step in steps.steps)


def _differences(failed: Steps, passed: Steps, waits: bool) -> tuple[Shared, list[Turned]]:
    """The shared things of two runs, and the pairs; if there are none, with the things that are not understood.

    A line is shown if nothing that it touches has a name; of a deadlock (`waits`), the waits are shown.
    """
    for doubt in range(3):
        shared = Shared(failed, passed, doubt=doubt)
        if pairs := turned(failed, passed, shared):
            return shared, pairs
    return Shared(failed, passed) if waits else shared, []


def _earlier(task: int, error: BaseException, names: Sequence[str], main: UserMain) -> Earlier:
    return Earlier("" if task == NO_TASK else names[task], described(error), _frames(error, main))


def _frames(error: BaseException, main: UserMain) -> list[Frame]:
    """The program's lines in the traceback of an error, outermost first; of a group, those of its first error.

    A main that wraps another function (functools.wraps) is no line of the program.
    """
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    stack = TracebackException.from_exception(error).stack
    own = [frame for frame in stack if is_users(frame.filename)]
    inner = inspect.unwrap(main)
    if inner is not main:
        file = inner.__code__.co_filename
        own = list(dropwhile(lambda frame: frame.filename != file, own))
    return [Frame(shown_file(frame.filename), frame.lineno or 0, frame.name, frame.line or "") for frame in own]


def _names(blocked: Sequence[Blocked], failed: Recorded) -> list[str]:
    """The labels of blocked tasks in the table: they are those that have not ended, in order of creation."""
    ended = {step.task for step in failed.steps.steps if step.end}
    if any(task.is_thread for task in failed.steps.tasks):  # those of a pool that are idle are not blocked
        return labels([(each.task, each.function) for each in blocked])
    left = [task.label for number, task in enumerate(failed.steps.tasks) if number not in ended]
    return left if len(left) == len(blocked) else labels([(each.task, each.function) for each in blocked])


def _waiting(task: Blocked, name: str, names: Sequence[str]) -> Waiting:
    file_line = task.state.partition(" at ")[2].rpartition(" in ")[0]
    holders = [names[holder] for holder in task.holders]
    thing = task.called or (_kind(task.thing) if task.thing else "")
    return Waiting(name, file_line, thing, task.method, holders, task.certain)


def _kind(thing: str) -> str:
    """The kind of an object without a name, from its repr: `a Future`."""
    found = re.match(r"<(?:\w+\.)*_?(\w+)", thing)
    kind = found[1] if found else thing
    if kind in ("GatheringFuture", "CancelForwarder"):
        return "gather"
    return f"an {kind}" if kind[:1] in tuple("AEIOU") else f"a {kind}"


def _short_names(main: FunctionType | None, *runs: Steps) -> dict[str, str]:
    """The short names of the files of runs: "" for that of `main`, and the whole path of two with one name."""
    own = "" if main is None else main.__code__.co_filename
    steps = [step for run in runs for step in run.steps]
    found = dict.fromkeys([*(step.file for step in steps), *(touch.file for step in steps for touch in step.touches)])
    shown = {file: shown_file(file) for file in found}
    names = Counter(map(os.path.basename, shown.values()))
    short = {file: base if names[base := os.path.basename(name)] == 1 else name for file, name in shown.items()}
    return {**short, own: "", "": ""}


def _row(step: TaskStep, steps: Steps, shared: Shared, files: Mapping[str, str]) -> StepRow:
    task = "" if step.task == NO_TASK else steps.tasks[step.task].label

    def place(file: str, line: int) -> str:
        return at(line, files.get(file, shown_file(file)))

    return StepRow(
        task,
        step.begins,
        step.stops,
        step.overtakes,
        step.late,
        step.cancelled,
        [touch._replace(of=None, file=files[touch.file]) for touch in shared.of(step)],
        step.end,
        shown_file(step.file),
        files[step.file],
        [steps.tasks[number].label for number in step.wakes],
        linecache.getline(step.file, step.stops or step.begins).strip(),
        "" if step.freed is None else step.freed.said(place, [each.label for each in steps.tasks]),
    )


def _pair(pair: Turned, names: Sequence[str], theirs: Sequence[str], files: Mapping[str, str]) -> Pair:
    def side(access: PlacedAccess, names: Sequence[str]) -> PairSide:
        task = names[access.task] if access.task != NO_TASK else ""
        return PairSide(task, access.touch.how, access.touch.line, files[access.touch.file])

    return Pair(
        pair.thing,
        side(pair.first, names),
        side(pair.second, names if pair.reached else theirs),  # only the other run has come to it
        pair.reached,
    )
