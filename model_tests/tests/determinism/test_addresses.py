"""Runs are equal although the addresses of objects differ: tasks that asyncio makes of sets, and sets of tasks."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from impl.bridges.asyncio import in_order
from impl.bridges.asyncio.run import simulate

# `Any` in this file: the results of programs.
Program = Callable[[], Coroutine[Any, Any, Any]]


async def _sleeper(number: int, log: list[int] | None = None) -> int:
    await asyncio.sleep(number % 3)
    if log is not None:
        log.append(number)
    return number


async def _at_once(number: int) -> int:
    return number


async def as_completed_of_sleepers() -> list[int]:
    return [await each for each in asyncio.as_completed([_sleeper(n) for n in range(8)])]


async def as_completed_of_coroutines() -> list[int]:
    return [await each for each in asyncio.as_completed([_at_once(n) for n in range(8)])]


async def as_completed_by_name() -> list[int]:
    from asyncio import as_completed

    return [await each for each in as_completed({_at_once(n): None for n in range(8)})]


async def as_completed_of_an_unordered_mixture() -> list[int]:
    given: list[Any] = [_at_once(n) for n in range(4)]
    given += [asyncio.ensure_future(_at_once(n)) for n in range(4, 8)]
    return [await each for each in asyncio.as_completed([*given, *given[4:]], timeout=1)]


async def waited() -> list[int]:
    tasks = {asyncio.create_task(_sleeper(n)) for n in range(8)}
    done, pending = await asyncio.wait(tasks, timeout=1.5)
    first = [task.result() for task in done]
    done, _ = await asyncio.wait(pending)
    return [*first, *(task.result() for task in done)]


async def a_set_of_tasks() -> list[int]:
    log: list[int] = []
    for task in {asyncio.create_task(_sleeper(n, log)) for n in range(8)}:
        await task
        log.append(task.result() + 100)
    return log


async def a_cancelled_group() -> list[str]:
    log: list[str] = []

    async def waits(name: str) -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            log.append(name)

    async def fails() -> None:
        async with asyncio.TaskGroup() as group:
            for name in "abcdefgh":
                group.create_task(waits(name))
            await asyncio.sleep(1)
            raise ValueError

    with pytest.raises(ExceptionGroup):
        await fails()
    return log


PROGRAMS: list[Program] = [
    as_completed_of_sleepers,
    as_completed_of_coroutines,
    as_completed_by_name,
    as_completed_of_an_unordered_mixture,
    waited,
    a_set_of_tasks,
    a_cancelled_group,
]


def runs_of(program: Program, seed: int = 1) -> set[str]:
    """Different runs, and results, of 8 attempts between which objects of all sizes are kept."""
    kept: list[object] = []
    seen: set[str] = set()
    for attempt in range(8):
        kept += [bytearray(size) for size in range(0, 600, 7 + attempt)]
        kept += [_at_once(n) for n in range(attempt)]
        run = simulate(program, seed=seed)
        seen.add(f"{run.digest} {run.outcome()}")
        kept.append(run)
    for each in kept:
        if asyncio.iscoroutine(each):
            each.close()
    return seen


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_addresses_of_objects_do_not_matter(program: Program) -> None:
    assert len(runs_of(program)) == 1


def test_without_the_replacement_they_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_order, "_tasks_of", set)
    assert len(runs_of(as_completed_of_coroutines)) > 1


def test_as_completed_keeps_its_other_properties() -> None:
    async def main() -> None:
        with pytest.raises(TypeError, match="iterable of"):
            list(asyncio.as_completed(asyncio.get_running_loop().create_future()))
        with pytest.raises(TypeError, match="not iterable"):
            list(asyncio.as_completed(3))  # type: ignore[arg-type]
        slow = asyncio.as_completed([asyncio.sleep(10)], timeout=1)
        with pytest.raises(TimeoutError):
            await next(iter(slow))
        if sys.version_info >= (3, 13):
            given = [asyncio.ensure_future(_at_once(n)) for n in range(3)]
            assert [each async for each in asyncio.as_completed(given)] == given

    simulate(main).outcome()
