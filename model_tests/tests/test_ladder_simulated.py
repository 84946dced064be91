"""What only the simulated world of the ladder promises: exact time, deadlocks that are told, runs that come again."""

from __future__ import annotations

import errno
import socket
import threading
import time
from selectors import EVENT_READ, EVENT_WRITE

import pytest

from impl import Choices, DeadlockError, LivelockError
from impl.ladder import baton
from impl.ladder.http import address_of, request
from impl.ladder.simulated import ATTEMPT_NS
from impl.ladder.world import Lock
from impl.net import Weather
from impl.net.simulated.conditions import Fault

from .ladder_world import (
    BODY,
    PAGE,
    SILENT,
    SLOW,
    asked,
    code_of,
    connecting,
    ready,
    rest,
    selector_of,
    simulated,
)


def test_time_is_exact() -> None:
    with simulated() as world:
        with asked(world, SLOW) as sock:
            assert world.time() == pytest.approx(
                0.003, abs=1e-6
            )  # the look-up, and the connect there and back
            rest(sock)
        assert world.time() == pytest.approx(0.035, abs=1e-6)
        with asked(world, SILENT) as sock:
            before = world.loop.now
            sock.settimeout(0.25)
            with pytest.raises(TimeoutError):
                sock.recv(1)
            assert world.loop.now - before == 250_000_000


