"""The report of a deadlock (KERNEL-2): every task, its source line, and what it waits for."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Coroutine, Generator
from pathlib import Path
from typing import Any

import pytest

import impl
from impl.combinators.timeout import timeout

HERE = Path(__file__).name


def line_of(function: Callable[..., object], text: str) -> int:
    """Return the number of the line in `function` that holds `text`."""
    lines, first = inspect.getsourcelines(function)
    (found,) = [first + number for number, line in enumerate(lines) if text in line]
    return found


def report_of(main: Callable[[], Coroutine[Any, Any, object]]) -> list[str]:
    """Return the lines of the report of `main`, which must end in a deadlock."""
    with pytest.raises(impl.DeadlockError) as caught:
        impl.run(main())
    return str(caught.value).split("\n")


async def in_helper(queue: impl.Queue[int]) -> int:
    return await queue.get()  # the line


def by_yield(future: impl.Future[int]) -> Generator[Any, Any, int]:
    got: int = yield future  # the line
    return got


def by_yield_from(future: impl.Future[int]) -> Generator[Any, Any, int]:
    got: int = yield from by_yield(future)
    return got


def gets(queue: impl.Queue[int]) -> Generator[Any, Any, int]:
    got: int = yield queue.get()  # the line
    return got


async def many_waits() -> None:
    queue: impl.Queue[int] = impl.Queue(1)
    future: impl.Future[int] = impl.Future()

    async def joins() -> None:
        await queue.join()  # joins

    async def puts() -> None:
        for item in range(2):
            await queue.put(item)  # puts

    async def helped() -> int:
        return await in_helper(impl.Queue())

    impl.create_task(puts(), name="putter")
    impl.create_task(joins(), name="joiner")
    impl.create_task(helped(), name="getter")
    impl.create_task(by_yield_from(future), name="chapter")
    main = impl.create_task(helped(), name="other")
    async with timeout(None):
        await main  # main


def test_every_task_is_named_with_its_line_and_what_it_waits_for() -> None:
    head, *lines = report_of(many_waits)
    assert head == "nothing can ever happen any more"
    expected = [
        ("Task-1", line_of(many_waits, "# main"), "many_waits", "<Task 'other' pending>"),
        (
            "putter",
            line_of(many_waits, "# puts"),
            "many_waits.<locals>.puts",
            "Queue.put of <Queue maxsize=1",
        ),
        ("joiner", line_of(many_waits, "# joins"), "many_waits.<locals>.joins", "Queue.join of <Queue"),
        ("getter", line_of(in_helper, "# the line"), "in_helper", "Queue.get of <Queue maxsize=0"),
        ("chapter", line_of(by_yield, "# the line"), "by_yield", "<Future pending>"),
        ("other", line_of(in_helper, "# the line"), "in_helper", "Queue.get of <Queue maxsize=0"),
    ]
    assert len(lines) == len(expected)
    for line, (name, number, function, what) in zip(lines, expected, strict=True):
        found = re.fullmatch(r"  (\S+) waits at (\S+):(\d+) in (\S+) for (.*)", line)
        assert found, line
        assert (found[1], Path(found[2]).name, int(found[3]), found[4]) == (name, HERE, number, function)
        assert found[5].startswith(what)


def test_a_generator_that_waits_on_a_queue_is_named_by_its_own_line() -> None:
    async def main() -> None:
        await impl.create_task(gets(impl.Queue()), name="chapter")

    _, _, line = report_of(main)
    where = line_of(gets, "# the line")
    assert f"{HERE}:{where} in " in line
    assert line.endswith("for Queue.get of <Queue maxsize=0 items=0 unfinished=0>")


def test_a_deadlock_is_seen_at_its_virtual_time() -> None:
    loop = impl.Loop()

    async def main() -> None:
        await impl.sleep(3600)
        await loop.create_future()

    with pytest.raises(impl.DeadlockError):
        loop.run(main())
    assert loop.time() == 3600.0


def test_a_deadlock_without_tasks_is_one_line() -> None:
    with pytest.raises(impl.DeadlockError, match=r"^nothing can ever happen any more$"):
        impl.Loop().run_forever()


def test_a_deadlocked_loop_can_be_helped_on() -> None:
    loop = impl.Loop()
    future = loop.create_future()

    async def wait() -> int:
        return int(await future)

    task = loop.create_task(wait())
    with pytest.raises(impl.DeadlockError):
        loop.run_until_complete(task)
    future.set_result(5)
    assert loop.run_until_complete(task) == 5
    loop.close()


def test_what_is_cancelled_after_a_deadlock_cleans_up() -> None:
    seen: list[str] = []

    async def main() -> None:
        try:
            await impl.Future()
        finally:
            await impl.sleep(1)
            seen.append("clean")

    with pytest.raises(impl.DeadlockError):
        impl.run(main())
    assert seen == ["clean"]
