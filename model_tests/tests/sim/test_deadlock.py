"""The report of a deadlock (KERNEL-2): every task, its source line, and the object that it waits for."""

import contextlib
import inspect
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
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
        ("many_waits", line_of(many_waits, "# main"), "many_waits", "<Task 'other' pending>"),
        (
            "putter",
            line_of(many_waits, "# puts"),
            "many_waits.<locals>.puts",
            "Queue.put of queue <Queue maxsize=1",
        ),
        ("joiner", line_of(many_waits, "# joins"), "many_waits.<locals>.joins", "Queue.join of queue <Queue"),
        ("getter", line_of(in_helper, "# the line"), "in_helper", "Queue.get of queue <Queue maxsize=0"),
        ("chapter", line_of(by_yield, "# the line"), "by_yield", "<Future pending>"),
        ("other", line_of(in_helper, "# the line"), "in_helper", "Queue.get of queue <Queue maxsize=0"),
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
    assert line.endswith("for Queue.get of queue <Queue maxsize=0 items=0 unfinished=0>")


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


# --- holders, cycles, the cap ------------------------------------------------------------------------------


class Account:
    def __init__(self) -> None:
        self.lock = impl.Lock()

    async def __aenter__(self) -> None:
        await self.lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        self.lock.release()


@contextlib.asynccontextmanager
async def inside(lock: impl.Lock) -> AsyncIterator[None]:
    async with lock:
        yield


async def opposite(hold: Callable[[Any], contextlib.AbstractAsyncContextManager[Any]], first: Any, second: Any) -> None:
    """Two tasks that take two locks in opposite order."""

    async def a() -> None:
        async with hold(first):
            await impl.sleep(0)
            async with hold(second):
                pass

    async def b() -> None:
        async with hold(second):
            await impl.sleep(0)
            async with hold(first):
                pass

    await impl.gather(a(), b())


@pytest.mark.parametrize(("make", "hold", "attribute"), [
    (impl.Lock, lambda lock: lock, ""),
    (impl.Semaphore, lambda lock: lock, ""),
    (impl.Condition, lambda lock: lock, ""),
    (Account, lambda account: account, ".lock"),
    (impl.Lock, inside, ""),
])  # fmt: skip
def test_a_cycle_is_named(make: Callable[[], Any], hold: Any, attribute: str) -> None:
    _, cycle, main, a, b = report_of(lambda: opposite(hold, make(), make()))
    assert cycle == f"  a cycle: a waits for second{attribute}, held by b; b waits for first{attribute}, held by a"
    assert main.startswith("  opposite waits at ")
    assert (a.endswith(", held by b"), b.endswith(", held by a")) == (True, True)


async def taken_twice() -> None:
    lock = impl.Lock()
    async with lock, lock:
        pass


async def awaited() -> None:
    lock = impl.Lock()

    async def child() -> None:
        async with lock:
            pass

    async with lock:
        await impl.create_task(child())


async def shared() -> None:
    pool = impl.Semaphore(2)

    async def use() -> None:
        async with pool:
            await impl.Event().wait()

    await impl.gather(use(), use(), use())


async def acquired() -> None:
    lock = impl.Lock()

    async def gave_it_back() -> None:
        await lock.acquire()
        lock.release()
        await impl.Event().wait()

    async def holder() -> None:
        await lock.acquire()
        await impl.Event().wait()
        lock.release()

    async with impl.TaskGroup() as group:
        group.create_task(gave_it_back())
        group.create_task(holder())
        await impl.sleep(0)
        async with lock:
            pass


async def left_locked() -> None:
    lock = impl.Lock()
    await impl.create_task(lock.acquire())
    async with lock:
        pass


async def notified() -> None:
    changed = impl.Condition()

    async def waits() -> None:
        async with changed:
            await changed.wait()

    async def takes() -> None:
        async with changed:
            await impl.Event().wait()

    await impl.gather(waits(), takes(), takes())


LOCK = "for Lock.acquire of lock <Lock [locked, waiters:1]>"
POOL = "for Semaphore.acquire of pool <Semaphore [locked, waiters:1]>"


@pytest.mark.parametrize(("program", "number", "line"), [
    (taken_twice, 1, "  a cycle: taken_twice waits for lock, held by taken_twice"),
    (taken_twice, 2, f"  taken_twice waits ... {LOCK}, held by taken_twice"),
    (awaited, 1, "  a cycle: awaited waits for child; child waits for lock, held by awaited"),
    (shared, -1, f"  use 3 waits at ... {POOL}, held by use 1, use 2"),
    (acquired, 1, f"  acquired waits ... {LOCK}, probably held by holder"),
    (left_locked, 1, f"  left_locked waits ... {LOCK}"),
    (notified, -1, "  takes 2 waits ..., held by takes 1"),
])  # fmt: skip
def test_holders_are_named(program: Callable[[], Coroutine[Any, Any, None]], number: int, line: str) -> None:
    """Equal names are numbered; a caller of acquire() is a probable holder; a wait for a condition holds no lock."""
    begin, _, end = line.partition("...")
    found = report_of(program)[number]
    assert found.startswith(begin)
    assert found.endswith(end)


def test_a_report_has_a_limited_length() -> None:
    async def main() -> None:
        queue: impl.Queue[int] = impl.Queue()
        await impl.gather(*(in_helper(queue) for _ in range(5000)))

    with pytest.raises(impl.DeadlockError) as caught:
        impl.run(main())
    lines = str(caught.value).split("\n")
    assert len(str(caught.value)) < 4400
    assert lines[-1] == f"  and {5001 - (len(lines) - 2):,} more tasks"
    assert len(caught.value.blocked) == 5001


def test_a_long_cycle_is_cut() -> None:
    async def main() -> None:
        locks = [impl.Lock() for _ in range(30)]

        async def take(first: impl.Lock, second: impl.Lock) -> None:
            async with first:
                await impl.sleep(0)
                async with second:
                    pass

        await impl.gather(*(take(first, locks[n - 1]) for n, first in enumerate(locks)))

    cycle = report_of(main)[1]
    assert cycle.startswith("  a cycle: take 1 waits for second, held by take 30; take 30 waits for second, held by ")
    assert cycle.endswith("; and 18 more")


def test_a_long_repr_is_cut_and_one_that_fails_is_replaced() -> None:
    class Waits(impl.Future[int]):
        def __repr__(self) -> str:
            return "x" * 1000

    class Fails(impl.Future[int]):
        def __repr__(self) -> str:
            raise ValueError

    async def main() -> None:
        await impl.gather(wait_for(Waits()), wait_for(Fails()))

    *_, long, fails = report_of(main)
    assert long.endswith(" for " + "x" * 120 + "...")
    assert fails.endswith(" for <Fails>")


async def wait_for(future: impl.Future[int]) -> int:
    return await future
