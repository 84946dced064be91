"""SocketLoop: real time, threads, deadlocks that are seen, descriptors that are given back."""

from __future__ import annotations

import resource
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from impl import DeadlockError, Recorder, sleep
from impl.combinators.timeout import timeout
from impl.net.conn import READ, WRITE
from impl.net.real.loop import SocketLoop

from .helpers import no_descriptor_more


@pytest.fixture
def loop() -> Iterator[SocketLoop]:
    with no_descriptor_more():
        loop = SocketLoop()
        yield loop
        loop.close()


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    near, far = socket.socketpair()
    near.setblocking(False)
    with near, far:
        yield near, far


# --- time ----------------------------------------------------------------------------------------------------


def test_no_timer_is_early(loop: SocketLoop) -> None:
    late: list[int] = []

    async def nap(ms: int) -> None:
        due = time.monotonic_ns() + ms * 1_000_000
        await sleep(ms / 1000)
        late.append(time.monotonic_ns() - due)

    async def main() -> None:
        for task in [loop.create_task(nap(ms)) for ms in (7, 1, 3, 3, 0)]:
            await task

    loop.run_until_complete(main())
    assert len(late) == 5
    assert min(late) >= 0


def test_time_goes_on_within_a_turn(loop: SocketLoop) -> None:
    """A delay counts from the call, not from the start of a long iteration."""

    async def main() -> None:
        begun = time.monotonic_ns()
        while time.monotonic_ns() < begun + 3_000_000:
            pass
        asked = loop.now
        assert asked >= 3_000_000
        await sleep(0.002)
        assert loop.now >= asked + 2_000_000

    loop.run_until_complete(main())


def test_timers_come_in_the_order_of_their_deadlines(loop: SocketLoop) -> None:
    came: list[int] = []
    when = loop.time() + 0.002
    for number, ms in enumerate((2, 0, 1, 0)):
        loop.call_at(when + ms / 1000, came.append, number)
    loop.call_at(when + 0.003, loop.stop)
    loop.run_forever()
    assert came == [1, 3, 2, 0]


def test_a_deadline_ends_a_wait(loop: SocketLoop) -> None:
    async def main() -> None:
        with pytest.raises(TimeoutError):
            async with timeout(0.005):
                await loop.create_future()

    loop.run_until_complete(main())


def test_a_spinner_starves_no_timer_and_no_socket(
    loop: SocketLoop, ends: tuple[socket.socket, socket.socket]
) -> None:
    """KERNEL-1."""
    near, far = ends
    told: list[int] = []
    interest = loop.register(near, told.append)
    interest.want(READ)
    loop.call_later(0.002, far.send, b"x")

    async def main() -> None:
        while not told:
            await sleep(0)

    loop.run_until_complete(main())
    assert told == [READ]
    interest.close()


def test_stopped_before_it_runs_it_looks_once_and_does_not_wait(
    loop: SocketLoop, ends: tuple[socket.socket, socket.socket]
) -> None:
    near, far = ends
    told: list[int] = []
    interest = loop.register(near, told.append)
    interest.want(READ)
    loop.stop()
    loop.run_forever()
    assert told == []
    far.send(b"x")
    loop.stop()
    loop.run_forever()
    assert told == [READ]
    interest.close()


# --- sockets -------------------------------------------------------------------------------------------------


def test_an_event_is_reported_once(loop: SocketLoop, ends: tuple[socket.socket, socket.socket]) -> None:
    """The selector would report it again until the data is read; the loop must not spin on it."""
    near, far = ends
    told: list[int] = []
    interest = loop.register(near, told.append)
    interest.want(READ | WRITE)
    assert loop.pending == 1
    looks = counted(loop)

    async def main() -> None:
        await sleep(0.005)
        assert told == [WRITE]
        far.send(b"x")
        await sleep(0.02)
        assert told == [WRITE, READ]
        assert loop.pending == 0
        interest.want(READ)  # still unread
        await sleep(0.005)
        assert told == [WRITE, READ, READ]

    loop.run_until_complete(main())
    assert len(looks) < 15  # three sleeps, three events, each with one poll in vain
    interest.close()


def counted(loop: SocketLoop) -> list[float | None]:
    """Record the waits of the loop from now on."""
    looks: list[float | None] = []
    select = loop._selector.select

    def counting(timeout: float | None = None) -> object:
        looks.append(timeout)
        return select(timeout)

    loop._selector.select = counting  # type: ignore[method-assign, assignment]  # to look on
    return looks


