"""Timers: exact, cancellable without trace, never early; ties and lateness are drawn choices."""

import math
from collections import deque
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import impl
from impl import sleep
from impl.interfaces import Runnable
from impl.sim.order import Order

from .conftest import now


@given(st.lists(st.integers(0, 10**12), unique=True, max_size=30))
def test_timers_fire_at_their_times_in_order(delays: list[int]) -> None:
    """LOOP-2.  Nanoseconds are exact at the edge of floats as long as they are fewer than 2**53."""
    loop = impl.Loop()
    fired: list[int] = []
    for delay in delays:
        loop.call_later(delay / 1e9, lambda: fired.append(loop.now))
    loop.call_later(2000, loop.stop)
    loop.run_forever()
    assert fired == sorted(delays)


def test_timers_that_are_past_keep_the_order_of_their_times() -> None:
    """LOOP-21, as asyncio's heap of timers has it; and all of them become ready in one turn."""
    loop = impl.Loop(impl.Choices.seeded(1))
    fired: list[float] = []

    def set_timers() -> None:
        for when in (1.0, 0.5, 0.75, 2.0):
            loop.call_at(when, fired.append, when)

    loop.call_at(1, set_timers)
    loop.turn()
    loop.turn()
    assert fired == [0.5, 0.75, 1.0]
    loop.run(sleep(2.5))
    assert fired == [0.5, 0.75, 1.0, 2.0]


def test_ties_are_drawn_and_every_order_can_be_had() -> None:
    """The order of equal deadlines is not promised: each permutation has exactly one list of choices."""
    seen = []
    for drawn in product(range(3), range(2)):
        loop = impl.Loop(impl.Choices.listed({"schedule": drawn}))
        fired: list[int] = []
        for number in range(3):
            loop.call_at(1, fired.append, number)
        loop.run(sleep(2))
        seen.append(tuple(fired))
    assert sorted(seen) == sorted(permutations(range(3)))


@pytest.mark.parametrize(
    ("order", "sleeps", "drawn"), [("fifo", 2, [1]), ("any", 2, []), ("fifo", 1, [1]), ("any", 1, [1])]
)
def test_what_is_due_at_one_instant_is_drawn_once(order: Order, sleeps: int, drawn: list[int]) -> None:
    """Under `any` the order of the tasks of sleeps is drawn, so that of their timers is not."""
    choices = impl.Choices.listed({"schedule": [1]})
    loop = impl.Loop(choices, order)
    due = [loop.alarm(1), loop.alarm(1) if sleeps == 2 else loop.call_later(1, print)]
    loop.advance(1_000_000_000)
    assert choices.schedule.drawn == drawn
    assert [loop.ready.popleft() for _ in due] == (due[::-1] if drawn else due)


def test_a_ready_queue_that_was_given_is_used() -> None:
    class Last(deque[Runnable]):
        popleft = deque.pop

    ran: list[str] = []
    loop = impl.Loop(ready=Last())
    for name in "abc":
        loop.call_soon(ran.append, name)
    loop.turn()
    assert ran == ["c", "b", "a"]


def test_the_first_timeout_can_be_made_due_alone(loop: impl.Loop) -> None:
    """Kernel.expire_next: sleeps and cancelled timers are no timeouts, and all other timers stay."""
    ready = loop.ready
    assert isinstance(ready, deque)
    assert not loop.expire_next(True)
    loop.alarm(0.5)
    loop.call_later(1, print).cancel()
    assert not loop.expire_next(True)
    handles = [loop.call_later(delay, print) for delay in (4, 2, 2, 3)]
    assert loop.expire_next(False)
    assert (loop.now, len(ready)) == (0, 0)
    for last in (2, 3):
        assert loop.expire_next(True)
        assert (loop.now, [*ready]) == (2_000_000_000, handles[1:last])
    assert loop.next_event() == 500_000_000
    loop.close()


def test_a_cancelled_timer_is_no_tie() -> None:
    choices = impl.Choices.seeded(1)
    loop = impl.Loop(choices)
    handles = [loop.call_at(1, print, number) for number in range(3)]
    for handle in handles[:2]:
        handle.cancel()
    handles[2].cancel()
    loop.call_at(1, loop.stop)
    loop.call_at(1, print).cancel()
    loop.run_forever()
    assert choices.schedule.drawn == []


async def test_a_cancelled_timer_never_moves_the_clock(loop: impl.Loop) -> None:
    loop.call_later(5, print).cancel()
    sleeper = loop.create_task(sleep(7))
    await sleep(1)
    sleeper.cancel()
    await sleep(0)
    assert (loop.next_event(), loop.time()) == (None, 1.0)


@pytest.mark.parametrize("live", [0, 10, 1000])
def test_cancelled_timers_are_swept(loop: impl.Loop, live: int) -> None:
    """The heap stays within twice the live timers, or a small constant."""
    for number in range(live):
        loop.call_later(1000 + number, print)
    most = 0
    for number in range(20_000):
        loop.call_later(1 + number, print).cancel()
        most = max(most, len(loop._timers))
    assert most <= max(64, 2 * live) + 1
    loop.close()


def test_a_handle_says_when_and_whether(loop: impl.Loop) -> None:
    handle = loop.call_later(2.5, print)
    assert (handle.when(), handle.cancelled()) == (2.5, False)
    handle.cancel()
    handle.cancel()
    assert handle.cancelled()
    loop.close()


@pytest.mark.parametrize("delay", [0, -1, -math.inf])
async def test_no_delay_is_due_at_once(delay: float) -> None:
    assert (await sleep(delay, "result"), now()) == ("result", 0.0)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=10), st.integers(0, 20), st.integers(0, 2**32))
def test_a_timer_is_late_within_bounds_and_never_early(delays: list[int], late: int, seed: int) -> None:
    loop = impl.Loop(impl.Choices.seeded(seed), late_ms_max=late)
    lateness: list[int] = []

    def fired(due: int) -> None:
        lateness.append(loop.now // 1_000_000 - due)

    async def sleeps(ms: int) -> None:
        await sleep(ms / 1000)
        fired(ms)

    async def main() -> None:
        for ms in delays:
            loop.call_later(ms / 1000, fired, ms)
        await impl.gather(*map(sleeps, delays))
        await sleep(1)

    loop.run(main())
    assert len(lateness) == 2 * len(delays)
    assert all(0 <= ms <= late for ms in lateness)


def test_every_lateness_is_drawn() -> None:
    seen = set()
    for ms in range(4):
        loop = impl.Loop(impl.Choices.listed({"schedule": [ms]}), late_ms_max=3)
        loop.run(sleep(1))
        seen.add(loop.now)
    assert seen == {1_000_000_000 + ms * 1_000_000 for ms in range(4)}
