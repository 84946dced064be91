"""Teaching code: rung 27, two threads or two coroutines that add to one sum, 10,000 times each.

Teaches: a thread can be interrupted between any two instructions, a coroutine only at an `await`.  `total.value += 1`
reads, adds and writes; if another thread writes between the read and the write, its update is lost.  A lock around the
three steps prevents that, if all threads use it.  Coroutines need no lock, because no other coroutine runs between two
awaits; but one that awaits between the read and the write loses updates as a thread does (`add_carelessly`).

In the simulated environment, `switch` is a point at which the operating system may run another thread, so the choices
find a lost update and repeat it.

Source: the article on generator-based coroutines around py-coro-impl, its first example.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from contextlib import AbstractContextManager
from types import coroutine
from typing import Final

from ..world import World

TIMES: Final = 10_000


class Total:
    """The shared sum."""

    value = 0


# --- threads ----------------------------------------------------------------------------------------------


def with_threads(world: World, times: int = TIMES) -> int:
    """The sum after two threads have each added 1 `times` times."""
    total = Total()
    return in_two_threads(world, total, lambda: add(world, total, times))


def with_a_lock(world: World, times: int = TIMES) -> int:
    """The same, with a lock around each addition."""
    total, lock = Total(), world.Lock()
    return in_two_threads(world, total, lambda: add_locked(world, total, times, lock))


def in_two_threads(world: World, total: Total, work: Callable[[], None]) -> int:
    """The sum after both have finished."""
    threads = [world.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return total.value


def add(world: World, total: Total, times: int) -> None:
    """`total.value += 1`, `times` times, in two steps."""
    for _ in range(times):
        world.switch()
        value = total.value
        world.switch()
        total.value = value + 1


def add_locked(world: World, total: Total, times: int, lock: AbstractContextManager[bool]) -> None:
    """The same, with the lock around each addition."""
    for _ in range(times):
        with lock:
            add(world, total, 1)


# --- coroutines -------------------------------------------------------------------------------------------


def with_coroutines(choose: Callable[[int], int], times: int = TIMES) -> int:
    """The sum after two coroutines have each added 1 `times` times; `choose(n)` selects which of n runs next."""
    return in_two_coroutines(choose, add_and_wait, times)


def in_two_coroutines(
    choose: Callable[[int], int], work: Callable[[Total, int], Coroutine[None, None, None]], times: int
) -> int:
    """The sum after both have finished."""
    total = Total()
    waiting = [work(total, times), work(total, times)]
    while waiting:
        one = waiting[choose(len(waiting))]
        try:
            one.send(None)
        except StopIteration:
            waiting.remove(one)
    return total.value


@coroutine
def pause() -> Generator[None, None, None]:
    """Let the other coroutine run."""
    yield


async def add_and_wait(total: Total, times: int) -> None:
    """Add 1 and wait, `times` times."""
    for _ in range(times):
        total.value += 1
        await pause()


async def add_carelessly(total: Total, times: int) -> None:
    """The same, but waiting between the read and the write."""
    for _ in range(times):
        value = total.value
        await pause()
        total.value = value + 1
