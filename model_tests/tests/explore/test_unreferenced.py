"""A task that nothing refers to is found, where asyncio may collect it; one that anything refers to is not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import ref

import pytest

from impl.explore import explore
from impl.explore.programs.program import RuntimeName

from .programs import NAMES, RUNTIMES

# Any: asyncio's names, and tasks.
Starts = Callable[[Any, list[Any]], Awaitable[None]]

KEPT: list[Any] = []


class Request:
    """Waits for an answer that a timer brings, unless it is gone by then."""

    def __init__(self, names: Any) -> None:
        loop = names.get_running_loop()
        self.answer = loop.create_future()
        me = ref(self)
        loop.call_later(0.2, lambda: (request := me()) and request.answer.set_result(1))

    async def run(self) -> None:
        await self.answer


async def alone(names: Any, kept: list[Any]) -> None:
    names.create_task(Request(names).run())


async def two_that_wait_for_each_other(names: Any, kept: list[Any]) -> None:
    inner = names.create_task(Request(names).run())

    async def outer() -> None:
        await inner

    names.create_task(outer())


async def in_a_list_of_main(names: Any, kept: list[Any]) -> None:
    kept.append(names.create_task(Request(names).run()))


async def in_a_module(names: Any, kept: list[Any]) -> None:
    KEPT.append(names.create_task(Request(names).run()))


async def awaited(names: Any, kept: list[Any]) -> None:
    await names.create_task(Request(names).run())


async def asleep(names: Any, kept: list[Any]) -> None:
    names.create_task(names.sleep(0.3))


async def at_a_queue_of_main(names: Any, kept: list[Any]) -> None:
    queue = names.Queue()
    kept.append(queue)
    names.create_task(queue.get())


def left_by(starts: Starts, runtime: RuntimeName) -> str:
    names = NAMES[runtime]

    async def main() -> None:
        kept: list[Any] = []
        KEPT.clear()
        await starts(names, kept)
        await names.sleep(1)
        if kept and hasattr(kept[0], "put_nowait"):
            kept[0].put_nowait(1)

    failure = explore(main, runtime=runtime, errors="unreferenced", runs=1).failure
    return "" if failure is None else failure.outcome


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("starts", [alone, two_that_wait_for_each_other])
def test_a_task_that_nothing_refers_to_is_found(starts: Starts, runtime: RuntimeName) -> None:
    said = left_by(starts, runtime)
    assert said.startswith("Leaked: the program has left behind: unreferenced task ")
    assert "test_unreferenced.py:33" in said


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("starts", [in_a_list_of_main, in_a_module, awaited, asleep, at_a_queue_of_main])
def test_a_task_that_something_refers_to_is_not(starts: Starts, runtime: RuntimeName) -> None:
    assert left_by(starts, runtime) == ""


def test_only_who_asks_is_told() -> None:
    async def main() -> None:
        await alone(asyncio, [])
        await asyncio.sleep(1)

    assert explore(main, runs=3).failure is None
    assert explore(main, runs=3, errors="tasks").failure is None
