"""Injection into programs of trio: a timeout expires before all else, a scope is cancelled at any suspension."""

import linecache

import pytest
import trio
import trio.testing

from impl.bridges.trio.run import simulate_trio
from impl.explore import explore
from impl.explore.report.text import text_of
from impl.sim.inject import Injection

from ..programs import Main, failure_of


async def sends_again() -> list[float]:
    """Send a message, and once more after a timeout, though the first may have arrived; return the times."""
    sent: list[float] = []

    async def send() -> None:
        await trio.sleep(0.1)
        sent.append(trio.current_time())
        await trio.sleep(0.1)

    with trio.move_on_after(5) as scope:
        await send()
    if scope.cancelled_caught:
        await send()
    assert len(sent) == 1, sent
    return sent


def test_a_timeout_that_comes_before_all_else_is_found() -> None:
    assert explore(sends_again, runtime="trio", late=0, runs=20).verdict == "not exhausted"
    failure = failure_of(sends_again, runtime="trio", timeouts=True, runs=20)
    assert failure.outcome == "AssertionError: [0.1, 5.1]"
    again = simulate_trio(sends_again, token=failure.token)
    assert str(again.error).startswith("[0.1, 5.1]")
    assert again.elapsed_ns == 5_200_000_000  # the clock stands at the deadline


def test_a_sleep_never_ends_early() -> None:
    async def main() -> float:
        with trio.CancelScope(deadline=trio.current_time() + 3):  # inside it, as the sleep's own scope is
            await trio.sleep(1)
            await trio.sleep_until(2)
        return trio.current_time()

    found = explore(main, runtime="trio", timeouts=True, runs=50)
    assert set(found.outcomes) == {"returned 2.0", "returned 3.0"}


def test_of_two_timeouts_the_first_expires_and_it_alone() -> None:
    async def main() -> list[str]:
        late: list[str] = []

        async def wait(name: str, seconds: float) -> None:
            with trio.move_on_after(seconds) as scope:
                await trio.sleep(1)
            if scope.cancelled_caught:
                late.append(name)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait, "second", 7)
            nursery.start_soon(wait, "first", 5)
        return late

    found = explore(main, runtime="trio", timeouts=True, order="fifo", runs=50)
    # After the first has expired, at 5 s, the sleep of the other has ended, too.  The second comes first where it alone
    # has begun.
    early = {"returned ['second']", "returned ['second', 'first']"}
    assert set(found.outcomes) - early == {"returned []", "returned ['first']"}


def leaky(own_scope: bool) -> Main:
    async def main() -> int:
        lock = trio.Semaphore(1)
        finished = 0

        async def work() -> None:
            nonlocal finished
            await lock.acquire()
            await trio.sleep(0.1)
            lock.release()
            finished += 1

        async def scoped() -> None:
            with trio.CancelScope():
                await work()

        async with trio.open_nursery() as nursery:
            for number in range(3):
                nursery.start_soon(scoped if own_scope else work, name=f"worker {number}")
        return finished

    return main


def test_a_task_is_cancelled_by_its_own_scope() -> None:
    failure = failure_of(leaky(own_scope=True), runtime="trio", cancel="worker 0", runs=20)
    assert failure.outcome.startswith("DeadlockError")
    assert not explore(leaky(own_scope=True), runtime="trio", cancel="another", runs=20).failure


def test_without_one_the_scope_of_its_nursery_cancels_its_sisters_too() -> None:
    found = explore(leaky(own_scope=False), runtime="trio", cancel="work", runs=50)
    assert found.failure is None
    assert {"returned 0", "returned 1", "returned 3"} <= set(found.outcomes)


def test_a_shield_keeps_a_cancel_out() -> None:
    async def main() -> str:
        async def work() -> None:
            with trio.CancelScope(shield=True):
                await trio.sleep(1)

        with trio.CancelScope() as outer:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(work)
        assert not outer.cancel_called
        return "ended"

    assert set(explore(main, runtime="trio", cancel="work", runs=50).outcomes) == {"returned 'ended'"}


@pytest.mark.parametrize("batch", [1, 7, 40])
def test_a_sweep_cancels_at_each_suspension_before_and_after_the_wake_up(batch: int) -> None:
    seen: list[str] = []

    async def main() -> None:
        cancelled = ""
        for step in range(3):
            with trio.CancelScope() as scope:
                await trio.sleep(0.1)
            cancelled += str(step) * scope.cancelled_caught
        seen.append(cancelled)

    for seed in range(0, 7, batch):
        explore(main, runtime="trio", cancel="main", strategy="sweep", seed=seed, runs=batch)
    assert {"", "0", "1", "2"} <= set(seen)


def test_a_cancel_may_come_in_the_window_after_a_wake_up() -> None:
    got: list[int] = []

    async def main() -> None:
        got.clear()
        send, receive = trio.open_memory_channel[int](0)

        async def take() -> None:
            with trio.CancelScope() as scope:
                got.append(await receive.receive())
                assert not scope.cancel_called, "an item is taken, and the work on it is cancelled"

        async with trio.open_nursery() as nursery:
            nursery.start_soon(take)
            await trio.testing.wait_all_tasks_blocked()
            await send.send(1) if not got else None

    found = explore(main, runtime="trio", cancel="take", runs=40, keep_going=True)
    assert any("an item is taken" in outcome for outcome in found.outcomes)


def test_runs_with_the_same_choices_are_the_same() -> None:
    inject = Injection(("*",), timeouts=True)
    digests = [[simulate_trio(sends_again, seed=seed, inject=inject).digest for seed in range(8)] for _ in range(2)]
    assert digests[0] == digests[1]
    assert len(set(digests[0])) > 1


def test_a_search_without_flags_finds_the_timeout_and_names_it() -> None:
    simple = failure_of(sends_again, runtime="trio").simple
    line = linecache.getlines(__file__).index("        sent.append(trio.current_time())\n") + 2
    assert simple.needs == [f"the timeout around line {line} expired at once"]
    assert f"needs: the timeout around line {line} expired at once" in text_of(simple)


def test_the_report_shows_which_task_was_cancelled() -> None:
    failure = failure_of(leaky(own_scope=True), runtime="trio", cancel="worker 0", runs=20)
    assert "worker 0 is cancelled (injected)" in text_of(failure.simple)
