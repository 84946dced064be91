"""Lock, Semaphore, Event, Condition: misuse, loops, errors other than cancels, and the errors raised."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

import impl
from impl import sleep

from ...refinement.subjects import one_turn

# `Any`: the values that a coroutine yields, as in asyncio's own signatures.


def test_release_of_an_unlocked_lock_changes_nothing() -> None:
    """LOCK-9."""
    lock = impl.Lock()
    with pytest.raises(RuntimeError, match="not acquired"):
        lock.release()
    assert impl.run(lock.acquire()) is True
    assert lock.locked()


def test_a_negative_semaphore() -> None:
    """SEM-1."""
    with pytest.raises(ValueError, match=">= 0"):
        impl.Semaphore(-1)
    with pytest.raises(ValueError, match=">= 0"):
        impl.BoundedSemaphore(-1)
    assert impl.Semaphore(0).locked()


def test_a_bounded_semaphore_refuses_one_permit_too_many() -> None:
    """SEM-3; and nothing changes."""
    semaphore = impl.BoundedSemaphore(1)
    for _ in range(2):
        with pytest.raises(ValueError, match="too many times"):
            semaphore.release()
    impl.run(semaphore.acquire())
    assert semaphore.locked()
    semaphore.release()
    assert not semaphore.locked()


def test_a_plain_semaphore_takes_new_permits() -> None:
    semaphore = impl.Semaphore(0)
    semaphore.release()
    semaphore.release()
    impl.run(semaphore.acquire())
    assert not semaphore.locked()
    impl.run(semaphore.acquire())
    assert semaphore.locked()


@pytest.mark.parametrize("make", [impl.Lock, impl.Semaphore, impl.BoundedSemaphore, impl.Condition])
def test_async_with_holds_and_gives_back(make: Callable[[], impl.Lock]) -> None:
    async def main() -> list[bool]:
        gate = make()
        seen = []
        try:
            async with gate as bound:
                assert bound is None  # as in asyncio
                seen.append(gate.locked())
                raise KeyError
        except KeyError:
            seen.append(gate.locked())
        return seen

    assert impl.run(main()) == [True, False]


def held_lock() -> impl.Lock:
    lock = impl.Lock()
    with pytest.raises(StopIteration):  # it does not wait
        lock.acquire().send(None)
    return lock


WAITING: dict[str, Callable[[], Callable[[], Coroutine[Any, Any, object]]]] = {
    "lock": lambda: held_lock().acquire,
    "semaphore": lambda: impl.Semaphore(0).acquire,
    "event": lambda: impl.Event().wait,
    "condition": lambda: impl.Condition(held_lock()).acquire,
    "barrier": lambda: impl.Barrier(3).wait,
    "queue": lambda: impl.Queue[int]().get,
}


@pytest.mark.parametrize("kind", WAITING)
def test_it_is_bound_to_the_loop_of_its_first_waiter(kind: str) -> None:
    wait = WAITING[kind]()
    loop = impl.Loop()
    waiting = loop.create_task(wait())
    one_turn(loop)
    with pytest.raises(RuntimeError, match="different event loop"):
        impl.run(wait())
    waiting.cancel()
    one_turn(loop)
    loop.close()


@pytest.mark.parametrize("kind", WAITING)
def test_waiting_needs_a_loop(kind: str) -> None:
    coro = WAITING[kind]()()
    with pytest.raises(RuntimeError, match="no running event loop"):
        coro.send(None)


@pytest.mark.parametrize("make", [impl.Lock, impl.Semaphore])
def test_an_error_that_is_no_cancel_hands_the_wake_up_on(make: Callable[[], impl.Lock]) -> None:
    """LOCK-8: any error that is thrown into the waiter between its wake-up and its run."""

    async def main() -> bool:
        gate = make()
        await gate.acquire()
        first = gate.acquire()
        first.send(None)
        second = impl.create_task(gate.acquire())
        await sleep(0)
        gate.release()
        with pytest.raises(KeyError):
            first.throw(KeyError())
        return await second

    assert impl.run(main())


def test_a_newcomer_takes_a_free_lock_whose_waiters_are_all_cancelled() -> None:
    """LOCK-1: no task is before it."""

    async def main() -> bool:
        lock = impl.Lock()
        await lock.acquire()
        waiter = impl.create_task(lock.acquire())
        await sleep(0)
        waiter.cancel()
        lock.release()
        task = impl.create_task(lock.acquire())  # runs after the waiter; the call below before both
        taken = await lock.acquire()
        task.cancel()
        return taken

    assert impl.run(main())


def test_permits_released_together_wake_all_that_queued_behind() -> None:
    """LOCK-3: a resumed waiter offers the free permits to the next."""

    async def main() -> list[int]:
        semaphore = impl.Semaphore(0)
        order: list[int] = []

        async def take(number: int, release: int) -> None:
            for _ in range(release):
                semaphore.release()
            await semaphore.acquire()
            order.append(number)

        tasks = [impl.create_task(take(number, 3 if number == 1 else 0)) for number in range(3)]
        for task in tasks:
            await task
        return order

    assert impl.run(main()) == [0, 1, 2]


def test_a_set_event_does_not_suspend() -> None:
    """EVENT-2."""
    event = impl.Event()
    event.set()
    coro = event.wait()
    with pytest.raises(StopIteration) as stop:
        coro.send(None)
    assert stop.value.value is True


def test_clear_makes_newcomers_wait() -> None:
    """EVENT-3."""
    event = impl.Event()
    event.set()
    event.clear()
    assert not event.is_set()
    with pytest.raises(impl.DeadlockError):
        impl.run(event.wait())


def test_condition_without_its_lock() -> None:
    """COND-3."""
    condition = impl.Condition()
    for call in (condition.notify, condition.notify_all, condition.wait().__await__().__next__):
        with pytest.raises(RuntimeError, match="un-acquired"):
            call()
    with pytest.raises(RuntimeError, match="not acquired"):
        condition.release()


def test_two_conditions_over_one_lock() -> None:
    async def main() -> None:
        lock = impl.Lock()
        first, second = impl.Condition(lock), impl.Condition(lock)
        async with first:
            assert lock.locked()
            assert second.locked()
            second.notify_all()

    impl.run(main())


def test_notify_wakes_n_oldest_first() -> None:
    """COND-1."""

    async def main() -> list[int]:
        condition = impl.Condition()
        woken: list[int] = []

        async def waits(number: int) -> None:
            async with condition:
                await condition.wait()
                woken.append(number)

        tasks = [impl.create_task(waits(number)) for number in range(4)]
        await sleep(0)
        async with condition:
            condition.notify(2)
        for _ in range(9):
            await sleep(0)
        assert woken == [0, 1]
        async with condition:
            condition.notify_all()
        for task in tasks:
            await task
        return woken

    assert impl.run(main()) == [0, 1, 2, 3]


def test_wait_for_waits_until_it_is_true() -> None:
    """COND-7: every notification evaluates the predicate, and the last value is returned."""

    async def main() -> tuple[str, int]:
        condition = impl.Condition()
        looks = 0

        def look() -> str:
            nonlocal looks
            looks += 1
            assert condition.locked()
            return "yes" if looks == 3 else ""

        async def waits() -> str:
            async with condition:
                return await condition.wait_for(look)

        task = impl.create_task(waits())
        for _ in range(5):
            await sleep(0)
            async with condition:
                condition.notify()
        return await task, looks

    assert impl.run(main()) == ("yes", 3)


@pytest.mark.parametrize("notified", [False, True])
def test_the_very_cancel_is_raised_again(notified: bool) -> None:
    """COND-5 (gh-111693): the last one of several, with its message, although the task had to wait for the lock."""

    async def main() -> tuple[object, ...]:
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
        return await task

    assert impl.run(main()) == ("two",)


def test_reprs() -> None:
    lock, semaphore, event = impl.Lock(), impl.Semaphore(2), impl.Event()
    assert [repr(thing) for thing in (lock, semaphore, event, impl.Condition(lock))] == [
        "<Lock [unlocked]>",
        "<Semaphore [unlocked, value:2]>",
        "<Event [unset]>",
        "<Condition [unlocked]>",
    ]
    event.set()
    assert repr(event) == "<Event [set]>"

    async def main() -> str:
        async with lock:
            impl.create_task(lock.acquire())
            await sleep(0)
            return repr(lock)

    assert impl.run(main()) == "<Lock [locked, waiters:1]>"


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
