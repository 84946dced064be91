"""A simulated run of trio never hangs: deadlocks are reported, and attempts to leave the simulation are refused."""

import _socket
import inspect
import re
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import trio

from impl.bridges.guards.clocks import EPOCH
from impl.bridges.simulation import OutsideSimulation
from impl.bridges.trio.run import run_trio, simulate_trio
from impl.errors import DeadlockError, LivelockError
from impl.sim.limits import RunLimits

HERE = "model_tests/tests/bridges/test_trio_trouble.py"

# --- deadlocks -----------------------------------------------------------------------------------------------


async def philosopher(left: trio.Lock, right: trio.Lock) -> None:
    async with left:
        await trio.sleep(1)
        async with right:
            pass


async def read_in_vain() -> None:
    listeners = await trio.open_tcp_listeners(80, host="server")
    stream = await trio.open_tcp_stream("server", 80)
    async with stream, await listeners[0].accept():
        await stream.receive_some()


async def dinner() -> None:
    forks = trio.Lock(), trio.Lock()
    sender, _receiver = trio.open_memory_channel[int](0)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(philosopher, forks[0], forks[1])
        nursery.start_soon(philosopher, forks[1], forks[0])
        nursery.start_soon(sender.send, 1)
        nursery.start_soon(read_in_vain)
        nursery.start_soon(trio.sleep_forever)
        await trio.sleep_forever()


def test_a_deadlock_names_each_task_its_line_and_what_it_waits_for() -> None:
    with pytest.raises(DeadlockError) as caught:
        run_trio(dinner)
    head, *tasks = str(caught.value).splitlines()
    here = __name__
    assert head == "nothing can ever happen any more"
    assert tasks == [
        f"  task 1, {here}.dinner, waits at {HERE}:{_line('await trio.sleep_forever()')} in dinner for sleep_forever",
        *(
            f"  task {number}, {here}.philosopher, waits at {HERE}:{_line('async with right')} in philosopher"
            f" for _LockImpl.acquire of <locked Lock with 1 waiters>, held by task {7 - number}"
            for number in (3, 4)
        ),
        "  task 5, trio.MemorySendChannel.send, waits for MemorySendChannel.send of <send channel, using buffer>",
        f"  task 6, {here}.read_in_vain, waits at {HERE}:{_line('await stream.receive_some()')} in"
        " read_in_vain for SocketStream.receive_some of <SimSocket 10.0.0.1:49152 to 10.0.0.3:80>",
        "  task 7, trio.sleep_forever, waits for sleep_forever",
    ]


def _line(text: str) -> int:
    with open(__file__, encoding="utf-8") as source:
        return next(number for number, line in enumerate(source, 1) if line.strip().startswith(text))


def test_a_nursery_waits_for_its_tasks() -> None:
    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.sleep_forever)
            nursery.start_soon(trio.sleep_forever)

    with pytest.raises(DeadlockError, match=r"for the tasks of its nursery: 3, 4\n"):
        run_trio(main)


def test_a_deadlock_ends_what_was_begun() -> None:
    """The program is cancelled; its reaction does not matter."""
    seen: list[str] = []

    async def main() -> str:
        try:
            await trio.sleep_forever()
        except trio.Cancelled:
            seen.append("cancelled")
            with trio.CancelScope(shield=True):
                await trio.sleep(1)
            seen.append("tidied up")
        return "nothing has happened"

    run = simulate_trio(main)
    assert seen == ["cancelled", "tidied up"]
    assert isinstance(run.error, DeadlockError)
    assert run.result is None


def test_a_task_that_does_not_end_is_abandoned() -> None:
    async def shielded() -> None:
        with trio.CancelScope(shield=True):
            await trio.sleep_forever()

    async def stubborn() -> None:
        while True:
            try:
                await trio.lowlevel.checkpoint()
            except trio.Cancelled:
                pass

    assert isinstance(simulate_trio(shielded).error, DeadlockError)
    assert isinstance(simulate_trio(stubborn, limits=RunLimits(50)).error, LivelockError)
    assert run_trio(trio.sleep, 1) is None, "the next run is as ever"


def test_a_livelock_is_observed() -> None:
    async def spin() -> None:
        while True:
            await trio.lowlevel.checkpoint()

    run = simulate_trio(spin, limits=RunLimits(100))
    assert isinstance(run.error, LivelockError)
    assert re.match(
        r"for ever at .*spin: after 100 loop iterations one of them again and again\n  task 1, ",
        str(run.error),
    )


