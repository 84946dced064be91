"""Signals that a simulated program sends to itself: as CPython and asyncio.run deliver them; the process gets none."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import trio

from impl.bridges.asyncio.run import run, simulate
from impl.bridges.simulation import OutsideSimulation
from impl.bridges.trio.run import run_trio
from impl.errors import EndedBySignal
from impl.explore import explore

pytest_plugins = "pytester"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no handlers of signals in a loop")

# Any in this file: the results of programs.
Program = Callable[[], Coroutine[Any, Any, Any]]


async def _order() -> list[object]:
    """The handler among the callbacks of several iterations."""
    log: list[object] = []
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, log.append, "signal")
    loop.call_soon(log.append, "before")
    os.kill(os.getpid(), signal.SIGUSR1)
    loop.call_soon(log.append, "after")
    for n in range(4):
        loop.call_soon(loop.call_soon, log.append, f"callback {n}")
        await asyncio.sleep(0)
        log.append(f"turn {n}")
    return log


async def _removed() -> list[object]:
    log: list[object] = []
    loop = asyncio.get_running_loop()
    for sig in (signal.SIGUSR1, signal.SIGUSR2):
        loop.add_signal_handler(sig, log.append, sig.name)
        signal.raise_signal(sig)
    log.append(loop.remove_signal_handler(signal.SIGUSR1))  # it was on its way
    await asyncio.sleep(0.01)
    log += [loop.remove_signal_handler(signal.SIGUSR1), signal.getsignal(signal.SIGUSR1)]
    return [*log, loop.remove_signal_handler(signal.SIGUSR2)]


async def _handlers() -> list[object]:
    """Those of the module signal are called at once."""
    log: list[object] = [signal.signal(signal.SIGUSR1, lambda number, frame: log.append(number))]
    signal.raise_signal(signal.SIGUSR1)
    signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    for ignored in (0, signal.SIGUSR1, signal.SIGCHLD, signal.SIGWINCH, signal.SIGPIPE, signal.SIGURG, signal.SIGCONT):
        os.kill(os.getpid(), ignored)
    return [*log, signal.getsignal(signal.SIGPIPE)]


async def _stopped_by_ctrl_c(times: int) -> str:
    try:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(1)
    except asyncio.CancelledError:
        try:
            for _ in range(times - 1):
                signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            return "raised at once"
        return "stopped"
    return "slept"


async def _raised(call: Callable[[], object]) -> str:
    try:
        return repr(call())
    except Exception as error:
        return repr(error)


def _add(sig: Any, callback: Any = print) -> object:
    return asyncio.get_running_loop().add_signal_handler(sig, callback)


#: As on the loop of the Python that runs this.
ALIKE: dict[str, Program] = {
    "order": _order,
    "removed": _removed,
    "handlers": _handlers,
    "Ctrl-C": lambda: _stopped_by_ctrl_c(1),
    "Ctrl-C twice": lambda: _stopped_by_ctrl_c(2),
    "KILL": lambda: _raised(lambda: _add(signal.SIGKILL)),
    "no number": lambda: _raised(lambda: _add("TERM")),
    "no signal": lambda: _raised(lambda: _add(1000)),
    "a coroutine": lambda: _raised(lambda: _add(signal.SIGTERM, _order)),
    "no handler": lambda: _raised(lambda: signal.signal(signal.SIGTERM, "handler")),  # type: ignore[arg-type]
    "out of range": lambda: _raised(lambda: signal.signal(1000, print)),
}


@pytest.mark.parametrize("name", ALIKE)
def test_it_is_as_under_asyncio_run(name: str) -> None:
    before = {number: signal.getsignal(number) for number in signal.valid_signals()}
    simulated = [run(ALIKE[name]), run(ALIKE[name])]
    assert {number: signal.getsignal(number) for number in before} == before
    try:
        assert simulated == [asyncio.run(ALIKE[name]())] * 2
    finally:
        for number in (signal.SIGUSR1, signal.SIGUSR2):
            signal.signal(number, before[number])


async def _cleans_up(log: list[str], sig: int) -> None:
    try:
        os.kill(os.getpid(), sig)
        await asyncio.sleep(1)
    finally:
        await asyncio.sleep(0.01)
        log.append("cleaned up")


def test_ctrl_c_cancels_main_and_is_raised_when_that_has_ended() -> None:
    for runs in (run, asyncio.run):
        log: list[str] = []
        with pytest.raises(KeyboardInterrupt):
            runs(_cleans_up(log, signal.SIGINT))
        assert log == ["cleaned up"]


@pytest.mark.parametrize(("sig", "outcome"), [
    (signal.SIGINT, "KeyboardInterrupt"),
    (signal.SIGTERM, "EndedBySignal: SIGTERM, for which the program has no handler"),
])  # fmt: skip
def test_an_end_by_a_signal_is_an_outcome_of_a_search(sig: int, outcome: str) -> None:
    async def main() -> None:
        await _cleans_up([], sig)

    for every in (False, True):
        found = explore(main, every=every)
        assert (found.verdict, list(found.outcomes)) == ("failed", [outcome])
        assert found.failure is not None
        assert explore(main, token=found.failure.simple.token).failure is not None
    error = simulate(main).error
    assert not isinstance(error, EndedBySignal) or error.code == 128 + sig


def test_a_handler_that_a_module_has_set_on_import_counts() -> None:
    def on_hangup(number: int, frame: object) -> None:
        raise OSError(number)

    before = signal.signal(signal.SIGHUP, on_hangup)
    try:
        assert run(lambda: _raised(lambda: os.kill(os.getpid(), signal.SIGHUP))) == repr(OSError(int(signal.SIGHUP)))
    finally:
        signal.signal(signal.SIGHUP, before)


async def _server() -> None:
    """A server that SIGTERM stops, and a request that comes with it."""
    loop, stop, saved = asyncio.get_running_loop(), asyncio.Event(), list[bytes]()
    loop.add_signal_handler(signal.SIGTERM, stop.set)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            saved.append(await reader.readline())
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "localhost", 7000)
    _, writer = await asyncio.open_connection("localhost", 7000)
    writer.write(b"one\n")
    loop.call_later(0.005, os.kill, os.getpid(), signal.SIGTERM)
    await stop.wait()
    server.close()
    in_time = bool(saved)
    writer.close()
    await asyncio.sleep(1)
    assert in_time, "the request is lost"


def test_sigterm_that_stops_a_server_is_explored() -> None:
    found = explore(_server, runs=40, keep_going=True)
    assert set(found.outcomes) == {"AssertionError: the request is lost", "returned None"}
    assert explore(_server, runs=40, keep_going=True).digest == found.digest


def test_trio_sends_none() -> None:
    async def main() -> None:
        with trio.open_signal_receiver(signal.SIGUSR1):
            signal.raise_signal(signal.SIGUSR1)

    with pytest.raises(OutsideSimulation, match="a signal is outside of the simulation"):
        run_trio(main)


def test_ctrl_c_of_a_test_ends_no_session_of_pytest(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import asyncio, signal\n"
        "async def test_stopped():\n    signal.raise_signal(signal.SIGINT)\n    await asyncio.sleep(1)\n"
        "async def test_other(): pass\n"
    )
    result = pytester.runpytest_inprocess("--explore", "-p", "no:cacheprovider", "-p", "no:asyncio")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*KeyboardInterrupt, by a signal that the test sends itself"])
