"""The engine: the numbers of schedules, the default search, the fields of a failure, and programs that keep state."""

from __future__ import annotations

import asyncio
import gc
import logging
import random
import re
from collections.abc import Callable, Generator
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import fields
from functools import cache, partial
from inspect import signature
from math import comb
from typing import Any
from weakref import ref

import pytest
import trio

import impl
from impl.bridges.asyncio.run import simulate
from impl.explore import KeepsState, Options, explore, outcomes
from impl.explore.choices.strategies import STRATEGIES
from impl.explore.engine import explore_with
from impl.explore.programs.global_random import GlobalRandom
from impl.explore.programs.program import RuntimeName
from impl.explore.programs.quiet_logging import unlogged
from impl.runners.simulate import simulate as simulate_impl

from ...assurance.bench.explore import columns
from ...examples import races
from ...programs import trees
from ...programs.substitution import substituted
from .programs import NAMES, RACES, RUNTIMES, Main, failure_of

TREES = {"impl": substituted(trees, impl), "asyncio": trees}

#: Program -> schedules, distinct outcomes.  The larger ones are run with `--full`.
COUNTS = {
    "two_by_three": (126, 1),
    "two_by_three_gathered": (182, 1),
    "lost_update": (636, 3),
    "locked": (486, 1),
    "two_sleepers": (10, 1),
    "queue": (22_276, 1),
    "three_by_two_gathered": (13_830, 1),
}
LARGE = ("queue", "three_by_two_gathered")


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("name", COUNTS)
def test_both_loops_have_the_same_trees(name: str, runtime: RuntimeName, full: bool) -> None:
    if name in LARGE and not full:
        pytest.skip("a large tree: run with --full")
    found = explore(getattr(TREES[runtime], name), every=True, reduce=False, runtime=runtime)
    assert (found.runs, len(found.outcomes), found.verdict) == (*COUNTS[name], "exhausted")


@cache
def gather_leaves(left: tuple[int, ...], callbacks: int) -> int:
    """The schedules of tasks under gather that have `left` steps each, while `callbacks` callbacks are ready."""
    leaves = 1 if not any(left) and callbacks <= 1 else 0  # the last callback resolves gather's future
    if not leaves:
        for at, steps in enumerate(left):
            if steps:
                after = (*left[:at], steps - 1, *left[at + 1 :])
                leaves += gather_leaves(after, callbacks + (steps == 1))
        if callbacks:
            leaves += gather_leaves(left, callbacks - 1)
    return leaves


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("count", range(5))
def test_two_tasks_have_as_many_schedules_as_the_closed_forms_say(count: int, runtime: RuntimeName) -> None:
    """Awaited one after the other; or under gather: its callbacks keep their order."""
    awaited = explore(partial(TREES[runtime].awaited, 2, count), every=True, reduce=False, runtime=runtime)
    assert awaited.runs == comb(2 * count + 3, count + 1)
    gathered = explore(partial(TREES[runtime].gathered, 2, count), every=True, reduce=False, runtime=runtime)
    closed = 2 * (comb(2 * count + 3, count + 1) - comb(2 * count + 1, count))
    assert gathered.runs == closed == gather_leaves((count + 1,) * 2, 0)


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize(("tasks", "count"), [(1, 3), (3, 0), (3, 1), (4, 0)])
def test_gathered_tasks_have_the_counted_schedules(tasks: int, count: int, runtime: RuntimeName) -> None:
    found = explore(partial(TREES[runtime].gathered, tasks, count), every=True, reduce=False, runtime=runtime)
    assert found.runs == gather_leaves((count + 1,) * tasks, 0)


def test_the_counted_leaves_are_those_of_the_large_tree() -> None:
    assert gather_leaves((3, 3, 3), 0) == COUNTS["three_by_two_gathered"][0]


def test_a_bound_on_runs_is_not_exhausted() -> None:
    found = explore(trees.two_by_three, every=True, reduce=False, runs=125)
    assert (found.runs, found.verdict) == (125, "not exhausted")
    runs = "125 runs, 1 outcome"
    assert found.report() == f"not exhausted ({runs}): no run failed; the search ended after 125 runs"
    assert explore(trees.two_by_three, every=True, reduce=False, runs=126).verdict == "exhausted"


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_outcomes_are_what_is_returned_or_raised(runtime: RuntimeName) -> None:
    found = outcomes(TREES[runtime].lost_update, runtime=runtime)
    assert sorted(found) == ["returned 1", "returned 2", "returned 3"]
    assert sum(seen.runs for seen in found.values()) == 636
    assert found["returned 1"].first == 1