def test_threads_wait_at_the_same_time() -> None:
    with simulated(Choices.seeded(2)) as world:
        threads = [world.threading.Thread(target=lambda: rest(asked(world, SLOW))) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert world.time() == pytest.approx(0.035, abs=1e-6)


def test_an_attempt_in_vain_takes_its_time() -> None:
    with simulated() as world, connecting(world, SLOW) as sock:
        assert world.loop.now == ATTEMPT_NS
        with pytest.raises(BlockingIOError):
            sock.recv(1)
        assert code_of(lambda: sock.connect(address_of(SLOW))) == errno.EALREADY
        assert (world.loop.now, world.meter.vain) == (2 * ATTEMPT_NS, 2)


def test_a_program_that_spins_on_select_gets_somewhere() -> None:
    with simulated() as world, asked(world, SLOW) as sock, selector_of(world) as selector:
        selector.register(sock.fileno(), EVENT_READ)
        before = world.loop.now
        looks = 0
        while not selector.select(0):
            looks += 1
        assert 1000 < looks < 3000
        assert world.loop.now > before
        selector.unregister(sock.fileno())


def test_a_thread_that_polls_lets_others_go_on() -> None:
    seen: list[str] = []
    with simulated(Choices.seeded(1)) as world:

        def other() -> None:
            with asked(world, PAGE) as sock:
                rest(sock)
            seen.append("other")

        thread = world.threading.Thread(target=other)
        thread.start()
        with connecting(world, SILENT) as sock:
            while not seen:
                with pytest.raises(BlockingIOError):
                    sock.recv(1)
        thread.join()


def test_a_buffer_that_is_full_is_not_writable() -> None:
    """K6: a send takes a part; WRITE comes when there is room again."""
    data = request(PAGE)
    with simulated(weather=Weather(buffer_bytes=8)) as world, connecting(world, PAGE) as sock:
        with selector_of(world) as selector:
            selector.register(sock.fileno(), EVENT_WRITE)
            sent = []
            while data:
                assert ready(selector) == {sock.fileno(): EVENT_WRITE}
                sent.append(sock.send(data))
                data = data[sent[-1] :]
            assert len(sent) > 1
            assert max(sent) <= 8
            selector.unregister(sock.fileno())
        sock.setblocking(True)
        assert rest(sock).endswith(BODY)
        assert world.meter.vain == 1


def test_a_blocking_send_waits_for_room() -> None:
    data = request(PAGE)
    with simulated(weather=Weather(buffer_bytes=8)) as world, world.socket.socket() as sock:
        sock.connect(address_of(PAGE))
        while data:
            data = data[sock.send(data) :]
        assert rest(sock).endswith(BODY)


def test_a_look_up_that_fails_by_chance_is_an_error_of_the_connect() -> None:
    weather = Weather(scripted={"a.test": Fault.NO_SUCH_HOST})
    with simulated(weather=weather) as world, connecting(world, PAGE) as sock, selector_of(world) as selector:
        selector.register(sock.fileno(), EVENT_WRITE)
        assert ready(selector) == {sock.fileno(): EVENT_WRITE}
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == errno.EHOSTUNREACH


def test_a_socket_closed_while_it_connects_connects_no_more() -> None:
    with simulated() as world:
        with connecting(world, PAGE):
            pass
        with selector_of(world) as selector:
            assert ready(selector, 1) == {}
        assert world.net.connections == ()
        assert world.socket.by_fd == {}


def test_a_socket_closed_by_another_thread_is_no_deadlock() -> None:
    with simulated() as world:
        sock = asked(world, SILENT)
        sock.settimeout(None)
        world.threading.Thread(target=sock.close).start()
        assert code_of(lambda: sock.recv(1)) == errno.EBADF
        sock = world.socket.socket()
        world.threading.Thread(target=sock.close).start()
        assert code_of(lambda: sock.connect(address_of(PAGE))) == errno.EBADF


def test_many_descriptors() -> None:
    with simulated() as world:
        socks = [world.socket.socket() for _ in range(2000)]
        assert [sock.fileno() for sock in socks] == list(range(3, 2003))
        for sock in socks:
            sock.close()
        with world.socket.socket() as sock:
            assert sock.fileno() == 3


# --- deadlocks, errors, the end ---------------------------------------------------------------------------


def test_to_wait_for_what_can_never_be_is_a_deadlock() -> None:
    with simulated() as world:
        queue = world.queue.SimpleQueue()
        with pytest.raises(DeadlockError):
            queue.get()
        with selector_of(world) as selector, pytest.raises(DeadlockError):
            selector.select()
        lock = world.threading.Lock()
        with lock, pytest.raises(DeadlockError):
            lock.acquire()


def two_locks(choices: Choices) -> None:
    """Two threads take the same two locks, each in another order."""
    with simulated(choices) as world:
        one, two = world.threading.Lock(), world.threading.Lock()

        def work(first: Lock, second: Lock) -> None:
            with first, second:
                pass

        threads = [world.threading.Thread(target=work, args=locks) for locks in ((one, two), (two, one))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def test_a_deadlock_of_threads_is_told_the_main_thread_under_the_choices_that_lead_to_it() -> None:
    two_locks(Choices.plain())
    with pytest.raises(DeadlockError):
        two_locks(Choices.listed({"schedule": [0, 0, 1, 1]}))


def test_an_error_in_a_thread_is_raised_in_the_main_thread() -> None:
    with simulated() as world:

        def fails() -> None:
            raise ZeroDivisionError("in a thread")

        thread = world.threading.Thread(target=fails)
        thread.start()
        with pytest.raises(ZeroDivisionError, match="in a thread"):
            thread.join()
        thread.join()


def test_a_deadlock_is_seen_at_once_whatever_patience_there_was() -> None:
    with simulated() as world, asked(world, PAGE) as sock:
        rest(sock)
        before = world.time()
        with pytest.raises(DeadlockError):
            world.queue.SimpleQueue().get()
        assert world.time() - before < 0.01


def test_after_a_deadlock_the_world_goes_on() -> None:
    with simulated() as world:
        queue = world.queue.SimpleQueue()
        got: list[int] = []
        thread = world.threading.Thread(target=lambda: got.append(queue.get()))
        thread.start()
        with pytest.raises(DeadlockError):
            thread.join()
        queue.put(1)
        thread.join()
        assert got == [1]


def test_threads_that_spin_for_ever_are_a_livelock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baton, "PASSES", 1000)
    with simulated() as world:

        def spins() -> None:
            while True:
                world.switch()

        thread = world.threading.Thread(target=spins)
        thread.start()
        with pytest.raises(LivelockError, match="the clock stands still"):
            thread.join()


def test_the_end_of_a_world_ends_its_threads() -> None:
    before = threading.active_count()
    left: list[str] = []
    with simulated() as world:
        queue, never = world.queue.SimpleQueue(), world.queue.SimpleQueue()

        def waits(name: str) -> None:
            try:
                queue.get()
            finally:
                left.append(name)
                never.get()  # who waits again ends all the same

        for name in "ab":
            world.threading.Thread(target=waits, args=(name,)).start()
        world.switch()
        world.threading.Thread(target=waits, args=("never begun",)).start()
        with pytest.raises(DeadlockError):
            world.queue.SimpleQueue().get()
        world.threading.Thread(target=left.append, args=("not begun",)).start()
        assert left == []
    assert sorted(left) == ["a", "b", "never begun"]
    assert threading.active_count() == before
    world.close()
    with pytest.raises(RuntimeError, match="this world is closed"):
        world.switch()


def interleaving(choices: Choices) -> tuple[list[str], float]:
    """Which of three threads came when, and how long all took."""
    seen: list[str] = []
    with simulated(choices, Weather(latency_ms_max=9, segments_max=3)) as world:

        def work(name: str) -> None:
            with asked(world, PAGE) as sock:
                while sock.recv(5000):
                    seen.append(name)
                    world.switch()

        threads = [world.threading.Thread(target=work, args=(name,)) for name in "abc"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return seen, world.time()


def test_the_same_choices_give_the_same_run() -> None:
    runs = [interleaving(Choices.seeded(seed)) for seed in range(10)]
    assert runs == [interleaving(Choices.seeded(seed)) for seed in range(10)]
    assert len({tuple(seen) for seen, _ in runs}) > 5


def test_what_was_drawn_replays_the_run() -> None:
    choices = Choices.seeded(3)
    run = interleaving(choices)
    again = Choices.listed(choices.drawn())
    assert interleaving(again) == run
    assert again.digest() == choices.digest()


class Late(threading.Semaphore):
    """Whoever wakes another one is stopped by the system there and then, for a while."""

    def release(self, n: int = 1) -> None:
        super().release(n)
        time.sleep(0.001)


def test_one_thread_runs_at_a_time_however_the_system_switches(monkeypatch: pytest.MonkeyPatch) -> None:
    """The baton is never in two hands, nor lost."""
    monkeypatch.setattr(threading, "Semaphore", Late)
    running: list[int] = []
    with simulated(Choices.seeded(0)) as world:

        def work(number: int) -> None:
            for _ in range(20):
                running.append(number)
                assert running == [number]
                time.sleep(0.0005)
                running.remove(number)
                world.switch()

        threads = [world.threading.Thread(target=work, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert running == []
