"""Lock, Semaphore, Event, Condition and Barrier, beyond the vectors: messages, loops, errors, reprs.

Barrier has no specification.  In its place, `wrong` counts the tasks of small runs, independently of the class.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

import impl
from impl import sleep

from ...implementations.all_mutants import BY_NAME
from ...programs.enumeration import interleavings
from ...refinement.subjects import LoopLike, TaskLike, one_turn


def held_lock() -> impl.Lock:
    lock = impl.Lock()
    with pytest.raises(StopIteration):  # it does not wait
        lock.acquire().send(None)
    return lock


#: Any: the values that a coroutine yields, as in asyncio's own signatures.
WAITING: dict[str, Callable[[], Callable[[], Coroutine[Any, Any, object]]]] = {
    "lock": lambda: held_lock().acquire,
    "semaphore": lambda: impl.Semaphore(0).acquire,
    "event": lambda: impl.Event().wait,
    "condition": lambda: impl.Condition(held_lock()).acquire,
    "barrier": lambda: impl.Barrier(3).wait,
    "queue": lambda: impl.Queue[int]().get,
}


@pytest.mark.parametrize("kind", WAITING)
def test_it_is_bound_to_the_loop_of_its_first_waiter(loop: impl.Loop, kind: str) -> None:
    wait = WAITING[kind]()
    loop.create_task(wait())
    one_turn(loop)
    with pytest.raises(RuntimeError, match="different event loop"):
        impl.run(wait())
    loop.close()


@pytest.mark.parametrize("kind", WAITING)
def test_waiting_needs_a_loop(kind: str) -> None:
    coro = WAITING[kind]()()
    with pytest.raises(RuntimeError, match="no running event loop"):
        coro.send(None)


@pytest.mark.parametrize("make", [impl.Lock, impl.Semaphore])
async def test_an_error_that_is_no_cancel_hands_the_wake_up_on(make: Callable[[], impl.Lock]) -> None:
    """LOCK-8: any error that is thrown into the waiter between its wake-up and its run."""
    gate = make()
    await gate.acquire()
    first = gate.acquire()
    first.send(None)
    second = impl.create_task(gate.acquire())
    await sleep(0)
    gate.release()
    with pytest.raises(KeyError):
        first.throw(KeyError())
    assert await second


@pytest.mark.parametrize("notified", [False, True])
async def test_the_very_cancel_is_raised_again(notified: bool) -> None:
    """COND-5 (gh-111693): the last one of several, with its message, although the task had to wait for the lock."""
    condition = impl.Condition()

    async def waits() -> tuple[object, ...]:
        async with condition:
            try:
                await condition.wait()
            except impl.CancelledError as error:
                assert condition.locked()
                return error.args
        return ("not cancelled",)

    task = impl.create_task(waits())
    await sleep(0)
    async with condition:
        if notified:
            condition.notify()
            await sleep(0)
        task.cancel("one")
        await sleep(0)
        task.cancel("two")
        await sleep(0)
    assert (await task) == ("two",)


async def test_reprs() -> None:
    lock, semaphore, event = impl.Lock(), impl.Semaphore(2), impl.Event()
    shown = "<Lock [unlocked]> <Semaphore [unlocked, value:2]> <Event [unset]> <Condition [unlocked]>"
    assert " ".join(map(repr, (lock, semaphore, event, impl.Condition(lock)))) == shown
    event.set()
    assert repr(event) == "<Event [set]>"
    async with lock:
        impl.create_task(lock.acquire())
        await sleep(0)
        assert repr(lock) == "<Lock [locked, waiters:1]>"


@pytest.mark.parametrize(("make", "what"), [
    (held_lock, "Lock.acquire of <Lock [locked, waiters:1]>"),
    (lambda: impl.Semaphore(0), "Semaphore.acquire of <Semaphore [locked, waiters:1]>"),
    (lambda: impl.Condition(held_lock()), "Condition.acquire of <Condition [locked]>"),
    (lambda: impl.Barrier(2), "Barrier.wait of <Barrier [filling, waiters:1/2]>"),
])  # fmt: skip
def test_a_deadlock_names_method_and_object(make: Callable[[], impl.Lock], what: str) -> None:
    """KERNEL-2: also behind `async with`."""

    async def main() -> None:
        async with make():
            pass

    with pytest.raises(impl.DeadlockError) as caught:
        impl.run(main())
    assert str(caught.value).endswith(f"for {what}")


#: A Barrier class, of impl or of asyncio.
BarrierClass = Any


def test_what_it_shows() -> None:
    barrier = impl.Barrier(2)
    impl.run(barrier.abort())
    assert (barrier.parties, repr(barrier)) == (2, "<Barrier [broken]>")


async def test_the_error_is_its_own_class_attribute() -> None:
    """A bridge uses another runtime's."""
    barrier = type("Other", (impl.Barrier,), {"Broken": KeyError})(2)
    await barrier.abort()
    with pytest.raises(KeyError):
        await barrier.wait()


