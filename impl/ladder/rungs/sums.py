"""Teaching code: rung 27, two that add to one sum, 10,000 each: threads may lose updates, coroutines never do.

What it teaches: a thread can be stopped between any two instructions, a coroutine only where it says `await`.
`total.value += 1` reads, adds and writes; if another thread writes between the read and the write, its update is lost.
With a lock around the three none is lost, as long as nobody forgets it.  Coroutines need none: between two awaits
nobody else runs.  But who awaits between the read and the write is as badly off as a thread (`add_carelessly`).

In the simulated world `switch` is where the operating system may go on with another thread, so a lost update is found
by its choices, and comes again with them.  In the real world it happens when it happens.

Source: the article on generator-based coroutines around py-coro-impl, its first example.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from types import coroutine
from typing import Final

from ..world.interfaces import Lock, World

TIMES: Final = 10_000


class Total:
    """The sum that is shared."""

    value = 0


# --- threads ----------------------------------------------------------------------------------------------


def with_threads(world: World, times: int = TIMES) -> int:
    """The sum, when two threads have added 1 so many times each."""
    total = Total()
    return in_two_threads(world, total, lambda: add(world, total, times))


def with_a_lock(world: World, times: int = TIMES) -> int:
    """The same with a lock, which one of them holds at a time."""
    total, lock = Total(), world.threading.Lock()
    return in_two_threads(world, total, lambda: add_locked(world, total, times, lock))


def in_two_threads(world: World, total: Total, work: Callable[[], None]) -> int:
    """The sum after both have worked."""
    threads = [world.threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return total.value


def add(world: World, total: Total, times: int) -> None:
    """`total.value += 1`, so many times, in its two steps."""
    for _ in range(times):
        world.switch()
        value = total.value
        world.switch()
        total.value = value + 1


def add_locked(world: World, total: Total, times: int, lock: Lock) -> None:
    """The same, each time with the lock."""
    for _ in range(times):
        with lock:
            add(world, total, 1)


# --- coroutines -------------------------------------------------------------------------------------------


def with_coroutines(choose: Callable[[int], int], times: int = TIMES) -> int:
    """The sum, when two coroutines have added 1 so many times each; `choose(n)` says which of n goes on."""
    return in_two_coroutines(choose, add_and_wait, times)


def in_two_coroutines(
    choose: Callable[[int], int], work: Callable[[Total, int], Coroutine[None, None, None]], times: int
) -> int:
    """The sum after both have worked."""
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
    """Let the other go on."""
    yield


async def add_and_wait(total: Total, times: int) -> None:
    """Add 1 and wait, so many times."""
    for _ in range(times):
        total.value += 1
        await pause()


async def add_carelessly(total: Total, times: int) -> None:
    """The same, but waiting between the read and the write."""
    for _ in range(times):
        value = total.value
        await pause()
        total.value = value + 1
