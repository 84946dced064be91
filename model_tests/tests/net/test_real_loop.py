"""SocketLoop: real time, threads, deadlocks that are seen, descriptors that are given back."""

import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import nullcontext

import pytest

from impl import DeadlockError, Recorder, gather, sleep
from impl.net.conn import READ, WRITE
from impl.net.real.loop import SocketLoop

from .helpers import descriptors_left, no_descriptor_more


@pytest.fixture
def loop() -> Iterator[SocketLoop]:
    with no_descriptor_more():
        loop = SocketLoop()
        yield loop
        loop.close()


@pytest.fixture
def runs(loop: SocketLoop) -> Callable[[Callable[[], Coroutine[None, None, None]]], None]:
    return lambda main: loop.run_until_complete(main())


class Ends:
    """Two sockets: events of the near one are registered with the loop, and noted in `told`."""

    def __init__(self, loop: SocketLoop) -> None:
        self.near, self.far = socket.socketpair()
        self.near.setblocking(False)
        self.told: list[int] = []
        self.interest = loop.register(self.near, self.told.append)


@pytest.fixture
def ends(loop: SocketLoop) -> Iterator[Ends]:
    ends = Ends(loop)
    with ends.near, ends.far:
        yield ends
        ends.interest.close()


async def test_no_timer_is_early() -> None:
    async def nap(ms: int) -> int:
        due = time.monotonic_ns() + ms * 1_000_000
        await sleep(ms / 1000)
        return time.monotonic_ns() - due

    assert min(await gather(*map(nap, (7, 1, 3, 3, 0)))) >= 0


async def test_time_goes_on_within_a_turn(loop: SocketLoop) -> None:
    """A delay counts from the call, not from the start of a long iteration."""
    begun = time.monotonic_ns()
    while time.monotonic_ns() < begun + 3_000_000:
        pass
    asked = loop.now
    assert asked >= 3_000_000
    await sleep(0.002)
    assert loop.now >= asked + 2_000_000


def test_timers_come_in_the_order_of_their_deadlines(loop: SocketLoop) -> None:
    came: list[int] = []
    when = loop.time() + 0.002
    for number, ms in enumerate((2, 0, 1, 0)):
        loop.call_at(when + ms / 1000, came.append, number)
    loop.call_at(when + 0.003, loop.stop)
    loop.run_forever()
    assert came == [1, 3, 2, 0]


async def test_a_spinner_starves_no_timer_and_no_socket(loop: SocketLoop, ends: Ends) -> None:
    """KERNEL-1."""
    ends.interest.want(READ)
    loop.call_later(0.002, ends.far.send, b"x")
    while not ends.told:
        await sleep(0)
    assert ends.told == [READ]


def test_stopped_before_it_runs_it_looks_once_and_does_not_wait(loop: SocketLoop, ends: Ends) -> None:
    ends.interest.want(READ)
    for told in ([], [READ]):
        loop.stop()
        loop.run_forever()
        assert ends.told == told
        ends.far.send(b"x")


async def test_an_event_is_reported_once(loop: SocketLoop, ends: Ends) -> None:
    """The selector would report it again until the data is read; the loop must not spin on it."""
    ends.interest.want(READ | WRITE)
    assert loop.pending == 1
    looks = counted(loop)
    await sleep(0.005)
    assert ends.told == [WRITE]
    ends.far.send(b"x")
    await sleep(0.02)
    assert ends.told == [WRITE, READ]
    assert loop.pending == 0
    ends.interest.want(READ)  # still unread
    await sleep(0.005)
    assert ends.told == [WRITE, READ, READ]
    assert len(looks) < 15  # three sleeps, three events, each with one poll in vain


def counted(loop: SocketLoop) -> list[float | None]:
    """Record the waits of the loop from now on."""
    looks: list[float | None] = []
    select = loop._selector.select

    def counting(timeout: float | None = None) -> object:
        looks.append(timeout)
        return select(timeout)

    loop._selector.select = counting  # type: ignore[method-assign, assignment]  # to look on
    return looks