@pytest.mark.parametrize("name", COUNTS)
def test_detangle_has_the_same_trees(name: str, full: bool) -> None:
    """A third, independent implementation of the search."""
    detangle = columns().get("detangle")
    if detangle is None:
        pytest.skip("not run: detangle is not installed; it needs Python 3.13, and `make bench-explore` installs it")
    if name in LARGE and not full:
        pytest.skip("a large tree: run with --full")
    assert detangle(name) == COUNTS[name][0]


def test_an_exhausted_search_says_under_which_assumption() -> None:
    found = explore(trees.two_sleepers, every=True, reduce=False)
    assert found.assumptions == ["any ready task may run next, callbacks keep their order"]
    found = explore(trees.two_sleepers, every=True, reduce=False, order="fifo")
    # Their timers are of one instant.
    assert (found.runs, found.assumptions) == (2, ["tasks run first in, first out"])
    assert list(outcomes(trees.lost_update, order="fifo")) == ["returned 1"]
    assert list(outcomes(trees.lost_update, every=False, runs=1)) == ["returned 1"]


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("every", [False, True])
def test_a_failure_has_a_token_that_repeats_it(every: bool, runtime: RuntimeName) -> None:
    program = RACES[runtime].lost_update
    found = explore(program, runtime=runtime, every=every, reduce=False)
    failure = found.failure
    assert failure is not None
    assert found.verdict == "failed"
    assert found.runs == failure.number
    assert failure.outcome == "AssertionError: the balance is 10"
    repeat: Any = {"impl": simulate_impl, "asyncio": simulate}[runtime]
    run = repeat(program, token=failure.token)
    assert str(run.error).startswith("the balance is 10")
    again = failure.again()
    assert again.digest == run.digest == failure.run.digest
    assert again.trace
    replayed = explore(program, runtime=runtime, token=failure.token)
    assert (replayed.runs, replayed.verdict) == (1, "failed")


def test_a_search_ends_at_the_first_failure_unless_it_keeps_going() -> None:
    first = explore(races.lost_update, every=True, reduce=False)
    whole = explore(races.lost_update, every=True, reduce=False, keep_going=True)
    assert first.failures == 1
    assert whole.failures > 1
    assert whole.failure is not None
    assert whole.failure.number == first.runs
    assert whole.runs == 63


def test_a_deadlock_is_a_failure_and_its_outcome_has_every_task() -> None:
    failure = failure_of(races.two_locks)
    assert isinstance(failure.error, impl.DeadlockError)
    assert failure.outcome.count("waits at") == 3


def of_trio(lock: Callable[[], AbstractAsyncContextManager[object]]) -> Main:
    """Two tasks add to a value; without a lock an update may be lost."""

    async def main() -> None:
        value, guard = 0, lock()

        async def add() -> None:
            nonlocal value
            async with guard:
                seen = value
                await trio.lowlevel.checkpoint()
                value = seen + 1

        async with trio.open_nursery() as nursery:
            nursery.start_soon(add)
            nursery.start_soon(add)
        assert value == 2

    return main


def test_trio_programs() -> None:
    found = explore(of_trio(trio.Lock), runtime="trio", every=True, reduce=False)
    assert found.verdict == "exhausted"
    assert 1 < found.runs < 100
    failure = failure_of(of_trio(nullcontext), runtime="trio")
    assert explore(of_trio(nullcontext), runtime="trio", token=failure.token).verdict == "failed"


