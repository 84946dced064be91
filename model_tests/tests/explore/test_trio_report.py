"""The report of a trio program: steps, accesses, pairs and pictures, as for asyncio."""

from __future__ import annotations

import gc
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import trio

from impl.explore import Found, explore
from impl.explore.report.scenes import scenes_of
from impl.explore.report.text import text_of
from impl.picture import write_page

Main = Callable[[], Coroutine[Any, Any, None]]


def found(main: Main) -> Found:
    return explore(main, runtime="trio")


async def connects_twice() -> None:
    made: list[int] = []

    async def connect() -> None:
        if not made:
            await trio.lowlevel.checkpoint()
            made.append(1)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(connect)
        nursery.start_soon(connect)
    assert made == [1]


async def sells_early() -> None:
    prices: dict[str, int] = {}

    async def load() -> None:
        await trio.lowlevel.checkpoint()
        prices["tea"] = 2

    async def sell() -> int:
        await trio.lowlevel.checkpoint()
        return prices["tea"]

    async with trio.open_nursery() as nursery:
        nursery.start_soon(load)
        nursery.start_soon(sell)


async def two_locks() -> None:
    first, second = trio.Lock(), trio.Lock()

    async def take(one: trio.Lock, other: trio.Lock) -> None:
        async with one:
            await trio.lowlevel.checkpoint()
            async with other:
                pass

    async with trio.open_nursery() as nursery:
        nursery.start_soon(take, first, second)
        nursery.start_soon(take, second, first)


async def gives_up() -> None:
    done: list[str] = []

    async def work() -> None:
        await trio.sleep(1)
        done.append("work")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(work)
        with trio.move_on_after(1):
            await trio.sleep(2)
        nursery.cancel_scope.cancel()
    assert done == ["work"]


def lines(found: Found) -> list[str]:
    gc.collect()
    assert found.failure is not None
    return text_of(found.failure.simple).splitlines()


def test_a_failure_in_the_plain_order_has_its_pair() -> None:
    shown = lines(found(connects_twice))
    assert shown[3] == "  connects_twice  connect 1   connect 2"
    line = connects_twice.__code__.co_firstlineno
    assert "order reversed compared with a passing run (it fails first in, first out, as well):" in shown
    pair = f"  made: connect 2 reads it (line {line + 4}) before connect 1 writes it (line {line + 6})"
    assert pair in shown
    assert shown[8].strip() == f"{line + 11} reads made, raises AssertionError"


def test_a_task_that_overtakes_is_marked() -> None:
    line = sells_early.__code__.co_firstlineno
    shown = lines(found(sells_early))
    row = f"{line + 9} reads prices['tea'], raises KeyError: 'tea'"
    assert any(each.endswith(row) for each in shown)
    assert any(each.startswith("*") for each in shown[4:-5])
    assert "* scheduled before a task that became ready earlier" in shown
    assert any(each.startswith("  prices['tea']: sell reads it") for each in shown)


def test_a_deadlock_names_who_holds_what() -> None:
    failed = found(two_locks)
    text = "\n".join(lines(failed))
    assert ", held by task 4" in text
    assert ", held by task 3" in text
    assert failed.failure is not None
    assert failed.failure.simple.error == "DeadlockError: nothing can ever happen any more"


def test_a_task_that_is_cancelled_says_so() -> None:
    assert any(each.strip() == "is cancelled" for each in lines(found(gives_up)))


@pytest.mark.short("two_locks", why="each is searched")
@pytest.mark.parametrize("main", [connects_twice, sells_early, two_locks, gives_up])
def test_it_has_a_picture(main: Main, tmp_path: Path) -> None:
    failure = found(main).failure
    assert failure is not None
    scenes = scenes_of(failure.simple)
    write_page(tmp_path / "page.html", *scenes)
    assert {main.__name__} < set(scenes[0].lanes)
    assert scenes[0].rows


def test_the_steps_are_the_same_each_time() -> None:
    assert lines(found(sells_early)) == lines(found(sells_early))
