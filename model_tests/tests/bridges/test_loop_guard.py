"""An attempt to leave the simulation of an asyncio program raises one error, which names an alternative.

Each attempt is made by a task of a simulated run, which must end at once with OutsideSimulation.  The replacements for
the run must be harmless elsewhere, so they are checked afterwards, and from another thread.

A lock of threading that blocks the only thread of a run is a deadlock with its lines, wherever the lock was made.
"""

import _socket
import asyncio
import multiprocessing.util
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from functools import partial
from threading import Lock
from typing import Any
from unittest import mock

import pytest

import impl
from impl.bridges.asyncio.run import simulate
from impl.bridges.guards.clocks import EPOCH
from impl.bridges.simulation import OutsideSimulation
from impl.explore import explore

# `Any` in this file: the results that the attempts would have had.
Attempt = Callable[[], Any]

real_socket = socket.socket


def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


async def _read_a_pipe() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as pipe, open(writing, "wb"):
        await _loop().connect_read_pipe(asyncio.Protocol, pipe)


async def _watch_a_pipe(add: Callable[[int, Callable[[], None]], None]) -> None:
    reading, writing = os.pipe()
    try:
        add(reading, lambda: None)
    finally:
        os.close(reading)
        os.close(writing)


async def _connect_a_real_socket(sock: socket.socket) -> None:
    sock.setblocking(False)
    await _loop().sock_connect(sock, ("127.0.0.1", 9))


async def _block() -> None:
    await asyncio.start_server(lambda r, w: None, "server", 7)
    sock = socket.socket()
    sock.connect(("server", 7))


async def _block_in_recv() -> None:
    server = socket.socket()
    server.bind(("127.0.0.1", 7))
    server.listen()
    server.accept()


def _held() -> threading.Lock:
    """Make one thread wait for a lock until another one releases it."""
    lock = threading.Lock()
    lock.acquire()
    return lock


def _start_a_process(method: str) -> None:
    multiprocessing.get_context(method).Process(target=print, args=("a process runs",)).start()  # type: ignore[attr-defined]


async def _attempt(what: Attempt) -> None:
    outcome = what()
    if asyncio.iscoroutine(outcome) or asyncio.isfuture(outcome):
        await outcome


@pytest.fixture(scope="module")
def outer() -> Any:
    with real_socket() as sock:
        yield sock


ATTEMPTS: dict[str, Attempt] = {
    "a socket by a name that was imported before": lambda: real_socket(),
    "a pair of sockets": lambda: socket.socketpair(),
    "a socket of a descriptor": lambda: socket.socket(fileno=0),
    "a blocking connect": _block,
    "a blocking accept": _block_in_recv,
    "a blocking look-up of the operating system": lambda: _socket.getaddrinfo("localhost", 80),
    "the same, by the older name": lambda: _socket.gethostbyname("localhost"),
    "a connection of the module socket": lambda: socket.create_connection(("localhost", 80)),
    "a subprocess": lambda: subprocess.run([sys.executable, "-c", ""], check=True),
    **{
        f"a process by {method}": partial(_start_a_process, method)
        for method in multiprocessing.get_all_start_methods()
    },
    "an event loop in a thread": lambda: asyncio.to_thread(asyncio.new_event_loop),
    "a subprocess in a thread": lambda: asyncio.to_thread(os.system, "true"),
    "an event loop": lambda: asyncio.new_event_loop(),
    "a runner": lambda: asyncio.Runner().get_loop(),
    "an alarm": lambda: signal.alarm(1),
    "a signal to another process": lambda: os.kill(os.getppid(), 0),
    "a timer of the system": lambda: signal.setitimer(signal.ITIMER_REAL, 1),
    "what multiprocessing spawns with": lambda: multiprocessing.util.spawnv_passfds(b"/bin/true", [b"true"], []),
    "a subprocess of asyncio's": lambda: asyncio.create_subprocess_exec(sys.executable, "-c", ""),
    "a shell of asyncio's": lambda: asyncio.create_subprocess_shell("true"),
    "a shell": lambda: os.system("true"),
    "a fork": os.fork,
    "a reader of a descriptor": lambda: _watch_a_pipe(_loop().add_reader),
    "a writer of a descriptor": lambda: _watch_a_pipe(_loop().add_writer),
    "a pipe": _read_a_pipe,
    "a Unix socket": lambda: asyncio.open_unix_connection("/tmp/socket"),
    "a Unix server": lambda: asyncio.start_unix_server(lambda r, w: None, "/tmp/socket"),
}


