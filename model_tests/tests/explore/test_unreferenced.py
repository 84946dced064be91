"""A task that nothing refers to is collected, as asyncio lets happen; one that anything refers to is not.

A program that fails by that is found without options; `--errors unreferenced` finds the task by itself.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any
from weakref import ref

import pytest

from impl.explore import explore

from ...commands import cli
from ..fixtures import Captured
from .programs import Main, failure_of

# Any: tasks.
Starts = Callable[[list[Any]], Awaitable[None]]

KEPT: list[Any] = []


def begin(coro: Coroutine[Any, Any, Any]) -> None:
    """Make a task, and drop it."""
    asyncio.create_task(coro)  # noqa: RUF006  (that is the subject here)


class Request:
    """Waits for an answer that a timer brings, unless it is gone by then."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.answer = loop.create_future()
        me = ref(self)
        loop.call_later(0.2, lambda: None if (request := me()) is None else request.answer.set_result(1))

    async def run(self) -> None:
        await self.answer


async def alone(kept: list[Any]) -> None:
    begin(Request().run())


async def two_that_wait_for_each_other(kept: list[Any]) -> None:
    inner = asyncio.create_task(Request().run())

    async def outer() -> None:
        await inner

    begin(outer())


async def at_a_queue_that_is_gone(kept: list[Any]) -> None:
    """The getter that it cancels at its end wakes the task once more."""

    async def get(queue: asyncio.Queue[int]) -> None:
        await queue.get()

    begin(get(asyncio.Queue()))


async def in_a_list_of_main(kept: list[Any]) -> None:
    kept.append(asyncio.create_task(Request().run()))


async def in_a_module(kept: list[Any]) -> None:
    KEPT.append(asyncio.create_task(Request().run()))


async def awaited(kept: list[Any]) -> None:
    await asyncio.create_task(Request().run())


async def at_a_stream(kept: list[Any]) -> None:
    """The protocol of a client refers weakly to its reader, on asyncio as here."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.2)
        writer.write(b"1")
        writer.close()

    async def read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    kept.append(await asyncio.start_server(serve, "localhost", 80))
    begin(read(*await asyncio.open_connection("localhost", 80)))


async def at_a_socket(kept: list[Any]) -> None:
    """The loop refers to the sockets that it waits for."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.2)
        writer.write(b"1")
        writer.close()

    async def read(sock: socket.socket) -> None:
        with sock:
            await asyncio.get_running_loop().sock_recv(sock, 1)

    kept.append(await asyncio.start_server(serve, "localhost", 80))
    sock = socket.socket()
    sock.setblocking(False)
    await asyncio.get_running_loop().sock_connect(sock, ("localhost", 80))
    begin(read(sock))


async def serving(kept: list[Any]) -> None:
    server = await asyncio.start_server(lambda *streams: None, "localhost", 80)
    begin(server.serve_forever())


async def asleep(kept: list[Any]) -> None:
    begin(asyncio.sleep(0.3))


async def at_a_queue_of_main(kept: list[Any]) -> None:
    queue: asyncio.Queue[int] = asyncio.Queue()
    kept.append(queue)
    begin(queue.get())


def main_of(starts: Starts) -> Main:
    async def main() -> None:
        kept: list[Any] = []
        KEPT.clear()
        await starts(kept)
        await asyncio.sleep(1)

    return main


@pytest.mark.parametrize("starts", [alone, two_that_wait_for_each_other, at_a_stream, at_a_queue_that_is_gone])
def test_a_task_that_nothing_refers_to_is_found(starts: Starts) -> None:
    said = failure_of(main_of(starts), errors="unreferenced", runs=1).outcome
    assert said.startswith("Leaked: the program has left behind: unreferenced task ")
    assert "test_unreferenced.py:" in said or "streams.py:" in said


@pytest.mark.parametrize(
    "starts",
    [in_a_list_of_main, in_a_module, awaited, asleep, at_a_queue_of_main, at_a_socket, serving],
)
def test_a_task_that_something_refers_to_is_not(starts: Starts) -> None:
    assert explore(main_of(starts), errors="unreferenced", runs=1).failure is None


def test_whom_the_end_of_a_collected_task_wakes_runs_before_the_clock_moves() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        lock, began = asyncio.Lock(), loop.time()

        async def hold() -> None:
            async with lock:
                await Request().run()

        begin(hold())
        loop.call_later(0.1, lambda: None)
        await asyncio.sleep(0)
        async with lock:
            assert loop.time() - began != 0.1

    assert failure_of(main, errors="unreferenced", runs=1).outcome.startswith("Leaked")
    assert explore(main, late=0).failure is None
    assert explore(main, runs=12).failure is None


def test_a_program_that_does_not_need_the_task_passes() -> None:
    assert explore(main_of(alone)).failure is None
    assert explore(main_of(alone), runs=3, errors="tasks").failure is None


PROGRAM = """import asyncio, weakref
class Feed:
    def __init__(self):
        self.arrived = asyncio.Event()
        me = weakref.ref(self)
        asyncio.get_running_loop().call_later(3, lambda: me() and me().arrived.set())
    async def pump(self, out):
        await self.arrived.wait()
        await out.put(1)
async def main():
    out = asyncio.Queue()
    task = asyncio.create_task(Feed().pump(out))
    del task
    await asyncio.sleep(1)
    assert await out.get() == 1
"""


@pytest.mark.short("1", why="processes are in test_parallel.py")
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_report_says_that_a_task_was_collected(tmp_path: Path, jobs: int, capsys: Captured) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    assert cli.main(["explore", f"{program}:main", "--jobs", str(jobs)]) == 1
    said = capsys.readouterr().out
    assert "main fails: DeadlockError" in said
    assert "  needs: the task that waits at line 8 was collected as garbage: nothing refers to it\n" in said
    assert "failed (135 runs" in said
    assert "own order" not in said
    token = said.partition("token: ")[2].split()[0]
    assert cli.main(["explore", f"{program}:main", "--token", token]) == 1
    assert "was collected as garbage" in capsys.readouterr().out
    kept = tmp_path / "kept.py"
    kept.write_text(PROGRAM.replace("    del task\n", ""), encoding="utf-8")
    assert cli.main(["explore", f"{kept}:main", "--jobs", str(jobs)]) == 0
