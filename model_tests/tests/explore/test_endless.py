"""Programs that poll: one that never ends is a livelock with the line of the poll, one that ends is never accused."""

import asyncio
import itertools
import os
import random
import re
import time
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import trio

import impl
from impl.bridges.asyncio.run import simulate
from impl.explore import explore
from impl.explore.command import main as command
from impl.explore.programs.program import RuntimeName
from impl.sim.limits import RunLimits

Main = Callable[[], Coroutine[Any, Any, Any]]  # Any: the programs return nothing
#: Iterations after which a run is looked at, here.
FEW = 100


async def lost_update(polls: bool = True) -> None:
    left = 2

    async def job(steps: int) -> None:
        nonlocal left
        for _ in range(steps):
            await asyncio.sleep(0)
        seen = left
        await asyncio.sleep(0)
        left = seen - 1

    async with asyncio.TaskGroup() as tg:
        tg.create_task(job(0))
        tg.create_task(job(3))
        while left:
            await asyncio.sleep(0.1)  # here


async def a_callback_that_calls_itself_back() -> None:
    def again() -> None:
        asyncio.get_running_loop().call_soon(again)  # here

    again()
    await asyncio.Event().wait()


async def timers_in_a_chain() -> None:
    def tick(n: int) -> None:
        asyncio.get_running_loop().call_later(0.5, tick, (n + 1) % 7)  # here

    tick(0)
    await asyncio.Event().wait()


async def events_to_and_fro() -> None:
    events = asyncio.Event(), asyncio.Event()

    async def play(me: int) -> None:
        while True:
            await events[me].wait()  # here
            events[me].clear()
            events[1 - me].set()

    events[0].set()
    await asyncio.gather(play(0), play(1))


async def timeouts_again_and_again() -> None:
    queue = asyncio.Queue[int]()
    while True:
        try:
            await asyncio.wait_for(queue.get(), 0.1)  # here
        except TimeoutError:
            continue


async def a_helper_that_polls_a_dict() -> None:
    jobs = {"a": 1}

    async def idle() -> None:
        while jobs:
            await asyncio.sleep(1)  # here

    async with asyncio.timeout(None):
        await idle()


async def of_impl() -> None:
    done = impl.Event()
    while not done.is_set():
        await impl.sleep(0.1)  # here


async def of_trio() -> None:
    done = trio.Event()
    while not done.is_set():
        await trio.sleep(0.1)  # here


@pytest.mark.short("lost_update", "of_impl", why="seconds of searches")
@pytest.mark.parametrize("main", [
    lost_update, a_callback_that_calls_itself_back, timers_in_a_chain, events_to_and_fro, timeouts_again_and_again,
    a_helper_that_polls_a_dict, of_impl, of_trio,
])  # fmt: skip
def test_a_poll_that_never_ends_is_a_livelock_with_its_line(main: Main) -> None:
    runtime: RuntimeName = "trio" if main is of_trio else "impl" if main is of_impl else "asyncio"
    found = explore(main, runtime=runtime, iterations=FEW)
    assert found.failure is not None
    assert isinstance(found.failure.error, impl.LivelockError)
    head = str(found.failure.error).partition("\n")[0]
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    assert lines[int(head.split(".py:")[1].split(" ")[0]) - 1].endswith("# here")
    assert re.search(f": after {FEW} loop iterations .* again and again", head)
    again = explore(main, runtime=runtime, iterations=FEW, token=found.failure.simple.token)
    assert again.failure is not None
    assert again.failure.outcome == found.failure.outcome
    if runtime != "trio":
        classes = explore(main, runtime=runtime, iterations=FEW, every=True)
        assert classes.failure is not None
        assert isinstance(classes.failure.error, impl.LivelockError)


def test_rows_that_are_the_same_are_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert command([f"{__file__}:lost_update", "--iterations", str(FEW)]) == 1
    [row] = re.findall(r".* reads left\b.* times\)", capsys.readouterr().out)
    assert re.fullmatch(r"  \d+ reads left \(\d+ times\)", row)


