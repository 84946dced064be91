"""Defects of the simulated loop found by other projects' tests (model_tests/assurance/suites): each a small program."""

import asyncio
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from types import ModuleType

import pytest

from impl.bridges.asyncio.run import run


@pytest.fixture
def imported() -> Iterator[ModuleType]:
    """Make a module that imports clocks by name, before any run that uses it."""
    module = ModuleType("took_clocks_by_name")
    vars(module).update(monotonic=time.monotonic, wait=time.sleep, time_ns=time.time_ns)
    sys.modules[module.__name__] = module
    yield module
    del sys.modules[module.__name__]


def test_a_clock_that_was_imported_by_name_is_virtual(imported: ModuleType) -> None:
    """aiohttp: its pool uses `monotonic`, imported by name, to find connections that were idle for too long."""

    async def main() -> list[float]:
        seen = [imported.monotonic()]
        await asyncio.sleep(100)
        seen.append(imported.monotonic())
        imported.wait(1)
        return [*seen, imported.monotonic()]

    before = imported.monotonic()
    assert run(main()) == [0.0, 100.0, 101.0]
    assert run(main()) == [0.0, 100.0, 101.0]
    assert 0 <= imported.monotonic() - before < 50  # outside a run it is the real clock


def test_threading_measures_the_waits_of_real_threads_by_the_real_clock() -> None:
    """It imported the clock by name."""
    begin, seen = threading.Event(), list[float]()

    def wait() -> None:
        begin.wait(10)
        before = vars(threading)["_time"]()
        threading.Semaphore(0).acquire(timeout=0.02)
        seen.append(vars(threading)["_time"]() - before)
        begin.clear()

    async def main() -> None:
        begin.set()
        while begin.is_set():
            os.sched_yield()

    thread = threading.Thread(target=wait)
    thread.start()
    run(main())
    thread.join()
    assert 0.02 <= seen[0] < 10


def test_a_connection_comes_from_where_its_socket_is_bound() -> None:
    """aiohttp: TCPConnector(local_addr=...)."""

    async def main() -> list[object]:
        peers: asyncio.Queue[object] = asyncio.Queue()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            peers.put_nowait(writer.get_extra_info("peername"))
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 8000)
        _, writer = await asyncio.open_connection("127.0.0.1", 8000, local_addr=("127.0.0.1", 5000))
        seen = [writer.get_extra_info("sockname"), await peers.get()]
        sock = socket.socket()
        sock.setblocking(False)
        sock.bind(("", 5001))
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", 8000))
        seen += [sock.getsockname(), await peers.get()]
        writer.close()
        sock.close()
        server.close()
        return seen

    assert run(main()) == [("127.0.0.1", 5000)] * 2 + [("127.0.0.1", 5001)] * 2


def test_a_debugging_loop_knows_where_a_failed_callback_was_scheduled(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """uvloop: `source_traceback` in the context; asyncio's handler prints it."""

    def fail() -> None:
        raise ValueError("no")

    async def main(debug: bool) -> list[list[str]]:
        told: list[list[str]] = []
        loop = asyncio.get_running_loop()
        loop.set_debug(debug)
        loop.set_exception_handler(
            lambda loop, context: told.append([at.name for at in context.get("source_traceback", [])][-1:])
        )
        loop.call_soon(fail)
        loop.call_later(1, fail)
        loop.call_at(2, fail)
        await asyncio.sleep(3)
        loop.set_exception_handler(None)
        loop.call_soon(fail)
        await asyncio.sleep(0)
        return told

    assert run(main(False)) == [[], [], []]
    assert "source_traceback" not in caplog.text
    caplog.clear()
    assert run(main(True)) == [["main"], ["main"], ["main"]]
    assert "source_traceback: \n" in caplog.text
    assert "loop.call_soon(fail)" in caplog.text


def test_tasks_and_futures_are_shown_as_asyncios_are() -> None:
    """aiohttp: its tests check the prefix of `str` of a task, and of a stream with a waiter."""

    async def main() -> list[str]:
        task = asyncio.create_task(asyncio.sleep(0), name="t")
        return [
            repr(task).partition(" ")[0],
            repr(asyncio.get_running_loop().create_future()),
            type(task).__name__,
        ]

    assert run(main()) == ["<Task", "<Future pending>", "Task"]
