"""Programs that cancel a group are explored: each schedule of impl's TaskGroup, and of asyncio's since 3.15."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

import pytest

import impl
from impl.explore.reduction.exhaust import Exhaustion, exhaust
from impl.explore.reduction.host_asyncio import asyncio_hosts
from impl.explore.reduction.host_impl import impl_hosts

from ....programs.releases import THIS

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
