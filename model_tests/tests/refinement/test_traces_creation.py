"""Real tasks that create tasks, in random programs: their runs are accepted, and those of every wrong one rejected."""

import sys
from collections import Counter
from random import Random
from typing import Any, Final

import pytest

import impl
from spec.kit.trace import Do

from ...implementations.all_mutants import BY_NAME
from ...programs.runtimes import loop_of
from ...refinement.creation import (
    ASYNCIO,
    OURS,
    OURS_EAGER,
    CreationProgram,
    drawn,
    eager_asyncio,
    judged,
)
from ...refinement.held import HeldRuns, NamedLoops

# `Any` in this file: the result of a task.

#: So many programs are run, of one seed each.
PROGRAMS: Final = 100
ACTIONS: Final = {"start", "create", "step", "pause", "finish", "cancel"}
RUNTIMES: Final = [OURS, OURS_EAGER, ASYNCIO, *([eager_asyncio()] if sys.version_info >= (3, 12) else [])]
HELD = [HeldRuns("creation", tuple(each.name for each in RUNTIMES[:3]), traces=PROGRAMS)]  # of every version


def programs(full: bool = False) -> list[CreationProgram]:
    return [drawn(Random(seed)) for seed in range(5_000 if full else PROGRAMS)]


def rejects_one(runtime: NamedLoops, *, eager: bool) -> bool:
    """Return whether a run of some program is rejected."""
    return any(judged(eager).rejects(runtime, program) for program in programs())


@pytest.mark.parametrize("runtime", RUNTIMES, ids=lambda runtime: runtime.name)
def test_random_programs_are_accepted(runtime: NamedLoops, full: bool) -> None:
    made = Counter[str]()
    for program in programs(full):
        seen = judged(runtime.eager).run(runtime, program)
        made.update(line.event.name for line, _ in seen if isinstance(line, Do))
    assert set(made) == ACTIONS
    assert min(made.values()) >= 10


def test_eager_start_and_none_are_told_apart() -> None:
    """TASK-6, TASK-14."""
    assert rejects_one(OURS_EAGER, eager=False)
    assert rejects_one(OURS, eager=True)


class Leaving(impl.Task[Any]):
    """TASK-14: when a first step ends, the task that it interrupted runs no more."""

    def _begin_now(self, loop: Any) -> None:
        super()._begin_now(loop)
        loop.current = None


class Early(impl.Task[Any]):
    """TASK-14: a task begins within create_task before the loop runs."""

    def __init__(self, coro: Any, loop: Any, name: Any, context: Any, eager: bool = False) -> None:
        super().__init__(coro, loop, name, context, eager_start=True)


@pytest.mark.parametrize("wrong", [Leaving, Early])
def test_a_wrong_eager_start_is_rejected(wrong: type[impl.Task[Any]]) -> None:
    make = loop_of(task=wrong)
    runtime = NamedLoops(wrong.__name__, impl, lambda: make(eager=True), eager=True)
    assert rejects_one(runtime, eager=True)


@pytest.mark.parametrize("name", [name for name, each in BY_NAME.items() if each.rule == "TASK-6"])
def test_tasks_that_begin_at_once_are_rejected(name: str) -> None:
    mutant = BY_NAME[name]
    assert rejects_one(NamedLoops(name, impl, mutant.new_loop, eager=False), eager=False)
