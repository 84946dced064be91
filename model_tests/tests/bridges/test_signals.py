"""Signals that a simulated program sends to itself: as CPython and asyncio.run deliver them; the process gets none."""

from __future__ import annotations

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

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no handlers of signals in a loop")

# Any in this file: the results of programs.
Program = Callable[[], Coroutine[Any, Any, Any]]


def _send(number: int) -> None:
    os.kill(os.getpid(), number)


async def _order() -> list[object]:
    """The handler among the callbacks of several iterations."""
    log: list[object] = []
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, log.append, "signal")
    loop.call_soon(log.append, "before")
    _send(signal.SIGUSR1)
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
    log += [loop.remove_signal_handler(signal.SIGUSR2)]
    return log


async def _handlers() -> list[object]:
    """Those of the module signal are called at once."""
    log: list[object] = []
    log.append(signal.signal(signal.SIGUSR1, lambda number, frame: log.append(number)))
    signal.raise_signal(signal.SIGUSR1)
    _send(signal.SIGUSR1)
    signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
    log.append(signal.signal(signal.SIGUSR1, signal.SIG_IGN) is not None)
    _send(signal.SIGUSR1)
    _send(0)
    for ignored in (signal.SIGCHLD, signal.SIGWINCH, signal.SIGPIPE, signal.SIGURG, signal.SIGCONT):
        _send(ignored)
    return [*log, signal.getsignal(signal.SIGPIPE)]


async def _stopped_by_ctrl_c() -> str:
    asyncio.get_running_loop().call_later(0.01, signal.raise_signal, signal.SIGINT)
    try:
        await asyncio.sleep(1)
    except asyncio.CancelledError:
        return "stopped"
    return "slept"


async def _second_ctrl_c() -> str:
    try:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(1)
    except asyncio.CancelledError:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            return "raised at once"
    return "slept"


async def _raises(call: Callable[[], object]) -> str:
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "raises nothing"


def _add(sig: Any, callback: Any = print) -> object:
    return asyncio.get_running_loop().add_signal_handler(sig, callback)


async def _coroutine() -> None:
    """No handler."""


#: As on the loop of the Python that runs this.
ALIKE: dict[str, Program] = {
    "order": _order,
    "removed": _removed,
    "handlers": _handlers,
    "stopped by Ctrl-C": _stopped_by_ctrl_c,
    "second Ctrl-C": _second_ctrl_c,
    "KILL": lambda: _raises(lambda: _add(signal.SIGKILL)),
    "no number": lambda: _raises(lambda: _add("TERM")),
    "no signal": lambda: _raises(lambda: _add(1000)),
    "a coroutine": lambda: _raises(lambda: _add(signal.SIGTERM, _coroutine)),
    "no handler": lambda: _raises(lambda: signal.signal(signal.SIGTERM, "handler")),  # type: ignore[arg-type]
    "out of range": lambda: _raises(lambda: signal.signal(1000, print)),
}


@pytest.mark.parametrize("name", ALIKE)
def test_it_is_as_under_asyncio_run(name: str) -> None:
    before = {number: signal.getsignal(number) for number in signal.valid_signals()}
    simulated = [run(ALIKE[name]), run(ALIKE[name])]
    assert {number: signal.getsignal(number) for number in before} == before
    try:
        real = asyncio.run(ALIKE[name]())
    finally:
        for number in (signal.SIGUSR1, signal.SIGUSR2):
            signal.signal(number, before[number])
    assert simulated == [real, real]


async def _ends_by_ctrl_c(log: list[str]) -> None:
    try:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(1)
    finally:
        await asyncio.sleep(0.01)
        log.append("cleaned up")


def test_ctrl_c_cancels_main_and_is_raised_when_that_has_ended() -> None:
    logs: list[list[str]] = [[], []]
    with pytest.raises(KeyboardInterrupt):
        run(lambda: _ends_by_ctrl_c(logs[0]))
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(_ends_by_ctrl_c(logs[1]))
    assert logs == [["cleaned up"], ["cleaned up"]]


async def _dies() -> None:
    await asyncio.sleep(0)
    _send(signal.SIGTERM)


def test_an_end_by_a_signal_is_an_outcome_of_a_search() -> None:
    for program, outcome in (
        (_dies, "EndedBySignal: SIGTERM, for which the program has no handler"),
        (lambda: _ends_by_ctrl_c([]), "KeyboardInterrupt"),
    ):
        for every in (False, True):
            found = explore(program, every=every)
            assert (found.verdict, list(found.outcomes)) == ("failed", [outcome])
            assert found.failure is not None
            assert explore(program, token=found.failure.simple.token).failure is not None
    run_of = simulate(_dies)
    assert isinstance(run_of.error, EndedBySignal)
    assert run_of.error.code == 128 + signal.SIGTERM


def _on_hangup(number: int, frame: object) -> None:
    raise OSError(f"signal {number}")


def test_a_handler_that_a_module_has_set_on_import_counts() -> None:
    async def main() -> str:
        return await _raises(lambda: _send(signal.SIGHUP))

    before = signal.signal(signal.SIGHUP, _on_hangup)
    try:
        assert run(main) == f"OSError: signal {int(signal.SIGHUP)}"
    finally:
        signal.signal(signal.SIGHUP, before)


async def _server() -> None:
    """A server that SIGTERM stops, and a request that comes with it."""
    loop, stop, saved = asyncio.get_running_loop(), asyncio.Event(), list[bytes]()
    loop.add_signal_handler(signal.SIGTERM, stop.set)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await reader.readline()
            await asyncio.sleep(0.001)
            saved.append(request)
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "localhost", 7000)
    _, writer = await asyncio.open_connection("localhost", 7000)
    writer.write(b"one\n")
    loop.call_later(0.005, _send, signal.SIGTERM)
    await stop.wait()
    server.close()
    in_time = bool(saved)
    writer.close()
    await asyncio.sleep(1)
    assert in_time, "the request is lost"


def test_sigterm_that_stops_a_server_is_explored() -> None:
    found = explore(_server)
    assert found.verdict == "failed"
    assert set(found.outcomes) == {"AssertionError: the request is lost", "returned None"}
    digests = {explore(_server, runs=20, keep_going=True).digest for _ in range(3)}
    assert len(digests) == 1


def test_trio_sends_none() -> None:
    async def main() -> None:
        with trio.open_signal_receiver(signal.SIGUSR1):
            signal.raise_signal(signal.SIGUSR1)

    with pytest.raises(OutsideSimulation, match="a signal is outside of the simulation"):
        run_trio(main)
