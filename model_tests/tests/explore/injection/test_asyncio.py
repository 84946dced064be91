"""Injection: late timers, cancels, timeouts and faults of the network are choices, found by a search and replayed."""

import asyncio
from contextlib import closing
from functools import partial
from typing import Any

import pytest
import trio

import impl
from impl.bridges.asyncio.run import Network, simulate
from impl.explore import explore
from impl.explore.programs.program import RuntimeName
from impl.net import Fault, FaultRule, NetworkConditions
from impl.runners.simulate import simulate as simulate_impl
from impl.sim.choices import Choices
from impl.sim.inject import Injection

from ..programs import NAMES, RACES, RUNTIMES, Main, failure_of, outcome

SIMULATE: dict[str, Any] = {"impl": simulate_impl, "asyncio": simulate}


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("order", ["fifo", "any"])
def test_two_sleeps_race_if_timers_may_be_late(order: Any, runtime: RuntimeName) -> None:
    program = RACES[runtime].two_sleeps
    punctual = explore(program, runtime=runtime, order=order, runs=50, late=0.0)
    assert punctual.verdict == "not exhausted"
    assert "timers kept the order of their times" in punctual.as_json()["assumptions"]
    failure = failure_of(program, runtime=runtime, order=order, late=0.02)
    assert str(failure.error).startswith("the server is not ready")
    run = SIMULATE[runtime](program, token=failure.token)
    assert str(run.error).startswith("the server is not ready")


def test_two_sleeps_of_trio_race_if_the_clock_may_be_late() -> None:
    async def main() -> None:
        ready = False

        async def serve() -> None:
            nonlocal ready
            await trio.sleep(0.09)
            ready = True

        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            await trio.sleep(0.1)
            assert ready, "the server is not ready"

    assert explore(main, runtime="trio", runs=20, late=0.0).verdict == "not exhausted"
    assert "AssertionError: the server is not ready" in failure_of(main, runtime="trio", late=0.02).outcome


def leaky(runtime: RuntimeName) -> Main:
    """Three workers take a lock; one that is cancelled while it holds the lock never releases it."""
    names = NAMES[runtime]

    async def main() -> None:
        lock = names.Lock()

        async def work() -> None:
            await lock.acquire()
            await names.sleep(0.1)
            lock.release()

        workers = [names.create_task(work(), name=f"worker {number}") for number in range(3)]
        await names.gather(*workers, return_exceptions=True)

    return main


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("cancel", ["all", "work", "worker ?", ("nothing", "worker 1")])
def test_a_lock_that_a_cancel_leaves_locked_is_found(cancel: Any, runtime: RuntimeName) -> None:
    program = leaky(runtime)
    assert explore(program, runtime=runtime, runs=50).verdict == "not exhausted"
    failure = failure_of(program, runtime=runtime, cancel=cancel)
    assert isinstance(failure.error, impl.DeadlockError)
    run = SIMULATE[runtime](program, token=failure.token)
    assert isinstance(run.error, impl.DeadlockError)
    assert run.digest == failure.run.digest
    assert any(failure.plan["faults"])


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_that_the_cancelled_program_ends_cancelled_is_no_failure(runtime: RuntimeName) -> None:
    async def main() -> None:
        await NAMES[runtime].sleep(1)

    found = explore(main, runtime=runtime, cancel="all", runs=10)
    assert found.verdict == "not exhausted"
    assert list(found.outcomes) == ["returned None", "CancelledError"]


def parked(runtime: RuntimeName, seen: list[str]) -> Main:
    """One task waits for a future that main resolves; its handler notes whether the future was done."""
    names = NAMES[runtime]

    async def main() -> None:
        future = names.get_running_loop().create_future()

        async def wait() -> None:
            try:
                await future
            except names.CancelledError:
                seen.append("parked" if future.cancelled() else "woken")
                raise

        task = names.create_task(wait())
        await names.sleep(1)
        if not future.done():
            future.set_result(None)
        await names.wait([task])
        seen.append("end")

    return main


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize(("drawn", "expected"), [(0, ["end"]), (1, ["parked", "end"]), (2, ["woken", "end"])])
def test_a_cancel_before_or_after_the_wake_up(drawn: int, expected: list[str], runtime: RuntimeName) -> None:
    seen: list[str] = []
    choices = Choices.listed({"faults": [drawn]})
    SIMULATE[runtime](parked(runtime, seen), choices=choices, inject=Injection(("wait",)))
    assert seen == expected
    assert choices.faults.drawn == [drawn]


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_every_place_of_the_plain_run_is_swept_by_the_odd_seeds(runtime: RuntimeName) -> None:
    cancelled: list[int] = []
    names = NAMES[runtime]

    async def work() -> None:
        for step in range(3):
            try:
                await names.sleep(0)
            except names.CancelledError:
                cancelled.append(step)
                raise

    async def main() -> None:
        await names.wait([names.create_task(work())])

    for seed in range(1, 13, 2):
        explore(main, runtime=runtime, cancel="work", seed=seed, runs=1)
    assert cancelled == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("batch", [100, 4])
