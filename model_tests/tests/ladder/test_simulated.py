"""The simulated environment alone: exact time, deadlocks that are reported, runs that the choices determine."""

from __future__ import annotations

import errno
import threading

import pytest

from impl import Choices, DeadlockError, LivelockError
from impl.ladder.http import address_of
from impl.ladder.world import baton
from impl.ladder.world.simulated import ATTEMPT_NS
from impl.net import NetworkConditions

from .conftest import simulated
from .test_world import PAGE, SILENT, SITE, SLOW, asked, code_of, connecting, rest, watching


def test_time_is_exact() -> None:
    """The look-up and the connect take 3 ms, the response 32 ms; a time-out takes its own time."""
    with simulated(SITE) as world:
        with asked(world, SLOW) as sock:
            assert world.time() == pytest.approx(0.003, abs=1e-6)
            rest(sock)
        assert world.time() == pytest.approx(0.035, abs=1e-6)
        with asked(world, SILENT) as sock:
            before = world.loop.now
            sock.settimeout(0.25)
            with pytest.raises(TimeoutError):
                sock.recv(1)
            assert world.loop.now - before == 250_000_000


def test_an_attempt_in_vain_takes_its_time() -> None:
    with simulated(SITE) as world, connecting(world, SLOW) as sock:
        assert world.loop.now == ATTEMPT_NS
        with pytest.raises(BlockingIOError):
            sock.recv(1)
        assert code_of(lambda: sock.connect(address_of(SLOW))) == errno.EALREADY
        assert (world.loop.now, world.meter.vain) == (2 * ATTEMPT_NS, 2)


def test_the_rest_of_a_time_passes_however_little_it_is() -> None:
    """A program waits until its deadline; the difference, floating-point numbers may put below 1 ns."""
    with simulated(SITE) as world:
        selector = world.DefaultSelector()
        for seconds, passes in (1e-10, 1), (1.4e-9, 1), (0, 0), (-1, 0):
            before = world.loop.now
            assert selector.select(seconds) == []
            assert world.loop.now - before == passes


def test_a_wait_that_can_never_end_is_a_deadlock() -> None:
    """In a queue, a selector and a lock; the environment can be used after that."""
    with simulated(SITE) as world, world.socket() as sock, watching(world, sock, 1) as selector:
        selector.unregister(sock.fileno())
        queue, lock = world.SimpleQueue(), world.Lock()
        for call in (queue.get, selector.select):
            with pytest.raises(DeadlockError):
                call()
        with lock, pytest.raises(DeadlockError), lock:
            pass
        got: list[int] = []
        thread = world.Thread(target=lambda: got.append(queue.get()))
        thread.start()
        with pytest.raises(DeadlockError):
            thread.join()
        queue.put(1)
        thread.join()
        assert got == [1]


def test_an_error_in_a_thread_is_raised_in_the_main_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or a livelock, if threads spin for ever."""
    monkeypatch.setattr(baton, "PASSES", 1000)
    with simulated(SITE) as world:

        def spins() -> None:
            while True:
                world.switch()

        failing = world.Thread(target=lambda: 1 // 0)
        failing.start()
        with pytest.raises(ZeroDivisionError):
            failing.join()
        failing.join()
        spinning = world.Thread(target=spins)
        spinning.start()
        with pytest.raises(LivelockError, match="the clock stands still"):
            spinning.join()


def test_the_end_of_an_environment_ends_its_threads() -> None:
    before = threading.active_count()
    left: list[str] = []
    with simulated(SITE) as world:
        queue, never = world.SimpleQueue(), world.SimpleQueue()

        def waits(name: str) -> None:
            try:
                queue.get()
            finally:
                left.append(name)
                never.get()  # a second wait ends too

        for name in "ab":
            world.Thread(target=waits, args=(name,)).start()
        with pytest.raises(DeadlockError):
            never.get()
        world.Thread(target=left.append, args=("never begun",)).start()
        assert left == []
    assert sorted(left) == ["a", "b"]
    assert threading.active_count() == before
    with pytest.raises(RuntimeError, match="closed"):
        world.switch()


def interleaving(choices: Choices) -> tuple[list[str], float]:
    """The order of three threads that receive, and the time they take."""
    seen: list[str] = []
    with simulated(SITE, choices, NetworkConditions(latency_ms_max=9, segments_max=3)) as world:

        def work(name: str) -> None:
            with asked(world, PAGE) as sock:
                while sock.recv(5000):
                    seen.append(name)
                    world.switch()

        threads = [world.Thread(target=work, args=(name,)) for name in "abc"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return seen, world.time()


def test_the_same_choices_give_the_same_run() -> None:
    """From a seed, and from the list of the numbers drawn."""
    runs = [interleaving(Choices.seeded(seed)) for seed in range(10)]
    assert runs == [interleaving(Choices.seeded(seed)) for seed in range(10)]
    assert len({tuple(seen) for seen, _ in runs}) > 5
    choices = Choices.seeded(3)
    run = interleaving(choices)
    again = Choices.listed(choices.drawn())
    assert interleaving(again) == run
    assert again.digest() == choices.digest()
