"""A lock of threading that blocks the only thread of a run: a deadlock with its lines, wherever the lock was made."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from threading import Lock
from typing import Any

import pytest

import impl
from impl.bridges.asyncio.run import simulate
from impl.explore import explore

Main = Callable[[], Coroutine[Any, Any, Any]]  # Any: the programs return nothing
LOCK = threading.Lock()


async def _twice(lock: Any) -> None:  # Any: of the class that is in the place of the real one
    async def use(steps: int) -> None:
        for _ in range(steps):
            await asyncio.sleep(0)
        with lock:
            await asyncio.sleep(0)

    await asyncio.gather(use(0), use(2))  # in asyncio's own order one has ended when the other begins


async def made_in_main() -> None:
    await _twice(threading.Lock())


async def made_by_name() -> None:
    await _twice(Lock())


async def made_at_the_top() -> None:
    await _twice(LOCK)


async def made_by_an_object() -> None:
    class Pool:
        def __init__(self) -> None:
            self.lock = threading.Lock()

    await _twice(Pool().lock)


async def its_error_is_caught() -> None:
    lock = threading.Lock()

    async def use(steps: int) -> None:
        for _ in range(steps):
            await asyncio.sleep(0)
        try:
            with lock:
                await asyncio.sleep(0)
        except Exception:
            return

    await asyncio.gather(use(0), use(2))


@pytest.mark.parametrize(
    "main", [made_in_main, made_by_name, made_at_the_top, made_by_an_object, its_error_is_caught]
)
@pytest.mark.parametrize("every", [False, True])
def test_a_lock_that_blocks_for_ever_is_a_deadlock(main: Main, every: bool) -> None:
    assert simulate(main).error is None
    found = explore(main, every=every, reduce=every)
    assert found.failure is not None
    assert isinstance(found.failure.error, impl.DeadlockError)
    assert "a threading.Lock blocks the only thread at " in found.failure.simple.error
    assert f"{__name__.rpartition('.')[2]}.py, line " in str(found.failure.error).partition("held since")[2]


def test_a_lock_is_the_real_one_otherwise() -> None:
    async def main() -> None:
        lock = threading.Lock()
        with lock:
            assert lock.locked()
            assert not lock.acquire(False)
            assert not lock.acquire(timeout=5)
            with pytest.raises(ValueError, match="timeout"):
                lock.acquire(timeout=-2)
        assert asyncio.get_running_loop().time() == 5
        with pytest.raises(RuntimeError, match="release unlocked lock"):
            lock.release()

    assert simulate(main).error is None
    with LOCK:
        helper = threading.Thread(target=LOCK.acquire)
        helper.start()
    helper.join(timeout=5)
    assert not helper.is_alive(), "another thread waits for it, and gets it"
    LOCK.release()