def wrong(barrier: BarrierClass, loop: LoopLike, waiters: int, moves: str) -> bool:
    """Return whether a run breaks BARRIER-1 or BARRIER-4: so many tasks wait for one more, then the moves follow:
    a task comes (h), a waiter is cancelled (its number), the loop runs one iteration (t).
    """
    parties = waiters + 1
    gate, numbers, began = barrier(parties), list[int](), list[int]()
    tasks: list[TaskLike] = []

    async def waits(task: int) -> None:
        began.append(task)
        numbers.append(await gate.wait())

    def come() -> None:
        tasks.append(loop.create_task(waits(len(tasks)), name=f"W{len(tasks)}"))

    for _ in range(waiters):
        come()
    one_turn(loop)
    cancelled = set()
    for move in moves + "t" * 16:
        if move == "h":
            come()
        elif move == "t":
            one_turn(loop)
        elif tasks[int(move) - 1].cancel():
            cancelled.add(int(move) - 1)
    left = [task for task in tasks if not task.done()]
    told = {number for number, task in enumerate(tasks) if task.done() and task.cancelled()}
    for task in left:
        task.cancel()
    one_turn(loop)
    loop.close()
    opened = bool(numbers)
    return (
        told != cancelled
        or len(left) >= parties
        or (opened and len(began) < parties)
        or sorted(set(numbers)) != sorted(numbers)
        or not set(numbers) <= set(range(parties))
    )


def first_wrong(barrier: BarrierClass, new_loop: Callable[[], LoopLike], waiters: int) -> str | None:
    """Return the shortest moves after which a run is wrong; None if there are none."""
    cancels = "123"[:waiters]
    length = 7 - waiters
    found = interleavings("h" + cancels + "t", length, length)
    return next((moves for moves in found if wrong(barrier, new_loop(), waiters, moves)), None)


@pytest.mark.parametrize("waiters", [2, 3])
def test_all_orders_of_a_few_moves(waiters: int) -> None:
    """BARRIER-1, BARRIER-4."""
    assert first_wrong(impl.Barrier, impl.Loop, waiters) is None


def test_a_wrong_barrier_is_caught() -> None:
    """BARRIER-1: asyncio has the same defect (gh-155233)."""
    assert first_wrong(BY_NAME["BarrierNumbersByCount"].wrong, impl.Loop, 2) == "1hh"
    assert first_wrong(asyncio.Barrier, asyncio.new_event_loop, 2) == "1hh"


async def test_an_aborted_barrier_of_one_party_does_not_open() -> None:
    """BARRIER-3: although the party that waits is all of them."""
    barrier = impl.Barrier(1)
    await barrier.abort()
    with pytest.raises(impl.BrokenBarrierError, match="aborted"):
        await barrier.wait()
    assert barrier.broken