async def polls_many_times() -> None:
    for _ in range(1000):
        await asyncio.sleep(0.1)


async def waits_for_a_change_that_is_rare() -> None:
    left = 3

    async def other() -> None:
        nonlocal left
        while left:
            await asyncio.sleep(300)
            left -= 1

    task = asyncio.create_task(other())
    while left:
        await asyncio.sleep(1)
    await task


async def has_a_timeout() -> None:
    try:
        async with asyncio.timeout(900):
            while True:
                await asyncio.sleep(1)
    except TimeoutError:
        return


async def reads_the_clock() -> None:
    start, loop = time.monotonic(), asyncio.get_running_loop()
    while time.monotonic() - start < 500 or loop.time() < 900:
        await asyncio.sleep(1)


async def reads_the_time_of_day() -> None:
    end = datetime.now() + timedelta(seconds=0.1)
    while datetime.now() < end:
        await asyncio.sleep(1)


async def drains_a_connection() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(bytes(500))
        writer.close()

    async with await asyncio.start_server(serve, "localhost", 7000):
        reader, writer = await asyncio.open_connection("localhost", 7000)
        while await reader.read(1):
            await asyncio.sleep(0.1)
        writer.close()


async def draws_lots() -> None:
    while random.random() < 0.999:
        await asyncio.sleep(1)


async def draws_bytes() -> None:
    while uuid4().bytes[0] or os.urandom(1)[0] > 127:
        await asyncio.sleep(1)


async def counts_with_an_iterator() -> None:
    count, data = itertools.count(), iter(bytearray(1000))
    while next(count) < 900:
        next(data)
        await asyncio.sleep(0)


async def ends_by_a_lib_in_c() -> None:
    numbers = itertools.islice(itertools.cycle([1]), 900)
    while next(numbers, 0):
        await asyncio.sleep(0)


async def has_a_deadline_of_trio() -> None:
    with trio.move_on_after(900):
        while True:
            await trio.sleep(1)


@pytest.mark.short(
    "reads_the_clock",
    "draws_bytes",
    "ends_by_a_lib_in_c",
    "has_a_deadline_of_trio",
    why="half a second each",
)
@pytest.mark.parametrize("main", [
    polls_many_times, waits_for_a_change_that_is_rare, has_a_timeout, reads_the_clock, reads_the_time_of_day,
    draws_lots, draws_bytes, drains_a_connection, counts_with_an_iterator, ends_by_a_lib_in_c, has_a_deadline_of_trio,
])  # fmt: skip
def test_a_poll_that_ends_is_never_accused(main: Main) -> None:
    runtime: RuntimeName = "trio" if main is has_a_deadline_of_trio else "asyncio"
    iterations = FEW if main is not reads_the_time_of_day else 10_000
    found = explore(main, runs=2, runtime=runtime, iterations=iterations)
    assert (found.failures, found.unfinished, list(found.outcomes)) == (0, 0, ["returned None"])


async def counts_for_ever() -> None:
    n = 0
    while True:
        n += 1
        await asyncio.sleep(0.1)


@pytest.mark.long("seconds of searches")
def test_a_run_that_is_not_understood_is_unfinished(capsys: pytest.CaptureFixture[str]) -> None:
    assert command([f"{__file__}:counts_for_ever", "--runs", "2", "--iterations", "10"]) == 3
    said = capsys.readouterr().out
    assert "no run failed; 2 runs did not end" in said
    assert "run 1 has not ended after 1,000 loop iterations, at" in said
    assert command([f"{__file__}:counts_for_ever", "--runs", "2", "--iterations", "10", "--every"]) == 3
    run = simulate(counts_for_ever, limits=RunLimits(20, 200))
    assert isinstance(run.error, impl.UnfinishedError)
    with pytest.raises(ValueError, match="at least 1"):
        explore(counts_for_ever, iterations=0)