@pytest.mark.parametrize("what", ATTEMPTS)
def test_leaving_the_simulation_is_refused(what: str) -> None:
    run = simulate(lambda: _attempt(ATTEMPTS[what]))
    with pytest.raises(OutsideSimulation, match=r"is outside of the simulation; use \w+"):
        run.outcome()


def test_a_real_socket_cannot_be_used_on_the_loop(outer: socket.socket) -> None:
    with pytest.raises(OutsideSimulation):
        simulate(lambda: _connect_a_real_socket(outer)).outcome()
    with pytest.raises(OutsideSimulation):
        simulate(lambda: _attempt(lambda: _loop().add_reader(outer, print))).outcome()


def test_another_thread_may_not_call_back() -> None:
    """The thread was started before the run."""
    begin, over = _held(), _held()
    loops: list[asyncio.AbstractEventLoop] = []
    errors: list[BaseException] = []

    def call() -> None:
        begin.acquire()
        try:
            loops[0].call_soon_threadsafe(print)
        except OutsideSimulation as error:
            errors.append(error)
        over.release()

    thread = threading.Thread(target=call)
    thread.start()

    async def main() -> None:
        loops.append(_loop())
        begin.release()
        over.acquire()

    assert isinstance(simulate(main).error, OutsideSimulation)
    thread.join()
    assert len(errors) == 1


def test_what_is_replaced_is_put_back_and_other_threads_see_what_they_saw() -> None:
    def replaced() -> list[object]:
        return [
            socket.socket,
            time.time,
            time.monotonic,
            time.sleep,
            asyncio.all_tasks,
            ssl.SSLContext.sslobject_class,
        ]

    before = replaced()
    begin, over = _held(), _held()
    seen: list[object] = []
    kept: list[Any] = []

    def look() -> None:
        begin.acquire()
        seen.append(time.time() > EPOCH + 86400)
        with socket.socket() as sock:
            seen.append(sock.fileno() < 1 << 20)
            seen.append(type(sock) is real_socket)
        subprocess.run([sys.executable, "-c", ""], check=True)
        over.release()

    thread = threading.Thread(target=look)
    thread.start()

    async def main() -> None:
        kept.append(socket.socket)
        begin.release()
        over.acquire()
        assert time.time() == EPOCH

    simulate(main).outcome()
    thread.join()
    assert seen == [True, True, True]
    assert before == replaced()
    subprocess.run([sys.executable, "-c", ""], check=True)
    with kept[0]() as sock:  # a kept replacement makes real sockets
        assert type(sock) is real_socket
        assert isinstance(sock, kept[0])


async def test_clocks_are_virtual_and_a_blocking_sleep_moves_them() -> None:
    begun = time.time(), time.monotonic(), _loop().time()
    await asyncio.sleep(3600)
    time.sleep(60)
    assert time.perf_counter_ns() == time.monotonic_ns() == 3660 * 10**9
    assert [now - then for now, then in zip((time.time(), time.monotonic(), _loop().time()), begun, strict=True)] == [
        3660.0,
        3660.0,
        3660.0,
    ]


def test_a_timer_is_refused_where_a_mock_is_the_time_of_the_loop() -> None:
    async def main() -> None:
        with mock.patch.object(_loop(), "time", return_value=7.0):
            _loop().call_at(8.0, print)

    with pytest.raises(OutsideSimulation, match="a replaced time"):
        simulate(main).outcome()


async def test_a_module_that_is_imported_may_do_what_it_likes(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "asks_the_system.py").write_text("import os\nSTATUS = os.system('true')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import asks_the_system  # type: ignore[import-not-found]  # made above

    status: int = asks_the_system.STATUS
    assert status == 0


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


@pytest.mark.short(
    "False-made_in_main", "False-its_error_is_caught", why="half a second each",
)  # fmt: skip
@pytest.mark.parametrize("main", [made_in_main, made_by_name, made_at_the_top, made_by_an_object, its_error_is_caught])
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
