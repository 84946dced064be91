"""Lock, Semaphore, Event, Condition, beyond the vectors: messages, loops, errors other than cancels, reprs."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

import impl
from impl import sleep

from ...refinement.subjects import one_turn


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


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (held_lock, "Lock.acquire of <Lock [locked, waiters:1]>"),
        (lambda: impl.Semaphore(0), "Semaphore.acquire of <Semaphore [locked, waiters:1]>"),
        (lambda: impl.Condition(held_lock()), "Condition.acquire of <Condition [locked]>"),
        (lambda: impl.Barrier(2), "Barrier.wait of <Barrier [filling, waiters:1/2]>"),
    ],
)
def test_a_deadlock_names_method_and_object(make: Callable[[], impl.Lock], what: str) -> None:
    """KERNEL-2: also behind `async with`."""

    async def main() -> None:
        async with make():
            pass

    with pytest.raises(impl.DeadlockError) as caught:
        impl.run(main())
    assert str(caught.value).endswith(f"for {what}")