def test_a_spinner_does_not_starve_the_network() -> None:
    """At an instant with a due event the kernel runs, too."""
    from impl.bridges.trio.run import Network
    from impl.net import NetworkConditions

    async def main() -> int:
        dialled = trio.Event()
        passes = 0

        async def dial() -> None:
            with pytest.raises(OSError, match="all attempts"):
                await trio.open_tcp_stream("server", 80)
            dialled.set()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(dial)
            while not dialled.is_set():
                await trio.lowlevel.checkpoint()
                passes += 1
        return passes

    at_once = Network(NetworkConditions(latency_ms_min=0, latency_ms_max=0), ("server",))
    assert simulate_trio(main, network=at_once, limits=RunLimits(1000)).outcome() < 50


# --- the sandbox ---------------------------------------------------------------------------------------------


A_SOCKET = "a real socket is outside of the simulation; use trio's streams"
#: The calls that leave the simulation, and the error.
OUTSIDE: dict[str, tuple[Callable[[], Any], str]] = {  # Any: it never returns
    "a real socket": (lambda: socket.socket(), A_SOCKET),
    "a real pair": (lambda: trio.socket.socketpair(), A_SOCKET),
    "a real look-up": (
        lambda: _socket.getaddrinfo("example.org", 80),
        "a blocking look-up of a name is outside .* use the functions of the module socket",
    ),
    "a run in a thread": (
        lambda: trio.to_thread.run_sync(trio.run, trio.sleep, 1),
        "a run of trio in a thread is outside of the simulation; use trio.from_thread.run",
    ),
    "a process in a thread": (lambda: trio.to_thread.run_sync(subprocess.run, ["true"]), "a subprocess is outside"),
    "a process": (
        lambda: subprocess.run(["true"], check=True),
        "a subprocess is outside of the simulation; use an async function of this program",
    ),
    "a process of trio's": (lambda: trio.run_process(["true"]), "a subprocess is outside"),
    "a datagram": (lambda: trio.socket.socket(type=trio.socket.SOCK_DGRAM), "a datagram is outside"),
    "a descriptor": (lambda: trio.socket.socket().detach(), "the descriptor of a socket is outside"),
}


async def attempt(what: str) -> None:
    outcome = OUTSIDE[what][0]()
    if inspect.isawaitable(outcome):
        await outcome


@pytest.mark.parametrize("what", OUTSIDE)
def test_outside_of_the_simulation(what: str) -> None:
    with pytest.raises(OutsideSimulation, match=OUTSIDE[what][1]):
        run_trio(attempt, what)


@pytest.fixture
def pair() -> Iterator[socket.socket]:
    """Make real sockets, before the run, that receive no data."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours


def test_waiting_for_the_real_world_is_no_deadlock_but_refused(pair: socket.socket) -> None:
    with pytest.raises(OutsideSimulation, match="a real descriptor is outside"):
        run_trio(trio.lowlevel.wait_readable, pair)


@pytest.mark.parametrize("by_name", [trio.to_thread.run_sync, None], ids=["by name", "of the module"])
def test_an_idle_thread_of_trios_is_not_used(by_name: Callable[..., Any] | None) -> None:
    seen: list[str] = []
    trio.run(trio.to_thread.run_sync, seen.append, "in a real run")  # from now on a thread is idle

    async def main() -> None:
        await (by_name or trio.to_thread.run_sync)(seen.append, "in a simulated one")
        threads.append(threading.active_count())

    threads = [threading.active_count()]
    run_trio(main)
    trio.run(trio.to_thread.run_sync, seen.append, "again")
    assert seen == ["in a real run", "in a simulated one", "again"]
    assert threads[0] == threads[1] == threading.active_count(), "it had ended, and the idle one is left"


def test_time_within_a_run_is_virtual() -> None:
    async def main() -> tuple[float, float]:
        await trio.sleep(5)
        time.sleep(2)
        return time.time(), trio.current_time()

    before = time.time()
    run = simulate_trio(main)
    assert (run.outcome(), run.elapsed_ns) == ((EPOCH + 7, 7), 7 * 10**9)
    assert 0 <= time.time() - before < 5


def test_nothing_is_left_behind() -> None:
    """All replacements for a run are undone, also after an abandoned run."""
    before = socket.socket, time.sleep, trio.to_thread.run_sync, socket.socketpair
    with pytest.raises(OutsideSimulation):
        run_trio(attempt, "a real socket")
    assert (socket.socket, time.sleep, trio.to_thread.run_sync, socket.socketpair) == before
    with socket.socket():
        pass