def test_a_sweep_makes_each_injection_and_each_two(batch: int, runtime: RuntimeName) -> None:
    names = NAMES[runtime]
    seen: list[str] = []

    async def work() -> None:
        cancels = ""
        for step in range(3):
            try:
                await names.sleep(0)
            except names.CancelledError:
                cancels += str(step)
        seen.append(cancels)

    async def main() -> None:
        await names.wait([names.create_task(work())])

    sweep = partial(explore, main, runtime=runtime, cancel="work", strategy="sweep", runs=batch)
    found = [sweep(seed=seed) for seed in range(0, 25, batch)]
    # Three places, each with two values: the plain run, 6 runs with one injection, and 15 with two (3 of them at one
    # place).  A batch after the first makes the plain run once more, and a batch of several runs again at its end.
    assert sum(each.runs for each in found) == 22
    assert len(seen) == 22 + len(found) - 1 + sum(each.runs > 1 for each in found)
    assert found[-1].bound == "each injection into the plain run was made, and each two of them"
    counts = {cancels: seen.count(cancels) for cancels in ("0", "1", "2", "01", "02", "12")}
    assert counts == {"0": 3, "1": 3, "2": 3, "01": 4, "02": 4, "12": 4}


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_timeout_that_comes_before_all_else_is_found(runtime: RuntimeName) -> None:
    names = NAMES[runtime]

    async def main() -> float:
        async def work() -> None:
            await names.sleep(1)

        results = await names.gather(names.wait_for(work(), 5), return_exceptions=True)
        assert results == [None], results
        return float(names.get_running_loop().time())

    assert list(explore(main, runtime=runtime, runs=20, late=0.0).outcomes) == ["returned 1.0"]
    failure = failure_of(main, runtime=runtime, timeouts=True)
    assert failure.outcome == "AssertionError: [TimeoutError()]"
    assert failure.run.elapsed_ns == 5_000_000_000
    assert SIMULATE[runtime](main, token=failure.token).error is not None


_HANDLES = """
async def handles(waiting, error):
    try:
        await waiting
    except TimeoutError:
        raise error
"""


@pytest.mark.parametrize(("file", "fails"), [("/venv/site-packages/client.py", False), ("/srv/app.py", True)])
def test_an_injected_timeout_may_end_the_program_in_the_form_of_a_library(file: str, fails: bool) -> None:
    """Such as httpx.ReadTimeout; an error of the program itself is a failure, unless it is raised from the timeout."""
    space: dict[str, Any] = {}
    exec(compile(_HANDLES, file, "exec"), space)

    async def handled() -> None:
        await space["handles"](asyncio.wait_for(asyncio.sleep(1), 5), OSError())

    async def raised_from() -> None:
        try:
            await handled()
        except OSError as error:
            raise KeyError from error

    for main in (handled, raised_from):
        assert bool(explore(main, timeouts=True, runs=20).failures) == fails


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("cancels", [False, True])
def test_an_error_that_nothing_was_injected_for_is_a_failure(cancels: bool, runtime: RuntimeName) -> None:
    async def main() -> None:
        nap = NAMES[runtime].create_task(NAMES[runtime].sleep(5))
        if cancels:
            nap.cancel()
        await NAMES[runtime].wait_for(nap, 1)

    found = explore(main, runtime=runtime, timeouts=True, cancel="all")
    assert (found.runs, found.verdict) == (1, "failed")


async def echoes() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readline())
        writer.close()

    server = await asyncio.start_server(serve, "localhost", 80)
    reader, writer = await asyncio.open_connection("localhost", 80)
    writer.write(b"x\n")
    assert await reader.readline() == b"x\n"
    writer.close()
    server.close()


def test_faults_of_the_network_are_found() -> None:
    assert outcome(explore(echoes)) == ""
    assert "ConnectionRefusedError" in outcome(explore(echoes, faults="refused"))
    assert "ConnectionResetError" in outcome(explore(echoes, faults=["reset"]))
    assert explore(echoes, faults="all", token=failure_of(echoes, faults="all").token).verdict == "failed"


def test_faults_have_rates_and_scopes_and_are_counted(full: bool) -> None:
    """The same value as text, as a rule, and in the network."""
    runs = 30 if full else 12
    rule = FaultRule(Fault.RESET, 3, ("localhost",))
    conditions = NetworkConditions(latency_ms_max=20, segments_max=3, faults=(rule,), fault_one_in=2)
    found = [
        explore(repeats, faults=given, network=network, keep_going=True, runs=runs)
        for given, network in (("reset/3@localhost", None), ([rule], None), (None, Network(conditions)))
    ]
    assert len({each.digest for each in found}) == 1
    assert found[0].struck[Fault.RESET] > 3
    assert f"faults struck: reset {found[0].struck[Fault.RESET]}" in found[0].report()
    assert found[0].as_json()["struck"] == {"reset": found[0].struck[Fault.RESET]}
    assert explore(repeats, faults="reset/3@elsewhere", runs=runs).failure is None
    again = explore(repeats, faults=[rule], keep_going=True, runs=runs)
    assert again.struck == found[1].struck


def test_a_swarm_of_all_faults_strikes_with_every_kind(full: bool) -> None:
    found = explore(repeats, faults="all", keep_going=True, runs=300 if full else 120)
    assert {fault for fault in Fault if found.struck[fault]} == {*Fault}


async def repeats() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer):
            await reader.readline()
            writer.write(b"x\n")

    async def ask() -> None:
        reader, writer = await asyncio.open_connection("localhost", 80)
        with closing(writer):
            writer.write(b"x\n")
            await reader.readline()

    async with await asyncio.start_server(serve, "localhost", 80):
        done, _ = await asyncio.wait([asyncio.create_task(ask()) for _ in range(5)], timeout=30)
        for task in done:
            if task.exception() is not None:
                raise OSError("an ask has failed")


@pytest.mark.parametrize(("arguments", "message"), [
    ({"faults": "reset/1"}, "reset has the rate one in 1: at most one in 2"),
    ({"faults": "storm"}, "no such fault: storm; the faults are no-such-host, refused, reset, silent"),
    ({"late": -1.0}, "late is -1.0"),
    ({"late": 0.0001}, "whole milliseconds"),
    ({"cancel": "x" * 1001}, "at most 1000 bytes"),
])  # fmt: skip
def test_what_cannot_be_injected_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        explore(echoes, **arguments)
