"""A hunt finds the bugs of a library: by cancels, by timeouts, by late timers, and by faults of the network."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from ...libraries import hunt as command
from ...libraries.harness import Harness
from ...libraries.searches import Hunted, hunt, searches
from ..fixtures import Patch

RUNS = 600


class Places:
    """A pool of one place; a user that is cancelled after it was woken keeps the place."""

    def __init__(self, keeps: bool) -> None:
        self.free, self.waiters, self.keeps = 1, list[asyncio.Future[None]](), keeps

    async def acquire(self) -> None:
        if self.free and not self.waiters:
            self.free -= 1
            return
        waiter = asyncio.get_running_loop().create_future()
        self.waiters.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            if not waiter.cancelled() and not self.keeps:
                self.release()
            raise

    def release(self) -> None:
        while self.waiters:
            waiter = self.waiters.pop(0)
            if not waiter.done():
                return waiter.set_result(None)
        self.free += 1
        return None


def program(keeps: bool) -> Callable[[], Coroutine[Any, Any, int]]:
    async def use(places: Places, done: list[int], number: int) -> None:
        await places.acquire()
        try:
            await asyncio.sleep(0)
        finally:
            places.release()
        done.append(number)

    async def main() -> int:
        places, done = Places(keeps), list[int]()
        users = [asyncio.create_task(use(places, done, number)) for number in range(3)]
        await asyncio.wait(users)
        assert places.free == 1, f"{places.free} places are free"
        return len(done)

    return main


def test_a_place_that_a_cancel_keeps_is_found() -> None:
    hunted = hunt(Harness("asyncio", program(keeps=True), cancel="use"), RUNS)
    assert any(outcome.startswith("AssertionError: 0 places are free") for outcome in hunted.unexplained())
    [first, *_] = hunted.failing.values()
    assert first[0].name == "cancels, swept"


def test_the_right_pool_survives() -> None:
    hunted = hunt(Harness("asyncio", program(keeps=False), cancel="use"), RUNS)
    assert hunted.runs == RUNS
    assert hunted.unexplained() == []
    assert sorted(hunted.outcomes) == ["returned 1", "returned 2", "returned 3"]


def test_what_has_an_explanation_is_no_longer_unexplained() -> None:
    pattern, why = "AssertionError: 0 places are free*", "promised to none"
    for harness, finds, reasons in (
        (Harness("asyncio", program(keeps=True), cancel="use", finds={pattern: "a_bug"}), ["a_bug"], []),
        (Harness("asyncio", program(keeps=True), cancel="use", allowed={pattern: why}), [], [why]),
    ):
        hunted = hunt(harness, RUNS)
        assert (hunted.finds(), hunted.reasons()) == (finds, reasons)
        assert [outcome for outcome in hunted.unexplained() if outcome.startswith("AssertionError")] == []


def failing(main: Callable[[], Coroutine[Any, Any, Any]], **options: Any) -> dict[str, str]:
    hunted = hunt(Harness("asyncio", main, **options), RUNS)
    return {outcome: search.name for outcome, (search, _) in hunted.failing.items()}


def test_a_timer_that_must_not_be_late_is_found() -> None:
    async def main() -> None:
        ready = asyncio.Event()
        asyncio.get_running_loop().call_later(0.01, ready.set)
        await asyncio.sleep(0.02)
        assert ready.is_set(), "not ready"

    assert failing(main) == {"AssertionError: not ready": "late timers"}


def test_a_timeout_that_loses_an_item_is_found_and_the_timeout_of_main_is_none() -> None:
    async def main() -> None:
        items, taken = [1], list[int]()

        async def take() -> None:
            item = items.pop()
            await asyncio.sleep(0)
            taken.append(item)

        try:
            async with asyncio.timeout(1):
                await take()
        except TimeoutError:
            assert items or taken, "the item is lost"
            raise

    assert failing(main) == {"AssertionError: the item is lost": "timeouts"}


def test_a_fault_that_a_program_does_not_bear_is_found() -> None:
    async def main() -> str:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"hello\n")
            writer.close()

        async with await asyncio.start_server(answer, "localhost", 8000):
            reader, writer = await asyncio.open_connection("localhost", 8000)
            line = await reader.readline()
            writer.close()
        return line.decode()

    assert "faults" in failing(main, faults="refused", leaks="").values()


def test_a_task_that_is_left_behind_is_found() -> None:
    async def main() -> None:
        asyncio.create_task(asyncio.sleep(1), name="left")  # noqa: RUF006

    assert list(failing(main)) == ["Leaked: the program has left behind: task left"]


def test_each_search_gets_its_share_of_the_budget() -> None:
    every = searches(Harness("asyncio", program(keeps=False), cancel="use", faults="refused"))
    assert [search.name for search in every] == [
        "cancels, swept",
        "schedules",
        "late timers",
        "timeouts",
        "cancels, drawn",
        "faults",
        "faults and cancels",
    ]
    assert hunt(Harness("asyncio", program(keeps=False)), 10).runs == 10


def test_a_library_that_is_missing_is_named(monkeypatch: Patch) -> None:
    why = "redis is not installed; `make hunt` brings it"
    monkeypatch.setattr(command, "harness", lambda name: why)
    assert command.result("redis_pool", None, show=False).lines == [f"redis_pool: not run: {why}"]


def test_a_program_that_keeps_state_between_runs_is_refused(monkeypatch: Patch) -> None:
    count = 0

    async def main() -> None:
        nonlocal count
        count += 1
        assert count != 3, "the third"

    monkeypatch.setattr(command, "harness", lambda name: Harness("asyncio", main))
    found = command.result("redis_pool", RUNS, show=False)
    assert found.unexplained == 1
    assert "no function of its choices" in found.lines[0]


def test_the_report_of_an_outcome_can_be_shown(monkeypatch: Patch) -> None:
    monkeypatch.setattr(command, "harness", lambda name: Harness("pytest", program(keeps=True), cancel="use"))
    shown = "\n".join(command.result("redis_pool", RUNS, show=True).lines)
    assert "unexplained: 2" in shown
    assert "is cancelled (injected)" in shown
    assert Hunted(Harness("pytest", program(keeps=True))).unexplained() == []
