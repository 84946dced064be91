"""Runs that are made again: to simplify the plan of a failure, and to record its steps."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Final

from ...errors import DeadlockError, UnfinishedError
from ...runners.simulate import isolated
from ...sim import entropy
from ...sim.choices import Choices
from ...sim.frames import is_library
from ...sim.outcome import chain
from ..choices.sources import Plain
from ..choices.strategies import MIX, steered
from ..programs.program import Ended, Program
from ..programs.quiet_logging import unlogged
from ..reduction.footprint import log
from ..reduction.program import NotRewritable, begin_run, files_run, followed, rewritten
from .internal import hold_of_recorder
from .shrink import Plan, Played, Shrunk, shrink
from .steps import Steps
from .steps_lane import StepsLane, finished

#: Where the plain run fails, one that passes is looked for under these seeds.
SEEDS: Final = range(1, 101)


@dataclass(frozen=True)
class Recorded:
    """A run with its steps."""

    #: How the program as it is ended, with its calls recorded.
    ended: Ended
    steps: Steps
    #: The choices that it drew.
    drawn: dict[str, list[int]]
    #: Why steps or variables are missing; "": none are.
    lacks: str = ""


def recorded(program: Program, plan: Plan) -> Recorded:
    """Run a program by a plan, and record the reads and writes of its tasks.

    The program's variables are recorded if its file can be rewritten and the rewritten program ends in the same way;
    with its file, those of the user's other functions that ran.

    Raises:
        Exception: of the recorder.
    """
    with unlogged(), _again(program) as once, files_run() as ran:
        once(Choices.listed(plan))
    run = _recorded(program, plan)
    with ExitStack() as stack:
        try:
            # A task that is collected while Python parses prints a traceback, which parses, too: nothing is collected.
            with isolated(0):
                files = followed(ran, program.setup.main, program.setup.follow)
                stack.enter_context(rewritten(program.setup.main, files))
        except (NotRewritable, SyntaxError):
            return run
        other = _recorded(program, plan)
    # A class within the program is another one in each run.
    names = {type(each.ended.error).__qualname__ for each in (run, other)}
    if other.drawn == run.drawn and len(names) == 1:
        return replace(run, steps=other.steps)
    lacks = f"its variables are not shown: with its file rewritten, the program {_how(other.ended)}"
    return replace(run, lacks=lacks)


def compared(run: Recorded, error: BaseException) -> Recorded:
    """The recorded run of a failure; without its steps, if it did not fail in that way."""
    if run.ended.error is not None and kind_of(run.ended.error) == kind_of(error):
        return run
    return replace(run, steps=Steps(), lacks=f"its steps are not shown: while they were recorded, it {_how(run.ended)}")


def _how(ended: Ended) -> str:
    return ended.said if ended.error is None else f"raised {ended.said}"


def _recorded(program: Program, plan: Plan) -> Recorded:
    lanes = Choices.listed(plan)
    lane = lanes.schedule = _lane(program, plan)
    lanes.tell = lane.timer
    with isolated(0), program.around(), program.recording(lane.note):
        entropy.begin(0)
        begin_run(program.setup.main)
        try:
            ended = program.once(lanes)
            hold_of_recorder(ended.error)
        finally:
            log.accesses = None
        if lane.broken is not None:
            raise lane.broken
        steps, told = finished(lane), set(map(id, chain(ended.error)))
        steps.unhandled = [each for each in steps.unhandled if id(each[1]) not in told]
        return Recorded(ended, steps, lanes.drawn())


def _lane(program: Program, plan: Plan) -> StepsLane:
    if program.runtime == "trio":
        from .steps_trio import TrioStepsLane  # only here: trio need not be installed

        return TrioStepsLane(plan.get("schedule", ()), program.setup.inject.late_ms_max)
    return StepsLane(plan.get("schedule", ()), program.setup.inject.late_ms_max)


def simplest(program: Program, plan: Plan, error: BaseException) -> Shrunk:
    """The simplest plan under which the program fails with the same type of error, raised by the same line."""
    kind = kind_of(error)
    with _again(program) as once:

        def play(plan: Plan) -> Played:
            choices = Choices.listed(plan)
            ended = once(choices)
            return Played(ended.error is not None and kind_of(ended.error) == kind, choices.drawn())

        return shrink(plan, play)


@dataclass(frozen=True)
class Passing:
    """A run that passes."""

    #: Its plan, the simplest that was found; None: no run that was tried passes.
    plan: dict[str, list[int]] | None
    #: The runs that were tried, in words; "": the plain one passes, or would if no task were collected.
    tried: str = ""


def passing(program: Program) -> Passing:
    """Look for a run that passes: the plain one, then one under each of SEEDS, with all that may vary in the program.

    Every second run has nothing injected; one that passes has not raised the injected error, either.
    """
    with _again(program) as once:

        def play(plan: Plan) -> Played:
            choices = Choices.listed(plan)
            return Played(once(choices).error is None, choices.drawn())

        plain = Plain()
        choices = plain.choices()
        first = once(choices)
        if not program.failed(first) and not isinstance(first.error, UnfinishedError):
            return Passing({})
        late = ", while no timer is late" if choices.punctual else ""
        if not any(plain.widths.values()):
            return Passing(None, f"there is no other order{late}")
        drawn: dict[str, list[int]] = {}
        for seed in SEEDS:
            choices = steered(seed, MIX, plain.steps())
            if seed % 2:
                choices.replace_source("faults", lambda n: 0)
            ended = once(choices)
            drawn.update({lane: values for lane, values in choices.drawn().items() if values})
            if ended.error is None:
                return Passing(shrink(choices.drawn(), play).plan)
    return Passing(None, f"none of {len(SEEDS)} runs passes in which {_varied(program, drawn)} varied{late}")


def _varied(program: Program, drawn: Plan) -> str:
    """The variations of the runs of a program, in words."""
    setup, inject = program.setup, program.setup.inject
    named = {
        "the order of tasks": setup.order == "any",
        "the lateness of timers": bool(inject.late_ms_max),
        "cancels": bool(inject.cancel) and "faults" in drawn,
        "timeouts": inject.timeouts and "faults" in drawn,
        "timers": inject.late_freely and "faults" in drawn,
        "the network": "network" in drawn,
        "its faults": setup.network is not None and bool(setup.network.conditions.faults),
    }
    return " and ".join(words for words, varied in named.items() if varied) or "the order of timers"


@contextmanager
def _again(program: Program) -> Iterator[Callable[[Choices], Ended]]:
    """A function that runs the program, with the module random and the entropy of a new run."""
    with isolated(0), program.around():
        state = random.getstate()

        def once(choices: Choices) -> Ended:
            random.setstate(state)
            entropy.begin(0)
            return program.once(choices)

        yield once


def kind_of(error: BaseException) -> tuple[object, ...]:
    """The key that equal failures share: class by name, and innermost line; of a group, its errors'."""
    if isinstance(error, BaseExceptionGroup):
        return (type(error).__qualname__, *sorted(map(repr, map(kind_of, error.exceptions))))
    line = None
    trace = error.__traceback__
    while trace is not None:
        if not is_library(trace.tb_frame.f_code.co_filename):
            line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    return type(error).__qualname__, None if isinstance(error, DeadlockError) else line
