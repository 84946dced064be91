"""How threads end, and how a run ends that has threads: as in CPython, and nothing is left."""

import asyncio
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest
import trio

from impl.bridges.asyncio.run import simulate
from impl.bridges.simulation import OutsideSimulation
from impl.bridges.trio.run import simulate_trio
from impl.explore import CannotExplore, explore
from impl.sim.baton import ThreadEnded
from impl.threads import group

Main = Callable[[], Coroutine[Any, Any, Any]]  # Any: the programs return nothing of note
Later = Callable[[str], None]
LOCK, TWICE = threading.Lock(), threading.RLock()


def start(*functions: Callable[[], object], daemon: bool = False) -> list[threading.Thread]:
    threads = [threading.Thread(target=each, daemon=daemon) for each in functions]
    for thread in threads:
        thread.start()
    return threads


def test_a_thread_that_is_left_is_unwound_and_its_locks_are_free() -> None:
    log: list[str] = []

    def hold() -> None:
        with LOCK, TWICE:
            try:
                threading.Event().wait()
            except Exception:
                log.append("an Exception")
            finally:
                log.append("unwound")

    def wait() -> None:
        with LOCK:
            log.append("the lock")

    async def main() -> None:
        start(hold, wait, daemon=True)
        await asyncio.sleep(1)
        assert LOCK.locked()

    for _ in range(3):
        assert simulate(main).error is None
        assert not LOCK.locked()
        assert LOCK.acquire(False)
        LOCK.release()
        assert TWICE.acquire(False)
        TWICE.release()
    assert log == ["unwound"] * 3


def test_a_lock_that_a_thread_has_taken_for_ever_is_free_in_the_next_run() -> None:
    async def main() -> None:
        start(lambda: (LOCK.acquire(), TWICE.acquire(), threading.Event().wait()), daemon=True)
        await asyncio.sleep(1)

    assert explore(main, runs=20).failure is None
    assert not LOCK.locked()
    assert TWICE.acquire(False)
    TWICE.release()


def test_a_thread_that_catches_each_error_is_refused() -> None:
    def poll() -> None:
        while True:
            try:
                time.sleep(1)
            except BaseException:
                continue

    async def main() -> None:
        start(poll, daemon=True)
        await asyncio.sleep(2)

    with pytest.raises(CannotExplore, match=r"a thread that catches each error, and goes on \(Thread-1 \(poll\)\)"):
        explore(main)
    assert isinstance(simulate(main).error, Exception)


def test_a_thread_that_was_abandoned_may_end_while_another_is_unwound(monkeypatch: pytest.MonkeyPatch) -> None:
    """The run still waits for the other one."""
    monkeypatch.setattr(group, "_PATIENCE_S", 0.5)
    log: list[str] = []
    really_sleep = time.sleep

    def wait() -> None:
        try:
            threading.Event().wait()
        finally:
            log.append("unwinds")
            really_sleep(0.05)
            log.append("unwound")

    def block() -> None:
        while not log:
            really_sleep(0.001)

    async def main() -> None:
        start(wait, block, daemon=True)
        await asyncio.sleep(1)

    assert "more than a minute" in str(simulate(main).error)
    assert log == ["unwinds", "unwound"]


def test_a_thread_may_end_by_itself_while_it_is_unwound() -> None:
    ended: list[BaseException] = []

    def catch() -> None:
        for _ in range(3):
            try:
                time.sleep(1e6)
            except BaseException as error:
                ended.append(error)

    async def main() -> None:
        start(catch, daemon=True)
        await asyncio.sleep(0.5)

    assert simulate(main).error is None
    assert [type(each) for each in ended] == [ThreadEnded] * 3


async def pool(later: Later) -> None:
    asyncio.get_running_loop().run_in_executor(None, later, "pool")
    await asyncio.sleep(1)


async def abandoned(later: Later) -> None:
    with trio.move_on_after(1):
        await trio.to_thread.run_sync(later, "abandoned", abandon_on_cancel=True)


@pytest.mark.parametrize(("simulated", "wait"), [(simulate, pool), (simulate_trio, abandoned)])
def test_a_thread_outlives_main_unless_it_is_a_daemon(simulated: Callable[..., Any], wait: Callable[..., Any]) -> None:
    log: list[str] = []

    def later(name: str) -> None:
        time.sleep(5)
        log.append(name)

    async def main() -> None:
        start(lambda: later("thread"))
        start(lambda: later("daemon"), daemon=True)
        await wait(later)
        log.append("main")

    run = simulated(main, trace=True)
    assert run.error is None
    assert log[0] == "main"
    assert {"thread"} | {wait.__name__} - {"abandoned"} <= set(log[1:]) <= {"thread", "daemon", wait.__name__}
    assert wait is pool or (run.elapsed_ns == 10**9 and "later" in run.labels.values())


