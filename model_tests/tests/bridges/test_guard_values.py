"""Answers of the guard where it does not refuse: clocks, random bytes and look-ups of names, the same in every run."""

import asyncio
import logging
import os
import random
import secrets
import select
import socket
import ssl
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import trio

from impl import LivelockError
from impl.bridges import virtual_clock
from impl.bridges.asyncio.run import simulate
from impl.bridges.guards.clocks import EPOCH
from impl.bridges.simulation import OutsideSimulation
from impl.bridges.trio.run import simulate_trio
from impl.runners.simulate import Run

from .helpers import refused

# `Any` in this file: values of many types that a program reads.

#: The reads of the clock after which a program polls, for the tests.
READS = 1000


async def values() -> list[Any]:
    """Every value that is random outside of a run."""
    from os import urandom
    from uuid import uuid4

    generator = random.Random()
    system = random.SystemRandom()
    random.seed()
    seen: list[Any] = [random.random(), generator.random(), generator.getrandbits(64), urandom(4)]
    generator.seed()
    seen += [generator.random(), system.random(), system.getrandbits(70)]
    seen += [system.randbytes(5), system.choice("abc")]
    seen += [secrets.token_hex(), secrets.randbelow(10**9), secrets.choice("abcdef"), ssl.RAND_bytes(3)]
    seen += [str(uuid4()), str(uuid.uuid1()), str(uuid.uuid1()), os.urandom(0)]
    if hasattr(os, "getrandom"):
        seen.append(os.getrandom(8))
    if sys.version_info < (3, 13):  # later it shuffles no more
        seen.append(random.sample(range(1000), 3))
    return seen


def test_random_values_are_those_of_the_seed() -> None:
    first = simulate(values, seed=1).outcome()
    assert simulate(values, seed=1).outcome() == first
    assert simulate(values, token=simulate(values, seed=1).recorded_token()).outcome() == first
    other = simulate(values, seed=2).outcome()
    same = [value for value, another in zip(first, other, strict=True) if value == another]
    assert b"" in same
    assert len(same) <= 4  # choices of a few possibilities
    assert len(set(map(str, first))) == len(first)
    assert simulate_trio(values, seed=1).outcome() == first


def test_the_programs_own_seed_is_its_own() -> None:
    async def main() -> tuple[float, float, str, str]:
        random.seed(5)
        first = uuid.uuid4().hex
        random.seed(5)
        return random.Random(7).random(), random.random(), first, uuid.uuid4().hex

    seeded, own, one, two = simulate(main).outcome()
    assert (seeded, own) == (random.Random(7).random(), random.Random(5).random())
    assert one != two


def test_outside_of_a_run_random_values_are_real() -> None:
    kept: list[Callable[[int], bytes]] = []

    async def main() -> None:
        kept.append(os.urandom)
        with pytest.raises(ValueError, match="negative"):
            os.urandom(-1)

    simulate(main).outcome()
    assert kept[0](8) != kept[0](8)
    assert uuid.uuid1().node != 0x020000000001
    assert random.Random().random() != random.Random().random()


async def clocks() -> list[Any]:
    def now() -> list[Any]:
        zero = [time.process_time(), time.thread_time_ns()]
        if hasattr(time, "clock_gettime"):
            zero.append(time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID))
            assert time.clock_gettime(time.CLOCK_REALTIME) == time.time()
            assert time.clock_gettime_ns(time.CLOCK_MONOTONIC) == time.monotonic_ns()
        assert not any(zero)
        assert time.ctime() == time.asctime() == time.ctime(time.time())
        assert time.localtime() == time.localtime(time.time())
        assert time.strftime("%c") == time.strftime("%c", time.localtime())
        return [time.time(), time.gmtime(), time.strftime("%H:%M:%S", time.gmtime())]

    begun = now()
    time.sleep(3600)
    return [*begun, *now()]


def test_every_clock_of_time_is_virtual() -> None:
    seen = simulate(clocks).outcome()
    assert seen[0] == EPOCH
    assert seen[1][:6] == (2024, 1, 1, 0, 0, 0)
    assert (seen[2], seen[3], seen[5]) == ("00:00:00", EPOCH + 3600, "01:00:00")
    assert simulate_trio(clocks).outcome() == seen
    assert time.gmtime()[:1] > (2024,)
    if hasattr(time, "clock_gettime"):
        with pytest.raises(OSError, match="Invalid argument"):
            time.clock_gettime(-12345)


def test_log_records_count_from_the_start_of_the_run() -> None:
    def created() -> float:
        return logging.LogRecord("name", logging.INFO, __file__, 1, "text", None, None).relativeCreated

    async def main() -> list[float]:
        first = created()
        await asyncio.sleep(1.5)
        return [first, created()]

    assert simulate(main).outcome() == [0.0, 1500.0]
    assert created() > 0  # outside of the run: since logging was imported


async def polls() -> None:
    end = time.monotonic() + 1
    while time.monotonic() < end:
        pass


async def polls_by_name() -> None:
    from time import perf_counter_ns as now

    while now() < 10**9:
        await asyncio.sleep(0)


async def polls_the_loop() -> None:
    while asyncio.get_running_loop().time() < 1:
        await asyncio.sleep(0)


async def polls_trio() -> None:
    while trio.current_time() < 1:
        await trio.lowlevel.checkpoint()


