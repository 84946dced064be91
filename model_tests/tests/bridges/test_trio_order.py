"""The order of ready tasks in a simulated run of trio: FIFO under `fifo`, any under `any`; real runs keep trio's own.

A race is a pair of tasks: one must run six steps before the other, which is ready all the time. trio itself
reverses a batch or does not, so there no task ever gets two steps ahead.
"""

import re
import threading
from collections.abc import Awaitable, Callable
from itertools import permutations
from pathlib import Path
from typing import Final

import pytest
import trio

from impl.bridges.trio import order as trio_order
from impl.bridges.trio.run import run_trio, simulate_trio

AHEAD: Final = 6
#: The first seed that finds the race under `any`.
FOUND: Final = 9


async def race() -> bool:
    """Return whether all steps of the other task overtook the task with one step."""
    seen: list[str] = []

    async def hare() -> None:
        for _ in range(AHEAD):
            await trio.lowlevel.checkpoint()
            seen.append("hare")

    async def tortoise() -> None:
        await trio.lowlevel.checkpoint()
        seen.append("tortoise")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(tortoise)
        nursery.start_soon(hare)
    return seen.index("tortoise") == AHEAD


def test_any_finds_a_task_six_steps_ahead() -> None:
    found = next(seed for seed in range(1000) if run_trio(race, seed=seed, order="any"))
    assert found == FOUND


def test_fifo_never_does_and_draws_nothing(full: bool) -> None:
    runs = [simulate_trio(race, seed=seed) for seed in range(1000 if full else 50)]
    assert not any(run.outcome() for run in runs)
    assert len({run.digest for run in runs}) == 1


async def woken_together(count: int) -> list[int]:
    """Return the order of the tasks that one step has woken."""
    seen: list[int] = []
    go = trio.Event()

    async def wait(number: int) -> None:
        await go.wait()
        seen.append(number)

    async with trio.open_nursery() as nursery:
        for number in range(count):
            nursery.start_soon(wait, number)
        await trio.lowlevel.checkpoint()
        await trio.lowlevel.checkpoint()
        go.set()
    return seen


def test_fifo_is_by_step_and_birth() -> None:
    """An event wakes its waiters in the order of a set."""
    assert run_trio(woken_together, 50) == list(range(50))


def test_under_any_every_order_comes(full: bool) -> None:
    orders = {tuple(run_trio(woken_together, 3, seed=seed, order="any")) for seed in range(100)}
    assert orders == set(permutations(range(3)))


def test_fifo_runs_tasks_in_the_order_of_their_wake_ups() -> None:
    async def main() -> list[str]:
        seen: list[str] = []
        bells = [trio.Event() for _ in range(3)]

        async def wait(number: int) -> None:
            await bells[number].wait()
            seen.append(f"waiter {number}")

        async def ring(number: int) -> None:
            bells[number].set()
            seen.append(f"bell {number}")

        async with trio.open_nursery() as nursery:
            for number in range(3):
                nursery.start_soon(wait, number)
            await trio.sleep(1)
            for number in (2, 0, 1):
                nursery.start_soon(ring, number)
        return seen

    assert run_trio(main) == ["bell 2", "bell 0", "bell 1", "waiter 2", "waiter 0", "waiter 1"]


def test_another_thread_keeps_trios_own_order() -> None:
    """A real run of trio, in another thread, during a simulated one."""
    theirs: list[object] = []

    def real_run() -> None:
        theirs.append(trio.run(woken_together, 5))

    async def main() -> None:
        await trio.sleep(1)
        theirs.append(threading.active_count())

    thread = threading.Thread(target=real_run)
    in_the_middle: Callable[..., Awaitable[None]] = main
    core = trio_order._core()
    before = core._r, core._ALLOW_DETERMINISTIC_SCHEDULING
    thread.start()
    run_trio(in_the_middle)
    thread.join()
    assert len(theirs) == 2
    assert sorted(next(each for each in theirs if isinstance(each, list))) == list(range(5))
    assert (core._r, core._ALLOW_DETERMINISTIC_SCHEDULING) == before


def test_another_version_of_trio_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trio, "__version__", "9.1.2")
    with pytest.raises(trio_order.UntestedTrio, match=r"tested with trio .*0\.35; this is trio 9\.1\.2$"):
        run_trio(race)


def test_a_trio_without_the_names_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(trio_order._core(), "_ALLOW_DETERMINISTIC_SCHEDULING")
    with pytest.raises(trio_order.UntestedTrio):
        run_trio(race)


def test_the_private_names_of_trio_are_in_one_file() -> None:
    bridges = Path(trio_order.__file__).parent
    private = re.compile(r"\btrio\._(?!_)|\b(runner|task|nursery)\._[a-z]")
    files = sorted(bridges.glob("*.py"))
    assert len(files) > 5
    assert [path.name for path in files if private.search(path.read_text("utf-8"))] == ["order.py"]