def test_a_closed_registration_gets_no_event(
    loop: SocketLoop, ends: tuple[socket.socket, socket.socket]
) -> None:
    near, far = ends
    far.send(b"x")
    told: list[int] = []
    interest = loop.register(near, told.append)
    interest.want(READ)
    interest.close()
    interest.close()
    loop.stop()
    loop.run_forever()
    assert told == []
    assert loop.pending == 0


def test_a_watcher_that_fails_is_reported_and_the_loop_goes_on(
    loop: SocketLoop, ends: tuple[socket.socket, socket.socket]
) -> None:
    near, far = ends
    far.send(b"x")
    reports: list[object] = []
    loop.set_exception_handler(lambda loop, what: reports.append(repr(what["exception"])))

    def fail(what: int) -> None:
        raise ZeroDivisionError

    interest = loop.register(near, fail)
    interest.want(READ)
    loop.run_until_complete(sleep(0.001))
    assert reports == ["ZeroDivisionError()"]
    interest.close()


# --- threads -------------------------------------------------------------------------------------------------


def test_another_thread_wakes_the_loop(loop: SocketLoop) -> None:
    came: list[tuple[int, bool]] = []

    async def main() -> None:
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

    loop.run_until_complete(main())
    assert came == [(number, True) for number in range(3000)]


def test_what_was_handed_over_before_the_run_is_not_lost(loop: SocketLoop) -> None:
    handle = loop.call_soon_threadsafe(print, "never")
    loop.call_soon_threadsafe(loop.stop)
    handle.cancel()
    loop.run_forever()


def test_a_loop_runs_in_another_thread(loop: SocketLoop) -> None:
    results: list[object] = []

    async def main() -> str:
        await sleep(0.001)
        return "done"

    thread = threading.Thread(target=lambda: results.append(SocketLoop().run(main())))
    thread.start()
    thread.join()
    assert results == ["done"]


# --- a hang is an observation --------------------------------------------------------------------------------


def test_a_program_that_can_never_go_on_is_a_deadlock_at_once(loop: SocketLoop) -> None:
    async def main() -> None:
        await loop.create_future()

    with pytest.raises(DeadlockError, match=r"main waits at .*test_real_loop.py.* for <Future pending>"):
        loop.run(main())


def test_after_the_last_timer_it_is_a_deadlock_too(loop: SocketLoop) -> None:
    async def main() -> None:
        loop.call_later(0.002, str)
        await loop.create_future()

    with pytest.raises(DeadlockError):
        loop.run(main())


def test_a_far_timer_is_no_error(loop: SocketLoop) -> None:
    """A timer beyond the longest wait of a selector."""
    loop.call_later(1e8, print, "never")
    assert loop._patience() == 24 * 3600


# --- the end -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["return", "raise", "deadlock"])
def test_run_gives_all_descriptors_back(end: str) -> None:
    with no_descriptor_more():
        loop = SocketLoop()

        async def main() -> None:
            await sleep(0)
            if end == "raise":
                raise ZeroDivisionError
            if end == "deadlock":
                await loop.create_future()

        if end == "return":
            loop.run(main())
        else:
            with pytest.raises(ZeroDivisionError if end == "raise" else DeadlockError):
                loop.run(main())
        assert loop.is_closed()
        loop.close()


def test_a_closed_loop_refuses(loop: SocketLoop) -> None:
    loop.close()
    with pytest.raises(RuntimeError, match="closed"):
        loop.call_soon_threadsafe(print)
    with pytest.raises(RuntimeError, match="closed"):
        loop.run_forever()


def test_an_interest_outlives_the_loop(ends: tuple[socket.socket, socket.socket]) -> None:
    loop = SocketLoop()
    idle, wanted = (loop.register(ends[0], print) for _ in range(2))
    wanted.want(READ)
    loop.close()
    wanted.want(READ | WRITE)
    idle.want(READ)
    wanted.close()
    idle.close()


def test_a_loop_that_cannot_be_made_leaves_nothing() -> None:
    """One descriptor is left: enough for the selector, not for the wake-up."""
    with no_descriptor_more(), socket.socket() as last:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (last.fileno() + 2, hard))
        try:
            with pytest.raises(OSError, match="Too many open files"):
                SocketLoop()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_recorder_sees_a_real_run() -> None:
    recorder = Recorder()

    async def main() -> None:
        await sleep(0.001)

    SocketLoop(recorder).run(main())
    assert recorder.count > 0
