"""Teaching code: how many connections, coroutines, threads and processes can wait at once.

The texts promise hundreds of thousands of coroutines and ask for ten thousand clients (C10K).  Here ten thousand
connections are open at once on the simulated network, each answered only after the last was made, and the bytes of a
hundred thousand parked coroutines are counted.  The bytes of a waiting thread or process are those that the operating
system keeps in memory, measured in the same run.
"""

from __future__ import annotations

import mmap
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable, Coroutine, Generator
from functools import cache
from pathlib import Path
from types import coroutine
from typing import Final, TypeVar

from ..loop import Loop
from ..net import SimulatedNet, StreamListener, open_stream
from ..runners.runner import create_task
from ..sim.choices import Choices
from .rungs.processes import pool_of

T = TypeVar("T")

#: The numbers that `report` uses.
CONNECTIONS: Final = 10_000
COROUTINES: Final = 100_000
THREADS: Final = 200


def connections_at_once(count: int) -> int:
    """Open `count` connections, answer them when all are open, and return the most that were open at once.

    Both ends are in this process; the number counts connections.
    """
    choices = Choices.plain()
    loop = Loop(choices, contexts=False)
    net = SimulatedNet(loop, choices)
    net.add_host("server.test")
    most = 0

    async def client() -> bytes:
        async with await open_stream(net, loop, "server.test", 80) as stream:
            return await stream.receive_some()

    async def server(listener: StreamListener) -> None:
        nonlocal most
        streams = [await listener.accept() for _ in range(count)]
        most = len(net.connections) // 2
        for stream in streams:
            async with stream:
                await stream.send_all(b"hello")

    async def main() -> list[bytes]:
        listener = StreamListener(net.listen(("server.test", 80), count), loop)
        tasks = [create_task(client()) for _ in range(count)]
        await server(listener)
        answers = [await task for task in tasks]
        await listener.aclose()
        return answers

    assert loop.run(main()) == [b"hello"] * count
    return most


@coroutine
def parked() -> Generator[None, None, None]:
    """Wait for ever."""
    yield


async def waits() -> None:
    await parked()


def traced(create: Callable[[], T]) -> tuple[T, int]:
    """The result of a call, and the bytes that it keeps."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        created = create()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return created, after - before


def coroutine_bytes(count: int) -> float:
    """The bytes of one of `count` parked coroutines."""

    def start() -> list[Coroutine[None, None, None]]:
        many = [waits() for _ in range(count)]
        for one in many:
            one.send(None)
        return many

    many, size = traced(start)
    for one in many:
        one.close()
    return size / count


@cache
def thread_bytes(count: int = THREADS) -> float | None:
    """The bytes of memory of one of `count` waiting threads; None if the system does not report them.

    A fresh process measures them, so that nothing else allocates memory.
    """
    ran = subprocess.run([sys.executable, "-m", __name__, str(count)], capture_output=True, text=True, check=True)
    return float(ran.stdout) if ran.stdout.strip() else None


def _start_threads(count: int) -> str:
    """The bytes of each thread as text, for `thread_bytes`."""
    go = threading.Event()
    threads = [threading.Thread(target=go.wait, daemon=True) for _ in range(count)]
    before = _resident()
    for thread in threads:
        thread.start()
    after = _resident()
    go.set()
    return "" if before is None or after is None else str((after - before) / count)


@cache
def process_bytes() -> float | None:
    """The bytes that a process of the pool shares with no other; None if the system does not report them."""
    with pool_of(1) as pool:
        try:
            rollup = pool.submit(Path("/proc/self/smaps_rollup").read_text).result()  # proc(5)
        except OSError:
            return None
    return 1024.0 * sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Private_"))


def _resident() -> int | None:
    """The resident bytes of this process (proc(5))."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    except OSError:
        return None
    return pages * mmap.PAGESIZE


def report() -> list[str]:
    """The measurements, as lines."""
    threads = thread_bytes()
    measured = "this system does not say" if threads is None else f"{threads:,.0f} bytes of each of {THREADS}"
    return [
        f"connections open at once: {connections_at_once(CONNECTIONS):,}",
        f"a parked coroutine: {coroutine_bytes(COROUTINES):,.0f} bytes of each of {COROUTINES:,}",
        f"a waiting thread, in memory: {measured}",
    ]


if __name__ == "__main__":
    print(_start_threads(int(sys.argv[1])))