@pytest.mark.parametrize("reduce", [False, True])
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_program_that_keeps_state_between_runs_is_reported(runtime: RuntimeName, reduce: bool) -> None:
    calls = 0

    async def main() -> None:
        nonlocal calls
        calls += 1
        await TREES[runtime].gathered(2 + calls // 3, 1)
        await NAMES[runtime].sleep(0)

    with pytest.raises(KeepsState, match="keeps state between runs"):
        explore(main, every=True, reduce=reduce, runtime=runtime)


def test_a_failure_that_does_not_repeat_is_reported() -> None:
    calls = 0

    async def main() -> None:
        nonlocal calls
        calls += 1
        assert calls % 5

    with pytest.raises(KeepsState, match="run 5 ended with 'AssertionError"):
        explore(main)


def test_each_run_has_the_module_random_as_a_new_run_has_it() -> None:
    drawn: list[float] = []

    async def main() -> None:
        await trees.gathered(2, 0)
        if len(drawn) > 3:  # the first runs do not use it
            await asyncio.sleep(0)
        drawn.append(random.random() if len(drawn) > 3 else 0.0)

    state = random.getstate()
    explore(main, runs=9)
    assert random.getstate() == state
    used = [number for number in drawn if number]
    assert len(used) == 7  # the first of them is made again, and at the end the plain run
    assert len(set(used[1:])) == 1
    assert used[1] == simulate(_random).result


async def _random() -> float:
    return random.random()


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_no_strategy_keeps_a_task_that_the_program_has_dropped(runtime: RuntimeName, strategy: str) -> None:
    names = impl if runtime == "impl" else asyncio

    async def both() -> list[ref[Any]]:
        tasks = [names.create_task(names.sleep(0)) for _ in range(2)]
        for task in tasks:
            await task
        return [ref(task) for task in tasks]

    async def main() -> None:
        seen = await both()
        await names.sleep(0)  # else the callback that runs has the last one
        gc.collect()
        assert [task() for task in seen] == [None, None]

    assert list(explore(main, runs=4, runtime=runtime, strategy=strategy).outcomes) == ["returned None"]


def test_the_first_use_of_the_module_random_is_seen() -> None:
    state = random.getstate()
    generator = GlobalRandom()
    assert [generator.used() for _ in range(3)] == [False] * 3
    random.random()
    assert generator.used()
    assert random.getstate() == state
    random.random()
    assert not generator.used()
    assert random.getstate() == state


async def needs(number: int) -> None:
    """A program with a parameter."""


@pytest.mark.parametrize(("main", "arguments", "message"), [
    (trees.two_by_three, {"runs": 0}, "runs is 0: it must be at least 1"),
    (trees.two_by_three, {"runs": "many"}, "runs is 'many': it must be a whole number"),
    (trees.two_by_three, {"seed": -1}, "seed is -1: it must be from 0 to "),
    (trees.two_by_three, {"seed": 0.5}, "seed is 0.5: it must be a whole number"),
    (trees.two_by_three, {"late": "1 s"}, "late is '1 s': it must be a number of seconds"),
    (trees.two_by_three, {"cancel": [3]}, "cancel is [3]: it must be a text, or a sequence of names"),
    (trees.two_by_three, {"timeouts": "yes"}, "timeouts is 'yes': it must be True or False"),
    (trees.two_by_three, {"spec": "queue"}, "spec is 'queue': it must be an oracle"),
    (trees.two_by_three, {"progress": 3}, "progress is 3: it must be a function"),
    (trees.two_by_three, {"order": "lifo"}, "order must be 'fifo' or 'any', not 'lifo'"),
    (trees.two_by_three, {"strategy": "best"}, "strategy must be 'mix', 'sweep' or one of walk"),
    (trees.two_by_three, {"runtime": "curio"}, "runtime must be one of asyncio, impl, trio"),
    (needs(1), {}, "main is the coroutine needs(): pass the function needs"),
    (needs, {}, "main is called without arguments, and needs(number: 'int') -> 'None' needs some"),
    (None, {}, "main is None: it must be a function"),
])  # fmt: skip
def test_what_cannot_be_is_refused(main: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        explore(main, **arguments)


def test_long_outcomes_that_differ_at_their_ends_are_two() -> None:
    async def main() -> str:
        order: list[int] = []

        async def note(number: int) -> None:
            order.append(number)

        await asyncio.gather(note(1), note(2))
        return "x" * 5000 + str(order)

    assert len(outcomes(main)) == 2
    assert max(map(len, outcomes(main))) < 2100


def test_the_options_are_the_arguments_of_explore() -> None:
    """By the same names, with the same defaults; and a search takes them as one object."""
    arguments = {each.name: each.default for each in signature(explore).parameters.values()}
    del arguments["main"], arguments["progress"]
    of_batches = ("free", "collects")
    assert arguments == {each.name: each.default for each in fields(Options) if each.name not in of_batches}
    seen: list[int] = []
    one = explore_with(trees.two_by_three, Options(runs=7, seed=3), lambda found: seen.append(found.runs))
    assert (one.digest, seen) == (explore(trees.two_by_three, runs=7, seed=3).digest, [1, 2, 3, 4, 5, 6, 7])
    with pytest.raises(TypeError, match="progress is None: it must be a function"):
        explore_with(trees.two_by_three, Options(), None)  # type: ignore[arg-type]


def test_a_search_that_ends_within_another_leaves_the_loggers_as_they_were() -> None:
    def search() -> Generator[None]:
        with unlogged():
            yield

    logger, unfinished = logging.getLogger("asyncio"), search()
    next(unfinished)
    with unlogged():
        unfinished.close()
        assert logger.disabled
    assert not logger.disabled