def test_an_error_in_a_thread_goes_to_its_hook_and_is_a_failure_of_a_search(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        if sometimes:
            raise LookupError("no")

    async def main() -> None:
        for thread in start(fail):
            thread.join()

    sometimes: list[int] = []
    race: list[int] = []

    async def one_of_two() -> None:
        race.clear()

        def pop() -> None:
            with LOCK:
                empty = not race
            if empty:
                with LOCK:
                    race.append(1)
                    assert len(race) == 1

        for thread in start(pop, pop):
            thread.join()

    sometimes.append(1)
    assert simulate(main).error is None
    assert "LookupError: no" in capsys.readouterr().err
    found = explore(one_of_two)
    assert found.failure is not None
    assert found.failure.outcome == "CallbackError: AssertionError"
    seen: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", seen.append)
    assert simulate(main).error is None
    assert [each.exc_type for each in seen] == [LookupError]


def test_names_count_within_a_run_and_idents_differ() -> None:
    async def main() -> list[str]:
        threads = start(lambda: time.sleep(1), lambda: time.sleep(1))
        assert len({threads[0].ident, threads[1].ident, threading.get_ident()}) == 3
        assert threading.active_count() >= 3
        names = [thread.name for thread in threads] + [await asyncio.to_thread(lambda: threading.current_thread().name)]
        assert threads[0].is_alive()
        threads[0].join(0.1)
        assert threads[0].is_alive()
        threads[0].join()
        assert not threads[0].is_alive()
        return [name.partition(" ")[0] for name in names]

    assert simulate(main).outcome() == simulate(main).outcome() == ["Thread-1", "Thread-2", "asyncio_0"]


@pytest.mark.filterwarnings("ignore:coroutine 'sleep' was never awaited")
def test_a_loop_in_a_thread_and_a_callback_of_a_real_thread_are_refused() -> None:
    async def main() -> None:
        await asyncio.to_thread(lambda: asyncio.run(asyncio.sleep(0)))

    run = simulate(main)
    assert isinstance(run.error, OutsideSimulation)
    assert "an event loop in a thread" in str(run.error)


def test_threads_have_the_real_clock_and_locks_after_the_run() -> None:
    kept: list[Any] = []

    async def main() -> None:
        kept.extend((threading.Lock(), threading.RLock(), queue.SimpleQueue(), threading.Event()))

    simulate(main).outcome()
    lock, twice, items, event = kept
    with lock, twice, twice:
        thread = threading.Thread(target=lambda: (lock.acquire(), lock.release(), items.put(1), event.set()))
        thread.start()
    assert items.get(timeout=10) == 1
    assert event.wait(10)
    thread.join(10)
    assert not thread.is_alive()


@pytest.mark.parametrize("runs", [pytest.param(10_000, marks=pytest.mark.long("half a minute")), 200])
def test_nothing_is_left_of_many_runs(runs: int) -> None:
    async def main() -> None:
        items: queue.Queue[int] = queue.Queue()
        start(lambda: items.put(1), lambda: items.get(), items.get, daemon=True)
        await asyncio.to_thread(time.sleep, 1)

    folder = "/proc/self/fd"
    explore(main, runs=5)
    before = threading.active_count(), len(os.listdir(folder)) if os.path.isdir(folder) else 0
    explore(main, runs=runs)
    assert (threading.active_count(), len(os.listdir(folder)) if os.path.isdir(folder) else 0) == before


def test_a_thread_of_trio_that_runs_on_is_interrupted() -> None:
    over: list[int] = []

    def spin() -> None:
        while not over:
            pass

    async def main() -> None:
        await trio.to_thread.run_sync(spin)

    interrupt = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    interrupt.start()
    with pytest.raises(KeyboardInterrupt):
        simulate_trio(main)
    over.append(1)
    interrupt.join()


def append(items: list[int]) -> list[int]:
    items.append(1)
    return items


@pytest.mark.parametrize("every", [False, True])
def test_a_pool_of_processes_calls_inline_and_the_verdict_says_so(every: bool) -> None:
    async def main() -> None:
        mine: list[int] = []
        with ProcessPoolExecutor(2) as pool:
            assert await asyncio.get_running_loop().run_in_executor(pool, append, mine) == [1]
            assert mine == [], "a process has a copy"
            assert [each.result() for each in [pool.submit(abs, -n) for n in range(3)]] == [0, 1, 2]
            assert isinstance(pool.submit(lambda: 1).exception(), Exception), "it cannot be sent to a process"
            assert list(pool.map(abs, [-1, 2])) == [1, 2]
        with pytest.raises(RuntimeError, match="after shutdown"):
            pool.submit(abs, 1)

    found = explore(main, runs=3, every=every)
    assert found.verdict == "not exhausted", found.report()
    assert "functions ran inline, in the place of processes" in found.report()
