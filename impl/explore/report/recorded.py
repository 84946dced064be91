"""Runs that are made again: to simplify the plan of a failure, and to record its steps."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Final

from ...errors import DeadlockError
from ...sim import entropy
from ...sim.choices import Choices
from ...sim.frames import is_library
from ...sim.run import isolated
from ..program import Ended, Program
from ..reduction.footprint import log
from ..reduction.program import begin_run, rewritten_main
from .shrink import Plan, Played, Shrunk, shrink
from .steps import Steps, StepsLane, finished

#: Where the plain run fails, one that passes is looked for under these seeds.
SEEDS: Final = range(1, 30)


@dataclass(frozen=True)
class Recorded:
    """A run with its steps."""

    ended: Ended
    steps: Steps
    #: The choices that it drew.
    drawn: dict[str, list[int]]


def recorded(program: Program, plan: Plan) -> Recorded:
    """Run a program by a plan, and record what its tasks read and wrote.

    The program's variables are recorded if its file can be rewritten and the rewritten program ends in the same way.
    Steps of trio are not recorded: its scheduler picks among the tasks of a batch, and does not say where steps end.
    """
    run = _recorded(program, plan)
    if program.runtime == "trio":
        return replace(run, steps=Steps())
    try:
        # A task that is collected while Python parses prints a traceback, which parses, too: nothing is collected.
        with isolated(0):
            main = rewritten_main(program.setup.main)
    except (Exception, SystemExit):  # the program's file is executed a second time, and may raise anything
        return run
    other = _recorded(program.like(main), plan)
    same = other.drawn == run.drawn and type(other.ended.error) is type(run.ended.error)
    return other if same else run


def _recorded(program: Program, plan: Plan) -> Recorded:
    lanes = Choices.listed(plan)
    lane = StepsLane(plan.get("schedule", ()), program.setup.inject.late_ms_max)
    lanes.schedule = lane
    with isolated(0), program.around(), program.recording(lane.note):
        entropy.begin(0)
        main = program.setup.main
        if isinstance(main, FunctionType):
            begin_run(main)
        else:
            log.begin_run()
        try:
            ended = program.once(lanes)
        finally:
            log.accesses = None
        return Recorded(ended, finished(lane), lanes.drawn())


def simplest(program: Program, plan: Plan, error: BaseException) -> Shrunk:
    """The simplest plan under which the program fails with the same type of error, raised by the same line."""
    kind = _kind(error)
    with _again(program) as once:

        def play(plan: Plan) -> Played:
            choices = Choices.listed(plan)
            ended = once(choices)
            return Played(ended.error is not None and _kind(ended.error) == kind, choices.drawn())

        return shrink(plan, play)


def passing(program: Program) -> dict[str, list[int]] | None:
    """The simplest plan that was found under which the program passes; None: it fails under each of SEEDS."""
    with _again(program) as once:

        def play(plan: Plan) -> Played:
            choices = Choices.listed(plan)
            return Played(not program.failed(once(choices)), choices.drawn())

        if play({}).failed:
            return {}
        for seed in SEEDS:
            choices = Choices.seeded(seed)
            if not program.failed(once(choices)):
                return shrink(choices.drawn(), play).plan
    return None


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


def _kind(error: BaseException) -> tuple[object, ...]:
    """The key by which failures are the same: type and innermost line of the program; of a group, its errors'."""
    if isinstance(error, BaseExceptionGroup):
        return (type(error), *sorted(map(repr, map(_kind, error.exceptions))))
    line = None
    trace = error.__traceback__
    while trace is not None:
        if not is_library(trace.tb_frame.f_code.co_filename):
            line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    return type(error), None if isinstance(error, DeadlockError) else line
