"""The rules on both bridges: the programs of the catalogue, and the facts of the kit, are as on asyncio."""

import asyncio
import inspect
from typing import Any

import pytest

from impl.bridges.asyncio.loop import SimEventLoop
from impl.bridges.asyncio.run import simulate

from ...conformance.cases.sources import catalogue
from ...conformance.facts.fact import facts
from ...conformance.kit import Kit
from ...conformance.known_bugs import known_of_fact
from ...conformance.loops.garbage import left_behind
from ...conformance.process import Process
from ...programs.releases import THIS
from ...programs.runtimes import TURNS_MAX, Ours, observe

#: Facts that the names break: on 3.12 a gather that has raised keeps its caller (LEAK-5).
UNTRUE = {"gathers_free_their_caller"} if THIS[:2] == (3, 12) else set()
#: Facts that the simulated loop breaks, and why.
NOT_SIMULATED = {
    "destroyed_while_pending": "the loop holds its tasks, so that none is destroyed at a random moment",
    "eager_tasks_are_listed": "the loop learns of an eager task after its first step",
    "loop_of_a_future": "another event loop is outside of the simulation",
    "waits_leave_nothing": "the loop holds a task that still waits for its timer",
}
SIMULATED = {
    name: fact.check
    for fact in facts().values()
    if inspect.iscoroutinefunction(fact.check) and fact.since <= THIS and not known_of_fact(fact.text)
    if (name := fact.name) not in NOT_SIMULATED
}


def test_impls_names_on_asyncios_loop_keep_the_rules() -> None:
    with Process("impl.bridges.on_asyncio.names") as process, left_behind():
        kit = Kit(process, (), documented=False)
        kit.play(catalogue())
        kit.facts()
    assert kit.played.programs > 500
    assert (kit.played.failed, kit.causes.broken) == (0, {})
    assert {facts()[finding.name].name for finding in kit.untrue} == UNTRUE


# Before 3.13 a group of asyncio does not close a coroutine that it refuses (GROUP-7).
@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning")
def test_the_simulated_loop_plays_each_program_as_asyncio_does() -> None:
    for case in catalogue():
        loop: Any = SimEventLoop(turns_max=TURNS_MAX)  # Any: the player takes any loop
        assert observe(case.program, Ours(asyncio, loop)) == observe(case.program, "asyncio"), case.name


@pytest.mark.parametrize("fact", SIMULATED)
def test_a_fact_holds_on_the_simulated_loop(fact: str) -> None:
    check: Any = SIMULATED[fact]  # Any: a coroutine function
    simulate(check).outcome()