async def waits_properly() -> int:
    end, reads = time.time() + 100, 0
    while time.time() < end:
        await asyncio.sleep(0.01)
        reads += 1
    return reads


@pytest.mark.parametrize(("simulated", "program"), [
    *((simulate, program) for program in (polls, polls_by_name, polls_the_loop)),
    *((simulate_trio, program) for program in (polls, polls_trio)),
])  # fmt: skip
def test_a_program_that_polls_a_clock_is_reported(
    simulated: Callable[..., Run[Any]], program: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(virtual_clock, "READS_MAX", READS)
    said = rf"read 1,000 times .* at .*:\d+ in {program.__name__}: virtual time passes"
    with pytest.raises(LivelockError, match=said):
        simulated(program).outcome()
    assert simulate(waits_properly).outcome() > READS


async def look_ups() -> list[Any]:
    seen: list[Any] = [socket.gethostname(), socket.getfqdn()]
    seen += [socket.getfqdn("10.0.0.3"), socket.getfqdn("10.9.9.9")]
    seen += [socket.gethostbyname("localhost"), socket.gethostbyname_ex("web"), socket.gethostbyaddr("web")]
    seen.append(socket.getaddrinfo("web", "http", type=socket.SOCK_STREAM))
    seen.append(socket.getaddrinfo(None, 80, socket.AF_INET, socket.SOCK_STREAM, 0, socket.AI_PASSIVE)[0][4])
    seen.append(socket.getnameinfo(("10.0.0.3", 80), 0))
    for unknown in ("nowhere", "1.2.3"):
        with pytest.raises(socket.gaierror):
            socket.getaddrinfo(unknown, 80)
    with pytest.raises(socket.gaierror):
        socket.gethostbyname("nowhere")
    return seen


ANSWERS = [
    *("localhost", "localhost", "web", "10.9.9.9", "127.0.0.1"),
    ("web", [], ["10.0.0.3"]),
    ("web", [], ["10.0.0.3"]),
    [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.3", 80))],
    ("0.0.0.0", 80),
    ("web", "http"),
]


def test_blocking_look_ups_are_answered_from_the_simulated_names() -> None:
    async def on_asyncio() -> list[Any]:
        await asyncio.start_server(lambda reader, writer: None, "web", 80)
        return await look_ups()

    async def on_trio() -> list[Any]:
        await trio.open_tcp_listeners(80, host="web")
        return await look_ups()

    assert simulate(on_asyncio).outcome() == simulate_trio(on_trio).outcome() == ANSWERS
    assert socket.gethostbyname("127.0.0.1") == "127.0.0.1"  # outside of the run the operating system answers


async def keeps_connections() -> int:
    """Before a client reuses a connection it tests by `select.poll` whether the server has closed it."""
    connections = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        for _ in range(3):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        writer.close()

    server = await asyncio.start_server(serve, "localhost", 8080)
    async with httpx.AsyncClient(trust_env=False) as client:
        for _ in range(9):
            assert (await client.get("http://localhost:8080/")).text == "hello"
            await asyncio.sleep(1)
    server.close()
    return connections


def test_httpx_keeps_connections_until_the_server_closes_them() -> None:
    assert simulate(keeps_connections).outcome() == 3


async def on_trio() -> list[bool]:
    seen = []
    for listener in await trio.open_tcp_listeners(9, host="server"):
        async with await trio.open_tcp_stream("server", 9) as client, await listener.accept() as server:
            for data in (b"", b"some"):
                await server.send_all(data)
                await trio.sleep(1)
                poll = select.poll()
                poll.register(client.socket, select.POLLIN)
                ready = poll.poll(0)
                seen += [bool(ready), bool(select.select([client.socket], [], [], 0)[0])]
                assert select.select([], [client.socket], [])[1] == [client.socket]
                with refused("descriptor 0"):
                    select.select([0], [], [], 0)
        await listener.aclose()
    return seen


@pytest.mark.skipif(not hasattr(select, "poll"), reason="not run: this system has no select.poll")
def test_sockets_are_polled_without_waiting() -> None:
    assert simulate_trio(on_trio).outcome() == [False, False, True, True]

    async def blocks() -> None:
        with socket.create_server(("server", 9)) as listener:
            select.select([listener], [], [], 0)
            select.select([listener], [], [], 1)

    with pytest.raises(OutsideSimulation, match="a wait until a socket is ready"):
        simulate(blocks).outcome()
    assert select.select([], [], [], 0) == ([], [], [])


def test_names_of_temporary_files_do_not_repeat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even in another command with the same seed in its first run; other generators do, and so does the run."""

    async def main() -> float:
        tempfile.mkdtemp(dir=tmp_path)
        tempfile.mkstemp(dir=tmp_path)
        tempfile.NamedTemporaryFile(dir=tmp_path, delete=False).close()
        await asyncio.sleep(1)
        return random.Random().random()

    monkeypatch.setattr(tempfile, "TMP_MAX", 1)
    runs: list[Run[float]] = []
    for n in range(3):
        monkeypatch.setattr(tempfile, "_name_sequence", None)  # as in a new process
        runs.append(simulate(main, token=runs[0].token if n else None))
        assert len(list(tmp_path.iterdir())) == 3 * (n + 1)
    assert len({run.outcome() for run in runs}) == len({run.digest for run in runs}) == 1
