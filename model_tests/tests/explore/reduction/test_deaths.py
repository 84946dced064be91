"""Objects that die while a program is explored: the search and the recorder keep none of them alive."""

import asyncio
import gc
import weakref
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from impl.explore import explore

from ..test_happened import report

Main = Callable[[], Coroutine[Any, Any, None]]


async def lock_for_each_key() -> None:
    locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()

    async def use(key: str) -> None:
        lock = locks.get(key)
        if lock is None:
            lock = locks[key] = asyncio.Lock()
        async with lock:
            await asyncio.sleep(0)

    await asyncio.gather(use("a"), use("a"))
    assert not locks


class Counted:
    left = 0

    def __init__(self) -> None:
        Counted.left += 1
        ALIVE.add(self)

    def __del__(self) -> None:
        Counted.left -= 1


ALIVE: weakref.WeakSet[Counted] = weakref.WeakSet()


async def held_in_collections() -> None:
    async def use(box: dict[str, list[Counted]]) -> None:
        box["x"] = [Counted()]
        await asyncio.sleep(0)
        held = box.pop("x")
        await asyncio.sleep(0)
        del held
        await asyncio.sleep(0)

    await asyncio.gather(use({}), use({}))
    assert (Counted.left, len(ALIVE)) == (0, 0)


@pytest.mark.parametrize("main", [lock_for_each_key, held_in_collections])
def test_a_program_that_lets_its_objects_die_passes(main: Main) -> None:
    assert explore(main, runs=20).failures == 0
    found = explore(main, every=True)
    assert (found.exhausted, found.failures) == (True, 0)
    assert found.runs > 1


async def order_of_deaths() -> None:
    log: list[int] = []

    class Logged:
        def __init__(self, number: int) -> None:
            self.number = number

        def __del__(self) -> None:
            log.append(self.number)

    async def use(number: int, turns: int) -> None:
        logged = Logged(number)
        for _ in range(turns):
            await asyncio.sleep(0)
        del logged
        await asyncio.sleep(0)

    await asyncio.gather(use(1, 1), use(2, 3))
    assert log == [1, 2], log


async def collected_too_early() -> None:
    cache: weakref.WeakValueDictionary[str, asyncio.Event] = weakref.WeakValueDictionary()

    async def fill() -> None:
        event = cache["key"] = asyncio.Event()
        await asyncio.sleep(0)
        event.set()

    async def look() -> None:
        await asyncio.sleep(0)
        assert "key" in cache, "it is gone"

    await asyncio.gather(fill(), look())


async def last_of_two() -> None:
    ended: list[str] = []
    shared = [asyncio.Event()]
    task = asyncio.current_task
    reference = weakref.ref(shared[0], lambda _: ended.append(getattr(task(), "get_name", str)()))

    async def use(event: asyncio.Event) -> None:
        await asyncio.sleep(0)
        del event
        await asyncio.sleep(0)

    both = [asyncio.create_task(use(shared[0]), name=name) for name in "ab"]
    shared.clear()
    await asyncio.gather(*both)
    assert (reference(), ended) == (None, ["b"]), ended


@pytest.mark.short("collected_too_early", why="half a second each")
@pytest.mark.parametrize("main", [order_of_deaths, collected_too_early, last_of_two])
def test_a_failure_that_needs_a_death_is_found_and_recorded(main: Main) -> None:
    assert explore(main, every=True).verdict == "failed"
    shown = report(main)
    assert shown.error.startswith("AssertionError")
    assert (shown.lacks, any(row.end == f"raises {shown.error}" for row in shown.rows)) == ("", True)


async def begins_with_nothing_alive() -> None:
    assert not ALIVE, "a run before has left objects"
    order: list[int] = []
    kept = Counted()  # noqa: F841  (it lives as long as this frame)

    async def use(number: int) -> None:
        await asyncio.sleep(0)
        order.append(number)
        if order == [2]:
            raise ValueError(number)

    await asyncio.gather(use(1), use(2))


@pytest.mark.short("{'runs': 20}", "{'every': True, 'reduce': False}", why="half a second each")
@pytest.mark.parametrize("search", [{"runs": 20}, {"every": True, "reduce": False}, {"every": True}], ids=str)
def test_a_run_that_failed_keeps_no_object_alive(search: dict[str, Any]) -> None:
    gc.collect()  # of the test before
    found = explore(begins_with_nothing_alive, keep_going=True, **search)
    assert found.failures > 1
    assert sorted(found.outcomes)[1:] == ["returned None"]
    assert found.failure is not None
    assert found.failure.simple.lacks == ""


async def with_generators_of_their_own() -> None:
    async def use() -> None:
        for _ in (number for number in range(2)):
            await asyncio.sleep(0)

    await asyncio.gather(use(), use())


def test_a_generator_that_one_task_has_does_not_stop_the_reduction() -> None:
    assert explore(with_generators_of_their_own, every=True).runs <= 2
