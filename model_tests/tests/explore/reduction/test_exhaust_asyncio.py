"""Exhaustive search with reduction of unmodified asyncio programs, on the simulated asyncio loop.

Programs that cancel a group are explored with each schedule of impl's TaskGroup, and of asyncio's since 3.15.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, Final

import pytest

import impl
from impl.errors import StartsThreads
from impl.explore import explore
from impl.explore.reduction.exhaust import Exhaustion, exhaust
from impl.explore.reduction.host_asyncio import asyncio_hosts
from impl.explore.reduction.host_impl import impl_hosts

from ....assurance.reduction.gate import GateTally, compare_loop_programs, compare_state_programs
from ....examples import races
from ....programs.releases import THIS


def test_asyncio_is_as_it_was_afterwards() -> None:
    before = {name: dict(vars(getattr(asyncio, name))) for name in ("Lock", "Queue", "TaskGroup", "Event")}
    gathering = asyncio.tasks._GatheringFuture  # type: ignore[attr-defined]
    exhaust(races.right_lock, asyncio_hosts)
    assert {name: dict(vars(getattr(asyncio, name))) for name in before} == before
    assert asyncio.tasks._GatheringFuture is gathering  # type: ignore[attr-defined]


async def plain_futures() -> list[Any]:
    future: asyncio.Future[int] = asyncio.Future()
    seen: list[Any] = []

    async def wait() -> None:
        seen.append(await future)

    async def resolve(value: int) -> None:
        if not future.done():
            future.set_result(value)

    await asyncio.gather(wait(), resolve(1), resolve(2))
    return seen


async def groups_and_timeouts() -> str:
    done = []

    async def work(number: int) -> None:
        async with asyncio.timeout(number):
            await asyncio.sleep(0)
            done.append(number)

    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(work(1))
            group.create_task(work(0))
    except* TimeoutError:
        done.append(-1)
    return repr(done)


async def in_an_executor() -> list[int]:
    found: list[int] = []
    loop = asyncio.get_running_loop()

    async def work(number: int) -> None:
        await loop.run_in_executor(None, found.append, number)

    await asyncio.gather(work(1), work(2))
    return found


@pytest.mark.parametrize("main", [plain_futures, groups_and_timeouts])
def test_further_parts_of_asyncio(main: Any) -> None:
    every = exhaust(main, asyncio_hosts, algorithm="naive", rewrites=False)
    found = exhaust(main, asyncio_hosts)
    assert len(every.outcomes) > 1
    assert set(found.outcomes) == set(every.outcomes)


def test_the_reduction_refuses_threads_and_each_schedule_is_run() -> None:
    [outcome] = exhaust(in_an_executor, asyncio_hosts).outcomes
    assert StartsThreads.__name__ in repr(outcome)
    assert "the program starts threads" in explore(in_an_executor, every=True, runs=20).report()


async def deaf_parent() -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(fails())
        while True:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Future()


async def fails() -> None:
    raise KeyError


@pytest.mark.filterwarnings("ignore")
def test_a_group_that_is_closed_with_an_error_ends_its_run_only() -> None:
    (outcome,) = exhaust(deaf_parent, asyncio_hosts).outcomes
    assert "DeadlockError" in str(outcome)


@pytest.mark.filterwarnings("ignore")
def test_random_programs_have_the_outcomes_of_every_schedule(full: bool) -> None:
    many, most = (1000, 100) if full else (40, 12)
    loop = compare_loop_programs(range(many), most, GateTally(), runtime="asyncio")
    state = compare_state_programs(range(many), most, GateTally(), runtime="asyncio")
    assert loop.compared >= many / 5
    assert state.compared >= many / 5
    assert (loop.differ, state.differ) == ([], [])


#: The loops, each with its names. Any: a namespace with asyncio's names.
RUNTIMES: Final[dict[str, Any]] = {"impl": (impl, impl_hosts), "asyncio": (asyncio, asyncio_hosts)}
Main = Callable[[Any], Coroutine[Any, Any, object]]


async def race(names: Any) -> str:
    """The first racer stops the others: one of them wins, in each schedule."""
    done: list[str] = []

    async def racer(group: Any, name: str, steps: int) -> None:
        for _ in range(steps):
            await names.sleep(0)
        done.append(name)
        group.cancel()

    async with names.TaskGroup() as group:
        for name, steps in (("short", 1), ("long", 2)):
            group.create_task(racer(group, name, steps))
    return " ".join(done)


async def outside(names: Any) -> str:
    """A cancel from outside, and cancel() of the group: the task is cancelled, unless the block is over."""
    group = names.TaskGroup()

    async def block() -> None:
        async with group:
            await names.sleep(0)

    async def calls(function: Callable[[], object]) -> None:
        function()

    task = names.create_task(block())
    await names.wait([task, *(names.create_task(calls(each.cancel)) for each in (task, group))])
    return f"cancelled {task.cancelled()}, {task.cancelling()} requests"


async def early(names: Any) -> str:
    """A task cancels the group before, within or after the block."""
    group, seen = names.TaskGroup(), []

    async def stops() -> None:
        seen.append("cancel")
        group.cancel()

    task = names.create_task(stops())
    await names.sleep(0)
    async with group:
        await names.sleep(0)
        seen.append("body")
    seen.append("after")
    await task
    return " ".join(seen)


#: The outcomes of each program in all schedules.
OUTCOMES: Final[dict[Main, set[str]]] = {
    race: {"short", "long"},
    outside: {"cancelled True, 1 requests", "cancelled False, 0 requests"},
    early: {"cancel after", "body after cancel"},
}


def search(main: Main, runtime: str, **how: Any) -> Exhaustion:
    if runtime == "asyncio" and THIS < (3, 15):
        pytest.skip("TaskGroup.cancel is new in 3.15")
    names, hosts = RUNTIMES[runtime]
    return exhaust(lambda: main(names), hosts, **how)


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("main", OUTCOMES)
def test_all_schedules_are_found(main: Main, runtime: str) -> None:
    every = search(main, runtime, algorithm="naive", rewrites=False)
    found = search(main, runtime)
    assert found.exhausted
    assert found.runs <= every.runs
    assert set(found.outcomes) == set(every.outcomes) == {("returned", repr(end)) for end in OUTCOMES[main]}