def test_a_closed_registration_gets_no_event(loop: SocketLoop, ends: Ends) -> None:
    ends.far.send(b"x")
    ends.interest.want(READ)
    ends.interest.close()
    ends.interest.close()
    loop.stop()
    loop.run_forever()
    assert (ends.told, loop.pending) == ([], 0)


async def test_a_watcher_that_fails_is_reported_and_the_loop_goes_on(loop: SocketLoop, ends: Ends) -> None:
    ends.far.send(b"x")
    reports: list[object] = []
    loop.set_exception_handler(lambda loop, what: reports.append(type(what["exception"])))

    def fail(what: int) -> None:
        raise ZeroDivisionError

    interest = loop.register(ends.near, fail)
    interest.want(READ)
    await sleep(0.001)
    assert reports == [ZeroDivisionError]
    interest.close()


async def test_another_thread_wakes_the_loop(loop: SocketLoop) -> None:
    came: list[tuple[int, bool]] = []
    loop.pending += 1
    done = loop.create_future()
    main_thread = threading.get_ident()

    def take(number: int) -> None:
        came.append((number, threading.get_ident() == main_thread))
        if number == 2999:  # more than the wake-up's buffer holds bytes
            done.set_result(None)

    def work() -> None:
        for number in range(3000):
            loop.call_soon_threadsafe(take, number)

    thread = threading.Thread(target=work)
    thread.start()
    await done
    thread.join()
    loop.pending -= 1
    assert came == [(number, True) for number in range(3000)]


def test_what_was_handed_over_before_the_run_is_not_lost(loop: SocketLoop) -> None:
    handle = loop.call_soon_threadsafe(print, "never")
    loop.call_soon_threadsafe(loop.stop)
    handle.cancel()
    loop.run_forever()


def test_a_loop_runs_in_another_thread() -> None:
    results: list[object] = []
    thread = threading.Thread(target=lambda: results.append(SocketLoop().run(sleep(0.001, "done"))))
    thread.start()
    thread.join()
    assert results == ["done"]


@pytest.mark.parametrize("timer", [False, True])
def test_a_program_that_can_never_go_on_is_a_deadlock_at_once(loop: SocketLoop, timer: bool) -> None:
    """Or after the last timer."""

    async def main() -> None:
        if timer:
            loop.call_later(0.002, str)
        await loop.create_future()

    with pytest.raises(DeadlockError, match=r"main waits at .*test_real_loop.py.* for <Future pending>"):
        loop.run(main())


def test_a_far_timer_is_no_error(loop: SocketLoop) -> None:
    """A timer beyond the longest wait of a selector."""
    loop.call_later(1e8, print, "never")
    assert loop._patience() == 24 * 3600


@pytest.mark.parametrize("ending", [None, ZeroDivisionError, DeadlockError])
def test_run_gives_all_descriptors_back(ending: type[Exception] | None) -> None:
    with no_descriptor_more():
        loop = SocketLoop()

        async def main() -> None:
            await sleep(0)
            if ending is DeadlockError:
                await loop.create_future()
            elif ending:
                raise ending

        with pytest.raises(ending) if ending else nullcontext():
            loop.run(main())
        assert loop.is_closed()
        loop.close()


def test_a_closed_loop_refuses(loop: SocketLoop) -> None:
    loop.close()
    with pytest.raises(RuntimeError, match="closed"):
        loop.call_soon_threadsafe(print)
    with pytest.raises(RuntimeError, match="closed"):
        loop.run_forever()


def test_an_interest_outlives_the_loop(loop: SocketLoop, ends: Ends) -> None:
    wanted = loop.register(ends.near, print)
    wanted.want(READ)
    loop.close()
    wanted.want(READ | WRITE)
    ends.interest.want(READ)
    wanted.close()


def test_a_loop_that_cannot_be_made_leaves_nothing() -> None:
    """One descriptor is left: enough for the selector, not for the wake-up."""
    with no_descriptor_more(), descriptors_left(1), pytest.raises(OSError, match="Too many open files"):
        SocketLoop()


def test_a_recorder_sees_a_real_run() -> None:
    recorder = Recorder()
    SocketLoop(recorder).run(sleep(0.001))
    assert recorder.count > 0
